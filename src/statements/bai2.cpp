// BAI2: 01 file, 02 group, 03 account, 16 transaction, 49/98/99 trailers, 88 continuation.
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <initializer_list>
#include <utility>
#include <vector>

#include "bai2_records.hpp"
#include "bai2_types.hpp"
#include "drawbridge/domain/ascii.hpp"
#include "line_sink.hpp"
#include "reason_code.hpp"

namespace drawbridge::statements {
namespace {

std::optional<std::int64_t> whole_number(std::string_view text) {
    const bool is_negative = text.starts_with('-');
    if (is_negative || text.starts_with('+')) text.remove_prefix(1);
    if (!is_number(text)) return std::nullopt;
    text.remove_prefix(std::min(text.find_first_not_of('0'), text.size() - 1));  // some banks pad to 18 digits and more
    if (text.size() > 17) return std::nullopt;
    std::int64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return is_negative ? -value : value;
}

class Bai2Reader final : public SlicedReader {
  public:
    Bai2Reader(std::string_view bytes, LineSink& sink) : records_(bytes, sink.report), sink_(sink) {}

    bool advance() override {
        constexpr int slice = 250;
        for (int read = 0; read < slice; ++read) {
            const auto record = records_.next();
            if (!record) return finish();
            read_record(*record);
        }
        return true;
    }

  private:
    bool finish() {
        if (level_ != Level::done)
            sink_.report.add(last_line_, 0, "the file has no file trailer (99)", "drop it again; it may be truncated");
        if (interim_lines_ > 0)
            sink_.facts.remarks.push_back(
                std::to_string(interim_lines_) +
                (interim_lines_ == 1 ? " line of an interim report is" : " lines of an interim report are") +
                " only recorded (as-of-date modifier 1 or 3): the bank's final report counts");
        return false;
    }

    enum class Level { start, file, group, account, done };
    struct Totals {
        std::int64_t amount = 0, children = 0, records = 0;
    };

    void error(const Bai2Record& at, std::string message, std::string hint = "ask the bank for the file again") {
        sink_.report.add(at.line, at.column, std::move(message), std::move(hint));
    }

    void read_record(const Bai2Record& record) {
        last_line_ = record.line;
        for (Totals* totals : {&file_, &group_, &account_})
            totals->records += record.physical;
        if (record.code == "01") return begin(record, Level::start, Level::file, file_);
        if (record.code == "02") return begin(record, Level::file, Level::group, group_);
        if (record.code == "03") return begin(record, Level::group, Level::account, account_);
        if (record.code == "16") return read_transaction(record);
        if (record.code == "49") return end(record, Level::account, Level::group, account_, group_, "account");
        if (record.code == "98") return end(record, Level::group, Level::file, group_, file_, "group");
        Totals nothing;
        end(record, Level::file, Level::done, file_, nothing, "file");
    }

    void begin(const Bai2Record& record, Level wanted, Level next, Totals& totals) {
        const bool follows_file = wanted == Level::start && level_ == Level::done;
        if (level_ != wanted && !follows_file)
            error(record, "a record " + std::string(record.code) + " in an invalid place",
                  "drop the file again; it may be truncated or merged from several");
        level_ = next;
        totals = {.amount = 0, .children = 0, .records = record.physical};
        Bai2Fields fields(record);
        if (next == Level::file) read_file_header(fields);
        if (next == Level::group) read_group_header(record, fields);
        if (next == Level::account) read_account(record, fields);
    }

    void read_file_header(Bai2Fields& fields) {
        if (!sink_.facts.bank_file_id.empty()) return;  // several files in one have the id of the first
        (void)fields.take();                            // sender
        (void)fields.take();                            // receiver
        const auto date = fields.take();
        (void)fields.take();  // time
        sink_.facts.date = parse_yymmdd(date);
        sink_.facts.bank_file_id = std::string(fields.take());
    }

    void read_group_header(const Bai2Record& record, Bai2Fields& fields) {
        (void)fields.take();  // receiver
        (void)fields.take();  // originator
        group_status_ = fields.take();
        const auto date = fields.take();
        as_of_ = parse_yymmdd(date);
        if (!as_of_) error(record, "the group's as-of date '" + std::string(date) + "' is not a date YYMMDD");
        (void)fields.take();  // time
        group_currency_ = fields.take();
        if (group_currency_.empty()) group_currency_ = "USD";
        const auto modifier = fields.take();
        is_interim_ = modifier == "1" || modifier == "3";
    }

