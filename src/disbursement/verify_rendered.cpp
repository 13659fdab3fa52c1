// Reads back the bytes of a payment file and compares them with the plan, before the file may be staged.
#include <algorithm>

#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/nacha/transliterate.hpp"
#include "drawbridge/nacha/validate.hpp"
#include "drawbridge/text/show.hpp"
#include "rendered_values.hpp"

namespace drawbridge::disbursement {

namespace {

std::unexpected<Error> refuse(const PlannedFile& file, const std::string& why) {
    return fail(ErrorCode::invalid_input, "file " + file.name + " differs from the plan: " + why);
}

std::string truncated(std::string text, std::size_t width) {
    text.resize(std::min(text.size(), width));
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
}

std::string trimmed(std::string text) {
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
}

bool has_addenda(const nacha::EntryDetail& entry, const PlannedPayment& payment) {
    const auto planned = addenda_texts(payment);
    return std::ranges::equal(entry.addenda, planned, [](const nacha::Addenda& addenda, const std::string& text) {
        const auto* written = std::get_if<nacha::PaymentAddenda>(&addenda);
        return written != nullptr && written->payment_related_information == trimmed(text);
    });
}

// The first field of the entry that does not match the payee or the account, or empty.
std::string_view differing_payee(const nacha::EntryDetail& entry, const Payee& payee) {
    const std::size_t name_width = payee.sec_code == SecCode::ctx ? 16 : 22;
    const auto name = bank_name(payee, "");
    const std::string routing_number = entry.receiving_dfi_identification + entry.check_digit;
    if (!payee.routing_number || routing_number != payee.routing_number->to_string()) return "routing number";
    if (!payee.account_number || entry.dfi_account_number != payee.account_number->reveal()) return "account number";
    if (!name || entry.individual_name != truncated(*name, name_width)) return "individual name";
    return {};
}

// The first field of the entry that differs from the payment, or empty.
std::string_view differing_field(const nacha::EntryDetail& entry, const PlannedPayment& payment) {
    const bool is_savings = payment.payee.account_type == AccountType::savings;
    if (entry.trace_number != payment.trace_number) return "trace number";
    if (entry.transaction_code != (is_savings ? 32 : 22)) return "transaction code";
    if (entry.amount != payment.amount) return "amount";
    if (entry.individual_identification != format_payment_id(payment.payment_id)) return "individual identification";
    if (const auto field = differing_payee(entry, payment.payee); !field.empty()) return field;
    if (!has_addenda(entry, payment)) return "addenda";
    return {};
}

std::string_view differing_field(const nacha::EntryDetail& entry, const PlannedPrenote& prenote) {
    const bool is_savings = prenote.payee.account_type == AccountType::savings;
    if (entry.trace_number != prenote.trace_number) return "trace number";
    if (entry.transaction_code != (is_savings ? 33 : 23)) return "transaction code";
    if (!entry.amount.is_zero()) return "amount";
    if (!entry.addenda.empty()) return "addenda";
    return differing_payee(entry, prenote.payee);
}

std::string_view differing_field(const nacha::EntryDetail& entry, const PlannedOffset& offset,
                                 const OffsetAccount& account) {
    if (entry.trace_number != offset.trace_number) return "trace number";
    if (entry.transaction_code != (account.is_savings ? 37 : 27)) return "transaction code";
    if (entry.amount != offset.amount) return "amount";
    if (entry.receiving_dfi_identification + entry.check_digit != account.routing_number.to_string()) {
        return "routing number";
    }
    if (entry.dfi_account_number != account.account_number.reveal()) return "account number";
    if (!entry.addenda.empty()) return "addenda";
    return {};
}

std::string_view differing_field(const nacha::FileHeader& header, const PlannedFile& file, const AchProfile& profile) {
    if (header.immediate_destination != profile.destination.value_or(profile.odfi).to_string())
        return "immediate destination";
    if (header.immediate_origin != profile.origin_id) return "immediate origin";
    if (header.file_creation_date != file.creation_date) return "file creation date";
    if (header.file_creation_time != std::chrono::floor<std::chrono::minutes>(file.creation_time)) {
        return "file creation time";
    }
    if (header.file_id_modifier != file.file_id_modifier) return "file id modifier";
    return {};
}

struct PlannedBatch {
    std::optional<SecCode> sec_code;
    std::string entry_description;
    std::optional<BusinessDate> effective_entry_date;
    std::int64_t batch_number;
    bool is_balanced;
};

std::string_view differing_field(const nacha::BatchHeader& header, const PlannedBatch& planned,
                                 const AchProfile& profile) {
    const auto service_class = planned.is_balanced ? nacha::ServiceClass::mixed : nacha::ServiceClass::credits;
    const auto description =
        nacha::transliterate(planned.entry_description.empty() ? profile.entry_description : planned.entry_description);
    if (header.service_class != service_class) return "service class";
    if (!planned.sec_code || header.standard_entry_class_code != to_string(*planned.sec_code)) {
        return "standard entry class code";
    }
    if (!description || header.company_entry_description != truncated(*description, 10)) return "entry description";
    if (header.effective_entry_date != planned.effective_entry_date) return "effective entry date";
    if (header.batch_number != planned.batch_number) return "batch number";
    if (header.odfi_identification != profile.odfi.identification()) return "ODFI identification";
    if (header.company_identification != profile.company_id) return "company identification";
    return {};
}

Result<void> compare_totals(const PlannedFile& file, const ControlTotals& found,
                            const std::optional<OffsetAccount>& offset = std::nullopt) {
    if (!file.offsets.empty() && !offset) return refuse(file, "its profile has no offset account");
    const ControlTotals planned = control_totals(file, offset);
    if (planned.total != file.total || planned.entry_hash != file.entry_hash) {
        return refuse(file, "its payments do not add up to its own totals");
    }
    if (found.count != planned.count) {
        return refuse(file, text::counted(found.count, "payment") + ", but planned: " + std::to_string(planned.count));
    }
    if (found.total != planned.total) {
        return refuse(file, found.total.to_display() + " in total, but planned: " + planned.total.to_display());
    }
    if (found.entry_hash != planned.entry_hash) return refuse(file, "the entry hash differs");
    return {};
}

// Compares the entries of the file with the rows of the plan, one by one.
class EntryComparison {
  public:
    EntryComparison(const PlannedFile& file, const AchProfile& profile) : file_(file), profile_(profile) {}

