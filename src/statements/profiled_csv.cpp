// Reads finance's CSV by a profile, which may be built in.
#include <algorithm>
#include <array>
#include <deque>
#include <iterator>
#include <utility>

#include "csv_amounts.hpp"
#include "csv_columns.hpp"
#include "drawbridge/checks/stated_account.hpp"
#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/text/csv_chunks.hpp"
#include "drawbridge/text/date_pattern.hpp"
#include "drawbridge/text/show.hpp"
#include "drawbridge/text/utf8.hpp"
#include "line_sink.hpp"
#include "profile_values.hpp"

namespace drawbridge::statements {
namespace {

using text::CsvField;
using text::CsvRow;

// Some banks export "2026-03-04 14:05:00" or "3/4/2026 2:05 PM": the day in the bank's own zone. A time with an offset
// is left as it is, since the day may be another one here.
std::string_view without_time_of_day(std::string_view text) {
    std::string_view rest = text;
    for (const std::string_view half : {" AM", " PM", " am", " pm"}) {
        if (rest.ends_with(half)) rest.remove_suffix(half.size());
    }
    const auto begin = rest.find_last_of(" T");
    if (begin == std::string_view::npos || begin == 0) return text;
    std::string shape(rest.substr(begin + 1));
    std::ranges::replace_if(shape, is_digit, '#');
    const auto fraction = shape.find(".#");
    if (fraction != std::string::npos && fraction == shape.find_last_not_of('#')) shape.resize(fraction);
    const bool is_time = shape == "#:##" || shape == "##:##" || shape == "#:##:##" || shape == "##:##:##";
    return is_time ? rest.substr(0, begin) : text;
}

constexpr std::size_t max_acknowledgments = 10'000;  // all are in memory at once

text::CsvDecoding decoding_of(Encoding encoding) {
    if (encoding == Encoding::utf8) return {};
    return {decode_windows1252, "a byte that is undefined in Windows-1252", "check the encoding in the profile"};
}

class ProfiledReader final : public SlicedReader {
  public:
    ProfiledReader(std::string_view bytes, std::string_view file_name, const CsvProfile& profile, LineSink& sink)
        : chunks_(bytes, file_name, {.delimiter = profile.separator, .quote = profile.quote}, sink.report,
                  decoding_of(profile.encoding)),
          profile_(profile),
          columns_(profile, sink.report),
          amounts_(profile, columns_),
          sink_(sink),
          header_pending_(profile.has_header) {}

    bool advance() override {
        if (!std::exchange(head_skipped_, true) && !skip_head()) return false;
        if (!chunks_.at_end()) read_chunk();
        if (!chunks_.at_end() && !stopped_) return true;
        if (!stopped_ && !chunks_.is_broken()) finish();
        return false;
    }

  private:
    bool skip_head() {
        for (std::size_t skipped = 0; skipped < profile_.skip_head; ++skipped) {
            const auto rows = chunks_.skip_line();
            if (!rows) {
                sink_.report.add(
                    0, 0,
                    "the file ends within the " + std::to_string(profile_.skip_head) + " lines that the profile skips",
                    "drop it again; it may be truncated");
                return false;
            }
            // Without a header, nothing else shows that the bank left out the lines above the first.
            if (profile_.has_header) continue;
            const auto line = std::ranges::find_if(
                *rows, [&](const CsvRow& row) { return is_moving_money(row) && names_payment(row); });
            if (line != rows->end())
                return columns_.refuse(
                    *line, nullptr,
                    "this line, which the profile skips, is a line about a payment: the head is missing",
                    "drop the file again; it may be truncated, or correct skip in the profile");
        }
        return true;
    }

    void read_chunk() {
        auto rows = chunks_.next();
        // The header may be in the chunk that cannot be read: then the other rows mean nothing.
        if (chunks_.is_broken() && header_pending_) stopped_ = true;
        for (CsvRow& row : rows) {
            blanks_.push_back(std::move(row));
            if (is_blank(blanks_.back()) && profile_.skip_foot > 0) continue;
            std::ranges::move(blanks_, std::back_inserter(waiting_));
            blanks_.clear();
            while (waiting_.size() > profile_.skip_foot && !stopped_)
                read_first_waiting();
            if (stopped_) return;
        }
    }

    void read_first_waiting() {
        read_row(waiting_.front());
        waiting_.pop_front();
    }

