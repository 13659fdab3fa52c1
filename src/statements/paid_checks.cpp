// Reads lists of paid checks by their layout.
#include <utility>

#include "line_sink.hpp"

namespace drawbridge::statements {
namespace {

ConfirmationKind kind_of(checks::PaidStatus status) {
    switch (status) {
        case checks::PaidStatus::paid: return ConfirmationKind::paid;
        case checks::PaidStatus::stopped: return ConfirmationKind::voided;
        case checks::PaidStatus::ignored: break;
    }
    return ConfirmationKind::unrelated;
}

Confirmation confirmation_of(checks::PaidCheck check, LineSink& sink) {
    Confirmation c;
    c.line = check.line;
    c.kind = kind_of(check.status);
    c.amount = check.amount;
    // An outstanding check has no date, and at some banks a stopped one has none.
    if (!check.paid_date.ok() && !sink.options.received_on)
        sink.report.add(static_cast<int>(c.line), 0, "no date", "ask the bank for it");
    c.date = check.paid_date.ok() ? check.paid_date : sink.options.received_on.value_or(check.paid_date);
    c.payee_name = std::move(check.payee_name);
    c.references.push_back({ReferenceKind::check_number, std::to_string(check.check_number)});
    const bool is_ours = check.foreign_account.empty();
    sink.note_account(check.foreign_account, is_ours);
    if (!is_ours) sink.mark_unrelated(c, check.foreign_account);
    return c;
}

class PaidChecksReader final : public SlicedReader {
  public:
    PaidChecksReader(std::string_view bytes, std::string_view file_name, const checks::PaidLayout& layout,
                     LineSink& sink)
        : sink_(sink),
          reading_(layout, sink.options.office.check_accounts, bytes, file_name,
                   [this](checks::PaidCheck check) { sink_.add(confirmation_of(std::move(check), sink_)); }) {}

    bool advance() override {
        if (reading_.advance()) return true;
        const auto read = std::move(reading_).finish();
        if (read) return false;
        for (const text::Diagnostic& one : read.error())
            sink_.report.add(one.line, one.column, one.message, one.hint);
        return false;
    }

  private:
    LineSink& sink_;
    checks::PaidFileReader reading_;
};

}  // namespace

std::unique_ptr<SlicedReader> read_paid_checks(std::string_view bytes, std::string_view file_name,
                                               const checks::PaidLayout& layout, LineSink& sink) {
    return std::make_unique<PaidChecksReader>(bytes, file_name, layout, sink);
}

}  // namespace drawbridge::statements
