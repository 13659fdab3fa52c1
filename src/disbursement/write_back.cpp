#include "drawbridge/disbursement/write_back.hpp"

#include <re2/re2.h>

#include <algorithm>

#include "template_text.hpp"

namespace drawbridge::disbursement {
namespace {

const std::vector<std::string_view>& placeholders(WriteBackEvent event) {
    static const std::vector<std::string_view> of_export = {"trace_number", "check_number", "payment_id",
                                                            "amount",       "file_name",    "effective_date"};
    static const std::vector<std::string_view> of_confirmation = {
        "trace_number", "check_number", "payment_id", "amount", "file_name", "effective_date", "bank_date"};
    static const std::vector<std::string_view> of_return = {
        "trace_number",   "check_number", "payment_id",      "amount",      "file_name",
        "effective_date", "bank_date",    "settlement_date", "return_code", "return_reason"};
    switch (event) {
        case WriteBackEvent::export_: return of_export;
        case WriteBackEvent::confirmation: return of_confirmation;
        case WriteBackEvent::return_: return of_return;
    }
    return of_export;
}

// Only for a template that names a payment, a check, a trace or a file.
std::shared_ptr<const re2::RE2> pattern_of(std::string_view text) {
    bool names_payment = false;
    const auto pattern = pattern_of_template(text, [&](std::string_view placeholder) -> std::string_view {
        const bool is_trace = placeholder == "trace_number";
        const bool is_check = placeholder == "check_number";
        const bool is_payment = placeholder == "payment_id";
        names_payment = names_payment || is_trace || is_check || is_payment || placeholder == "file_name";
        // A payment has a trace number or a check number; the other is empty.
        if (is_trace) return "(?:[0-9]{15})?";
        if (is_check) return "[0-9]*";
        if (is_payment) return "P[0-9]{10}";
        return ".*";
    });
    if (!names_payment) return nullptr;
    return std::make_shared<const re2::RE2>("(?s)" + pattern, re2::RE2::Quiet);
}

}  // namespace

std::string_view to_string(WriteBackEvent event) {
    switch (event) {
        case WriteBackEvent::export_: return "export";
        case WriteBackEvent::confirmation: return "confirmation";
        case WriteBackEvent::return_: return "return";
    }
    return "export";
}

std::optional<WriteBackEvent> parse_write_back_event(std::string_view text) {
    for (const auto event : write_back_events) {
        if (to_string(event) == text) return event;
    }
    return std::nullopt;
}

const std::vector<std::string_view>& write_back_fields() {
    static const std::vector<std::string_view> all = {"description",
                                                      "fieldA",
                                                      "fieldB",
                                                      "fieldC",
                                                      "fieldD",
                                                      "fieldE",
                                                      "participant_FieldA",
                                                      "participant_FieldB",
                                                      "participant_FieldC",
                                                      "admin_Description"};
    return all;
}

Result<WriteBackTemplate> WriteBackTemplate::parse(std::string_view text, WriteBackEvent event) {
    const auto& known = placeholders(event);
    auto good = parse_template(
        text, [](std::string_view) {},
        [&](std::string_view name) -> Result<void> {
            if (std::ranges::find(known, name) != known.end()) return {};
            const auto& most = placeholders(WriteBackEvent::return_);
            if (std::ranges::find(most, name) != most.end()) {
                return fail(ErrorCode::invalid_input, "'{" + std::string(name) + "}' is not yet known at " +
                                                          std::string(to_string(event)) + ": use it under " +
                                                          (name == "bank_date" ? "confirmation or return" : "return"));
            }
            return unknown_placeholder(name, known);
        });
    if (!good) return std::unexpected(good.error());
    WriteBackTemplate result;
    result.text_ = text;
    result.pattern_ = pattern_of(text);
    return result;
}

std::string WriteBackTemplate::expand(const WriteBackValues& values) const {
    std::string text;
    const auto done = parse_template(
        text_, [&](std::string_view piece) { text += piece; },
        [&](std::string_view name) -> Result<void> {
            if (const auto value = values.find(name); value != values.end()) text += value->second;
            return {};
        });
    return done ? text : std::string();
}

bool WriteBackTemplate::may_have_produced(std::string_view text) const {
    return pattern_ && !text.empty() && re2::RE2::FullMatch(re2::StringPiece(text.data(), text.size()), *pattern_);
}

}  // namespace drawbridge::disbursement