    static bool is_blank(const CsvRow& row) {
        return std::ranges::all_of(row.fields, [](const CsvField& field) { return trim(field.text).empty(); });
    }

    // Blank rows at the end belong to the footer only if it would have a line otherwise.
    void complete_footer() {
        for (CsvRow& blank : blanks_) {
            if (header_pending_ || waiting_.empty() || !is_moving_money(waiting_.front())) return;
            read_first_waiting();
            waiting_.push_back(std::move(blank));
        }
    }

    // Whether the row has what every line has, whatever it is about.
    bool is_moving_money(const CsvRow& row) {
        if (profile_.acknowledges()) return false;
        columns_.ignore_faults(true);
        Confirmation c;
        const auto amount = amounts_.read(row);
        const bool is_line = amount && !amount->amount.is_zero() && read_date(row, c) && read_kind(row, amount);
        columns_.ignore_faults(false);
        return is_line;
    }

    // Such a line may be the last one of a file whose footer is missing.
    bool names_payment(const CsvRow& row) {
        columns_.ignore_faults(true);
        Confirmation c;
        static_cast<void>(read_references(row, c));
        std::vector<Reference> named;
        find_references(columns_.value_of(row, profile_.note), sink_.options.office, named);
        columns_.ignore_faults(false);
        for (const Reference& reference : c.references)
            find_references(reference.text, sink_.options.office, named);
        return !named.empty() ||
               std::ranges::any_of(c.references, [](const Reference& one) { return !number_in(one).empty(); });
    }

    static constexpr std::size_t trace_digits = 15;

    // The digits of a check number or trace number; empty: it has another form, or only zeros.
    static std::string_view number_in(const Reference& reference) {
        const std::string_view number = without_check_label(reference.text);
        const bool is_ours = all_digits(number) && number.size() <= trace_digits && !is_all_zeros(number);
        return is_ours ? number : std::string_view();
    }
    static bool is_all_zeros(std::string_view text) { return text.find_first_not_of('0') == std::string_view::npos; }

    void refuse_lines_in_footer() {
        for (std::size_t i = 0; i < waiting_.size(); ++i) {
            const bool is_control = i + 1 == profile_.control_row;
            if (is_control || !is_moving_money(waiting_[i]) || !names_payment(waiting_[i])) continue;
            columns_.refuse(waiting_[i], nullptr,
                            "this row of the footer is a line about a payment: the footer is missing",
                            "drop the file again; it may be truncated, or correct skip in the profile");
        }
    }

    void finish() {
        complete_footer();
        if (header_pending_) return sink_.report.add(0, 0, "the file is empty", "drop it again; it may be truncated");
        if (waiting_.size() < profile_.skip_foot)
            return sink_.report.add(
                0, 0, "the file ends without the " + std::to_string(profile_.skip_foot) + " footer rows of the profile",
                "drop it again; it may be truncated");
        if (rows_ == 0 && sink_.report.empty())
            sink_.report.add(0, 0, profile_.has_header ? "there is no line after the header" : "the file has no lines",
                             "drop it again; it may be truncated");
        refuse_lines_in_footer();
        if (profile_.control_row > 0) check_control(waiting_.at(profile_.control_row - 1));
    }

    void check_control(const CsvRow& row) {
        if (profile_.control_count) {
            const CsvField* field = csv_field(row, profile_.control_count->number);
            if (field == nullptr || !is_count(trim(field->text), rows_))
                columns_.refuse(row, field,
                                "the control count is " + text::quoted(field == nullptr ? "" : trim(field->text)) +
                                    ", but the number of lines is " + std::to_string(rows_),
                                "the file is damaged or truncated: export it again");
        }
        if (!profile_.control_total) return;
        const CsvField* field = csv_field(row, profile_.control_total->number);
        const auto total = parse_profile_amount(profile_, field == nullptr ? "" : field->text);
        const std::int64_t stated = total ? (total->negative ? -total->amount.cents() : total->amount.cents()) : -1;
        if (!total || stated != total_cents_)
            columns_.refuse(
                row, field,
                "the control total is " +
                    // Long numbers in quotes are masked.
                    (total ? std::string(trim(field->text)) : text::quoted(field == nullptr ? "" : trim(field->text))) +
                    ", but the lines add up to " + Money::from_cents(std::abs(total_cents_)).to_string(),
                "the file is damaged or truncated: export it again");
    }

