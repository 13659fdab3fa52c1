// Acts that a person signs: the challenge, and the act itself.
#include <sodium.h>

#include <fmt/format.h>

#include "act_text.hpp"
#include "console_requests.hpp"
#include "console_sessions.hpp"
#include "documented.hpp"
#include "drawbridge/domain/digest.hpp"
#include "drawbridge/passkeys/encoding.hpp"
#include "respond.hpp"

namespace drawbridge::admin {
namespace {

constexpr std::size_t act_id_bytes = 16;
constexpr int max_wrong_codes = 3;
constexpr std::ptrdiff_t max_waiting_codes = 3;  // of a person

// The route of the act, with the caller's right to it. Errors: it needs no signature, or may not be used.
struct Asked {
    const Route* route = nullptr;
    Call call;
    Request request;
};
Result<Asked> read_act(AdminContext& context, const Session& session, const json& body) {
    Asked asked;
    asked.request.method = text_in(body, "method");
    asked.request.target = text_in(body, "path");
    const auto act = body.find("body");
    if (act == body.end() || !act->is_object()) return fail(ErrorCode::invalid_input, "'body' is not an object");
    asked.request = in_the_name_of(session, std::move(asked.request));
    auto call = parse_request(asked.request);
    if (!call) return std::unexpected(call.error());
    if (!call->query.empty()) return fail(ErrorCode::invalid_input, "'path' must have no parameters");
    asked.route = find_route(*call);
    if (asked.route == nullptr || console_access(*asked.route) != ConsoleAccess::signature)
        return fail(ErrorCode::invalid_input,
                    "no act is signed at " + asked.request.method + " " + asked.request.target);
    call->body = *act;
    call->standing = standing_of(context, asked.request);
    if (auto allowed = authorize(context, *asked.route, *call); !allowed) return std::unexpected(allowed.error());
    if (auto known = check_body(*asked.route, *call); !known) return std::unexpected(known.error());
    asked.call = std::move(*call);
    return asked;
}

json confirmed_credentials(AdminContext& context, ledger::PersonId person) {
    json ids = json::array();
    for (const auto& passkey : ledger::passkeys_of(context.ledger, person)) {
        if (passkey.state == ledger::PasskeyState::confirmed)
            ids.push_back(passkeys::to_base64url(passkey.what.credential_id));
    }
    return ids;
}

// Eight digits.
std::string new_release_code() {
    constexpr std::uint32_t codes = 100'000'000;
    return fmt::format("{:08}", randombytes_uniform(codes));
}

bool wants_release_code(const AdminContext& context, const Route& route, const ActText& made) {
    const auto& above = context.shared.config.console.release_code_above;
    const bool lets_out = route.pattern == "/files/*/release" ||
                          (route.pattern.ends_with("/deliver") && text_in(made.body, "how") == "again");
    return above && made.file && lets_out && *above < made.file->total;
}

// Each code is a mail: who asks for many would bury the one that counts.
Result<void> check_waiting_codes(AdminContext& context, ledger::PersonId person, Instant now) {
    const auto waiting = context.console->state().acts.count(
        now, [&](const PendingAct& act) { return act.person == person && !act.release_code.empty(); });
    if (waiting < max_waiting_codes) return {};
    return fail(ErrorCode::conflict,
                std::to_string(waiting) +
                    " releases of yours wait for their code, each for two minutes: enter a code where "
                    "a page still asks for it, or ask again in two minutes");
}

// Past the console: what is released, and the code that fits this one act.
asio::awaitable<Result<void>> mail_code(AdminContext& context, std::string actor, ledger::FileRow file,
                                        std::string code) {
    std::string title = fmt::format("Release code for {}: {}", file.name, file.total.to_string());
    std::string text = fmt::format(
        "{} asks to release {} in the console.\n\n{}: {}\ntotal: {}\nsha256: {}\n\nRelease code: {}\n\n"
        "The code is valid only for this file and this request. If these totals are not what you expect, do not use "
        "the code, do not give it to anyone, and pause payments: drawbridge pause --reason ...\n",
        actor, file.name, items_of(file), file.payment_count, file.total.to_string(), file.sha256, code);
    auto sent = co_await context.program.mail(std::move(title), std::move(text));
    co_return sent;
}

bool is_right_code(const PendingAct& act, const std::string& code) {
    return act.release_code.empty() || passkeys::equal_in_constant_time(hash_of_secret(code), act.release_code);
}

// The page asks for the code again while "tries_left" is more than 0.
Response refuse_code(PendingAct& act) {
    const int left = max_wrong_codes - ++act.wrong_codes;
    const std::string then = left > 0 ? std::to_string(left) + (left == 1 ? " more try" : " more tries")
                                      : "that was the last try: request the act again";
    constexpr int forbidden = 403;
    return error_answer(forbidden, to_string(ErrorCode::forbidden),
                        "the release code is not the one that was mailed: " + then, {{"tries_left", left}});
}

// Error (forbidden, not unauthorized): the session stays.
std::unexpected<Error> refuse_signature(const std::string& why) {
    return fail(ErrorCode::forbidden, "nothing was done: " + why);
}

Result<ledger::Passkey> check_signature(AdminContext& context, const PendingAct& act, const SignedBody& given) {
    auto passkey = ledger::find_credential(context.ledger, given.credential_id);
    if (!passkey || passkey->person_id != act.person) return refuse_signature("the passkey is not yours");
    if (passkey->state != ledger::PasskeyState::confirmed) {
        return refuse_signature("passkey " + passkey->fingerprint + " is " + std::string(to_string(passkey->state)) +
                                ": another person confirms it with `drawbridge people confirm FINGERPRINT --reason …`");
    }
    const auto verified =
        passkeys::verify_assertion(given.assertion, passkey->what.key, site_of(context), sha256(act.text));
    if (!verified) return refuse_signature(verified.error().message);
    return std::move(*passkey);
}

// The act that waits under this id for this very session.
Result<PendingAct*> find_act(AdminContext& context, const Session& session, const std::string& token,
                             const std::string& act_id) {
    PendingAct* act = context.console->state().acts.find(act_id, context.clock.now());
    if (act == nullptr || act->session != hash_of_secret(token) || act->person != session.who.person)
        return fail(ErrorCode::not_found, "no act waits under this id: it was done already, or is too old");
    // It stays until it is too old, so that its mail counts among those of check_waiting_codes().
    if (act->wrong_codes >= max_wrong_codes)
        return fail(ErrorCode::not_found, "three wrong release codes ended this act: request it again");
    return act;
}

}  // namespace

asio::awaitable<Answer> make_act_challenge(AdminContext& context, Session session, std::string token, json body) {
    if (is_read_only(context, session)) {
        co_return fail(ErrorCode::forbidden,
                       "this session is read-only: sign in with a passkey that another person has confirmed");
    }
    const auto asked = read_act(context, session, body);
    if (!asked) co_return std::unexpected(asked.error());
    const Instant now = context.clock.now();
    const Instant expires = now + act_lives;
    const auto made = make_act_text(context, session, *asked->route, asked->call, expires);
    if (!made) co_return std::unexpected(made.error());
    PendingAct act;
    act.session = hash_of_secret(token);
    act.person = *session.who.person;
    act.method = asked->request.method;
    act.target = asked->request.target;
    act.body = made->body.dump(-1, ' ', /*ensure_ascii=*/true, json::error_handler_t::replace);
    act.text = made->text;
    act.request = made->request;
    const bool with_code = wants_release_code(context, *asked->route, *made);
    const std::string code = with_code ? new_release_code() : std::string();
    if (with_code) {
        if (auto may = check_waiting_codes(context, act.person, now); !may) co_return std::unexpected(may.error());
        act.release_code = hash_of_secret(code);
    }
    const std::string act_id = random_text(act_id_bytes);
    json answer = {{"act_id", act_id},
                   {"text", act.text},
                   {"challenge", passkeys::to_base64url(sha256(act.text))},
                   {"rp_id", context.shared.config.console.site},
                   {"credentials", confirmed_credentials(context, act.person)},
                   {"release_code_wanted", with_code},
                   {"expires", format_instant(expires)}};
    // Acts with a code count by themselves: others push none out, which would make room for another mail. Before the
    // mail, so that those who ask at the same time are counted.
    context.console->state().acts.put(session.who.owner() + (with_code ? ", with a code" : ""), act_id, std::move(act),
                                      now, expires);
    if (with_code) {
        auto sent = co_await mail_code(context, session.who.actor, *made->file, code);
        if (!sent) {
            context.console->state().acts.drop(act_id);
            co_return std::unexpected(sent.error());
        }
    }
    co_return Answer(std::move(answer));
}

asio::awaitable<Response> perform_act(AdminContext& context, Session session, std::string token, std::string act_id,
                                      json body) {
    const auto given = read_signed_body(body);
    if (!given) co_return respond(std::unexpected(given.error()));
    const auto waiting = find_act(context, session, token, act_id);
    if (!waiting) co_return respond(std::unexpected(waiting.error()));
    if (!is_right_code(**waiting, text_in(body, "release_code"))) co_return refuse_code(**waiting);
    // Taken, so that it is done at most once.
    const auto act = context.console->state().acts.take(act_id, context.clock.now());
    const auto passkey = check_signature(context, *act, *given);
    if (!passkey) co_return respond(std::unexpected(passkey.error()));
    const ledger::Stamp by{context.clock.now(), session.who.actor, session.who.uid};
    if (auto single = check_not_cloned(context, *passkey, given->assertion, by); !single)
        co_return respond(refuse_signature(single.error().message));
    context.ledger.transaction([&] {
        ledger::SignedAct record;
        record.request = act->request;
        record.text = act->text;
        record.assertion = given->assertion;
        record_signed_act(context.ledger, record, *passkey, by);
    });
    Request request;
    request.method = act->method;
    request.target = act->target;
    request.body = act->body;
    request.is_signed = true;
    auto named = in_the_name_of(session, std::move(request));
    auto response = co_await answer_request(context, std::move(named));
    co_return response;
}

}  // namespace drawbridge::admin
