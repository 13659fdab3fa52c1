// The planned rows and the profile stored with them → the file's bytes.
#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/nacha/transliterate.hpp"
#include "rendered_values.hpp"

namespace drawbridge::disbursement {

namespace {

// Configured text in the characters that banks read.
Result<void> put_upper(std::string& into, const std::string& text, std::string_view what) {
    auto upper = nacha::transliterate(text);
    if (!upper) return fail(ErrorCode::invalid_input, std::string(what) + ": " + upper.error().message);
    into = std::move(*upper);
    return {};
}

// A live credit: NACHA entry detail 2-3.
int transaction_code(AccountType type) {
    switch (type) {
        case AccountType::checking: return 22;
        case AccountType::savings: return 32;
    }
    return 0;
}

Result<nacha::EntryDetail> entry_of(const PlannedPayment& payment) {
    const Payee& payee = payment.payee;
    const std::string who = "payment " + format_payment_id(payment.payment_id);
    if (!payee.routing_number || !payee.account_number || !payee.account_type || !payment.trace_number) {
        return fail(ErrorCode::invalid_input, who + " lacks bank details or a trace number");
    }
    const auto name = bank_name(payment);
    if (!name) return std::unexpected(name.error());
    nacha::EntryDetail entry;
    entry.transaction_code = transaction_code(*payee.account_type);
    entry.receiving_dfi_identification = payee.routing_number->identification();
    entry.check_digit = payee.routing_number->to_string().back();
    entry.dfi_account_number = payee.account_number->reveal();
    entry.amount = payment.amount;
    entry.individual_identification = format_payment_id(payment.payment_id);
    entry.individual_name = *name;
    entry.trace_number = *payment.trace_number;
    return entry;
}

Result<nacha::BatchHeader> batch_header_of(const PlannedPayment& first, const AchProfile& profile) {
    if (!first.payee.sec_code || !first.effective_entry_date) {
        return fail(ErrorCode::invalid_input,
                    "payment " + format_payment_id(first.payment_id) + " lacks a SEC code or an effective entry date");
    }
    nacha::BatchHeader header;
    header.service_class = nacha::ServiceClass::credits;
    header.company_identification = profile.company_id;
    header.standard_entry_class_code = to_string(*first.payee.sec_code);
    header.effective_entry_date = first.effective_entry_date;
    header.odfi_identification = profile.odfi.identification();
    header.batch_number = first.batch_number;
    if (auto good = put_upper(header.company_name, profile.company_name, "company name"); !good) {
        return std::unexpected(good.error());
    }
    if (auto good = put_upper(header.company_discretionary_data, profile.company_discretionary, "discretionary data");
        !good) {
        return std::unexpected(good.error());
    }
    if (auto good = put_upper(header.company_entry_description, profile.entry_description, "entry description");
        !good) {
        return std::unexpected(good.error());
    }
    return header;
}

Result<std::string> render_ach(const PlannedFile& file, const AchProfile& profile) {
    nacha::File out;
    out.header.immediate_destination = profile.odfi.to_string();
    out.header.immediate_origin = profile.origin_id;
    out.header.file_creation_date = file.creation_date;
    out.header.file_creation_time = file.creation_time;
    out.header.file_id_modifier = file.file_id_modifier;
    if (auto good = put_upper(out.header.immediate_destination_name, profile.odfi_name, "ODFI name"); !good) {
        return std::unexpected(good.error());
    }
    if (auto good = put_upper(out.header.immediate_origin_name, profile.origin_name, "origin name"); !good) {
        return std::unexpected(good.error());
    }
    for (const PlannedPayment& payment : file.payments) {
        if (out.batches.empty() || out.batches.back().header.batch_number != payment.batch_number) {
            auto header = batch_header_of(payment, profile);
            if (!header) return std::unexpected(header.error());
            out.batches.push_back({std::move(*header), {}});
        }
        auto entry = entry_of(payment);
        if (!entry) return std::unexpected(entry.error());
        out.batches.back().entries.push_back(std::move(*entry));
    }
    return nacha::encode(out, profile.line_end);
}

Result<std::string> render_checks(const PlannedFile& file, const CheckProfile& profile) {
    std::vector<checks::CheckIssue> issues;
    for (const PlannedPayment& payment : file.payments) {
        auto issue = issue_of(payment);
        if (!issue) return std::unexpected(issue.error());
        issues.push_back(std::move(*issue));
    }
    return checks::encode_issue(profile.layout, profile.account, file.creation_date, issues);
}

}  // namespace

Result<std::string> render(const PlannedFile& file, const FileProfile& profile) {
    if (const auto* ach = std::get_if<AchProfile>(&profile); ach != nullptr && file.rail == Rail::ach) {
        return render_ach(file, *ach);
    }
    if (const auto* check = std::get_if<CheckProfile>(&profile); check != nullptr && file.rail == Rail::check) {
        return render_checks(file, *check);
    }
    return fail(ErrorCode::invalid_input, "file " + file.name + " and its profile are of different rails");
}

}  // namespace drawbridge::disbursement
