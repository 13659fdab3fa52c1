#include "drawbridge/statements/read.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "bai2_records.hpp"
#include "drawbridge/domain/ascii.hpp"
#include "line_sink.hpp"
#include "profile_values.hpp"
#include "xml_elements.hpp"

namespace drawbridge::statements {
namespace {

struct FormatName {
    Format format;
    std::string_view name;
};
constexpr std::array format_names = {
    FormatName{Format::csv, "csv"},
    FormatName{Format::nacha, "nacha"},
    FormatName{Format::bai2, "bai2"},
    FormatName{Format::camt053, "camt053"},
    FormatName{Format::camt054, "camt054"},
    FormatName{Format::pain002, "pain002"},
    FormatName{Format::paid_checks, "paid_checks"},
    FormatName{Format::acknowledgment, "acknowledgment"},
};

// Matches * and ?, ignoring case; no backtracking beyond the last star.
bool fits(std::string_view pattern, std::string_view name) {
    std::size_t p = 0;
    std::size_t n = 0;
    std::optional<std::pair<std::size_t, std::size_t>> star;
    while (n < name.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = {p++, n};
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
            ++p, ++n;
        } else if (star) {
            p = star->first + 1;
            n = ++star->second;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*')
        ++p;
    return p == pattern.size();
}

std::string_view without_mark(std::string_view bytes) {
    if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
    return bytes;
}

bool is_xml(std::string_view bytes) {
    bytes = without_mark(bytes);
    const std::size_t first = bytes.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && bytes[first] == '<';
}

bool is_web_page(std::string_view bytes) {
    constexpr std::size_t longest_start = 1024;  // comments may come first
    const std::string start = lowercase(without_mark(bytes).substr(0, longest_start));
    return is_xml(bytes) && (start.contains("<!doctype html") || start.contains("<html"));
}

// Whether the first line is a NACHA record, or several: 94 characters each, with the right start for its kind.
bool is_nacha(std::string_view bytes) {
    bytes.remove_prefix(
        std::min(bytes.find_first_not_of(" \r\n"), bytes.size()));  // its reader reports what is wrong there
    const std::size_t end = bytes.find_first_of("\r\n");
    const std::string_view line = bytes.substr(0, std::min(end, bytes.size()));
    const std::string_view first = line.substr(0, line.find_last_not_of(" \t") + 1);
    const auto is_records = [](std::string_view text) { return text.size() % 94 == 0 && !text.empty(); };
    // The blanks that end a record may end the line.
    const bool whole = is_records(first) || is_records(line);
    if (first.starts_with("101")) return first.size() >= 39 && first.substr(34, 3) == "094";
    return whole && (first.starts_with("5200") || first.starts_with("5220") || first.starts_with("5225"));
}

// What the first lines look like if the file has lost its beginning: "NACHA", "BAI2"; empty: nothing that is known.
std::string_view format_without_start(std::string_view bytes) {
    constexpr int first_lines = 5;
    constexpr std::size_t record_length = 94;
    constexpr std::array<std::string_view, 4> records = {"02", "03", "16", "88"};
    bytes = without_mark(bytes);
    for (int line = 0; line < first_lines && !bytes.empty(); ++line) {
        std::string_view text = bytes.substr(0, bytes.find_first_of("\r\n"));
        bytes.remove_prefix(std::min(bytes.find_first_not_of("\r\n", text.size()), bytes.size()));
        text = text.substr(0, text.find_last_not_of(" \t") + 1);
        const std::string_view code = trim(text.substr(0, std::min(text.find(','), text.size())));
        if (text.contains(',') && std::ranges::find(records, code) != records.end() && text.ends_with('/'))
            return "BAI2";
        const bool is_record = text.size() % record_length == 0 && text.size() > 0 && text[0] >= '5' &&
                               text[0] <= '9' && all_digits(text.substr(0, 3));
        if (is_record || is_nacha(text)) return "NACHA";
    }
    return {};
}

// Some banks' transfer programs put a line of their own ("$$ADD ID=…") above a NACHA or BAI2 file.
bool begins_with_transfer_command(std::string_view bytes) {
    if (!bytes.starts_with("$$")) return false;
    const std::size_t end = bytes.find_first_of("\r\n");
    if (end == std::string_view::npos) return false;
    const std::string_view rest = bytes.substr(std::min(bytes.find_first_not_of("\r\n", end), bytes.size()));
    return rest.starts_with("01,") || is_nacha(rest);
}

// UTF-16 without its mark: every other byte is NUL.
bool is_utf16(std::string_view bytes) {
    if (bytes.size() < 4) return false;
    const auto is_nul = [&](std::size_t at) { return bytes[at] == '\0'; };
    return is_nul(0) != is_nul(1) && is_nul(0) == is_nul(2) && is_nul(1) == is_nul(3);
}

// Names a kind of file that no reader accepts, and what to do; empty: no such kind.
std::pair<std::string, std::string> foreign_kind(std::string_view bytes) {
    const auto starts = [&](std::initializer_list<std::string_view> magics) {
        return std::ranges::any_of(magics, [&](std::string_view magic) { return bytes.starts_with(magic); });
    };
    const std::string unpack = "unpack it yourself and drop its contents: Drawbridge never opens archives";
    if (starts({"PK\x03\x04", "PK\x05\x06", "PK\x07\x08"}))
        return {"this is a ZIP archive (or a spreadsheet, .xlsx)",
                "unpack it, or export the spreadsheet as CSV: Drawbridge never opens archives"};
    if (starts({"\x1F\x8B"})) return {"this is a gzip archive", unpack};
    if (starts({"BZh", "\xFD\x37zXZ", "7z\xBC\xAF", "\x28\xB5\x2F\xFD", "Rar!"}))
        return {"this is a packed archive", unpack};
    if (starts({"%PDF"})) return {"this is a PDF", "ask the bank for the file as data"};
    if (starts({"\xD0\xCF\x11\xE0"})) return {"this is an old Excel file", "export it as CSV"};
    if (starts({"-----BEGIN PGP"})) return {"this file is encrypted (OpenPGP)", "decrypt it before you drop it"};
    if (begins_with_transfer_command(bytes))
        return {"its first line is a command of the bank's transfer program",
                "have the bank send the file without that line, or remove it"};
    if (starts({"\xFF\xFE", "\xFE\xFF"}) || is_utf16(bytes)) return {"this is UTF-16 text", "save the file as UTF-8"};
    if (starts({"\xF1\xF0\xF1", "\xF0\xF1\x6B"}))  // "101" of NACHA and "01," of BAI2
        return {"this is EBCDIC text", "ask the bank for the file in ASCII"};
    const std::string as_data = "ask the bank for BAI2, camt.053 or CSV";
    if (starts({"{1:F", ":20:"})) return {"this is a SWIFT statement (MT940)", as_data};
    if (starts({"OFXHEADER"})) return {"this is a file for personal finance programs (OFX)", as_data};
    if (is_web_page(bytes)) {
        return {"this is a web page (HTML), not a bank file",
                "the download may have failed, or the portal's session may have ended: download the file again"};
    }
    return {};
}

std::optional<Format> format_of_root(std::string_view bytes) {
    std::optional<Format> found;
    // Only the first message matters; the reader reports later errors.
    const XmlVisitor visitor{
        .wanted =
            [&](const XmlPath& whole) {
                if (const XmlPath path = without_envelope(whole); path.size() == 2 && !found)
                    found = format_of_message(path[1]);
                return false;
            },
        .element = [](const XmlPath&, std::string_view, int, int) {},
        .text = [](const XmlPath&, std::string_view) {},
        .end = [](const XmlPath&) {},
    };
    const auto visited = visit_xml(bytes.substr(0, std::size_t{64} * 1024), visitor);
    static_cast<void>(visited);
    return found;
}

// Removes what old systems append to a text: Ctrl-Z, or zeros up to a block.
std::string_view without_fill(std::string_view bytes) {
    constexpr std::string_view fill("\x1A\0", 2);
    const std::size_t last = bytes.find_last_not_of(fill);
    return last == std::string_view::npos ? std::string_view() : bytes.substr(0, last + 1);
}

// Whether the first line is the header of the plain list of payment files, perhaps with quotes.
bool is_acknowledgment(std::string_view bytes) {
    std::string header = lowercase(trim(bytes.substr(0, bytes.find_first_of("\r\n"))));
    std::erase(header, '"');
    return header == "file_name,payments,total";
}

// Whether the first lines are the records of a BAI2 file, whose slashes some banks omit. The lines of a CSV may be
// numbered from 01, but 04 comes after 03.
bool begins_with_records(std::string_view text) {
    std::string codes;
    for (int line = 0; line < 4; ++line) {
        text.remove_prefix(std::min(text.find_first_not_of("\r\n"), text.size()));
        if (text.size() < 3 || text[2] != ',') return false;
        codes += text.substr(0, 2);
        text.remove_prefix(std::min(text.find_first_of("\r\n"), text.size()));
    }
    return codes == "01020316" || codes == "01020349" || codes == "01020388";
}

bool is_camt(Format format) {
    return format == Format::camt053 || format == Format::camt054 || format == Format::pain002;
}

// Formats that the content need not reveal.
bool is_by_name(Format format) {
    return format == Format::csv || format == Format::paid_checks || format == Format::acknowledgment;
}

struct Choice {
    Format format = Format::csv;
    std::string profile;
    std::string because{"its content"};
};
const std::string asked_for = "the requested profile";

}  // namespace

class StatementReader::Reader {
  public:
    Reader(std::string_view bytes, std::string_view file_name, const ReadOptions& options, ConfirmationSink sink)
        : bytes_(without_fill(bytes)),
          file_name_(file_name),
          options_(options),
          sink_(std::move(sink)),
          report_(file_name_),
          lines_(options, sink_, report_, facts_) {}

