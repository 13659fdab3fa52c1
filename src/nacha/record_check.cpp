#include "record_check.hpp"

namespace drawbridge::nacha {

namespace {

bool report_unprintable(ProblemList& problems, std::size_t line, std::string_view record, const RecordLayout* layout) {
    for (std::size_t i = 0; i < record.size(); ++i) {
        if (record[i] >= 0x20 && record[i] <= 0x7E) continue;
        Place place{"", i + 1, 1};
        if (layout != nullptr) {
            for (const Field& field : layout->fields) {
                if (field.position <= i + 1 && i + 1 < field.position + field.length) place.field = field.name;
            }
        }
        const std::string what = "a byte that is not printable ASCII";
        problems.add({line, place.position, 1, std::string(place.field),
                      place.field.empty() ? what : std::string(place.field) + ": " + what, Severity::unreadable});
        return true;
    }
    return false;
}

}  // namespace

bool is_printable(std::string_view record) {
    static constexpr Mask any = [] {
        Mask mask;
        mask.low.fill(0x20);
        mask.span.fill(0x7E - 0x20);
        return mask;
    }();
    return fits(record, any);
}

Form check_fields(ProblemList& problems, std::size_t line, std::string_view record, const RecordLayout* layout) {
    if (report_unprintable(problems, line, record, layout)) return Form::damaged;
    Form form;
    if (layout == nullptr) return form;
    for (const Field& field : layout->fields) {
        const auto fault = fault_in(record, field);
        if (!fault) continue;
        form.lower_to(Form::readable);
        const bool is_lost = field.need == Need::value && fault->severity != Severity::warning;
        report(problems, line, {field.name, field.position, field.length}, fault->what,
               is_lost ? Severity::unreadable : fault->severity);
        if (is_lost) form.lower_to(Form::printable);
    }
    return form;
}

std::string cents_text(std::int64_t cents) {
    return Money::from_cents(cents).to_display();
}

}  // namespace drawbridge::nacha
