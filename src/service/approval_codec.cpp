#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "draw_builder.hpp"
#include "drawbridge/service/codec.hpp"
#include "error_message.hpp"
#include "json.hpp"

namespace drawbridge::service {
namespace {

enum class Verdict { approved, refused, unclear };

struct ResultEntry {
    Verdict verdict = Verdict::unclear;
    bool is_accepted = false;  // without an error, but the draw in it does not show the approval
    std::string error;
    std::optional<Draw> draw;
};

// The format of a result's error is not specified: a blank value is no error, any text is one, and the rest (an object
// of nulls, a zero) is unclear.
Verdict read_error(const JsonValue* error) {
    if (error == nullptr || error->is_null()) return Verdict::approved;
    if (const bool* flag = std::get_if<bool>(&error->value)) return *flag ? Verdict::refused : Verdict::approved;
    if (const std::string* text = error->string()) {
        return text->find_first_not_of(" \t\r\n") == std::string::npos ? Verdict::approved : Verdict::refused;
    }
    if (const JsonObject* object = error->object(); object != nullptr && object->empty()) return Verdict::approved;
    if (const JsonArray* array = error->array(); array != nullptr && array->empty()) return Verdict::approved;
    return is_blank(*error) ? Verdict::unclear : Verdict::refused;
}

// The draw in a result may be complete, partial or absent; what it shows must agree with the verdict.
Verdict check_draw(Verdict verdict, DrawId id, const JsonObject& draw) {
    const auto integer = [&](std::string_view name) -> std::optional<std::int64_t> {
        const JsonValue* member = find(draw, name);
        const JsonNumber* number = member == nullptr ? nullptr : member->number();
        return number == nullptr ? std::nullopt : to_integer(number->text);
    };
    if (const auto shown = integer("id"); shown && *shown != id) return Verdict::unclear;
    const auto status = integer("status");
    if (!status) return verdict;
    const bool is_approved =
        *status == static_cast<int>(DrawStatus::approved) || *status == static_cast<int>(DrawStatus::disbursed);
    return is_approved == (verdict == Verdict::approved) ? verdict : Verdict::unclear;
}

ResultEntry read_result(DrawId id, const JsonObject& object) {
    ResultEntry entry;
    const JsonValue* error = find(object, "error");
    const JsonValue* draw = find(object, "draw");
    entry.verdict = read_error(error);
    if (draw != nullptr && draw->object() != nullptr && entry.verdict != Verdict::unclear) {
        const bool is_without_error = entry.verdict == Verdict::approved;
        entry.verdict = check_draw(entry.verdict, id, *draw->object());
        entry.is_accepted = is_without_error && entry.verdict == Verdict::unclear;
        if (auto built = build_draw(*draw); built.draw) entry.draw = std::move(*built.draw);
    }
    if (entry.verdict == Verdict::refused) entry.error = error_message(*error);
    return entry;
}

std::optional<DrawId> result_id(const JsonObject& object) {
    const JsonValue* id = find(object, "drawId");
    const JsonNumber* number = id == nullptr ? nullptr : id->number();
    return number == nullptr ? std::nullopt : to_integer(number->text);
}

// The list of results, or the only list in an envelope.
const JsonArray* find_results(const JsonValue& answer) {
    if (const JsonArray* array = answer.array()) return array;
    const JsonObject* object = answer.object();
    if (object == nullptr) return nullptr;
    const JsonArray* results = nullptr;
    for (const auto& [name, member] : *object) {
        if (member.array() == nullptr) continue;
        if (results != nullptr) return nullptr;
        results = member.array();
    }
    return results;
}

ApprovalAnswer sort_by_request(std::unordered_map<DrawId, ResultEntry>& entries,
                               const std::vector<Approval>& approvals) {
    ApprovalAnswer answer;
    for (const Approval& approval : approvals) {
        auto found = entries.extract(approval.id);
        if (found.empty() || found.mapped().verdict == Verdict::unclear) {
            answer.unanswered.push_back(approval.id);
            if (!found.empty() && found.mapped().is_accepted) answer.accepted.push_back(approval.id);
            continue;
        }
        ResultEntry& entry = found.mapped();
        answer.outcomes.push_back({.id = approval.id,
                                   .approved = entry.verdict == Verdict::approved,
                                   .error = std::move(entry.error),
                                   .draw = std::move(entry.draw)});
    }
    for (const auto& [id, entry] : entries) {
        if (entry.verdict != Verdict::refused) answer.unrequested.push_back(id);
    }
    std::ranges::sort(answer.unrequested);
    return answer;
}

}  // namespace

std::string encode_approvals(const std::vector<Approval>& approvals) {
    auto body = nlohmann::ordered_json::array();
    for (const Approval& approval : approvals) {
        nlohmann::ordered_json object;
        object["id"] = approval.id;
        object["approverId"] = approval.approver_id;
        if (!approval.notes.empty()) object["notes"] = approval.notes;
        if (!approval.notification_emails.empty()) object["notificationsEmails"] = approval.notification_emails;
        body.push_back(std::move(object));
    }
    return body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Result<ApprovalAnswer> parse_approval_answer(std::string_view body, const std::vector<Approval>& approvals) {
    std::unordered_map<DrawId, ResultEntry> entries;
    if (body.find_first_not_of(" \t\r\n") == std::string_view::npos) {
        // A success without a word about any draw: all of them were taken.
        auto answer = sort_by_request(entries, approvals);
        answer.accepted = answer.unanswered;
        return answer;
    }
    const auto json = parse_json(body);
    if (!json)
        return fail(ErrorCode::protocol, "the answer to a bulk approval cannot be read: " + json.error().message);
    const JsonArray* results = find_results(*json);
    if (results == nullptr) {
        return fail(ErrorCode::protocol,
                    "the answer to a bulk approval has no list of results: " + one_line(to_text(*json)));
    }
    for (const JsonValue& result : *results) {
        const JsonObject* object = result.object();
        const auto id = object == nullptr ? std::nullopt : result_id(*object);
        if (!id) continue;  // it names no draw, so the draw that it was meant for stays unanswered
        ResultEntry entry = read_result(*id, *object);
        const auto [known, is_new] = entries.try_emplace(*id, std::move(entry));
        // try_emplace does not move from `entry` if the draw is already known.
        if (is_new) continue;
        known->second.is_accepted |= entry.is_accepted;
        if (known->second.verdict != entry.verdict) known->second.verdict = Verdict::unclear;
    }
    return sort_by_request(entries, approvals);
}

}  // namespace drawbridge::service
