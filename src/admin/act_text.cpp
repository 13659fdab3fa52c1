#include "act_text.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "approve.hpp"
#include "changes.hpp"
#include "checks_view.hpp"
#include "console_sessions.hpp"
#include "console_state.hpp"
#include "delivery_view.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/makers.hpp"
#include "drawbridge/ledger/facts/payment_voids.hpp"
#include "drawbridge/ledger/facts/sent_before.hpp"
#include "drawbridge/ledger/reports/check_register.hpp"
#include "drawbridge/text/sanitize.hpp"
#include "exception_acts.hpp"
#include "file_view.hpp"
#include "resolutions.hpp"

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
    Verb{"/people/*/link", "link an account to a person"},
    Verb{"/people/*/unlink", "unlink an account from a person"},
    Verb{"/people/*/grant", "grant a role"},
    Verb{"/people/*/revoke", "revoke a role"},
    Verb{"/people/*/lock", "lock a person"},
    Verb{"/people/*/unlock", "unlock a person"},
    Verb{"/passkeys/*/lock", "lock a passkey for good"},
    Verb{"/sessions/*/end", "end a session of the console"},
};

// As JSON writes it, on one line: what pages cannot show is \uXXXX, other letters stay readable.
std::string as_json_text(const json& value) {
    return text::for_json(value.dump(-1, ' ', /*ensure_ascii=*/false, json::error_handler_t::replace));
}

// The check with this number. Error: no payment of this ledger has it.
Result<ledger::CheckRow> check_of_act(AdminContext& context, const Call& call) {
    const auto number = whole_number(call.path[1], "the check number", 1, INT64_MAX);
    if (!number) return std::unexpected(number.error());
    const auto rows = ledger::check_register(context.ledger, stale_until(context), *number - 1, /*limit=*/1);
    if (!rows.empty() && rows.front().first_number == *number && rows.front().payment_id != 0) return rows.front();
    return fail(ErrorCode::not_found, ledger::no_check_named(context.ledger, *number));
}

Result<void> check_tells_what_was_seen(const Route& route, const Call& call) {
    if (route.pattern == "/ingest/*/take" && text_in(call.body, "sha256").empty()) {
        return fail(ErrorCode::invalid_input,
                    "'sha256' is missing: preview the file with \"keep\", and take what was seen");
    }
    const auto seen = call.body.find("expect");
    if (route.pattern == "/draws/approve" &&
        (seen == call.body.end() || !seen->is_object() || !seen->contains("seen"))) {
        return fail(ErrorCode::invalid_input, "'expect' lacks 'seen': look at the draws, and approve what was seen");
    }
    return {};
}

Result<ledger::PaymentPlace> payment_of_act(AdminContext& context, const std::string& text) {
    const auto id = payment_named(text);
    if (!id) return std::unexpected(id.error());
    if (auto place = ledger::find_payment(context.ledger, *id)) return std::move(*place);
    return fail(ErrorCode::not_found, "there is no payment " + text);
}

Result<std::string> file_name_of_act(AdminContext& context, const Call& call) {
    if (call.path[0] == "checks") {
        const auto check = check_of_act(context, call);
        return check ? Result<std::string>(check->file_name) : std::unexpected(check.error());
    }
    if (call.path[0] == "payments") {
        const auto place = payment_of_act(context, call.path[1]);
        return place ? Result<std::string>(place->file_name) : std::unexpected(place.error());
    }
    return file_of_path(context, call);
}

