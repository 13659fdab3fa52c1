// NACHA returns and notifications of change. They never produce `paid`: a bank sends nothing for a good credit.
#include <algorithm>
#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>

#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/nacha/file_reader.hpp"
#include "drawbridge/nacha/return_codes.hpp"
#include "drawbridge/text/show.hpp"
#include "line_sink.hpp"

namespace drawbridge::statements {
namespace {

int to_int(std::size_t number) {
    return number > std::numeric_limits<int>::max() ? std::numeric_limits<int>::max() : static_cast<int>(number);
}

// Positions 76-78 have no year: pick the day nearest to a known date. "001" in a file created on December 31 is in the
// next year.
std::optional<BusinessDate> settlement_day(std::string_view day_of_year, BusinessDate near) {
    const bool digits =
        day_of_year.size() == 3 && day_of_year.find_first_not_of("0123456789") == std::string_view::npos;
    if (!digits) return std::nullopt;
    const int day = (day_of_year[0] - '0') * 100 + (day_of_year[1] - '0') * 10 + (day_of_year[2] - '0');
    if (day < 1 || day > 366) return std::nullopt;
    const std::chrono::sys_days wanted = near;
    std::optional<std::chrono::sys_days> best;
    for (const auto year : {near.year() - std::chrono::years(1), near.year(), near.year() + std::chrono::years(1)}) {
        if (day == 366 && !year.is_leap()) continue;
        const std::chrono::sys_days candidate = std::chrono::sys_days(year / 1 / 1) + std::chrono::days(day - 1);
        if (!best || std::chrono::abs(candidate - wanted) < std::chrono::abs(*best - wanted)) best = candidate;
    }
    if (!best) return std::nullopt;
    return BusinessDate(*best);
}

// A code that Nacha does not define says nothing certain about the payment. R61-R70 dishonored, R71-R77 contested:
// between the banks.
ConfirmationKind kind_of_return(std::string_view code) {
    const auto known = nacha::find_return_code(code);
    return !known || known->action == nacha::ReturnAction::disputed ? ConfirmationKind::disputed
                                                                    : ConfirmationKind::returned;
}

// An entry whose addenda are still being read.
struct OpenEntry {
    nacha::EntryDetail detail;
    std::size_t line = 0;
    std::optional<nacha::Addenda> answer;  // the return or notification of change addenda that counts
    bool has_others = false;               // it has several that say different things
};

// The reason code of a return or notification of change; empty for other addenda.
std::string_view code_of(const nacha::Addenda& addenda) {
    if (const auto* returned = std::get_if<nacha::ReturnAddenda>(&addenda)) return returned->return_reason_code;
    if (const auto* change = std::get_if<nacha::ChangeAddenda>(&addenda)) return change->change_code;
    return {};
}

// Converts the records of a readable file with correct totals into confirmations.
class ReturnReader {
  public:
    explicit ReturnReader(LineSink& sink) : sink_(sink) {}

    void take(const nacha::Record& record) {
        switch (record.kind) {
            case nacha::RecordKind::file_header: end_file(); return read_header(nacha::file_header_of(record));
            case nacha::RecordKind::batch_header:
                batch_ = nacha::batch_header_of(record);
                batch_counts_ = {};
                return;
            case nacha::RecordKind::entry:
                end_entry();
                open_ = OpenEntry{nacha::entry_of(record), record.line, {}};
                return;
            case nacha::RecordKind::addenda: return read_addenda(nacha::addenda_of(record));
            case nacha::RecordKind::batch_control: end_entry(); return end_batch();
            case nacha::RecordKind::file_control: return;
        }
    }

    void finish(const nacha::ReadSummary& summary) {
        end_file();
        report_payments();
        if (!summary.has_file_header)
            sink_.facts.remarks.emplace_back(summary.has_file_control
                                                 ? "the file has no file header"
                                                 : "the file has no file header and no file control: its totals do "
                                                   "not show whether batches are missing");
        for (const nacha::Problem& problem : summary.tolerated)
            sink_.facts.remarks.push_back("line " + std::to_string(problem.line) + ": " + problem.message);
        if (sink_.facts.lines > 0 && !has_ours_)
            sink_.report.add(
                0, 0, "every line is about another company's or another bank's entry",
                "check whether the bank sent the right file, and ach.company.id and ach.odfi.routing_number");
        const bool is_whole = summary.has_file_header && summary.has_file_control;
        if (sink_.facts.lines == 0 && sink_.report.empty() && !(is_whole && summary.entries == 0) &&
            acknowledgments_.count == 0)
            sink_.report.add(0, 0, "the file contains no return and no notification of change",
                             "drop it again; it may be truncated");
    }