    void read_account(const Bai2Record& record, Bai2Fields& fields) {
        account_number_ = fields.take();
        ours_ = sink_.is_ours(account_number_);
        const auto currency = fields.take();
        currency_ = currency.empty() ? group_currency_ : std::string(currency);
        while (!fields.at_end()) {
            if (fields.skip_empty_rest()) continue;
            (void)fields.take();  // type code
            const auto amount = fields.take();
            if (!amount.empty()) add_amount(record, amount);
            if (fields.begins_summary(/*before_item_count=*/true)) continue;
            (void)fields.take();  // item count
            if (!fields.begins_summary(/*before_item_count=*/false)) skip_funds(record, fields);
        }
        summaries_ = account_.amount;
    }

    std::optional<std::int64_t> add_amount(const Bai2Record& record, std::string_view text) {
        const auto amount = whole_number(text);
        if (!amount) {
            error(record, "the amount '" + masked_note(text) + "' is not a whole number of cents");
            return std::nullopt;
        }
        // At most seventeen digits, and far fewer than a trillion records: it cannot overflow in practice, but is
        // refused if it does.
        if (__builtin_add_overflow(account_.amount, *amount, &account_.amount)) error(record, "the amounts overflow");
        return amount;
    }

    // The number of following fields depends on the type: Z, 0, 1, 2 none; S three; V two; D a count and that many
    // pairs.
    void skip_funds(const Bai2Record& record, Bai2Fields& fields) {
        const auto type = fields.take();
        if (type.empty() || type == "Z" || type == "0" || type == "1" || type == "2") return;
        std::int64_t more = 0;
        if (type == "S") {
            more = 3;
        } else if (type == "V") {
            more = 2;
        } else if (type == "D") {
            const auto pairs = whole_number(fields.take());
            if (!pairs || *pairs < 0 || *pairs > 1000) return error(record, "funds type D without a number of pairs");
            more = 2 * *pairs;
        } else {
            return error(record, "unknown funds type '" + masked_note(type) + "'", "one of Z, 0, 1, 2, S, V, D");
        }
        for (; more > 0 && !fields.at_end(); --more)
            (void)fields.take();
    }

    void read_transaction(const Bai2Record& record) {
        if (level_ != Level::account) return error(record, "a transaction outside an account");
        Bai2Fields fields(record);
        const auto type = fields.take();
        const auto amount_text = fields.take();
        const auto amount = amount_text.empty() ? std::optional<std::int64_t>(0) : add_amount(record, amount_text);
        skip_funds(record, fields);
        const auto bank_reference = fields.take();
        const auto customer_reference = fields.take();
        Bai2Fields same = fields;
        const Text text{fields.take_text(" "), same.take_text("")};
        if (!amount || !as_of_) return;
        Confirmation c;
        c.line = record.line;
        c.amount = Money::from_cents(std::abs(*amount));
        c.date = *as_of_;
        c.currency = currency_;
        c.note = masked_note(std::string(type) + " " + text.spaced);
        classify(c, type, bank_reference, customer_reference, text);
        if (*amount < 0 && (c.kind == ConfirmationKind::paid || c.kind == ConfirmationKind::returned)) {
            c.kind = ConfirmationKind::disputed;  // it may reverse another line; the file does not say
            c.note += "; a negative amount";
        }
        if (!ours_) sink_.mark_unrelated(c, account_number_);
        // Status 1 is an update, 3 a correction. A deleted (2) group did not happen, but its lines may be applied
        // already, from an earlier file. A test (4) group never happens.
        if (group_status_ == "2" && c.kind != ConfirmationKind::unrelated && !c.references.empty()) {
            c.kind = ConfirmationKind::disputed;
            c.note += "; the bank deleted this group: ask it what happened to the payment";
        } else if (group_status_ == "2" || group_status_ == "4") {
            c.kind = ConfirmationKind::unrelated;
            c.note += group_status_ == "2" ? "; of a deleted group" : "; of a test";
        }
        const bool is_debit = type.size() == 3 && type >= "400" && type < "700";
        const bool counts = ours_ && !is_interim_ && group_status_ != "2" && group_status_ != "4";
        if (c.kind == ConfirmationKind::unrelated && is_debit && counts)
            add_possible_payments(c, bank_reference, customer_reference, text);
        if (is_interim_) wait_for_final_report(c);
        sink_.add(std::move(c), account_number_);
    }

