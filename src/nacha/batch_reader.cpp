#include "batch_reader.hpp"

#include <algorithm>

namespace drawbridge::nacha {

namespace {

constexpr Place effective_date{"effective entry date", 70, 6};
constexpr Place service_class{"service class", 2, 3};
constexpr Place company{"company identification", 45, 10};
constexpr Place odfi{"ODFI identification", 80, 8};
constexpr Place batch_number_place{"batch number", 88, 7};

BatchLayout layout_of_header(std::string_view header) {
    const std::string_view sec = slice(header, 51, 3);
    if (sec == "ADV") return BatchLayout::adv;
    if (sec == "IAT" || (sec == "COR" && unpadded(slice(header, 5, 16)) == "IATCOR")) return BatchLayout::iat;
    return BatchLayout::standard;
}

}  // namespace

void Sums::add_cents(Direction direction, std::int64_t cents) {
    std::int64_t& sum = direction == Direction::credit ? credit_cents : debit_cents;
    if (__builtin_add_overflow(sum, cents, &sum)) is_complete = false;
}

void Sums::add(const Sums& other) {
    entries += other.entries;
    addenda += other.addenda;
    entry_hash += other.entry_hash;
    is_complete = is_complete && other.is_complete;
    add_cents(Direction::debit, other.debit_cents);
    add_cents(Direction::credit, other.credit_cents);
}

void compare_sum(ProblemList& problems, std::size_t line, std::string_view control, const Field& field,
                 std::int64_t computed, Severity severity) {
    // A field of twenty digits must begin with zeros: no sum needs more than 18.
    const std::string_view digits = slice(control, field);
    const std::string_view head = digits.substr(0, digits.size() - std::min<std::size_t>(digits.size(), 18));
    if (is_zeros(head) && number(digits.substr(head.size())) == computed) return;
    const bool is_money = field.name.starts_with("total");
    const auto shown = [&](std::int64_t value) { return is_money ? cents_text(value) : std::to_string(value); };
    const std::string written = is_zeros(head) ? shown(number(digits.substr(head.size()))) : std::string(digits);
    report(problems, line, {field.name, field.position, field.length},
           written + ", but the records add up to " + shown(computed), severity);
}

void BatchReader::begin(std::size_t line, std::string_view header, bool is_whole) {
    layout_ = layout_of_header(header);
    const Form form = form_of_record(line, header, &batch_header_layout(layout_), is_whole);
    std::ranges::copy(header, header_.begin());
    header_line_ = line;
    header_form_ = form;
    sums_ = {};
    sums_.is_complete = form.is_readable();
    answers_ = 0;
    sec_ = layout_ == BatchLayout::iat ? find_sec_code("IAT") : find_sec_code(sec_code());
    entry_.begin_batch(
        {.sec = sec_,
         .layout = layout_,
         .service_class = static_cast<int>(number(this->header(), 2, 3)),
         .odfi_identification = form.is_printable() ? slice(this->header(), 80, 8) : std::string_view(" "),
         .company_entry_description = slice(this->header(), 54, 10)});
}

void BatchReader::add_entry(std::size_t line, std::string_view record, bool is_whole) {
    end_entry();
    const EntryForm layout = sec_ == nullptr ? EntryForm::plain : form_of(*sec_, record);
    const Form form = form_of_record(line, record, &entry_layout(layout), is_whole);
    entry_.begin(line, record, form);
    ++sums_.entries;
    if (!form.is_readable()) return mark_incomplete();
    sums_.entry_hash += entry_.receiving_dfi_identification();
    sums_.add_cents(direction_of(entry_.transaction_code()), entry_.amount_cents());
}

bool BatchReader::add_addenda(std::size_t line, std::string_view record, bool is_whole) {
    if (!entry_.is_open()) return false;
    const RecordLayout* layout = addenda_layout(record, layout_);
    const Form form = form_of_record(line, record, layout, is_whole);
    if (!form.is_readable()) mark_incomplete();
    ++sums_.addenda;
    entry_.add_addenda(problems_, line, record, form);
    return true;
}

void BatchReader::end_entry() {
    if (!entry_.is_open()) return;
    entry_.end(problems_, file_traces_);
    if (entry_.is_answer()) ++answers_;
}

void BatchReader::close() {
    end_entry();
    check_header();
}

void BatchReader::check_header() {
    if (sums_.entries == 0) {
        problems_.add({header_line_, 0, 0, "", "the batch has no entries"});
        return;
    }
    const std::string_view date = slice(header(), 70, 6);
    const bool is_blank_by_rule = sec_ != nullptr && sec_->needs_no_effective_date;
    if (answers_ == 0 && header_form_.is_clean() && !is_blank_by_rule && (is_blank(date) || is_zeros(date)))
        report(problems_, header_line_, effective_date, "must be filled in");
    const std::string_view wanted = sec_ == nullptr ? std::string_view() : sec_->entry_description;
    if (!wanted.empty() && answers_ == 0 && unpadded(slice(header(), 54, 10)) != wanted)
        report(problems_, header_line_, {"company entry description", 54, 10},
               "for " + std::string(sec_->code) + " entries it must be " + std::string(wanted), Severity::warning);
    if (sec_ != nullptr && sec_->is_of_government && slice(header(), 79, 1) == "1")
        report(problems_, header_line_, {"originator status code", 79, 1},
               "for " + std::string(sec_->code) + " entries it must be 2: only federal agencies originate them",
               Severity::warning);
    if (layout_ == BatchLayout::adv && slice(header(), 2, 3) != "280")
        report(problems_, header_line_, service_class, "for accounting advices it must be 280", Severity::warning);
}

void BatchReader::end(std::size_t line, std::string_view control, bool is_whole) {
    close();
    const RecordLayout& layout = batch_control_layout(layout_);
    const Form form = form_of_record(line, control, &layout, is_whole);
    if (!form.is_printable() || !header_form_.is_printable()) return mark_incomplete();
    const auto differs = [&](const Place& place, std::size_t in_header) {
        return trimmed(slice(control, place.position, place.length)) !=
               trimmed(slice(header(), in_header, place.length));
    };
    const auto not_that = [&](const Place& place) {
        report(problems_, line, place, "does not match the batch header");
    };
    if (differs(service_class, 2)) not_that(service_class);
    if (layout_ != BatchLayout::adv && differs(company, 41)) not_that(company);
    if (differs(odfi, 80)) not_that(odfi);
    if (!form.is_readable()) return mark_incomplete();
    if (!sums_.is_complete) return;
    if (differs(batch_number_place, 88)) not_that(batch_number_place);  // banks send this, and the sums say more
    const std::array<std::int64_t, 4> computed = {sums_.entry_addenda_count(), sums_.last_ten_of_hash(),
                                                  sums_.debit_cents, sums_.credit_cents};
    for (std::size_t i = 0; i < computed.size(); ++i)
        compare_sum(problems_, line, control, layout.fields[i + 1], computed[i]);
}

void BatchReader::abandon(std::size_t line, const std::string& missing) {
    close();
    mark_incomplete();
    report(problems_, line, missing, Severity::unreadable);
}

}  // namespace drawbridge::nacha