  private:
    void read_header(const nacha::FileHeader& header) {
        created_ = header.file_creation_date;
        if (!sink_.facts.bank_file_id.empty()) return;  // several files in one have the id of the first
        sink_.facts.date = created_;
        sink_.facts.bank_file_id = format_date(*created_) + " " + std::string(1, header.file_id_modifier);
    }

    void read_addenda(nacha::Addenda addenda) {
        const bool is_return = std::holds_alternative<nacha::ReturnAddenda>(addenda);
        if (!open_ || (!is_return && !std::holds_alternative<nacha::ChangeAddenda>(addenda))) return;
        if (open_->answer) open_->has_others |= code_of(*open_->answer) != code_of(addenda);
        // A dishonored or contested return repeats the earlier returns before its own addenda.
        const bool is_disputed = is_return && kind_of_return(uppercase(code_of(addenda))) == ConfirmationKind::disputed;
        if (!open_->answer || is_disputed) open_->answer = std::move(addenda);
    }

    void end_entry() {
        const auto entry = std::exchange(open_, std::nullopt);
        if (!entry) return;
        if (entry->answer) {
            ++batch_counts_.answers;
            if (const auto* returned = std::get_if<nacha::ReturnAddenda>(&*entry->answer))
                return add_return(batch_, *entry, *returned);
            return add_change(batch_, *entry, std::get<nacha::ChangeAddenda>(*entry->answer));
        }
        if (nacha::layout_of(batch_) == nacha::BatchLayout::adv) {
            sink_.report.add(
                to_int(entry->line), 1, "an automated accounting advice (ADV)",
                "it reports the bank's settlement with its ACH operator and confirms no payment; take it out of "
                "the inbox");
            return;
        }
        // The receiver's bank acknowledges a credit: nothing came back, and nothing is proven to be paid.
        const auto& sec_code = batch_.standard_entry_class_code;
        if (sec_code == "ACK" || sec_code == "ATX") return acknowledgments_.add(entry->line);
        const int kind = entry->detail.transaction_code % 10;
        const bool has_answer_code = (kind == 1 || kind == 6) && batch_.standard_entry_class_code != "DNE";
        (has_answer_code ? batch_counts_.incomplete : batch_counts_.others).add(entry->line);
    }

    // Among returns, an entry without return addenda is one that lost them.
    void end_batch() {
        if (batch_counts_.answers > 0) batch_counts_.incomplete.add(std::exchange(batch_counts_.others, {}));
        if (batch_counts_.incomplete.count > 0)
            sink_.report.add(to_int(batch_counts_.incomplete.first), 1,
                             "a return or notification of change without its addenda record",
                             "the file is damaged: ask the bank for it again");
        file_counts_.others.add(batch_counts_.others);
        file_counts_.answers += batch_counts_.answers;
        batch_counts_ = {};
    }

    // Banks send acknowledgments, receipts and offset entries in batches next to those of the returns.
    void end_file() {
        (file_counts_.answers > 0 ? ignored_ : payments_).add(file_counts_.others);
        file_counts_ = {};
    }

    // Reported once: a copy of a payment file has one per payment.
    void report_payments() {
        const auto shown = [](const Entries& entries) {
            return entries.count == 1 ? std::string("an entry that is neither a return nor a notification of change")
                                      : "the first of " + text::counted(entries.count, "entry") +
                                            " that are neither returns nor notifications of change";
        };
        if (ignored_.count > 0)
            sink_.facts.remarks.push_back("line " + std::to_string(ignored_.first) + ": " + shown(ignored_) +
                                          ": ignored, since it confirms nothing");
        if (acknowledgments_.count > 0)
            sink_.facts.remarks.push_back("line " + std::to_string(acknowledgments_.first) + ": " +
                                          text::counted(acknowledgments_.count, "acknowledgment") +
                                          " of payments (ACK, ATX): ignored, since an acknowledged payment may still "
                                          "come back");
        if (payments_.count == 0) return;
        sink_.report.add(
            to_int(payments_.first), 1, shown(payments_),
            "this is a payment file, perhaps a copy of our own: it confirms nothing; take it out of the inbox");
    }

    // Without a file header: the effective entry date, unless it is a year or more from the day of arrival.
    [[nodiscard]] std::optional<BusinessDate> day_of(const nacha::BatchHeader& batch) const {
        const auto& effective = batch.effective_entry_date;
        const auto& received = sink_.options.received_on;
        if (!effective || !received) return effective ? effective : received;
        const auto apart = std::chrono::sys_days(*effective) - std::chrono::sys_days(*received);
        return std::chrono::abs(apart) < std::chrono::days(365) ? effective : received;
    }