// The file that the act is about, so that its hash and totals are signed.
Result<std::optional<ledger::FileRow>> file_of_act(AdminContext& context, const Route& route, const Call& call) {
    constexpr std::string_view about_files[] = {"files", "payments", "checks"};
    if (std::ranges::find(about_files, call.path[0]) == std::end(about_files) &&
        route.pattern != "/exceptions/*/deliver")
        return std::nullopt;
    const auto name = file_name_of_act(context, call);
    if (!name) return std::unexpected(name.error());
    auto file = ledger::find_file(context.ledger, *name);
    if (!file) return fail(ErrorCode::not_found, ledger::no_file_named(context.ledger, *name));
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

// The line about one draw of an approval.
std::string words_of_draw(AdminContext& context, const json& draw) {
    std::string to = "no payee";
    if (draw["payee"].is_string()) {
        const auto key = draw["payee"].get<std::string>();
        const auto* payee = context.shared.payees.find(key);
        to = (payee == nullptr ? "a payee who is not in the directory" : payee->name) + " (" + key + ")";
    }
    return as_json_text(
        fmt::format("draw {}: {} to {}", draw["id"].get<DrawId>(), draw["amount"].get<std::string>(), to));
}

using Subjects = std::vector<std::string>;

std::string words_of_payment(AdminContext& context, std::int64_t id) {
    const auto payment = ledger::load_payment(context.ledger, id);
    return fmt::format("payment {}: {} to {} ({})", disbursement::format_payment_id(id), payment.amount.to_string(),
                       payment.payee.name, payment.payee.key);
}

Result<Subjects> payment_subject(AdminContext& context, const std::string& text) {
    if (auto place = payment_of_act(context, text); !place) return std::unexpected(place.error());
    return Subjects{words_of_payment(context, payment_named(text).value())};
}

Result<Subjects> check_subject(AdminContext& context, const Call& call) {
    const auto check = check_of_act(context, call);
    if (!check) return std::unexpected(check.error());
    return Subjects{fmt::format("check {}, {}", call.path[1], words_of_payment(context, check->payment_id))};
}

Result<Subjects> exception_subjects(AdminContext& context, const Route& route, const Call& call) {
    const bool several = route.pattern == "/exceptions/resolve";
    Result<std::vector<std::int64_t>> ids = several ? exception_ids(call) : std::vector<std::int64_t>();
    if (!ids) return std::unexpected(ids.error());
    if (!several) {
        const auto id = whole_number(call.path[1], "the exception", 1, INT64_MAX);
        if (!id) return std::unexpected(id.error());
        ids->push_back(*id);
    }
    Subjects subjects;
    for (const std::int64_t id : *ids) {
        const auto row = ledger::find_exception(context.ledger, id);
        if (!row) return fail(ErrorCode::not_found, "there is no exception " + std::to_string(id));
        subjects.push_back(
            fmt::format("{}{}: {}", several ? std::to_string(id) + " " : "", row->what.reason_code, row->what.detail));
    }
    if (const std::string match = text_in(call.body, "match"); !several && !match.empty()) {
        const auto payment = payment_subject(context, match);
        if (!payment) return payment;
        subjects.push_back(payment->front());
    }
    return subjects;
}

Result<std::string> words_of_person(AdminContext& context, ledger::PersonId id) {
    const auto person = ledger::find_person(context.ledger, id);
    if (!person) return fail(ErrorCode::not_found, "there is no person " + std::to_string(id));
    return fmt::format("person {} ({})", id, person->name);
}

Result<Subjects> one_subject(std::string before, const Result<std::string>& person) {
    if (!person) return std::unexpected(person.error());
    return Subjects{std::move(before) + *person};
}

Result<Subjects> person_subject(AdminContext& context, const Call& call) {
    const bool is_change = call.path[1] == "changes";
    const auto id = whole_number(call.path[is_change ? 2 : 1], is_change ? "the change" : "the person", 1, INT64_MAX);
    if (!id) return std::unexpected(id.error());
    if (!is_change) return one_subject("", words_of_person(context, *id));
    const auto change = ledger::find_waiting_change(context.ledger, *id);
    if (!change) return fail(ErrorCode::not_found, "no change " + call.path[2] + " to people is waiting");
    return one_subject(describe(change->what) + ", ", words_of_person(context, change->what.person_id));
}

Result<Subjects> passkey_subject(AdminContext& context, const Call& call) {
    const auto passkey = ledger::find_passkey(context.ledger, call.path[1]);
    if (!passkey) return fail(ErrorCode::not_found, "there is no passkey " + call.path[1]);
    return one_subject("passkey \"" + passkey->label + "\" of ", words_of_person(context, passkey->person_id));
}

Result<Subjects> session_subject(AdminContext& context, const Call& call) {
    const auto session = session_to_end(context, call);
    if (!session) return std::unexpected(session.error());
    return Subjects{fmt::format("session of {}, opened at {}", session->at("by").get<std::string>(),
                                session->at("opened_at").get<std::string>())};
}

// What the path or the body names only by a number, so that it is signed. Error (not_found): nothing has that number.
// Empty: the path says it all.
Result<Subjects> subjects_of_act(AdminContext& context, const Route& route, const Call& call) {
    if (call.path.size() < 2) return Subjects();
    const std::string& about = call.path[0];
    if (about == "exceptions") return exception_subjects(context, route, call);
    if (about == "payments") return payment_subject(context, call.path[1]);
    if (about == "checks") return check_subject(context, call);
    if (about == "people") return person_subject(context, call);
    if (about == "passkeys") return passkey_subject(context, call);
    if (about == "sessions") return session_subject(context, call);
    return Subjects();
}

json expected_of(const ledger::FileRow& file) {
    return {{"sha256", file.sha256}, {"payments", file.payment_count}, {"total", file.total.to_string()}};
}

}  // namespace

std::string_view items_of(const ledger::FileRow& file) {
    return file.kind == disbursement::FileKind::check_orders ? "check orders" : "payments";
}