    // What an interim report lists may still change until the final one.
    void wait_for_final_report(Confirmation& c) {
        if (c.kind != ConfirmationKind::paid && c.kind != ConfirmationKind::returned) return;
        c.kind = ConfirmationKind::pending;
        c.note += "; of an interim report";
        ++interim_lines_;
    }

    // An 88 begins a new word, but some banks break the text anywhere.
    struct Text {
        std::string spaced, unbroken;
    };

    void classify(Confirmation& c, std::string_view type, std::string_view bank_reference,
                  std::string_view customer_reference, const Text& text) {
        const auto meaning = bai2_meaning(type);
        c.kind = kind_of(meaning);
        switch (meaning) {
            case Bai2Meaning::check_paid:
            case Bai2Meaning::check_returned:
            case Bai2Meaning::check_adjusted:
                add_check_numbers(c, bank_reference, customer_reference, text.spaced);
                break;
            case Bai2Meaning::credit_sent:
            case Bai2Meaning::credit_returned:
            case Bai2Meaning::credit_adjusted: find_credit(c, {customer_reference, bank_reference}, text); break;
            case Bai2Meaning::other:
                for (const std::string_view part : {customer_reference, bank_reference})
                    find_references(part, sink_.options.office, c.references);
                find_in_text(text, c.references);
        }
        // A returned check has no Nacha code.
        const bool is_check = meaning == Bai2Meaning::check_returned || meaning == Bai2Meaning::check_adjusted;
        if (c.kind != ConfirmationKind::paid && !is_check) c.reason_code = find_reason_code(text.spaced);
        // Returned money must belong to a payment. A debit that names no payment is a fee, or the bank's lump sum for a
        // whole file; anything else that names none is unrelated.
        if (c.references.empty() && (meaning == Bai2Meaning::credit_sent || c.kind == ConfirmationKind::disputed)) {
            c.kind = ConfirmationKind::unrelated;
        } else if (c.kind == ConfirmationKind::disputed) {
            c.note += meaning == Bai2Meaning::other
                          ? "; it names a payment of ours, but its type is neither a payment nor a return of it"
                          : "; an adjustment, not a return of our payment";
            c.note += ": ask the bank what it means";
        }
        add_bank_reference(bank_reference, c);
    }

    static ConfirmationKind kind_of(Bai2Meaning meaning) {
        switch (meaning) {
            case Bai2Meaning::check_paid:
            case Bai2Meaning::credit_sent: return ConfirmationKind::paid;
            case Bai2Meaning::check_returned:
            case Bai2Meaning::credit_returned: return ConfirmationKind::returned;
            case Bai2Meaning::check_adjusted:
            case Bai2Meaning::credit_adjusted:
            case Bai2Meaning::other: break;
        }
        return ConfirmationKind::disputed;
    }

    void find_in_text(const Text& text, std::vector<Reference>& into) const {
        find_references(text.spaced, sink_.options.office, into);
        if (into.empty() && text.unbroken != text.spaced) find_references(text.unbroken, sink_.options.office, into);
    }

    // References to our ACH credits, each once: the fields before the text.
    void find_credit(Confirmation& c, std::initializer_list<std::string_view> fields, const Text& text) const {
        const Office& office = sink_.options.office;
        std::vector<Reference> found;
        for (const std::string_view field : fields) {
            if (is_trace_number(field, office)) found.push_back({ReferenceKind::trace_number, std::string(field)});
            find_references(field, office, found);
        }
        find_in_text(text, found);
        for (Reference& reference : found) {
            if (std::ranges::find(c.references, reference) == c.references.end())
                c.references.push_back(std::move(reference));
        }
    }