    void read_row(const CsvRow& row) {
        if (header_pending_) {
            header_pending_ = false;
            width_ = row.fields.size();
            stopped_ = !columns_.read_header(row);
            return;
        }
        if (is_blank(row) || is_ignored(row)) return;
        ++rows_;
        if (width_ == 0 || (rows_ == 1 && only_adds_blanks(row))) width_ = row.fields.size();
        if (row.fields.size() != width_) {
            columns_.refuse(
                row, csv_field(row, width_ + 1),
                text::counted(std::ssize(row.fields), "field") + ", but there should be " + std::to_string(width_),
                row.fields.size() > width_ ? "quote a value that contains a separator" : "the line may be truncated");
            return;
        }
        profile_.acknowledges() ? read_acknowledgment(row) : read_line(row);
    }

    // A balance between the lines. One that names a payment is read like a line.
    bool is_ignored(const CsvRow& row) {
        if (!profile_.ignored_by) return false;
        columns_.ignore_faults(true);
        const std::string text = lowercase(columns_.value_of(row, profile_.ignored_by));
        columns_.ignore_faults(false);
        return std::ranges::any_of(profile_.ignored_beginnings,
                                   [&](const std::string& beginning) { return text.starts_with(beginning); }) &&
               !names_payment(row);
    }

    // Some banks end every line with a separator, but not the header.
    [[nodiscard]] bool only_adds_blanks(const CsvRow& row) const {
        return row.fields.size() > width_ && !columns_.is_built_in() &&
               std::all_of(row.fields.begin() + static_cast<std::ptrdiff_t>(width_), row.fields.end(),
                           [](const CsvField& field) { return trim(field.text).empty(); });
    }

    void read_acknowledgment(const CsvRow& row) {
        stopped_ = sink_.facts.acknowledgments.size() == max_acknowledgments;
        if (stopped_) {
            columns_.refuse(row, nullptr, "more payment files than any office sends: this is not a bank's list");
            return;
        }
        const CsvField* name = columns_.field_of(row, *profile_.file_name);
        const CsvField* payments = columns_.field_of(row, *profile_.payments);
        const CsvField* total = columns_.field_of(row, *profile_.amount);
        if (name == nullptr || payments == nullptr || total == nullptr) return;
        auto stated = parse_acknowledgment(profile_, trim(name->text), trim(payments->text), trim(total->text));
        if (!stated) {
            columns_.refuse(row, nullptr, stated.error().message, "write it like ACH-20261120-A.ach,12,3456.78");
            return;
        }
        stated->line = row.line;
        sink_.facts.acknowledgments.push_back(*std::move(stated));
    }

    // Reports everything that is wrong with the line.
    void read_line(const CsvRow& row) {
        Confirmation c;
        c.line = row.line;
        const bool referenced = read_references(row, c);
        const bool has_effect = !is_without_effect(row);
        const bool states_amount = has_effect || amounts_.is_stated(row);
        const auto amount = states_amount ? amounts_.read(row) : LineAmount();
        const bool dated = (!has_effect && take_day_of_arrival(row, c)) || read_date(row, c);
        const auto kind = read_kind(row, amount);
        bool good = referenced && amount && dated && kind;
        if (kind) c.kind = *kind;
        if (profile_.currency) c.currency = columns_.value_of(row, profile_.currency);
        c.reason_code = columns_.value_of(row, profile_.reason_code);
        c.payee_name = columns_.value_of(row, profile_.payee_name);
        const std::string note = columns_.value_of(row, profile_.note);
        c.note = masked_note(note);
        // Without a status, a debit that names no payment is a fee, or about something else.
        const bool is_fee = c.kind == ConfirmationKind::paid && !profile_.status && referenced && names_nothing(c);
        if (is_fee) c.kind = ConfirmationKind::unrelated;
        bool may_be_ours = c.kind == ConfirmationKind::unrelated && !profile_.status && amount &&
                           (is_fee || amount->direction == Direction::in);
        std::string_view account;
        if (profile_.account) {
            const CsvField* field = columns_.field_of(row, *profile_.account);
            if (field == nullptr) return;
            account = plain_account(field->text);
            if (!sink_.options.office.accounts.empty() && !checks::is_legible_account(account)) {
                columns_.refuse(row, field, "account " + text::quoted(account) + checks::not_legible,
                                "format the column as text and export it again");
                return;
            }
            const bool is_ours = sink_.is_ours(account);
            if (!is_ours) sink_.mark_unrelated(c, account);
            may_be_ours = may_be_ours && is_ours;
        }
        if (c.kind != ConfirmationKind::unrelated && c.kind != ConfirmationKind::pending) {
            if (referenced && c.references.empty()) good = refuse_without_reference(row, kind);
            // A prenote that came back has no amount.
            if (amount && amount->amount.is_zero() && kind != ConfirmationKind::returned)
                good = columns_.refuse(row, amount->field, "the amount is zero", "a payment must be more than zero");
        }
        if (!good) return;
        c.amount = amount->amount;
        if (!states_amount) c.amount_source = AmountSource::none;
        if (__builtin_add_overflow(total_cents_, amount->written_cents, &total_cents_)) {
            columns_.refuse(row, nullptr, "the amounts overflow");
            return;
        }
        if (may_be_ours && !c.amount.is_zero())
            doubt(c, note,
                  is_fee ? std::string_view(
                               "money went out, and only the text names a payment: ask the bank whether it is "
                               "that one")
                         : ask_whether_returned);
        if (may_be_ours && is_fee && c.kind == ConfirmationKind::unrelated) {
            std::vector<Reference> labeled;
            find_labeled_numbers(note, sink_.options.check_number_labels, labeled);
            add_possible_check(labeled.empty() ? note : labeled.front().text, c);
            add_possible_traces(note, sink_.options.office, c);
        }
        sink_.add(std::move(c), account);
    }