namespace {

// What an act is about, besides its file, so that it is signed.
struct SeenByAct {
    std::optional<Approval> approval;
    std::optional<json> again;  // the payment that a reissue makes
    Subjects subjects;
    json change = json::object();  // of rules or payees
};

// Checks that the act is still about what the person saw. Fills in the file of `made` and the "expect" of its body.
Result<SeenByAct> find_what_is_signed(AdminContext& context, const Session& session, const Route& route,
                                      const Call& call, const std::string& reason, ActText& made) {
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
    auto approval = approval_of_act(context, route, call, reason);
    if (!approval) return std::unexpected(approval.error());
    if (*approval) made.body["expect"] = (*approval)->expected();
    auto again = reissue_of_act(context, route, call);
    if (!again) return std::unexpected(again.error());
    if (*again) made.body["expect"] = **again;
    auto subjects = subjects_of_act(context, route, call);
    if (!subjects) return std::unexpected(subjects.error());
    const bool is_change = call.path[0] == "changes";
    auto change = is_change ? expected_of_change(context, call) : Result<json>(json::object());
    if (!change) return std::unexpected(change.error());
    if (route.pattern == "/changes/*/accept") made.body["expect"] = *change;
    return SeenByAct{std::move(*approval), std::move(*again), std::move(*subjects), std::move(*change)};
}

// A line of the text for each fact.
class ActLines {
  public:
    explicit ActLines(std::string& text) : text_(text) {}

    void add(std::string_view key, std::string_view value) { text_ += fmt::format("{}: {}\n", key, value); }

    void add_file(const ledger::FileRow& file, bool with_total) {
        add("file", file.name);
        add("sha256", file.sha256);
        if (!with_total) return;
        add(items_of(file), std::to_string(file.payment_count));
        add("total", file.total.to_string());
    }

    void add_change(const json& change, bool is_accepted) {
        add("change of", change.at("kind").get<std::string>());
        if (!is_accepted) return;
        add("effect",
            change.at("in_force") == true ? "takes effect at once" : "waits until another person accepts it too");
    }

    void add_approval(AdminContext& context, const Approval& approval) {
        for (const json& draw : approval.draws)
            add("about", words_of_draw(context, draw));
        add("draws", std::to_string(approval.ids.size()));
        add("total", approval.total.to_string());
    }

    void add_reissue(const json& payment) {
        add("draw", as_json_text(payment["draw"]));
        add("amount", payment["amount"].get<std::string>());
        add("payee", as_json_text(payment["payee"]) + ", " + as_json_text(payment["name"]));
        const auto account = payment["account"].get<std::string>();  // a check has none
        if (!account.empty()) add("account", account);
    }

  private:
    std::string& text_;
};

}  // namespace

Result<ActText> make_act_text(AdminContext& context, const Session& session, const Route& route, const Call& call,
                              Instant expires) {
    const auto reason = reason_of(call);
    if (!reason) return std::unexpected(reason.error());
    if (auto tells = check_tells_what_was_seen(route, call); !tells) return std::unexpected(tells.error());
    ActText made{.text = {}, .request = call.method + " " + path_of(call), .body = call.body};
    if (!text::is_printable(made.request))
        return fail(ErrorCode::invalid_input, "the path has a character that cannot be shown");
    const auto seen = find_what_is_signed(context, session, route, call, *reason, made);
    if (!seen) return std::unexpected(seen.error());
    const auto verb = std::ranges::find(verbs, route.pattern, &Verb::pattern);
    const auto person = ledger::find_person(context.ledger, *session.who.person);
    const auto site = site_of(context);
    ActLines lines(made.text);
    lines.add("drawbridge act", verb == verbs.end() ? std::string_view(made.request) : verb->words);
    lines.add("ledger", context.ledger.ledger_id());
    lines.add("site", site.id);
    lines.add("origin", site.origin);
    lines.add("person", fmt::format("{} ({})", *session.who.person, person ? text::for_terminal(person->name) : ""));
    lines.add("request", made.request);
    for (const std::string& subject : seen->subjects)
        lines.add("about", as_json_text(subject));
    if (!seen->change.empty()) lines.add_change(seen->change, route.pattern.ends_with("/accept"));
    if (made.file) lines.add_file(*made.file, /*with_total=*/call.path[0] != "checks");
    if (seen->approval) lines.add_approval(context, *seen->approval);
    if (seen->again) lines.add_reissue(*seen->again);
    lines.add("reason", as_json_text(*reason));
    json rest = made.body;
    rest.erase("reason");
    rest.erase("expect");
    if (!rest.empty()) lines.add("body", as_json_text(rest));
    lines.add("nonce", random_text(nonce_bytes));
    lines.add("expires", format_instant(expires));
    return made;
}

}  // namespace drawbridge::admin
