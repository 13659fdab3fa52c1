// The bytes of a payment file, read back and held against the plan, before the file may be staged.
#include <algorithm>

#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/nacha/validate.hpp"
#include "rendered_values.hpp"

namespace drawbridge::disbursement {

namespace {

std::unexpected<Error> refuse(const PlannedFile& file, const std::string& why) {
    return fail(ErrorCode::invalid_input, "file " + file.name + " is not what was planned: " + why);
}

std::string at_most(std::string text, std::size_t width) {
    text.resize(std::min(text.size(), width));
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
}

// The first field of the entry that is not the payment's, or empty.
std::string_view differing_field(const nacha::EntryDetail& entry, const PlannedPayment& payment) {
    constexpr std::size_t name_width = 22;
    const Payee& payee = payment.payee;
    const bool is_savings = payee.account_type == AccountType::savings;
    const auto name = bank_name(payment);
    const std::string routing_number = entry.receiving_dfi_identification + entry.check_digit;
    if (entry.trace_number != payment.trace_number) return "trace number";
    if (entry.transaction_code != (is_savings ? 32 : 22)) return "transaction code";
    if (!payee.routing_number || routing_number != payee.routing_number->to_string()) return "routing number";
    if (!payee.account_number || entry.dfi_account_number != payee.account_number->reveal()) return "account number";
    if (entry.amount != payment.amount) return "amount";
    if (entry.individual_identification != format_payment_id(payment.payment_id)) return "individual identification";
    if (!name || entry.individual_name != at_most(*name, name_width)) return "individual name";
    if (!entry.addenda.empty()) return "addenda";
    return {};
}

std::string_view differing_field(const nacha::FileHeader& header, const PlannedFile& file, const AchProfile& profile) {
    if (header.immediate_destination != profile.odfi.to_string()) return "immediate destination";
    if (header.immediate_origin != profile.origin_id) return "immediate origin";
    if (header.file_creation_date != file.creation_date) return "file creation date";
    if (header.file_creation_time != std::chrono::floor<std::chrono::minutes>(file.creation_time)) {
        return "file creation time";
    }
    if (header.file_id_modifier != file.file_id_modifier) return "file id modifier";
    return {};
}

std::string_view differing_field(const nacha::BatchHeader& header, const PlannedPayment& payment,
                                 const AchProfile& profile) {
    if (header.service_class != nacha::ServiceClass::credits) return "service class";
    if (!payment.payee.sec_code || header.standard_entry_class_code != to_string(*payment.payee.sec_code)) {
        return "standard entry class code";
    }
    if (header.effective_entry_date != payment.effective_entry_date) return "effective entry date";
    if (header.batch_number != payment.batch_number) return "batch number";
    if (header.odfi_identification != profile.odfi.identification()) return "ODFI identification";
    if (header.company_identification != profile.company_id) return "company identification";
    return {};
}

Result<void> compare_totals(const PlannedFile& file, const ControlTotals& found) {
    const ControlTotals planned = control_totals(file);
    if (planned.total != file.total || planned.entry_hash != file.entry_hash) {
        return refuse(file, "its payments do not add up to its own totals");
    }
    if (found.count != planned.count) {
        return refuse(file, std::to_string(found.count) + " payments, planned are " + std::to_string(planned.count));
    }
    if (found.total != planned.total) {
        return refuse(file, found.total.to_display() + " in all, planned are " + planned.total.to_display());
    }
    if (found.entry_hash != planned.entry_hash) return refuse(file, "the entry hash differs");
    return {};
}

Result<void> verify_ach(std::string_view bytes, const PlannedFile& file, const AchProfile& profile) {
    const nacha::Validation read = nacha::validate(bytes);
    if (!read.problems.empty()) {
        const nacha::Problem& first = read.problems.front();
        return refuse(file, "line " + std::to_string(first.line) + ", position " + std::to_string(first.position) +
                                ": " + first.message);
    }
    const nacha::FileControl control = nacha::control_of(read.file);
    if (control.total_debit != Money()) return refuse(file, "it has debits");
    const ControlTotals found{control.entry_addenda_count, control.total_credit, control.entry_hash};
    if (auto good = compare_totals(file, found); !good) return good;
    if (const auto field = differing_field(read.file.header, file, profile); !field.empty()) {
        return refuse(file, "file header: " + std::string(field));
    }
    std::size_t next = 0;
    for (const nacha::Batch& batch : read.file.batches) {
        for (const nacha::EntryDetail& entry : batch.entries) {
            const PlannedPayment& payment = file.payments.at(next++);
            auto field = differing_field(batch.header, payment, profile);
            if (field.empty()) field = differing_field(entry, payment);
            if (!field.empty()) {
                return refuse(file, "payment " + format_payment_id(payment.payment_id) + ": " + std::string(field));
            }
        }
    }
    return {};
}

// What a reader of the file can know of the check: the layout may cut the name, or have no column for something.
checks::CheckIssue read_back(checks::CheckIssue issue, const checks::IssueLayout& layout) {
    const auto column = [&](checks::ColumnKind kind) {
        const auto found = std::ranges::find(layout.columns, kind, &checks::Column::kind);
        return found == layout.columns.end() ? nullptr : &*found;
    };
    if (column(checks::ColumnKind::payment_reference) == nullptr) issue.payment_reference.clear();
    const checks::Column* name = column(checks::ColumnKind::payee_name);
    if (name == nullptr) {
        issue.payee_name.clear();
    } else if (name->width != 0) {
        issue.payee_name.resize(std::min(issue.payee_name.size(), name->width));
    }
    // Of a fixed column the blanks at both ends are filling.
    if (layout.format == checks::FileFormat::fixed) {
        issue.payee_name.erase(0, issue.payee_name.find_first_not_of(' '));
        issue.payee_name.erase(issue.payee_name.find_last_not_of(' ') + 1);
    }
    return issue;
}

Result<void> verify_checks(std::string_view bytes, const PlannedFile& file, const CheckProfile& profile) {
    const auto read = checks::parse_issue(profile.layout, profile.account, file.creation_date, bytes);
    if (!read) return refuse(file, read.error().message);
    ControlTotals found;
    for (const checks::CheckIssue& issue : *read) {
        ++found.count;
        found.total += issue.amount;
    }
    if (auto good = compare_totals(file, found); !good) return good;
    for (std::size_t i = 0; i < read->size(); ++i) {
        const checks::CheckIssue& written = (*read)[i];
        const PlannedPayment& payment = file.payments[i];
        auto planned = issue_of(payment);
        if (!planned) return std::unexpected(planned.error());
        if (read_back(*planned, profile.layout) != written) {
            return refuse(file, "payment " + format_payment_id(payment.payment_id) + ": its line says something else");
        }
    }
    return {};
}

}  // namespace

Result<void> verify_rendered(std::string_view bytes, const PlannedFile& file, const FileProfile& profile) {
    if (const auto* ach = std::get_if<AchProfile>(&profile); ach != nullptr && file.rail == Rail::ach) {
        return verify_ach(bytes, file, *ach);
    }
    if (const auto* check = std::get_if<CheckProfile>(&profile); check != nullptr && file.rail == Rail::check) {
        return verify_checks(bytes, file, *check);
    }
    return refuse(file, "its profile is of another rail");
}

}  // namespace drawbridge::disbursement