    // Spreadsheets and some banks mark a number as text: '4400123456, ="4400123456".
    static std::string_view plain_account(std::string_view text) {
        text = trim(text);
        if (text.starts_with("=\"") && text.ends_with('"') && text.size() > 3) return text.substr(2, text.size() - 3);
        return text.starts_with('\'') ? text.substr(1) : text;
    }

    // Some banks fill an empty check number with zeros.
    static bool names_nothing(const Confirmation& c) {
        return std::ranges::all_of(c.references,
                                   [](const Reference& reference) { return is_all_zeros(reference.text); });
    }

    // The profile ignores the line, but a payment may come back unannounced: if the line may name one, a person looks
    // at it. A number that may as well be that of a deposit slip counts only if a payment has it (match.hpp).
    void doubt(Confirmation& c, const std::string& note, std::string_view why) const {
        std::vector<Reference> named, numbers;
        for (const Reference& reference : c.references) {
            const std::string_view number = number_in(reference);
            const bool may_be_check =
                reference.kind == ReferenceKind::check_number || reference.kind == ReferenceKind::any;
            find_references(reference.text, sink_.options.office, named);
            if (may_be_check && !number.empty() && number.size() < trace_digits)
                numbers.push_back({reference.kind, std::string(number)});
        }
        find_references(note, sink_.options.office, named);
        const bool has_only_numbers = named.empty();
        named.insert(named.end(), numbers.begin(), numbers.end());
        if (named.empty()) return;
        c.kind = ConfirmationKind::disputed;
        c.note += std::string(c.note.empty() ? "" : "; ") + std::string(why);
        for (Reference& one : named) {
            if (std::ranges::find(c.references, one.text, &Reference::text) == c.references.end())
                c.references.push_back(std::move(one));
        }
        if (has_only_numbers) add_possible_check(numbers.front().text, c);
    }

    bool refuse_without_reference(const CsvRow& row, std::optional<ConfirmationKind> kind) {
        const auto& first = profile_.references.front().second.column;
        const CsvField* field = profile_.references.size() == 1 ? columns_.field_of(row, *first) : nullptr;
        std::string hint = "write the trace number, the check number or Drawbridge's payment id";
        if (!columns_.is_built_in() && kind)
            hint = "the line says that a payment of ours was " + std::string(to_string(*kind)) + ", but not which";
        return columns_.refuse(row, field, "no payment reference", std::move(hint));
    }

    bool read_references(const CsvRow& row, Confirmation& c) {
        bool good = true;
        for (const auto& [kind, from] : profile_.references) {
            const CsvField* field = columns_.field_of(row, *from.column);
            if (field == nullptr) return false;
            const std::string_view text = trim(field->text);
            if (text.empty()) continue;
            const bool control =
                std::ranges::any_of(text, [](char ch) { return static_cast<unsigned char>(ch) < 0x20; });
            if (is_rounded(text)) {
                columns_.refuse(row, field, "payment reference " + text::quoted(text) + " was rounded by a spreadsheet",
                                "format the column as text and export it again");
                good = false;
            } else if (control || text.size() > 100) {
                columns_.refuse(row, field, text::quoted(text) + " is not a payment reference");
                good = false;
            } else {
                const bool may_be_check = kind == ReferenceKind::check_number || kind == ReferenceKind::any;
                c.references.push_back({kind, std::string(may_be_check ? without_check_label(text) : text)});
            }
        }
        return good;
    }

