#include "act_text.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "approve.hpp"
#include "console_state.hpp"
#include "delivery_view.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/makers.hpp"
#include "exception_acts.hpp"
#include "file_view.hpp"

namespace drawbridge::admin {
namespace {

constexpr std::size_t nonce_bytes = 16;

struct Verb {
    std::string_view pattern;
    std::string_view words;
};
// A route without words of its own is named by its request alone.
constexpr std::array verbs{
    Verb{"/draws/approve", "approve held draws"},
    Verb{"/draws/*/reissue", "pay a draw again"},
    Verb{"/exceptions/resolve", "resolve exceptions"},
    Verb{"/exceptions/*/resolve", "resolve an exception"},
    Verb{"/exceptions/*/undo", "undo a resolution"},
    Verb{"/exceptions/*/reissue", "pay a draw again"},
    Verb{"/exceptions/*/deliver", "say whether the bank has a file"},
    Verb{"/files/*/release", "release a file to the bank"},
    Verb{"/files/*/void", "void a file"},
    Verb{"/files/*/deliver", "say whether the bank has a file"},
    Verb{"/files/*/acknowledge", "record what the bank acknowledged"},
    Verb{"/payments/*/void", "void a payment, with its file"},
    Verb{"/checks/*/void", "void a check"},
    Verb{"/checks/*/stop", "stop a check"},
    Verb{"/checks/*/withdraw", "withdraw an order about a check"},
    Verb{"/ingest/*/take", "take a confirmation file"},
    Verb{"/pay", "plan payments now"},
    Verb{"/resume", "resume all movement of money"},
    Verb{"/reload", "read rules and payees again"},
    Verb{"/backup", "make a backup"},
    Verb{"/changes/*/accept", "accept a change of rules or payees"},
    Verb{"/changes/*/reject", "reject a change of rules or payees"},
    Verb{"/people/changes/*/confirm", "confirm a change to people"},
    Verb{"/sessions/*/end", "end a session of the console"},
};

// As JSON writes it: no line end, no control character.
std::string as_json_text(const json& value) {
    return value.dump(-1, ' ', /*ensure_ascii=*/true, json::error_handler_t::replace);
}

std::string path_of_act(const Call& call) {
    std::string path;
    for (const auto& segment : call.path)
        path += "/" + segment;
    return path;
}

bool is_printable(const std::string& text) {
    return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x20 && c != 0x7F; });
}

// The file that the act is about, so that its hash and totals are signed.
Result<std::optional<ledger::FileRow>> file_of_act(AdminContext& context, const Route& route, const Call& call) {
    if (call.path[0] != "files" && route.pattern != "/exceptions/*/deliver") return std::nullopt;
    const auto name = file_of_path(context, call);
    if (!name) return std::unexpected(name.error());
    auto file = ledger::find_file(context.ledger, *name);
    if (!file) return fail(ErrorCode::not_found, "there is no payment file named " + *name);
    if (route.pattern == "/files/*/release") {
        if (auto may = ledger::check_may_order(*file); !may) return std::unexpected(may.error());
    }
    return file;
}

// The draws that the act approves, so that their number and total are signed.
Result<std::optional<Approval>> approval_of_act(AdminContext& context, const Route& route, const Call& call,
                                                const std::string& reason) {
    if (route.pattern != "/draws/approve") return std::nullopt;
    auto approval = check_approval(context, call, reason);
    if (!approval) return std::unexpected(approval.error());
    return std::move(*approval);
}

// The payment that a reissue makes, so that its amount and payee are signed.
Result<std::optional<json>> reissue_of_act(AdminContext& context, const Route& route, const Call& call) {
    if (!route.pattern.ends_with("/reissue")) return std::nullopt;
    auto expected = expected_reissue(context, call);
    if (!expected) return std::unexpected(expected.error());
    return std::move(*expected);
}