    bool advance() {
        if (!std::exchange(begun_, true)) begin();
        return sliced_ && sliced_->advance();
    }

    std::expected<StatementFacts, text::Diagnostics> finish() {
        if (report_.empty() && !facts_.mentions_our_account && !facts_.foreign_accounts.empty())
            refuse_foreign_accounts();
        if (!report_.empty()) return std::unexpected(std::move(report_).take());
        return facts_;
    }

  private:
    void refuse_foreign_accounts() {
        std::string list;
        for (const std::string& account : facts_.foreign_accounts)
            list += (list.empty() ? "" : ", ") + account;
        report_.add(0, 0, "the file only mentions accounts that are not ours: " + list,
                    "check whether the bank sent the right file; our accounts are those in "
                    "confirmations.account_number_files, and "
                    "the one in checks.account_number_file");
    }

    void begin() {
        if (const auto [what, hint] = foreign_kind(bytes_); !what.empty()) {
            report_.add(0, 0, what, hint);
        } else if (trim(without_mark(bytes_)).empty()) {
            report_.add(0, 0, "the file is empty", "drop it again; it may be truncated");
        } else if (const auto choice = choose()) {
            facts_.format = choice->format;
            facts_.profile = choice->profile;
            facts_.recognized_by = choice->because;
            read_as(*choice);
        }
    }