    bool read_date(const CsvRow& row, Confirmation& c) {
        const CsvField* field = profile_.date.column ? columns_.field_of(row, *profile_.date.column) : nullptr;
        if (profile_.date.column && field == nullptr) return false;
        const std::string_view text = field != nullptr ? trim(field->text) : std::string_view(profile_.date.constant);
        const auto date = text::parse_date_as(without_time_of_day(text), profile_.date_format);
        if (!date) {
            return columns_.refuse(
                row, field,
                text.empty() ? "no date"
                             : "date " + text::quoted(text) + " is not a date written as " + profile_.date_format,
                columns_.is_built_in() ? "write it like 2026-03-04" : "");
        }
        c.date = *date;
        return true;
    }

    // Whether its status says so. Such a line, as of a check that is outstanding, may have no date and no amount.
    bool is_without_effect(const CsvRow& row) {
        columns_.ignore_faults(true);
        const auto kind = profile_.status ? read_kind(row, std::nullopt) : std::nullopt;
        columns_.ignore_faults(false);
        return kind == ConfirmationKind::pending || kind == ConfirmationKind::unrelated;
    }

    // False: the line has a date of its own, or the day of arrival is unknown.
    bool take_day_of_arrival(const CsvRow& row, Confirmation& c) {
        const CsvField* field = profile_.date.column ? columns_.field_of(row, *profile_.date.column) : nullptr;
        const auto& arrived = sink_.options.received_on;
        const bool is_stated = field == nullptr || field->text.find_first_not_of(" \t0/.-") != std::string::npos;
        if (is_stated || !arrived) return false;
        c.date = *arrived;
        return true;
    }

    std::optional<ConfirmationKind> read_kind(const CsvRow& row, const std::optional<LineAmount>& amount) {
        std::optional<ConfirmationKind> by_direction;
        if (amount && amount->direction == Direction::out) by_direction = profile_.out_means;
        if (amount && amount->direction == Direction::in) by_direction = profile_.in_means;
        if (!profile_.status) return by_direction;
        const CsvField* field = profile_.status->column ? columns_.field_of(row, *profile_.status->column) : nullptr;
        if (profile_.status->column && field == nullptr) return std::nullopt;
        const std::string_view word =
            field != nullptr ? trim(field->text) : std::string_view(profile_.status->constant);
        const auto kind = find_kind(profile_, word);
        if (!kind) {
            columns_.refuse(
                row, field, word.empty() ? "no status" : "unknown status " + text::quoted(word),
                columns_.is_built_in() ? "write paid, returned or void" : "add it under words in the profile");
            return std::nullopt;
        }
        const bool speaks = *kind == ConfirmationKind::paid || *kind == ConfirmationKind::returned;
        if (speaks && by_direction && *by_direction != *kind) {
            columns_.refuse(row, field,
                            "the status says " + std::string(to_string(*kind)) + ", but the direction of the money " +
                                std::string(to_string(*by_direction)),
                            "ask the person who made the file");
            return std::nullopt;
        }
        return kind;
    }

    text::CsvChunks chunks_;
    const CsvProfile& profile_;
    CsvColumns columns_;
    CsvAmounts amounts_;
    LineSink& sink_;
    bool header_pending_;
    bool head_skipped_ = false;
    bool stopped_ = false;
    std::size_t width_ = 0;
    std::int64_t rows_ = 0;
    std::int64_t total_cents_ = 0;
    std::deque<CsvRow> waiting_;  // rows that may turn out to be the footer
    std::vector<CsvRow> blanks_;  // blank rows after them: perhaps the last of the file
};

}  // namespace

std::unique_ptr<SlicedReader> read_profiled_csv(std::string_view bytes, std::string_view file_name,
                                                const CsvProfile& profile, LineSink& sink) {
    return std::make_unique<ProfiledReader>(bytes, file_name, profile, sink);
}

}  // namespace drawbridge::statements
