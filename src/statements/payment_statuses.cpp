#include "payment_statuses.hpp"

#include <algorithm>
#include <utility>

#include "drawbridge/domain/confirmation.hpp"
#include "drawbridge/nacha/return_codes.hpp"
#include "reason_code.hpp"
#include "xml_nodes.hpp"

namespace drawbridge::statements {
namespace {

// The first code with a meaning, else the first one. pain.002.001.02 has StsRsn, the later versions Rsn.
std::string reason_of(const pugi::xml_node& of) {
    std::string code;
    for (const pugi::xml_node& why : of.children()) {
        if (local_name(why.name()) != "StsRsnInf") continue;
        for (const std::string_view reason : {"Rsn", "StsRsn"}) {
            for (const std::string_view form : {"Cd", "Prtry"})
                take_better_code(text_at(why, {reason, form}), code);
        }
    }
    return code;
}

std::string text_of_reasons(const pugi::xml_node& of) {
    std::string text;
    for (const pugi::xml_node& why : of.children()) {
        if (local_name(why.name()) != "StsRsnInf") continue;
        for (const pugi::xml_node& part : why.children()) {
            if (local_name(part.name()).starts_with("Addtl")) text += (text.empty() ? "" : " ") + own_text(part);
        }
    }
    return text;
}

ConfirmationKind kind_of_status(std::string_view status) {
    if (status == "RJCT" || status == "CANC") return ConfirmationKind::returned;
    if (status == "BLCK") return ConfirmationKind::disputed;                  // blocked: neither paid nor returned
    if (status == "ACSC" || status == "ACCC") return ConfirmationKind::paid;  // the bank moved the money
    return ConfirmationKind::pending;  // ACCP, ACTC, ACSP, ACWC, PDNG, RCVD, PART: accepted or waiting, not yet
                                       // paid
}

bool is_rejection(std::string_view status) {
    return kind_of_status(status) == ConfirmationKind::returned;
}

// A file that came twice makes each of its payments a duplicate. Any other reason may be about the file alone.
bool says_duplicate(std::string_view reason) {
    const auto code = nacha::find_return_code(code_of_reason_field(reason));
    return code && code->action == nacha::ReturnAction::pause_everything;
}

// When the bank moved the money. It may accept a payment days before.
std::optional<BusinessDate> settlement_day(const pugi::xml_node& one, const Zone& zone) {
    const auto effective = day_at(one, "EffctvIntrBkSttlmDt", zone);
    return effective ? effective : day_at(child(one, "OrgnlTxRef"), "IntrBkSttlmDt", zone);
}

// As instructed, or else as the banks settle it between them.
pugi::xml_node amount_of(const pugi::xml_node& payment) {
    const pugi::xml_node equivalent = at_path(payment, {"Amt", "EqvtAmt", "Amt"});
    for (const pugi::xml_node& amount : {at_path(payment, {"Amt", "InstdAmt"}), equivalent}) {
        if (amount) return amount;
    }
    return child(payment, "IntrBkSttlmAmt");
}

}  // namespace

void PaymentStatuses::read_text(const XmlPath& path, std::string_view text) {
    if (path.size() < 4 || path[2] != "OrgnlPmtInfAndSts") return;
    if (path.size() == 4 && path[3] == "PmtInfSts") batch_.status = text;
    if (path.size() == 4 && path[3] == "OrgnlPmtInfId") batch_.id = text;
    if (path.size() == 6 && path[3] == "StsRsnInf" && (path[5] == "Cd" || path[5] == "Prtry"))
        take_better_code(text, batch_.reason);
}

void PaymentStatuses::read_end(const XmlPath& path, const std::optional<BusinessDate>& created) {
    if (path.size() == 2) file_ = {.what = "file", .id = {}, .status = {}, .reason = {}};
    if (path.size() != 3 || path[2] != "OrgnlPmtInfAndSts") return;
    const Whole batch = std::exchange(batch_, {.what = "batch", .id = {}, .status = {}, .reason = {}});
    const bool had_transactions = std::exchange(batch_had_transactions_, false);
    // Whether the transactions of a rejected batch are all of its payments is unknown.
    if (!had_transactions || is_rejection(batch.status)) add_whole(0, batch, created);
}

void PaymentStatuses::read_file(const pugi::xml_node& group, int line, const std::optional<BusinessDate>& created) {
    file_ = {"file", text_at(group, {"OrgnlMsgId"}), text_at(group, {"GrpSts"}), reason_of(group)};
    add_whole(line, file_, created);
}

void PaymentStatuses::read_transaction(const pugi::xml_node& one, int line,
                                       const std::optional<BusinessDate>& created) {
    batch_had_transactions_ = true;
    Confirmation c;
    c.line = line;
    std::string status = text_at(one, {"TxSts"});
    if (status.empty()) status = batch_.status;
    // Whoever accepts a file does not accept each payment of it.
    if (status.empty() && is_rejection(file_.status)) status = file_.status;
    c.kind = kind_of_status(status);
    if (c.kind == ConfirmationKind::paid && (is_rejection(file_.status) || is_rejection(batch_.status)))
        return sink_.report.add(line, 0,
                                "the file says that this payment was made, but rejects the " +
                                    std::string(is_rejection(file_.status) ? "file" : "batch") + " that it was in",
                                "ask the bank which is true, and for the file again");
    // A rejected payment may still show the day on which it was to settle.
    auto day = c.kind == ConfirmationKind::paid ? settlement_day(one, sink_.options.zone) : std::nullopt;
    if (!day) day = day_of(text_at(one, {"AccptncDtTm"}), sink_.options.zone);
    if (!day) day = created;
    if (!day) return sink_.report.add(line, 0, "neither the status nor the file has a date", "ask the bank for it");
    c.date = *day;
    const auto add = [&](std::string_view name, ReferenceKind kind) {
        const std::string text = text_at(one, {name});
        if (text.empty() || text == "NOTPROVIDED") return;
        if (std::ranges::none_of(c.references, [&](const Reference& other) { return other.text == text; }))
            c.references.push_back({kind, text});
    };
    add("OrgnlEndToEndId", ReferenceKind::end_to_end_id);
    add("OrgnlInstrId", ReferenceKind::any);
    if (contradicts_itself(c)) {
        return sink_.report.add(
            line, 0,
            "the file says of payment " + c.references.front().text + " both that it was made and that it was rejected",
            "ask the bank which is true, and for the file again");
    }
    if (!read_amount(amount_of(child(one, "OrgnlTxRef")), c, sink_.report)) return;
    const std::string why = text_of_reasons(one);
    c.reason_code = reason_of(one);
    if (c.reason_code.empty()) c.reason_code = batch_.reason;
    if (c.reason_code.empty() && c.kind == ConfirmationKind::returned && says_duplicate(file_.reason))
        c.reason_code = file_.reason;
    take_code_from_text(why, c.reason_code);
    c.payee_name = text_at(one, {"OrgnlTxRef", "Cdtr", "Nm"});
    c.note = masked_note(status + " " + why);
    if (c.amount_source == AmountSource::none) append_no_amount(c, "");
    // It is about one payment as a whole.
    if (c.amount_source == AmountSource::none && c.kind == ConfirmationKind::returned)
        c.amount_source = AmountSource::payment;
    sink_.add(std::move(c));
}

// Whoever rejects a payment did not make it. Remembers only payments whose numbers have the form of ours.
bool PaymentStatuses::contradicts_itself(const Confirmation& c) {
    if (c.kind != ConfirmationKind::paid && c.kind != ConfirmationKind::returned) return false;
    return std::ranges::any_of(c.references, [&](const Reference& one) {
        if (!is_payment_id(one.text) && !is_trace_number(one.text, sink_.options.office)) return false;
        return said_.emplace(one.text, c.kind).first->second != c.kind;
    });
}

void PaymentStatuses::add_whole(int line, const Whole& whole, const std::optional<BusinessDate>& created) {
    const auto& [what, id, status, reason] = whole;
    if (status.empty()) return;
    if (!created) return sink_.report.add(line, 0, "the file has no creation date", "ask the bank for it");
    Confirmation c;
    c.line = std::max(line, 1);
    c.date = *created;
    const bool is_rejected = is_rejection(status);
    c.amount_source = is_rejected ? AmountSource::file : AmountSource::none;
    c.kind = is_rejected ? ConfirmationKind::returned : ConfirmationKind::pending;
    if (!id.empty()) c.references.push_back({ReferenceKind::any, id});
    c.reason_code = reason;
    c.note = "the " + std::string(what) + " as a whole: " + masked_note(status);
    sink_.add(std::move(c));
}

}  // namespace drawbridge::statements