    std::optional<Confirmation> begin(const nacha::BatchHeader& batch, const nacha::EntryDetail& entry,
                                      const std::string& original_trace, std::size_t line) {
        const std::optional<BusinessDate> near = created_ ? created_ : day_of(batch);
        if (!near) {
            sink_.report.add(to_int(line), 0, "neither the file nor its batch has a date",
                             "ask the bank for the file with its file header");
            return std::nullopt;
        }
        Confirmation c;
        c.line = static_cast<std::int64_t>(line);
        c.date = settlement_day(batch.settlement_date, *near).value_or(*near);
        const bool iat = nacha::layout_of(batch) == nacha::BatchLayout::iat;
        if (!iat) c.payee_name = entry.individual_name;  // an IAT entry has it in the addenda
        if (trim(original_trace).find_first_not_of('0') != std::string_view::npos)
            c.references.push_back({ReferenceKind::trace_number, std::string(trim(original_trace))});
        if (!iat && is_payment_id(trim(entry.individual_identification)))
            c.references.push_back({ReferenceKind::payment_id, std::string(trim(entry.individual_identification))});
        return c;
    }

    void add_return(const nacha::BatchHeader& batch, const OpenEntry& open, const nacha::ReturnAddenda& returned) {
        const nacha::EntryDetail& entry = open.detail;
        auto c = begin(batch, entry, returned.original_entry_trace_number, open.line);
        if (!c) return;
        c->reason_code = uppercase(returned.return_reason_code);  // some banks write it in lowercase
        c->kind = kind_of_return(c->reason_code);
        c->amount = entry.amount;
        c->note = masked_note(returned.addenda_information);
        if (!nacha::find_return_code(c->reason_code)) append_unknown_code(*c, "return");
        // Our payments are credits. A debit with a number of ours may be the offset of a file.
        if (nacha::direction_of(entry.transaction_code) == nacha::Direction::debit) {
            c->kind = ConfirmationKind::disputed;
            append(c->note,
                   "a returned debit: payments are credits: ask the bank what came back; no payment was changed");
        }
        // A contested return has the day of the first return there.
        const auto death = parse_yymmdd(returned.date_of_death);
        if (death && c->kind == ConfirmationKind::returned) append(c->note, "date of death " + format_date(*death));
        finish(batch, open, std::move(*c));
    }

    void add_change(const nacha::BatchHeader& batch, const OpenEntry& open, const nacha::ChangeAddenda& change) {
        auto c = begin(batch, open.detail, change.original_entry_trace_number, open.line);
        if (!c) return;
        c->reason_code = uppercase(change.change_code);
        const bool refused = c->reason_code >= "C61" && c->reason_code <= "C69";
        const bool is_code = nacha::has_nacha_form(c->reason_code) && c->reason_code.front() == 'C';
        c->kind = refused || !is_code ? ConfirmationKind::disputed : ConfirmationKind::corrected;
        if (!is_code) append_unknown_code(*c, "notification of change");
        c->corrected_data = change.corrected_data;
        finish(batch, open, std::move(*c));
    }

    // Some banks give a return a trace number of their own, so a payment id of ours outweighs the trace number. A
    // payment id in another company's batch may be theirs: a person finds out.
    void finish(const nacha::BatchHeader& batch, const OpenEntry& open, Confirmation c) {
        if (open.has_others) {
            c.kind = ConfirmationKind::disputed;
            append(c.note, "the entry has several codes: ask the bank which one counts; the payment is unchanged");
        }
        const Office& office = sink_.options.office;
        const auto has = [&](ReferenceKind kind) {
            return std::ranges::find(c.references, kind, &Reference::kind) != c.references.end();
        };
        const bool names_payment = has(ReferenceKind::payment_id);
        const std::string_view company = trim(batch.company_identification);
        const bool is_other_company =
            !office.company_ids.empty() &&
            std::ranges::none_of(office.company_ids, [&](const std::string& ours) { return trim(ours) == company; });
        const bool is_other_bank = !names_payment && has(ReferenceKind::trace_number) &&
                                   !c.references.front().text.starts_with(office.odfi_identification);
        if (is_other_company && names_payment) {
            c.kind = ConfirmationKind::disputed;
            append(c.note, "the batch is of company " + std::string(company) +
                               ", but the entry has a payment id of ours: ask the bank whose payment it is");
        } else if (is_other_company || is_other_bank) {
            c.kind = ConfirmationKind::unrelated;
            append(c.note, is_other_company ? "of company " + std::string(company) : "of an entry of another bank");
        }
        if (c.kind != ConfirmationKind::unrelated) has_ours_ = true;
        sink_.add(std::move(c));
    }

    static void append_unknown_code(Confirmation& c, std::string_view what) {
        append(c.note, "'" + c.reason_code + "' is no code of a " + std::string(what) +
                           ": ask the bank what it means; the payment is unchanged");
    }
    static void append(std::string& note, const std::string& more) { note += (note.empty() ? "" : "; ") + more; }

