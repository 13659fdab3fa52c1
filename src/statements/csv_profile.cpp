#include "drawbridge/statements/csv_profile.hpp"

#include <algorithm>
#include <array>

#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/text/date_pattern.hpp"
#include "drawbridge/text/yaml.hpp"
#include "profile_values.hpp"

namespace drawbridge::statements {
namespace {

using text::YamlNode;
using text::YamlReader;

constexpr std::string_view what = "a confirmation profile";

std::string listed(const std::vector<std::string_view>& words) {
    std::string text;
    for (const std::string_view word : words)
        text += (text.empty() ? "" : ", ") + std::string(word);
    return text;
}

class ProfileReader {
  public:
    ProfileReader(std::string_view file_name, text::Diagnostics& into) : yaml_(std::string(file_name), into) {
        std::string_view name = file_name.substr(file_name.rfind('/') == file_name.npos ? 0 : file_name.rfind('/') + 1);
        profile_.name = name.substr(0, name.rfind('.'));
    }

    CsvProfile read(const YamlNode& root) {
        if (const auto* format = YamlReader::find(root, "format");
            format != nullptr && format->kind() == YamlNode::Kind::scalar && format->scalar() == "acknowledgment")
            return read_acknowledgment(root);
        if (!yaml_.check_map(root,
                             {"format", "encoding", "separator", "quote", "skip", "header", "references", "status",
                              "words", "amount", "direction", "date", "currency", "reason_code", "payee_name", "note",
                              "ignore", "account", "control"},
                             what))
            return {};
        if (const auto* node = yaml_.require(root, "format", what))
            (void)word(*node, "format", {"csv", "acknowledgment"});
        read_form(root);
        read_references(root);
        read_status(root);
        if (const auto* node = yaml_.require(root, "amount", what)) read_amount(*node);
        if (const auto* node = YamlReader::find(root, "direction")) read_direction(*node);
        if (const auto* node = yaml_.require(root, "date", what)) read_date(*node);
        for (const auto& [key, into] : {std::pair{"currency", &profile_.currency},
                                        {"reason_code", &profile_.reason_code},
                                        {"payee_name", &profile_.payee_name},
                                        {"note", &profile_.note}}) {
            if (const auto* node = YamlReader::find(root, key)) *into = source(*node, key);
        }
        if (const auto* node = YamlReader::find(root, "ignore")) read_ignored(*node);
        if (const auto* node = YamlReader::find(root, "account")) profile_.account = column(*node, "account");
        if (const auto* node = YamlReader::find(root, "control")) read_control(*node);
        check_directions(root);
        return std::move(profile_);
    }

  private:
    CsvProfile read_acknowledgment(const YamlNode& root) {
        if (!yaml_.check_map(
                root, {"format", "encoding", "separator", "quote", "skip", "header", "file_name", "payments", "total"},
                what))
            return {};
        read_form(root);
        for (const auto& [key, into] :
             {std::pair{"file_name", &profile_.file_name}, {"payments", &profile_.payments}}) {
            if (const auto* node = yaml_.require(root, key, what)) *into = column(*node, key);
        }
        if (const auto* node = yaml_.require(root, "total", what)) read_amount(*node);
        if (profile_.debit || profile_.debit_credit_flag || profile_.negative != Negative::refused)
            yaml_.error(root, "the total of an acknowledgment has no direction", "write total: NAME or its column");
        return std::move(profile_);
    }

    void read_form(const YamlNode& root) {
        if (const auto* node = YamlReader::find(root, "encoding"))
            profile_.encoding =
                word(*node, "encoding", {"utf-8", "windows-1252"}) == 1U ? Encoding::windows1252 : Encoding::utf8;
        read_header(root);
        read_separators(root);
    }

    // The index of the text among `words`.
    std::optional<std::size_t> word(const YamlNode& node, std::string_view key,
                                    const std::vector<std::string_view>& words) {
        const auto text = yaml_.text(node, key);
        if (!text) return std::nullopt;
        const auto found = std::ranges::find(words, *text);
        if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
        const std::string_view meant = text::closest_match(*text, words);
        yaml_.error(node, "unknown " + std::string(key) + " '" + *text + "'",
                    meant.empty() ? "one of " + listed(words) : "did you mean '" + std::string(meant) + "'?");
        return std::nullopt;
    }