    // A number that the text labels as a check number is one. Otherwise the customer reference contains it; at some
    // banks, the bank reference, after a customer reference that is blank or zero.
    void add_check_numbers(Confirmation& c, std::string_view bank_reference, std::string_view customer_reference,
                           std::string_view text) const {
        find_labeled_numbers(text, sink_.options.check_number_labels, c.references);
        const bool has_own = customer_reference.find_first_not_of('0') != std::string_view::npos;
        const auto field = without_check_label(has_own ? customer_reference : bank_reference);
        const bool is_number = field.find_first_not_of("0123456789") == std::string_view::npos;
        const Reference number{ReferenceKind::check_number, std::string(field)};
        const bool counts = c.references.empty() || (is_number && has_own);
        if (!field.empty() && counts && std::ranges::find(c.references, number) == c.references.end())
            c.references.push_back(number);
    }

    // The bank may have booked a check of ours under another type, or cut a trace number.
    void add_possible_payments(Confirmation& c, std::string_view bank_reference, std::string_view customer_reference,
                               const Text& text) const {
        add_labeled_checks(text.spaced, sink_.options.check_number_labels, c);
        add_possible_check(customer_reference, c);
        for (const std::string_view part : {bank_reference, customer_reference, std::string_view(text.spaced)})
            add_possible_traces(part, sink_.options.office, c);
    }

    void end(const Bai2Record& record, Level wanted, Level next, Totals& totals, Totals& parent,
             std::string_view what) {
        if (level_ != wanted)
            return error(record, "a trailer " + std::string(record.code) + " in an invalid place",
                         "drop the file again; it may be truncated or merged from several");
        level_ = next;
        Bai2Fields fields(record);
        const auto total = fields.take();
        // Some banks leave the summaries of the 03 out of the control total.
        std::int64_t details = 0;
        if (record.code == "49" && !__builtin_sub_overflow(totals.amount, summaries_, &details) &&
            stated(total) == details)
            totals.amount = details;
        compare(record, total, totals.amount, std::string(what) + " control total");
        auto children = record.code == "49" ? std::string_view() : fields.take();
        auto records = fields.take();
        // Some banks leave the number of accounts or groups blank, others leave it out.
        if (records.empty()) std::swap(children, records);
        if (!children.empty())
            compare(record, children, totals.children, record.code == "98" ? "number of accounts" : "number of groups");
        compare(record, records, totals.records, "number of records");
        if (__builtin_add_overflow(parent.amount, totals.amount, &parent.amount)) error(record, "the amounts overflow");
        ++parent.children;
    }

    // For an account without amounts, some banks leave the total blank.
    static std::optional<std::int64_t> stated(std::string_view text) {
        return text.empty() ? std::optional<std::int64_t>(0) : whole_number(text);
    }

    // Anything that is longer than a total may contain an account number. Long numbers in quotes are masked.
    static std::string shown_number(std::string_view text) {
        constexpr std::size_t max_digits = 15;
        const std::string_view digits = text.substr(text.starts_with('-') || text.starts_with('+') ? 1 : 0);
        if (text.empty()) return "blank";
        return is_number(digits) && digits.size() <= max_digits ? std::string(text) : "'" + masked_note(text) + "'";
    }

    void compare(const Bai2Record& record, std::string_view text, std::int64_t computed, const std::string& what) {
        if (stated(text) == computed) return;
        error(record,
              "the " + what + " is " + shown_number(text) + ", but the preceding records add up to " +
                  std::to_string(computed),
              "the file is damaged or truncated: ask the bank for it again");
    }

    Bai2Records records_;
    LineSink& sink_;
    Level level_ = Level::start;
    Totals file_, group_, account_;
    std::int64_t summaries_ = 0;  // the part of account_.amount that is in the 03
    std::string group_status_, group_currency_ = "USD", currency_ = "USD";
    std::optional<BusinessDate> as_of_;
    bool is_interim_ = false;  // the group
    std::int64_t interim_lines_ = 0;
    std::string account_number_;
    bool ours_ = true;
    int last_line_ = 0;
};

}  // namespace

std::unique_ptr<SlicedReader> read_bai2(std::string_view bytes, LineSink& sink) {
    return std::make_unique<Bai2Reader>(bytes, sink);
}

}  // namespace drawbridge::statements
