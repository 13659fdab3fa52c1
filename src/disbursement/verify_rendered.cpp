// Reads back the bytes of a payment file and compares them with the plan, before the file may be staged.
#include <algorithm>
#include <deque>
#include <utility>

#include "drawbridge/disbursement/rendering.hpp"
#include "drawbridge/nacha/file_reader.hpp"
#include "drawbridge/nacha/transliterate.hpp"
#include "drawbridge/text/show.hpp"
#include "rendered_values.hpp"

namespace drawbridge::disbursement {

namespace {

std::unexpected<Error> refuse(const PlannedFile& file, const std::string& why) {
    return fail(ErrorCode::invalid_input, "file " + file.name + " differs from the plan: " + why);
}

std::string unpadded(std::string text) {
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
}

std::string truncated(std::string text, std::size_t width) {
    text.resize(std::min(text.size(), width));
    return unpadded(std::move(text));
}

bool has_addenda(const nacha::EntryDetail& entry, const PlannedPayment& payment) {
    const auto planned = addenda_texts(payment);
    return std::ranges::equal(entry.addenda, planned, [](const nacha::Addenda& addenda, const std::string& text) {
        const auto* written = std::get_if<nacha::PaymentAddenda>(&addenda);
        return written != nullptr && written->payment_related_information == unpadded(text);
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

// `planned` are the totals of the expected rows, `found` those of the bytes.
Result<void> compare_totals(const PlannedFile& file, const ControlTotals& planned, const ControlTotals& found) {
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

}  // namespace

// Compares the records of an ACH file with the rows of the plan, entry by entry.
class RenderedCheck::Ach {
  public:
    Ach(const PlannedFile& file, const AchProfile& profile, std::optional<EntryLimits> limits)
        : file_(file),
          profile_(profile),
          limits_(limits),
          planned_(totals_without_payments(file, profile)),
          reader_({.file_records_required = false}, [this](const nacha::Record& record) { take(record); }) {}

    void expect(const PlannedPayment& payment) {
        add_to_totals(planned_, payment);
        expected_.push_back(payment);
    }
    void feed(std::string_view bytes) { reader_.feed(bytes); }

    Result<void> finish() {
        const nacha::ReadSummary summary = reader_.finish();
        end_entry(/*is_last=*/true);
        const auto first = std::ranges::find_if(summary.problems, [](const nacha::Problem& problem) {
            return problem.severity != nacha::Severity::warning;
        });
        if (first != summary.problems.end()) {
            return refuse(file_, "line " + std::to_string(first->line) + ", position " +
                                     std::to_string(first->position) + ": " + first->message);
        }
        if (!file_.offsets.empty() && !profile_.offset) return refuse(file_, "its profile has no offset account");
        if (summary.total_debit != (file_.offsets.empty() ? Money() : file_.total))
            return refuse(file_, "its debits differ");
        const auto others = static_cast<std::int64_t>(file_.prenotes.size() + file_.offsets.size());
        const ControlTotals found{summary.entries - others, summary.total_credit, summary.entry_hash};
        if (auto good = compare_totals(file_, planned_, found); !good) return good;
        if (const auto field = differing_field(header_, file_, profile_); !field.empty())
            return refuse(file_, "file header: " + std::string(field));
        if (!difference_.empty()) return refuse(file_, difference_);
        if (const auto over = over_limit(); !over.empty()) return fail(ErrorCode::invalid_input, over);
        if (!expected_.empty() || prenote_ != file_.prenotes.size() || offset_ != file_.offsets.size())
            return refuse(file_, "planned entries are missing");
        return {};
    }

  private:
    static ControlTotals totals_without_payments(const PlannedFile& file, const AchProfile& profile) {
        PlannedFile rows;
        rows.prenotes = file.prenotes;
        if (profile.offset) rows.offsets = file.offsets;
        return control_totals(rows, profile.offset);
    }

    // Empty: it is within its limits.
    [[nodiscard]] std::string over_limit() const {
        const auto over = [&](const char* what, std::int64_t records, std::int64_t limit) {
            return "file " + file_.name + " has " + what + std::to_string(records) +
                   " entries and addenda, and ach.limits allows " + std::to_string(limit) +
                   ": void the file; the next run pays its draws in smaller ones";
        };
        if (!limits_) return {};
        if (records_ > limits_->file) return over("", records_, limits_->file);
        if (largest_batch_ > limits_->batch) return over("a batch of ", largest_batch_, limits_->batch);
        return {};
    }

    void count() {
        ++records_;
        largest_batch_ = std::max(largest_batch_, ++batch_records_);
    }

    void take(const nacha::Record& record) {
        switch (record.kind) {
            case nacha::RecordKind::file_header: header_ = nacha::file_header_of(record); break;
            case nacha::RecordKind::batch_header:
                end_entry(/*is_last=*/true);
                batch_ = nacha::batch_header_of(record);
                credits_ = Money();
                batch_records_ = 0;
                break;
            case nacha::RecordKind::entry:
                end_entry(/*is_last=*/false);
                entry_ = nacha::entry_of(record);
                count();
                break;
            case nacha::RecordKind::addenda:
                if (entry_) entry_->addenda.push_back(nacha::addenda_of(record));
                count();
                break;
            case nacha::RecordKind::batch_control:
            case nacha::RecordKind::file_control: end_entry(/*is_last=*/true); break;
        }
    }

    // The entry has its addenda. `is_last` in its batch.
    void end_entry(bool is_last) {
        if (!entry_) return;
        const nacha::EntryDetail entry = *std::exchange(entry_, std::nullopt);
        if (!difference_.empty()) return;
        std::string who = "entry " + entry.trace_number;
        const auto field = differing_field_of_next(entry, is_last, who);
        if (!field.empty()) difference_ = who + ": " + std::string(field);
    }

    std::string_view differing_field_of_next(const nacha::EntryDetail& entry, bool is_last, std::string& who) {
        if (is_last && offset_ < file_.offsets.size()) {
            const PlannedOffset& offset = file_.offsets[offset_++];
            const bool is_its =
                profile_.offset && offset.batch_number == batch_.batch_number && offset.amount == credits_;
            return is_its ? differing_field(entry, offset, *profile_.offset) : "offset";
        }
        if (!expected_.empty()) {
            const PlannedPayment payment = std::move(expected_.front());
            expected_.pop_front();
            who = "payment " + format_payment_id(payment.payment_id);
            credits_ += payment.amount;
            const auto field =
                differing_field(batch_,
                                {payment.payee.sec_code, payment.entry_description, payment.effective_entry_date,
                                 payment.batch_number, !file_.offsets.empty()},
                                profile_);
            return field.empty() ? differing_field(entry, payment) : field;
        }
        if (prenote_ < file_.prenotes.size()) {
            const PlannedPrenote& prenote = file_.prenotes[prenote_++];
            const auto field = differing_field(
                batch_, {prenote.payee.sec_code, "", prenote.effective_entry_date, prenote.batch_number, false},
                profile_);
            return field.empty() ? differing_field(entry, prenote) : field;
        }
        return "entry that was not planned";
    }

    const PlannedFile& file_;
    const AchProfile& profile_;
    std::optional<EntryLimits> limits_;
    std::deque<PlannedPayment> expected_;
    ControlTotals planned_;
    nacha::FileReader reader_;
    nacha::FileHeader header_;
    nacha::BatchHeader batch_;
    std::optional<nacha::EntryDetail> entry_;
    Money credits_;  // of the batch
    std::size_t prenote_ = 0, offset_ = 0;
    std::int64_t records_ = 0, batch_records_ = 0, largest_batch_ = 0;  // entries and addenda
    std::string difference_;                                            // the first one
};

class RenderedCheck::Checks {
  public:
    Checks(const PlannedFile& file, const CheckProfile& profile) : file_(file), profile_(profile) {}

    void expect(const PlannedPayment& payment) {
        add_to_totals(planned_, payment);
        auto issue = issue_of(payment);
        if (issue) {
            expected_.push_back({payment.payment_id, read_back(std::move(*issue), profile_.layout)});
        } else if (!error_) {
            error_ = issue.error();
        }
    }
    void feed(std::string_view bytes) { bytes_ += bytes; }

    Result<void> finish() {
        const auto read = checks::parse_issue(profile_.layout, profile_.account, file_.creation_date, bytes_);
        if (!read) return refuse(file_, read.error().message);
        ControlTotals found;
        for (const checks::CheckIssue& issue : *read) {
            ++found.count;
            found.total += issue.amount;
        }
        if (auto good = compare_totals(file_, planned_, found); !good) return good;
        if (error_) return std::unexpected(*error_);
        for (std::size_t i = 0; i < read->size(); ++i) {
            const auto& [payment_id, planned] = expected_[i];
            if (planned != (*read)[i])
                return refuse(file_, "payment " + format_payment_id(payment_id) + ": its line differs");
        }
        return {};
    }

  private:
    const PlannedFile& file_;
    const CheckProfile& profile_;
    std::vector<std::pair<std::int64_t, checks::CheckIssue>> expected_;
    ControlTotals planned_;
    std::string bytes_;
    std::optional<Error> error_;
};

RenderedCheck::RenderedCheck(const PlannedFile& file, const FileProfile& profile, std::optional<EntryLimits> limits)
    : file_(file) {
    const auto* ach = std::get_if<AchProfile>(&profile);
    const auto* check = std::get_if<CheckProfile>(&profile);
    if (ach != nullptr && file.rail == Rail::ach) {
        ach_ = std::make_unique<Ach>(file, *ach, limits);
    } else if (check != nullptr && file.rail == Rail::check) {
        checks_ = std::make_unique<Checks>(file, *check);
    }
}
RenderedCheck::~RenderedCheck() = default;

void RenderedCheck::expect(const PlannedPayment& payment) {
    if (ach_) ach_->expect(payment);
    if (checks_) checks_->expect(payment);
}

void RenderedCheck::feed(std::string_view bytes) {
    if (ach_) ach_->feed(bytes);
    if (checks_) checks_->feed(bytes);
}

Result<void> RenderedCheck::finish() {
    if (ach_) return ach_->finish();
    if (checks_) return checks_->finish();
    return refuse(file_, "its profile has another rail");
}

Result<void> verify_rendered(std::string_view bytes, const PlannedFile& file, const FileProfile& profile) {
    RenderedCheck check(file, profile);
    for (const PlannedPayment& payment : file.payments)
        check.expect(payment);
    check.feed(bytes);
    return check.finish();
}

}  // namespace drawbridge::disbursement
