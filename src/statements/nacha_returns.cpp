// NACHA returns and notifications of change. Paid never arises here: a bank sends nothing for a good credit.
#include <algorithm>
#include <cstdlib>
#include <limits>

#include "drawbridge/nacha/parse.hpp"
#include "drawbridge/text/show.hpp"
#include "line_sink.hpp"

namespace drawbridge::statements {
namespace {

int to_int(std::size_t number) {
    return number > std::numeric_limits<int>::max() ? std::numeric_limits<int>::max() : static_cast<int>(number);
}

// 76-78 has no year: the day nearest to one that is known to be near. "001" of a file made on 31 December is next
// year's.
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

ConfirmationKind kind_of_return(std::string_view code) {
    // R61-R70 dishonored, R71-R77 contested: between the banks.
    return code >= "R61" && code <= "R77" ? ConfirmationKind::disputed : ConfirmationKind::returned;
}

class ReturnReader {
  public:
    ReturnReader(const nacha::File& file, bool has_header, LineSink& sink)
        : file_(file), has_header_(has_header), sink_(sink), line_(has_header ? 1 : 0) {}

    void read() {
        if (has_header_) {
            sink_.facts.date = file_.header.file_creation_date;
            sink_.facts.bank_file_id =
                format_date(file_.header.file_creation_date) + " " + std::string(1, file_.header.file_id_modifier);
        }
        for (const nacha::Batch& batch : file_.batches) {
            ++line_;
            for (const nacha::EntryDetail& entry : batch.entries)
                read_entry(batch.header, entry);
            ++line_;  // its control
        }
        report_payments();
        if (sink_.facts.lines == 0 && sink_.report.empty())
            sink_.report.add(0, 0, "the file holds no return and no notification of change",
                             "drop it again; it may have been cut off");
    }

  private:
    void read_entry(const nacha::BatchHeader& batch, const nacha::EntryDetail& entry) {
        const std::size_t line = ++line_;
        line_ += entry.addenda.size();
        for (const nacha::Addenda& addenda : entry.addenda) {
            if (const auto* returned = std::get_if<nacha::ReturnAddenda>(&addenda))
                return add_return(batch, entry, *returned, line);
            if (const auto* change = std::get_if<nacha::ChangeAddenda>(&addenda))
                return add_change(batch, entry, *change, line);
        }
        if (nacha::layout_of(batch) == nacha::BatchLayout::adv) {
            sink_.report.add(to_int(line), 1, "an automated accounting advice (ADV)",
                             "it tells what the bank settled with its operator and confirms no payment; take it out of "
                             "the inbox");
            return;
        }
        if (payments_++ == 0) first_payment_ = line;
    }

    // Once for the file: a copy of a payment file has as many as it pays.
    void report_payments() {
        if (payments_ == 0) return;
        sink_.report.add(
            to_int(first_payment_), 1,
            payments_ == 1 ? "an entry that is neither a return nor a notification of change"
                           : "the first of " + text::counted(static_cast<std::int64_t>(payments_), "entry") +
                                 " that are neither returns nor notifications of change",
            "this is a payment file, perhaps a copy of our own: it confirms nothing; take it out of the inbox");
    }

    std::optional<Confirmation> begin(const nacha::BatchHeader& batch, const nacha::EntryDetail& entry,
                                      const std::string& original_trace, std::size_t line) {
        std::optional<BusinessDate> near;
        if (has_header_)
            near = file_.header.file_creation_date;
        else
            near = batch.effective_entry_date ? batch.effective_entry_date : sink_.options.received_on;
        if (!near) {
            sink_.report.add(to_int(line), 0, "neither the file nor its batch has a date",
                             "ask the bank for the file with its file header");
            return std::nullopt;
        }
        Confirmation c;
        c.line = static_cast<std::int64_t>(line);
        c.date = settlement_day(batch.settlement_date, *near).value_or(*near);
        const bool iat = nacha::layout_of(batch) == nacha::BatchLayout::iat;
        if (!iat) c.payee_name = entry.individual_name;  // of an IAT entry, it stands in the addenda
        if (trim(original_trace).find_first_not_of('0') != std::string_view::npos)
            c.references.push_back({ReferenceKind::trace_number, std::string(trim(original_trace))});
        if (!iat && is_payment_id(trim(entry.individual_identification)))
            c.references.push_back({ReferenceKind::payment_id, std::string(trim(entry.individual_identification))});
        return c;
    }

    // Whose payment it was: another company's, or another bank's customer's.
    [[nodiscard]] std::string stranger(const nacha::BatchHeader& batch, const std::string& original_trace) const {
        const Office& office = sink_.options.office;
        const std::string_view company = trim(batch.company_identification);
        if (!office.company_ids.empty() &&
            std::ranges::none_of(office.company_ids, [&](const std::string& ours) { return trim(ours) == company; }))
            return "of company " + std::string(company);
        if (!original_trace.starts_with(office.odfi_identification)) return "of an entry of another bank";
        return {};
    }

    void add_return(const nacha::BatchHeader& batch, const nacha::EntryDetail& entry,
                    const nacha::ReturnAddenda& returned, std::size_t line) {
        auto c = begin(batch, entry, returned.original_entry_trace_number, line);
        if (!c) return;
        c->kind = kind_of_return(returned.return_reason_code);
        c->amount = entry.amount;
        c->reason_code = returned.return_reason_code;
        c->note = masked_note(returned.addenda_information);
        if (nacha::direction_of(entry.transaction_code) == nacha::Direction::debit) append(c->note, "a returned debit");
        // Of a contested return, it is the day of the first return.
        const auto death = parse_yymmdd(returned.date_of_death);
        if (death && c->kind == ConfirmationKind::returned) append(c->note, "date of death " + format_date(*death));
        finish(batch, returned.original_entry_trace_number, std::move(*c));
    }

    void add_change(const nacha::BatchHeader& batch, const nacha::EntryDetail& entry,
                    const nacha::ChangeAddenda& change, std::size_t line) {
        auto c = begin(batch, entry, change.original_entry_trace_number, line);
        if (!c) return;
        const bool refused = change.change_code >= "C61" && change.change_code <= "C69";
        c->kind = refused ? ConfirmationKind::disputed : ConfirmationKind::corrected;
        c->reason_code = change.change_code;
        c->corrected_data = change.corrected_data;
        finish(batch, change.original_entry_trace_number, std::move(*c));
    }

    void finish(const nacha::BatchHeader& batch, const std::string& original_trace, Confirmation c) {
        if (const std::string whose = stranger(batch, original_trace); !whose.empty()) {
            c.kind = ConfirmationKind::unrelated;
            append(c.note, whose);
        }
        sink_.add(std::move(c));
    }

    static void append(std::string& note, const std::string& more) { note += (note.empty() ? "" : "; ") + more; }

    const nacha::File& file_;
    bool has_header_;
    LineSink& sink_;
    std::size_t line_;
    std::size_t payments_ = 0, first_payment_ = 0;  // entries that are no returns, and the line of the first
};

}  // namespace

void read_nacha(std::string_view bytes, LineSink& sink) {
    const auto file = nacha::parse(bytes, {.file_records_required = false});
    if (!file) {
        for (const nacha::Problem& problem : file.error())
            sink.report.add(to_int(problem.line), to_int(problem.position), problem.message);
        return;
    }
    ReturnReader(*file, bytes.starts_with('1'), sink).read();
}

}  // namespace drawbridge::statements