    // A number is a column number from 1; anything else is a column header.
    std::optional<ColumnRef> column(const YamlNode& node, std::string_view key) {
        const auto text = yaml_.text(node, key);
        if (!text) return std::nullopt;
        const bool number = !node.is_quoted() && text->find_first_not_of("0123456789") == std::string::npos;
        if (number) {
            const auto at = yaml_.integer_in(node, key, 1, 1000);
            if (!at) return std::nullopt;
            return ColumnRef{{}, static_cast<std::size_t>(*at)};
        }
        if (!profile_.has_header) {
            yaml_.error(node, "column '" + *text + "' is a name, but the file has no header",
                        "write its number, from 1");
            return std::nullopt;
        }
        return ColumnRef{*text, 0};
    }

    std::optional<FactSource> source(const YamlNode& node, std::string_view key) {
        if (node.kind() != YamlNode::Kind::map) {
            auto at = column(node, key);
            if (!at) return std::nullopt;
            return FactSource{std::move(at), {}};
        }
        if (!yaml_.check_map(node, {"column", "constant"}, key)) return std::nullopt;
        return source_in(node, key);
    }

    std::optional<FactSource> source_in(const YamlNode& node, std::string_view key) {
        const auto* at = YamlReader::find(node, "column");
        const auto* constant = YamlReader::find(node, "constant");
        if ((at != nullptr) == (constant != nullptr)) {
            yaml_.error(node, std::string(key) + " needs either a column or a constant",
                        "write column: NAME or constant: TEXT");
            return std::nullopt;
        }
        if (at != nullptr) {
            auto ref = column(*at, "column");
            if (!ref) return std::nullopt;
            return FactSource{std::move(ref), {}};
        }
        auto text = yaml_.text(*constant, "constant");
        if (!text) return std::nullopt;
        return FactSource{std::nullopt, std::move(*text)};
    }

    std::optional<char> character(const YamlNode& node, std::string_view key, std::string_view allowed) {
        auto text = yaml_.text(node, key);
        if (!text) return std::nullopt;
        if (*text == "tab") text = "\t";
        if (*text == "space") text = " ";
        if (text->size() == 1 && allowed.find(text->front()) != std::string_view::npos) return text->front();
        yaml_.error(node, std::string(key) + " '" + *text + "' is not allowed",
                    "write one of these characters: " + shown(allowed));
        return std::nullopt;
    }

    static std::string shown(std::string_view allowed) {
        std::string text;
        for (const char c : allowed) {
            if (!text.empty()) text += "  ";
            text += c == '\t' ? "tab" : c == ' ' ? "space" : std::string(1, c);
        }
        return text;
    }

    void read_separators(const YamlNode& root) {
        if (const auto* node = YamlReader::find(root, "separator"))
            profile_.separator = character(*node, "separator", ",;|\t").value_or(',');
        if (const auto* node = YamlReader::find(root, "quote"))
            profile_.quote = character(*node, "quote", "\"'").value_or('"');
        const auto* skip = YamlReader::find(root, "skip");
        if (skip == nullptr || !yaml_.check_map(*skip, {"head", "foot"}, "skip")) return;
        if (const auto* node = YamlReader::find(*skip, "head"))
            profile_.skip_head = static_cast<std::size_t>(yaml_.integer_in(*node, "head", 0, 100).value_or(0));
        if (const auto* node = YamlReader::find(*skip, "foot"))
            profile_.skip_foot = static_cast<std::size_t>(yaml_.integer_in(*node, "foot", 0, 100).value_or(0));
    }

    void read_header(const YamlNode& root) {
        const auto* node = YamlReader::find(root, "header");
        if (node == nullptr) return;
        if (node->kind() == YamlNode::Kind::sequence) {
            profile_.expected_header = yaml_.texts(*node, "header").value_or(std::vector<std::string>{});
        } else {
            profile_.has_header = yaml_.boolean(*node, "header").value_or(true);
        }
    }

    void read_references(const YamlNode& root) {
        const auto* list = yaml_.require(root, "references", what);
        if (list == nullptr) return;
        if (list->kind() != YamlNode::Kind::sequence || list->items().empty())
            return yaml_.error(*list, "references must be a list",
                               "write - {kind: trace_number, column: NAME}, the strongest first");
        constexpr std::array kinds = {ReferenceKind::any, ReferenceKind::trace_number, ReferenceKind::check_number,
                                      ReferenceKind::end_to_end_id, ReferenceKind::payment_id};
        for (const YamlNode& item : list->items()) {
            if (!yaml_.check_map(item, {"kind", "column"}, "a reference")) continue;
            const auto* kind_node = yaml_.require(item, "kind", "a reference");
            const auto* column_node = yaml_.require(item, "column", "a reference");
            if (kind_node == nullptr || column_node == nullptr) continue;
            const auto kind =
                word(*kind_node, "kind", {"any", "trace_number", "check_number", "end_to_end_id", "payment_id"});
            auto at = column(*column_node, "column");
            if (kind && at) profile_.references.emplace_back(kinds.at(*kind), FactSource{std::move(at), {}});
        }
    }