    std::optional<Choice> choose() {
        const auto seen = recognize(bytes_);
        if (!options_.profile.empty()) return choose_named(seen);
        const auto rule = std::ranges::find_if(
            options_.rules, [&](const FileRule& one) { return fits(lowercase(one.match), lowercase(file_name_)); });
        if (seen) {
            // A rule for *.txt does not turn a NACHA file into CSV, but a rule for a different bank format contradicts
            // it.
            if (rule != options_.rules.end() && !is_by_name(rule->format) && rule->format != *seen) {
                report_.add(0, 0,
                            "this is a " + std::string(to_string(*seen)) + " file, but its name says " +
                                std::string(to_string(rule->format)),
                            "check confirmations.profiles");
                return std::nullopt;
            }
            return Choice{*seen, {}};
        }
        if (is_xml(bytes_)) {
            if (auto visited = visit_xml(bytes_, {.wanted = [](const XmlPath&) { return false; },
                                                  .element = [](const XmlPath&, std::string_view, int, int) {},
                                                  .text = [](const XmlPath&, std::string_view) {},
                                                  .end = [](const XmlPath&) {}});
                !visited) {
                report_.add(visited.error().line, visited.error().column, visited.error().message,
                            visited.error().hint);
            } else {
                report_.add(0, 0, "this XML is not camt.053, camt.054 or pain.002", "ask the bank for one of these");
            }
            return std::nullopt;
        }
        if ((rule == options_.rules.end() || !is_by_name(rule->format)) && refuse_without_start()) return std::nullopt;
        if (rule == options_.rules.end() && options_.rules.empty()) return Choice{Format::csv, {}, "no other format"};
        if (rule == options_.rules.end()) {
            report_.add(0, 0, "no profile under 'confirmations' in drawbridge.yaml matches this name",
                        "rename the file and drop it again, or ask for a profile to be added");
            return std::nullopt;
        }
        if (!is_by_name(rule->format)) {
            report_.add(0, 0,
                        "this is not a " + std::string(to_string(rule->format)) + " file, although its name says so",
                        "check whether its start is missing, or check confirmations.profiles");
            return std::nullopt;
        }
        return Choice{rule->format, rule->profile, "its name (" + rule->match + ")"};
    }