    Result<void> run(const nacha::File& read) {
        for (const nacha::Batch& batch : read.batches) {
            if (auto good = compare(batch); !good) return good;
        }
        if (payment_ != file_.payments.size() || prenote_ != file_.prenotes.size() || offset_ != file_.offsets.size()) {
            return refuse(file_, "planned entries are missing");
        }
        return {};
    }

  private:
    Result<void> compare(const nacha::Batch& batch) {
        Money credits;
        for (const nacha::EntryDetail& entry : batch.entries) {
            const bool is_last = &entry == &batch.entries.back();
            std::string who = "entry " + entry.trace_number;
            std::string_view field = "entry that was not planned";
            if (is_last && offset_ < file_.offsets.size()) {
                const PlannedOffset& offset = file_.offsets[offset_++];
                field = offset.batch_number == batch.header.batch_number && offset.amount == credits
                            ? differing_field(entry, offset, *profile_.offset)
                            : "offset";
            } else if (payment_ < file_.payments.size()) {
                const PlannedPayment& payment = file_.payments[payment_++];
                who = "payment " + format_payment_id(payment.payment_id);
                credits += payment.amount;
                field = differing_field(batch.header,
                                        {payment.payee.sec_code, payment.entry_description,
                                         payment.effective_entry_date, payment.batch_number, !file_.offsets.empty()},
                                        profile_);
                if (field.empty()) field = differing_field(entry, payment);
            } else if (prenote_ < file_.prenotes.size()) {
                const PlannedPrenote& prenote = file_.prenotes[prenote_++];
                field = differing_field(
                    batch.header,
                    {prenote.payee.sec_code, "", prenote.effective_entry_date, prenote.batch_number, false}, profile_);
                if (field.empty()) field = differing_field(entry, prenote);
            }
            if (!field.empty()) return refuse(file_, who + ": " + std::string(field));
        }
        return {};
    }

    const PlannedFile& file_;
    const AchProfile& profile_;
    std::size_t payment_ = 0, prenote_ = 0, offset_ = 0;
};

Result<void> verify_ach(std::string_view bytes, const PlannedFile& file, const AchProfile& profile) {
    const nacha::Validation read = nacha::validate(bytes);
    if (const auto first = read.first_error()) {
        return refuse(file, "line " + std::to_string(first->line) + ", position " + std::to_string(first->position) +
                                ": " + first->message);
    }
    const nacha::FileControl control = nacha::control_of(read.file);
    if (control.total_debit != (file.offsets.empty() ? Money() : file.total)) return refuse(file, "its debits differ");
    ControlTotals found{0, control.total_credit, control.entry_hash};
    for (const nacha::Batch& batch : read.file.batches)
        found.count += static_cast<std::int64_t>(batch.entries.size());
    found.count -= static_cast<std::int64_t>(file.prenotes.size() + file.offsets.size());
    if (auto good = compare_totals(file, found, profile.offset); !good) return good;
    if (const auto field = differing_field(read.file.header, file, profile); !field.empty()) {
        return refuse(file, "file header: " + std::string(field));
    }
    return EntryComparison(file, profile).run(read.file);
}

// The part of a check that a reader of the file can see: the layout may truncate the name or lack a column.
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
    // In a fixed column, spaces at both ends are padding.
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
            return refuse(file, "payment " + format_payment_id(payment.payment_id) + ": its line differs");
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
    return refuse(file, "its profile has another rail");
}

}  // namespace drawbridge::disbursement