    void read_status(const YamlNode& root) {
        if (const auto* node = YamlReader::find(root, "status")) profile_.status = source(*node, "status");
        const auto* words = YamlReader::find(root, "words");
        if (words != nullptr &&
            yaml_.check_map(*words, {"paid", "returned", "void", "pending", "unrelated"}, "words")) {
            for (const auto& [key, line, col, value] : words->entries()) {
                const auto kind = parse_confirmation_kind(key);
                const auto texts = yaml_.texts(value, key);
                if (!kind || !texts) continue;
                for (const std::string& text : *texts)
                    add_word(value, text, *kind);
            }
        }
        if (profile_.words.empty())
            profile_.words = {{"paid", ConfirmationKind::paid},
                              {"returned", ConfirmationKind::returned},
                              {"void", ConfirmationKind::voided}};
        if (profile_.status && !profile_.status->column && !find_kind(profile_, profile_.status->constant))
            yaml_.error(*YamlReader::find(root, "status"),
                        "status '" + profile_.status->constant + "' is not one of the words",
                        "write paid, or add it under words");
    }

    void add_word(const YamlNode& at, const std::string& text, ConfirmationKind kind) {
        if (find_kind(profile_, text))
            return yaml_.error(at, "duplicate word '" + text + "'", "each word has one meaning");
        profile_.words.push_back({text, kind});
    }

    void read_amount(const YamlNode& node) {
        if (node.kind() != YamlNode::Kind::map) {
            profile_.amount = column(node, "amount");
            return;
        }
        if (!yaml_.check_map(node,
                             {"column", "debit", "credit", "flag", "debit_word", "credit_word", "negative", "decimal",
                              "thousands", "symbol"},
                             "amount"))
            return;
        for (const auto& [key, into] : {std::pair{"column", &profile_.amount},
                                        {"debit", &profile_.debit},
                                        {"credit", &profile_.credit},
                                        {"flag", &profile_.debit_credit_flag}}) {
            if (const auto* at = YamlReader::find(node, key)) *into = column(*at, key);
        }
        for (const auto& [key, into] : {std::pair{"debit_word", &profile_.debit_word},
                                        {"credit_word", &profile_.credit_word},
                                        {"symbol", &profile_.symbol}}) {
            if (const auto* at = YamlReader::find(node, key)) *into = yaml_.text(*at, key).value_or("");
        }
        const bool one = YamlReader::find(node, "column") != nullptr;
        const bool two = YamlReader::find(node, "debit") != nullptr && YamlReader::find(node, "credit") != nullptr;
        if (one == two || (!one && YamlReader::find(node, "flag") != nullptr))
            yaml_.error(node, "amount needs a column, or a debit and a credit column",
                        "write column: NAME (with a flag, if there is one), or debit: NAME and credit: NAME");
        if (const auto* at = YamlReader::find(node, "negative")) {
            constexpr std::array meanings = {Negative::refused, Negative::out, Negative::in};
            profile_.negative = meanings.at(word(*at, "negative", {"refused", "out", "in"}).value_or(0));
        }
        if (const auto* at = YamlReader::find(node, "decimal"))
            profile_.decimal = character(*at, "decimal", ".,").value_or('.');
        if (const auto* at = YamlReader::find(node, "thousands"))
            profile_.thousands = character(*at, "thousands", ",.' ").value_or('\0');
        if (profile_.decimal == profile_.thousands)
            yaml_.error(node, "decimal and thousands are the same character", "an amount could mean two things");
    }

    void read_direction(const YamlNode& node) {
        if (!yaml_.check_map(node, {"out", "in"}, "direction")) return;
        constexpr std::array kinds = {ConfirmationKind::paid, ConfirmationKind::returned, ConfirmationKind::unrelated};
        for (const auto& [key, into] : {std::pair{"out", &profile_.out_means}, {"in", &profile_.in_means}}) {
            const auto* at = yaml_.require(node, key, "direction");
            if (at == nullptr) continue;
            if (const auto kind = word(*at, key, {"paid", "returned", "unrelated"})) *into = kinds.at(*kind);
        }
    }