    bool refuse_without_start() {
        const std::string_view format = format_without_start(bytes_);
        if (!format.empty())
            report_.add(1, 0, "this looks like a " + std::string(format) + " file whose start is missing or damaged",
                        "ask the bank for the file again");
        return !format.empty();
    }

    std::optional<Choice> choose_named(std::optional<Format> seen) {
        const std::string& name = options_.profile;
        if (const auto profile = std::ranges::find(options_.csv_profiles, name, &CsvProfile::name);
            profile != options_.csv_profiles.end())
            return against(seen, {profile->acknowledges() ? Format::acknowledgment : Format::csv, name, asked_for});
        if (std::ranges::find(options_.paid_check_layouts, name, &checks::PaidLayout::name) !=
            options_.paid_check_layouts.end())
            return against(seen, {Format::paid_checks, name, asked_for});
        if (const auto format = parse_format(name)) {
            if (seen && *seen != *format) return against(seen, {*format, {}, asked_for});
            if (!seen && (!is_by_name(*format) || *format == Format::paid_checks)) {
                if (refuse_without_start()) return std::nullopt;
                report_.add(0, 0, "this is not a " + name + " file", "omit the profile, or use the right one");
                return std::nullopt;
            }
            return Choice{*format, {}, asked_for};
        }
        report_.add(0, 0, "there is no profile '" + name + "'", "use one of confirmations.profiles");
        return std::nullopt;
    }

    std::optional<Choice> against(std::optional<Format> seen, Choice choice) {
        if (!seen || *seen == choice.format) return choice;
        report_.add(0, 0,
                    "this is a " + std::string(to_string(*seen)) + " file, not what '" + options_.profile + "' reads",
                    "omit the profile, or use the right one");
        return std::nullopt;
    }

    void read_as(const Choice& choice) {
        if (choice.format == Format::paid_checks) return read_paid_checks(choice);
        if (choice.format == Format::nacha) {
            sliced_ = read_nacha(without_mark(bytes_), lines_);
        } else if (choice.format == Format::bai2) {
            sliced_ = read_bai2(without_mark(bytes_), lines_);
        } else if (is_camt(choice.format)) {
            sliced_ = read_xml(bytes_, lines_);
        } else if (choice.profile.empty() && choice.format == Format::acknowledgment) {
            sliced_ = read_profiled_csv(bytes_, file_name_, plain_acknowledgment(), lines_);
        } else if (choice.profile.empty()) {
            sliced_ = read_profiled_csv(bytes_, file_name_, plain_confirmation(), lines_);
        } else {
            read_by_profile(choice);
        }
    }