    LineSink& sink_;
    std::optional<BusinessDate> created_;  // of the file; nullopt: it has no file header
    nacha::BatchHeader batch_;
    std::optional<OpenEntry> open_;
    bool has_ours_ = false;  // a line that may be about us

    // Entries of one kind: the line of the first, and their number.
    struct Entries {
        std::size_t first = 0;
        std::int64_t count = 0;
        void add(std::size_t line) {
            if (count++ == 0) first = line;
        }
        void add(const Entries& more) {
            if (count == 0 || (more.count > 0 && more.first < first)) first = more.first;
            count += more.count;
        }
    };
    struct Counts {
        std::int64_t answers = 0;
        Entries others;      // neither returns nor notifications of change
        Entries incomplete;  // answers without addenda
    };
    Counts batch_counts_, file_counts_;
    Entries ignored_, payments_;  // others of files with answers, and of files without
    Entries acknowledgments_;
};

// Reads the bytes twice: nothing is applied until every record and total is validated.
class NachaReader final : public SlicedReader {
  public:
    NachaReader(std::string_view bytes, LineSink& sink) : bytes_(bytes), sink_(sink), returns_(sink) { start_pass({}); }

    bool advance() override {
        constexpr std::size_t slice_size = std::size_t{1} << 16;
        const std::string_view slice = bytes_.substr(at_, slice_size);
        if (!is_checked_ && refuse_rejections(at_ + slice.size())) return false;
        reader_->feed(slice);
        at_ += slice.size();
        if (at_ < bytes_.size()) return true;
        const nacha::ReadSummary summary = reader_->finish();
        if (is_checked_) {
            returns_.finish(summary);
            return false;
        }
        if (!summary.is_readable) return refuse(summary);
        if (summary.has_file_header && !summary.has_file_control) {
            sink_.report.add(to_int(summary.last_line), 0, "the file has a file header, but no file control record",
                             "drop it again; it may be truncated");
            return false;
        }
        is_checked_ = true;
        start_pass([this](const nacha::Record& record) { returns_.take(record); });
        return true;
    }

  private:
    void start_pass(nacha::FileReader::Sink sink) {
        at_ = 0;
        reader_.emplace(
            nacha::ReadOptions{.file_records_required = false, .may_be_stacked = true, .text_may_be_foreign = true},
            std::move(sink));
    }

    // A bank that does not process a record sends it back with its reason in positions 80-86: "REJ0603". Looks at the
    // slice from at_ to `until`, and at a code that the one before it cut.
    bool refuse_rejections(std::size_t until) {
        constexpr std::size_t before = 79, length = 7, record_length = 94;
        constexpr std::string_view line_ends = "\r\n";
        const std::string_view read = bytes_.substr(0, until);
        const std::size_t from = at_ - std::min(at_, length - 1);
        const bool has_lines = bytes_.substr(0, 2 * record_length).find_first_of(line_ends) != std::string_view::npos;
        for (std::size_t at = read.find("REJ", from); at != std::string_view::npos; at = read.find("REJ", at + 1)) {
            const std::string_view code = read.substr(at, length);
            if (at < before || code.size() < length || !all_digits(code.substr(3))) continue;
            const std::string_view record = read.substr(at - before, before);
            const bool is_record = has_lines ? record.find_first_of(line_ends) == std::string_view::npos &&
                                                   (at == before || line_ends.contains(read[at - before - 1]))
                                             : at % record_length == before;
            if (!is_record || !std::string_view("56789").contains(record.front())) continue;
            const std::string_view lines_before = read.substr(0, at);
            const auto line = has_lines ? std::ranges::count(lines_before, bytes_.contains('\n') ? '\n' : '\r')
                                        : static_cast<std::ptrdiff_t>(at / record_length);
            sink_.report.add(1 + to_int(static_cast<std::size_t>(line)), static_cast<int>(before) + 1,
                             "the bank rejects this record (" + std::string(code) + ")",
                             "this file says what it did not process: ask it which payments it did not make, and hand "
                             "in a list that says 'returned' for those");
            return true;
        }
        return false;
    }

    bool refuse(const nacha::ReadSummary& summary) {
        for (const nacha::Problem& problem : summary.problems) {
            if (problem.severity == nacha::Severity::unreadable)
                sink_.report.add(to_int(problem.line), to_int(problem.position), problem.message,
                                 "the file is damaged or truncated: ask the bank for it again");
        }
        return false;
    }

    std::string_view bytes_;
    LineSink& sink_;
    ReturnReader returns_;
    std::optional<nacha::FileReader> reader_;
    std::size_t at_ = 0;
    bool is_checked_ = false;
};

}  // namespace

std::unique_ptr<SlicedReader> read_nacha(std::string_view bytes, LineSink& sink) {
    return std::make_unique<NachaReader>(bytes, sink);
}

}  // namespace drawbridge::statements