// What the path or the body names only by a number; an unknown number has no line. Empty: the path says it all.
std::vector<std::string> subjects_of_act(AdminContext& context, const Route& route, const Call& call) {
    std::vector<std::string> subjects;
    const auto add_exception = [&](std::int64_t id, const std::string& prefix) {
        if (const auto row = ledger::find_exception(context.ledger, id))
            subjects.push_back(fmt::format("{}{}: {}", prefix, row->what.reason_code, row->what.detail));
    };
    if (route.pattern == "/exceptions/resolve") {
        for (const std::int64_t id : exception_ids(call).value_or(std::vector<std::int64_t>()))
            add_exception(id, std::to_string(id) + " ");
    } else if (call.path.size() >= 3 && call.path[0] == "exceptions") {
        if (const auto id = whole_number(call.path[1], "the exception", 1, INT64_MAX)) add_exception(*id, "");
    } else if (call.path.size() >= 3 && call.path[0] == "people" && call.path[1] == "changes") {
        const auto id = whole_number(call.path[2], "the change", 1, INT64_MAX);
        const auto change = id ? ledger::find_waiting_change(context.ledger, *id) : std::nullopt;
        if (!change) return subjects;
        const auto person = ledger::find_person(context.ledger, change->what.person_id);
        subjects.push_back(fmt::format("{}, person {} ({})", describe(change->what), change->what.person_id,
                                       person ? person->name : ""));
    }
    return subjects;
}

json expected_of(const ledger::FileRow& file) {
    return {{"sha256", file.sha256}, {"payments", file.payment_count}, {"total", file.total.to_string()}};
}

}  // namespace

Result<ActText> make_act_text(AdminContext& context, const Session& session, const Route& route, const Call& call,
                              Instant expires) {
    const auto reason = reason_of(call);
    if (!reason) return std::unexpected(reason.error());
    if (route.pattern == "/ingest/*/take" && text_in(call.body, "sha256").empty()) {
        return fail(ErrorCode::invalid_input,
                    "'sha256' is missing: preview the file with \"keep\", and take what was seen");
    }
    ActText made{.text = {}, .request = call.method + " " + path_of_act(call), .body = call.body};
    if (!is_printable(made.request)) return fail(ErrorCode::invalid_input, "the path has a control character");
    auto file = file_of_act(context, route, call);
    if (!file) return std::unexpected(file.error());
    made.file = std::move(*file);
    if (made.file && route.pattern == "/files/*/release") {
        if (auto same = check_expected(context, call.path[1], call.body); !same) return std::unexpected(same.error());
        made.body["expect"] = expected_of(*made.file);
        const ledger::Stamp by{context.clock.now(), session.who.actor, session.who.uid};
        if (auto may = ledger::check_may_release(context.ledger, *made.file, by); !may)
            return std::unexpected(may.error());
    }
    const auto approval = approval_of_act(context, route, call, *reason);
    if (!approval) return std::unexpected(approval.error());
    if (*approval) made.body["expect"] = (*approval)->expected();
    const auto again = reissue_of_act(context, route, call);
    if (!again) return std::unexpected(again.error());
    if (*again) made.body["expect"] = **again;
    const auto verb = std::ranges::find(verbs, route.pattern, &Verb::pattern);
    const auto person = ledger::find_person(context.ledger, *session.who.person);
    const auto site = site_of(context);
    const auto add = [&](std::string_view key, std::string_view value) {
        made.text += fmt::format("{}: {}\n", key, value);
    };
    add("drawbridge act", verb == verbs.end() ? std::string_view(made.request) : verb->words);
    add("ledger", context.ledger.ledger_id());
    add("site", site.id);
    add("origin", site.origin);
    add("person", fmt::format("{} ({})", *session.who.person, person ? person->name : ""));
    add("request", made.request);
    for (const std::string& subject : subjects_of_act(context, route, call))
        add("about", as_json_text(subject));
    if (made.file) {
        add("file", made.file->name);
        add("sha256", made.file->sha256);
        add("payments", std::to_string(made.file->payment_count));
        add("total", made.file->total.to_string());
    }
    if (*approval) {
        add("draws", std::to_string((*approval)->ids.size()));
        add("total", (*approval)->total.to_string());
    }
    if (*again) {
        const json& payment = **again;
        add("draw", as_json_text(payment["draw"]));
        add("amount", payment["amount"].get<std::string>());
        add("payee", as_json_text(payment["payee"]) + ", " + as_json_text(payment["name"]));
        const auto account = payment["account"].get<std::string>();  // a check has none
        if (!account.empty()) add("account", account);
    }
    add("reason", as_json_text(*reason));
    json rest = made.body;
    rest.erase("reason");
    rest.erase("expect");
    if (!rest.empty()) add("body", as_json_text(rest));
    add("nonce", random_text(nonce_bytes));
    add("expires", format_instant(expires));
    return made;
}

}  // namespace drawbridge::admin
