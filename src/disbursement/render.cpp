#include "drawbridge/disbursement/rendering.hpp"

#include "drawbridge/nacha/encoder.hpp"
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

}  // namespace

// Writes an ACH file, entry by entry.
class Rendering::Ach {
  public:
    Ach(const PlannedFile& file, const AchProfile& profile, Sink sink)
        : file_(file), profile_(profile), encoder_(std::move(sink), profile.line_end, profile.padding) {
        begin_file();
    }

    void add(const PlannedPayment& payment) {
        if (error_) return;
        if (!payment.payee.sec_code || !payment.effective_entry_date) {
            return refuse({ErrorCode::invalid_input, "payment " + format_payment_id(payment.payment_id) +
                                                         " has no SEC code or no effective entry date"});
        }
        begin(
            {*payment.payee.sec_code, payment.entry_description, *payment.effective_entry_date, payment.batch_number});
        add(entry_of(payment));
    }

    Result<void> finish() {
        end_batch();
        if (!error_ && next_offset_ != file_.offsets.size()) refuse(offsets_differ());
        for (const PlannedPrenote& prenote : file_.prenotes)
            add(prenote);
        if (!file_.prenotes.empty()) end_batch();
        if (error_) return std::unexpected(*error_);
        return encoder_.finish();
    }

  private:
    void begin_file() {
        const auto header = file_header_of(file_, profile_);
        if (!header) return refuse(header.error());
        if (auto good = put_upper(offset_name_, profile_.company_name, "company name"); !good)
            return refuse(good.error());
        if (!file_.offsets.empty() && !profile_.offset) return refuse(offsets_differ());
        encoder_.begin_file(*header);
    }

    static Error offsets_differ() { return {ErrorCode::invalid_input, "the file's offsets do not match its batches"}; }

    // Keeps the first error. Nothing is written after it.
    void refuse(Error error) {
        if (!error_) error_ = std::move(error);
    }

    void add(const Result<nacha::EntryDetail>& entry) {
        if (!entry) return refuse(entry.error());
        if (!error_) encoder_.add(*entry);
    }

    void add(const PlannedPrenote& prenote) {
        if (!prenote.payee.sec_code) return refuse({ErrorCode::invalid_input, "a prenote has no SEC code"});
        begin({*prenote.payee.sec_code, "", prenote.effective_entry_date, prenote.batch_number});
        add(entry_of(prenote));
    }

    // Starts a new batch unless the current one matches.
    void begin(const BatchKey& words) {
        if (error_ || batch_number_ == words.batch_number) return;
        end_batch();
        const auto header = batch_header_of(words, profile_, !file_.offsets.empty());
        if (!header) return refuse(header.error());
        encoder_.begin_batch(*header);
        batch_number_ = words.batch_number;
    }

    void end_batch() {
        if (error_ || !batch_number_) return;
        if (!file_.offsets.empty()) {
            if (next_offset_ == file_.offsets.size()) return refuse(offsets_differ());
            encoder_.add(entry_of(file_.offsets[next_offset_++], *profile_.offset, offset_name_));
        }
        encoder_.end_batch();
        batch_number_.reset();
    }

    const PlannedFile& file_;
    const AchProfile& profile_;
    nacha::Encoder encoder_;
    std::string offset_name_;
    std::optional<std::int64_t> batch_number_;
    std::size_t next_offset_ = 0;
    std::optional<Error> error_;
};

// Keeps all checks until the end: a layout may begin with their count or total.
class Rendering::Checks {
  public:
    Checks(const PlannedFile& file, const CheckProfile& profile, Sink sink)
        : file_(file), profile_(profile), sink_(std::move(sink)) {}

    void add(const PlannedPayment& payment) {
        auto issue = issue_of(payment);
        if (issue) {
            issues_.push_back(std::move(*issue));
        } else if (!error_) {
            error_ = issue.error();
        }
    }

    Result<void> finish() {
        if (error_) return std::unexpected(*error_);
        const auto bytes = checks::encode_issue(profile_.layout, profile_.account, file_.creation_date, issues_);
        if (!bytes) return std::unexpected(bytes.error());
        sink_(*bytes);
        return {};
    }

  private:
    const PlannedFile& file_;
    const CheckProfile& profile_;
    Sink sink_;
    std::vector<checks::CheckIssue> issues_;
    std::optional<Error> error_;
};

Rendering::Rendering(const PlannedFile& file, const FileProfile& profile, Sink sink) : file_(file) {
    const auto* ach = std::get_if<AchProfile>(&profile);
    const auto* check = std::get_if<CheckProfile>(&profile);
    if (ach != nullptr && file.rail == Rail::ach) {
        ach_ = std::make_unique<Ach>(file, *ach, std::move(sink));
    } else if (check != nullptr && file.rail == Rail::check) {
        checks_ = std::make_unique<Checks>(file, *check, std::move(sink));
    }
}
Rendering::~Rendering() = default;

void Rendering::add(const PlannedPayment& payment) {
    if (ach_) ach_->add(payment);
    if (checks_) checks_->add(payment);
}

Result<void> Rendering::finish() {
    if (ach_) return ach_->finish();
    if (checks_) return checks_->finish();
    return fail(ErrorCode::invalid_input, "file " + file_.name + " and its profile have different rails");
}

Result<std::string> render(const PlannedFile& file, const FileProfile& profile) {
    std::string bytes;
    Rendering rendering(file, profile, [&](std::string_view piece) { bytes += piece; });
    for (const PlannedPayment& payment : file.payments)
        rendering.add(payment);
    if (auto good = rendering.finish(); !good) return std::unexpected(good.error());
    return bytes;
}

}  // namespace drawbridge::disbursement