    void check_directions(const YamlNode& root) {
        const bool knows = profile_.debit || profile_.debit_credit_flag || profile_.negative != Negative::refused;
        if (!profile_.status && !profile_.out_means)
            yaml_.error(root, "the profile does not define whether a line is paid or returned",
                        "add status: NAME, status: {constant: paid}, or direction: {out: paid, in: returned}");
        // Otherwise money that came in would count as paid where the status says so.
        if (profile_.status && !profile_.out_means && knows)
            yaml_.error(root, "the amount has a direction, and the profile does not say what it means",
                        "add direction: {out: paid, in: returned}; a line whose status says something else is refused");
        if (profile_.out_means && !knows)
            yaml_.error(*YamlReader::find(root, "direction"), "the amount has no direction",
                        "add a flag, a debit and a credit column, or negative: out");
    }

    void read_date(const YamlNode& node) {
        if (node.kind() != YamlNode::Kind::map) {
            if (auto at = column(node, "date")) profile_.date = {std::move(at), {}};
            return;
        }
        if (!yaml_.check_map(node, {"column", "constant", "format"}, "date")) return;
        if (auto from = source_in(node, "date")) profile_.date = *std::move(from);
        if (const auto* at = YamlReader::find(node, "format")) {
            const auto format = yaml_.text(*at, "format");
            if (format && !text::is_date_pattern(*format))
                yaml_.error(*at, "'" + *format + "' is not a date format",
                            "use year (YYYY, YY), month (MM, M, MON) and day (DD, D) once each, as in MM/DD/YYYY "
                            "or D-MON-YY");
            if (format) profile_.date_format = *format;
        }
        if (!profile_.date.column && !profile_.date.constant.empty() &&
            !text::parse_date_as(profile_.date.constant, profile_.date_format))
            yaml_.error(node, "the date '" + profile_.date.constant + "' is not written as " + profile_.date_format);
    }

    void read_ignored(const YamlNode& node) {
        if (!yaml_.check_map(node, {"column", "starts_with"}, "ignore")) return;
        if (const auto* at = yaml_.require(node, "column", "ignore")) {
            if (auto from = column(*at, "column")) profile_.ignored_by = FactSource{std::move(from), {}};
        }
        const auto* words = yaml_.require(node, "starts_with", "ignore");
        if (words == nullptr) return;
        profile_.ignored_beginnings = yaml_.texts(*words, "starts_with").value_or(std::vector<std::string>{});
        for (std::string& beginning : profile_.ignored_beginnings)
            beginning = lowercase(trimmed(beginning));
    }

    void read_control(const YamlNode& node) {
        if (!yaml_.check_map(node, {"row", "count", "total"}, "control")) return;
        profile_.control_row = 1;
        if (const auto* at = YamlReader::find(node, "row"))
            profile_.control_row = static_cast<std::size_t>(yaml_.integer_in(*at, "row", 1, 100).value_or(1));
        for (const auto& [key, into] :
             {std::pair{"count", &profile_.control_count}, {"total", &profile_.control_total}}) {
            const auto* at = YamlReader::find(node, key);
            if (at == nullptr) continue;
            if (const auto number = yaml_.integer_in(*at, key, 1, 1000))
                *into = ColumnRef{{}, static_cast<std::size_t>(*number)};
        }
        if (profile_.control_row > profile_.skip_foot)
            yaml_.error(node,
                        "control uses row " + std::to_string(profile_.control_row) + " of a footer of " +
                            std::to_string(profile_.skip_foot),
                        "write skip: {foot: N}, where N is the number of rows after the last line");
        if (!profile_.control_count && !profile_.control_total)
            yaml_.error(node, "control has neither count nor total",
                        "write count: N or total: N, where N is the column number");
    }

    YamlReader yaml_;
    CsvProfile profile_;
};

}  // namespace

std::expected<CsvProfile, text::Diagnostics> read_csv_profile(std::string_view yaml, std::string_view file_name) {
    const auto root = text::parse_yaml(yaml, file_name);
    if (!root) return std::unexpected(root.error());
    text::Diagnostics diagnostics;
    CsvProfile profile = ProfileReader(file_name, diagnostics).read(*root);
    if (!diagnostics.empty()) return std::unexpected(std::move(diagnostics));
    return profile;
}

}  // namespace drawbridge::statements
