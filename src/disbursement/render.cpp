// Renders the planned rows and the profile stored with them into the file's bytes.
#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/nacha/transliterate.hpp"
#include "rendered_values.hpp"

namespace drawbridge::disbursement {

namespace {

// Configured text, in the characters that banks accept.
Result<void> put_upper(std::string& into, const std::string& text, std::string_view what) {
    auto upper = nacha::transliterate(text);
    if (!upper) return fail(ErrorCode::invalid_input, std::string(what) + ": " + upper.error().message);
    into = std::move(*upper);
    return {};
}

// A live credit, or its prenote: NACHA entry detail 2-3.
int transaction_code(AccountType type, bool is_prenote) {
    switch (type) {
        case AccountType::checking: return is_prenote ? 23 : 22;
        case AccountType::savings: return is_prenote ? 33 : 32;
    }
    return 0;
}

Result<nacha::EntryDetail> entry_to(const Payee& payee, const std::string& trace_number, bool is_prenote,
                                    const std::string& who) {
    if (!payee.routing_number || !payee.account_number || !payee.account_type) {
        return fail(ErrorCode::invalid_input, who + " has no bank details");
    }
    const auto name = bank_name(payee, who);
    if (!name) return std::unexpected(name.error());
    nacha::EntryDetail entry;
    entry.transaction_code = transaction_code(*payee.account_type, is_prenote);
    entry.receiving_dfi_identification = payee.routing_number->identification();
    entry.check_digit = payee.routing_number->to_string().back();
    entry.dfi_account_number = payee.account_number->reveal();
    entry.individual_name = *name;
    entry.trace_number = trace_number;
    return entry;
}

Result<nacha::EntryDetail> entry_of(const PlannedPayment& payment) {
    const std::string who = "payment " + format_payment_id(payment.payment_id);
    if (!payment.trace_number) return fail(ErrorCode::invalid_input, who + " has no trace number");
    auto entry = entry_to(payment.payee, *payment.trace_number, /*is_prenote=*/false, who);
    if (!entry) return entry;
    entry->amount = payment.amount;
    entry->individual_identification = format_payment_id(payment.payment_id);
    std::int64_t sequence = 0;
    for (auto& text : addenda_texts(payment)) {
        nacha::PaymentAddenda addenda;
        addenda.payment_related_information = std::move(text);
        addenda.addenda_sequence_number = ++sequence;
        addenda.entry_detail_sequence_number = std::stoll(payment.trace_number->substr(8));
        entry->addenda.emplace_back(std::move(addenda));
    }
    return entry;
}

Result<nacha::EntryDetail> entry_of(const PlannedPrenote& prenote) {
    auto entry = entry_to(prenote.payee, prenote.trace_number, /*is_prenote=*/true, "prenote " + prenote.trace_number);
    if (entry) entry->individual_identification = "PRENOTE";
    return entry;
}

nacha::EntryDetail entry_of(const PlannedOffset& offset, const OffsetAccount& account, const std::string& name) {
    nacha::EntryDetail entry;
    entry.transaction_code = account.is_savings ? 37 : 27;
    entry.receiving_dfi_identification = account.routing_number.identification();
    entry.check_digit = account.routing_number.to_string().back();
    entry.dfi_account_number = account.account_number.reveal();
    entry.amount = offset.amount;
    entry.individual_identification = "OFFSET";
    entry.individual_name = name;
    entry.trace_number = offset.trace_number;
    return entry;
}

struct BatchKey {
    SecCode sec_code;
    std::string entry_description;  // empty: the profile's
    BusinessDate effective_entry_date;
    std::int64_t batch_number;
};

Result<nacha::BatchHeader> batch_header_of(const BatchKey& words, const AchProfile& profile, bool is_balanced) {
    nacha::BatchHeader header;
    header.service_class = is_balanced ? nacha::ServiceClass::mixed : nacha::ServiceClass::credits;
    header.company_identification = profile.company_id;
    header.standard_entry_class_code = to_string(words.sec_code);
    header.effective_entry_date = words.effective_entry_date;
    header.odfi_identification = profile.odfi.identification();
    header.batch_number = words.batch_number;
    const std::string& description =
        words.entry_description.empty() ? profile.entry_description : words.entry_description;
    if (auto good = put_upper(header.company_name, profile.company_name, "company name"); !good) {
        return std::unexpected(good.error());
    }
    if (auto good = put_upper(header.company_discretionary_data, profile.company_discretionary, "discretionary data");
        !good) {
        return std::unexpected(good.error());
    }
    if (auto good = put_upper(header.company_entry_description, description, "entry description"); !good) {
        return std::unexpected(good.error());
    }
    return header;
}

Result<nacha::FileHeader> file_header_of(const PlannedFile& file, const AchProfile& profile) {
    nacha::FileHeader header;
    header.immediate_destination = profile.destination.value_or(profile.odfi).to_string();
    header.immediate_origin = profile.origin_id;
    header.file_creation_date = file.creation_date;
    header.file_creation_time = file.creation_time;
    header.file_id_modifier = file.file_id_modifier;
    const auto put = [&](std::string& into, const std::string& text, std::string_view what) {
        return put_upper(into, text, what);
    };
    if (auto good = put(header.immediate_destination_name, profile.odfi_name, "ODFI name"); !good) {
        return std::unexpected(good.error());
    }
    if (auto good = put(header.immediate_origin_name, profile.origin_name, "origin name"); !good) {
        return std::unexpected(good.error());
    }
    if (auto good = put(header.reference_code, profile.reference_code, "reference code"); !good) {
        return std::unexpected(good.error());
    }
    return header;
}

// Starts a new batch unless the current one matches.
Result<nacha::Batch*> batch_for(nacha::File& out, const BatchKey& words, const AchProfile& profile, bool is_balanced) {
    if (out.batches.empty() || out.batches.back().header.batch_number != words.batch_number) {
        auto header = batch_header_of(words, profile, is_balanced);
        if (!header) return std::unexpected(header.error());
        out.batches.push_back({std::move(*header), {}});
    }
    return &out.batches.back();
}

Result<void> add_payments(nacha::File& out, const PlannedFile& file, const AchProfile& profile) {
    for (const PlannedPayment& payment : file.payments) {
        if (!payment.payee.sec_code || !payment.effective_entry_date) {
            return fail(ErrorCode::invalid_input, "payment " + format_payment_id(payment.payment_id) +
                                                      " has no SEC code or no effective entry date");
        }
        const BatchKey words{*payment.payee.sec_code, payment.entry_description, *payment.effective_entry_date,
                             payment.batch_number};
        auto batch = batch_for(out, words, profile, !file.offsets.empty());
        if (!batch) return std::unexpected(batch.error());
        auto entry = entry_of(payment);
        if (!entry) return std::unexpected(entry.error());
        (*batch)->entries.push_back(std::move(*entry));
    }
    return {};
}

Result<void> add_offsets(nacha::File& out, const PlannedFile& file, const AchProfile& profile) {
    if (file.offsets.empty()) return {};
    if (!profile.offset || file.offsets.size() != out.batches.size()) {
        return fail(ErrorCode::invalid_input, "the file's offsets do not match its batches");
    }
    std::string name;
    if (auto good = put_upper(name, profile.company_name, "company name"); !good) return good;
    for (std::size_t i = 0; i < out.batches.size(); ++i)
        out.batches[i].entries.push_back(entry_of(file.offsets[i], *profile.offset, name));
    return {};
}

Result<void> add_prenotes(nacha::File& out, const PlannedFile& file, const AchProfile& profile) {
    for (const PlannedPrenote& prenote : file.prenotes) {
        if (!prenote.payee.sec_code) return fail(ErrorCode::invalid_input, "a prenote has no SEC code");
        const BatchKey words{*prenote.payee.sec_code, "", prenote.effective_entry_date, prenote.batch_number};
        auto batch = batch_for(out, words, profile, /*is_balanced=*/false);
        if (!batch) return std::unexpected(batch.error());
        auto entry = entry_of(prenote);
        if (!entry) return std::unexpected(entry.error());
        (*batch)->entries.push_back(std::move(*entry));
    }
    return {};
}

Result<std::string> render_ach(const PlannedFile& file, const AchProfile& profile) {
    nacha::File out;
    auto header = file_header_of(file, profile);
    if (!header) return std::unexpected(header.error());
    out.header = std::move(*header);
    if (auto good = add_payments(out, file, profile); !good) return std::unexpected(good.error());
    if (auto good = add_offsets(out, file, profile); !good) return std::unexpected(good.error());
    if (auto good = add_prenotes(out, file, profile); !good) return std::unexpected(good.error());
    return nacha::encode(out, profile.line_end, profile.padding);
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
    return fail(ErrorCode::invalid_input, "file " + file.name + " and its profile have different rails");
}

}  // namespace drawbridge::disbursement