    void read_by_profile(const Choice& choice) {
        const auto profile = std::ranges::find(options_.csv_profiles, choice.profile, &CsvProfile::name);
        if (profile == options_.csv_profiles.end())
            return report_.add(0, 0, "there is no CSV profile '" + choice.profile + "'",
                               "check confirmations.profiles");
        sliced_ = read_profiled_csv(bytes_, file_name_, *profile, lines_);
    }

    void read_paid_checks(const Choice& choice) {
        const auto layout = std::ranges::find(options_.paid_check_layouts, choice.profile, &checks::PaidLayout::name);
        if (layout == options_.paid_check_layouts.end())
            return report_.add(0, 0, "there is no layout of paid checks '" + choice.profile + "'",
                               "check confirmations.profiles");
        sliced_ = statements::read_paid_checks(without_mark(bytes_), file_name_, *layout, lines_);
    }

    std::string_view bytes_;
    std::string file_name_;
    const ReadOptions& options_;
    ConfirmationSink sink_;
    text::DiagnosticReport report_;
    StatementFacts facts_;
    LineSink lines_;
    std::unique_ptr<SlicedReader> sliced_;
    bool begun_ = false;
};

StatementReader::StatementReader(std::string_view bytes, std::string_view file_name, const ReadOptions& options,
                                 ConfirmationSink sink)
    : reader_(std::make_unique<Reader>(bytes, file_name, options, std::move(sink))) {}

StatementReader::~StatementReader() = default;

bool StatementReader::advance() {
    return reader_->advance();
}

std::expected<StatementFacts, text::Diagnostics> StatementReader::finish() && {
    return reader_->finish();
}

std::string_view to_string(Format format) {
    return std::ranges::find(format_names, format, &FormatName::format)->name;
}

std::vector<std::string> profile_names(const ReadOptions& options) {
    std::vector<std::string> names;
    for (const auto& profile : options.csv_profiles)
        names.push_back(profile.name);
    for (const auto& layout : options.paid_check_layouts)
        names.push_back(layout.name);
    for (const auto& format : format_names) {
        if (format.format != Format::paid_checks) names.emplace_back(format.name);
    }
    return names;
}

std::optional<Format> parse_format(std::string_view text) {
    const auto* found = std::ranges::find(format_names, text, &FormatName::name);
    if (found == format_names.end()) return std::nullopt;
    return found->format;
}

std::optional<Format> recognize(std::string_view bytes) {
    if (is_xml(bytes)) return format_of_root(bytes);
    if (is_nacha(without_mark(bytes))) return Format::nacha;
    if (is_acknowledgment(without_mark(bytes))) return Format::acknowledgment;
    if (trim(without_mark(bytes).substr(0, 64)).starts_with("01,")) {
        // BAI2, or a CSV whose first value is 01. In BAI2 a group follows the file header, or on a day without activity
        // the file trailer.
        const std::string_view front = bytes.substr(0, 4096);
        const auto has = [&](std::string_view text) { return front.find(text) != std::string_view::npos; };
        if (has("/") && (has("02,") || has("\n99,"))) return Format::bai2;
        if (begins_with_records(without_mark(front)) || is_without_accounts(without_mark(front))) return Format::bai2;
    }
    return std::nullopt;
}

std::expected<StatementFacts, text::Diagnostics> read_statement(std::string_view bytes, std::string_view file_name,
                                                                const ReadOptions& options,
                                                                const ConfirmationSink& sink) {
    StatementReader reading(bytes, file_name, options, sink);
    while (reading.advance()) {
    }
    return std::move(reading).finish();
}

}  // namespace drawbridge::statements
