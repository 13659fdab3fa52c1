#include "console_sessions.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

#include "console_requests.hpp"
#include "drawbridge/admin/session_record.hpp"
#include "drawbridge/passkeys/encoding.hpp"
#include "drawbridge/text/json.hpp"
#include "standing.hpp"

namespace drawbridge::admin {
namespace {

constexpr std::size_t token_bytes = 32;
constexpr std::size_t id_bytes = 6;

// The browser's address as the console reports it; empty if it is not an address.
std::string address_in(const json& body) {
    constexpr std::size_t max_length = 45;
    std::string address = text_in(body, "address");
    const bool is_one =
        address.size() <= max_length && address.find_first_not_of("0123456789abcdefABCDEF:.") == std::string::npos;
    return is_one ? address : std::string();
}

// `how`: "by a link".
Answer open_session(AdminContext& context, Session session, std::chrono::milliseconds lives, const std::string& how,
                    const json& body) {
    const Instant now = context.clock.now();
    session.id = random_text(id_bytes);
    session.address = address_in(body);
    session.opened = now;
    session.last_used = now;
    session.ends = now + lives;
    const std::string token = random_text(token_bytes);
    context.ledger.transaction([&] {
        const ledger::Stamp by{now, session.who.actor, session.who.uid};
        const std::string whose = session.who.person ? "person " + std::to_string(*session.who.person) : by.actor;
        ledger::audit(context.ledger, by, "session.opened", whose, "in the console, " + how);
    });
    context.console->state().sessions.put(session.who.owner(), token, session, now, session.ends);
    return json{{"token", token}, {"me", me_view(context, session)}};
}

json own_passkey_view(const ledger::Passkey& passkey) {
    return {{"fingerprint", passkey.fingerprint},
            {"credential_id", passkeys::to_base64url(passkey.what.credential_id)},
            {"label", passkey.label},
            {"state", to_string(passkey.state)},
            {"enrolled_at", format_instant(passkey.enrolled_at)}};
}

bool is_of_caller(const Call& call, const Session& session, const Standing& of_session) {
    if (call.standing.person || of_session.person) return call.standing.person == of_session.person;
    return call.uid && call.uid == session.who.uid;
}

// The challenge that the browser says it signed. Empty: it says none.
std::string challenge_in(const std::string& client_data) {
    const auto parsed = text::parse_json(client_data);
    return parsed && parsed->is_object() ? text_in(*parsed, "challenge") : std::string();
}

}  // namespace

Answer open_by_link(AdminContext& context, const json& body) {
    auto who = context.console->state().links.take(text_in(body, "code"), context.clock.now());
    if (!who) {
        return fail(ErrorCode::unauthorized,
                    "the link was used already, is too old, or ended when the daemon restarted: open a new one with "
                    "`drawbridge console open`");
    }
    Session session;
    session.who = std::move(*who);
    return open_session(context, std::move(session), link_session_longest, "by a link: read-only", body);
}

Answer make_session_challenge(AdminContext& context) {
    const std::string challenge = context.console->state().challenges.make(context.clock.now());
    const auto site = site_of(context);
    return json{{"challenge", challenge}, {"rp_id", site.id}, {"origin", site.origin}};
}

Answer open_by_passkey(AdminContext& context, const json& body) {
    const auto read = read_signed_body(body);
    if (!read) return std::unexpected(read.error());
    const std::string challenge = challenge_in(read->assertion.client_data);
    auto& challenges = context.console->state().challenges;
    if (!challenges.is_good(challenge, context.clock.now()))
        return fail(ErrorCode::unauthorized, "the challenge is unknown, used or too old: try again");
    const auto passkey = ledger::find_credential(context.ledger, read->credential_id);
    if (!passkey) return fail(ErrorCode::unauthorized, "this passkey is not enrolled here");
    if (passkey->state == ledger::PasskeyState::locked)
        return fail(ErrorCode::unauthorized, "passkey " + passkey->fingerprint + " is locked");
    // Whoever opened the invitation may not be the person.
    if (passkey->state != ledger::PasskeyState::confirmed) {
        return fail(ErrorCode::unauthorized, "passkey " + passkey->fingerprint +
                                                 " is not confirmed yet: another admin confirms it with `drawbridge "
                                                 "people confirm FINGERPRINT --reason …`");
    }
    const auto person = ledger::find_person(context.ledger, passkey->person_id);
    if (!person || person->locked)
        return fail(ErrorCode::unauthorized, "person " + std::to_string(passkey->person_id) + " is locked");
    const auto verified = passkeys::verify_assertion(read->assertion, passkey->what.key, site_of(context),
                                                     passkeys::from_base64url(challenge).value());
    if (!verified) return std::unexpected(verified.error());
    Session session;
    session.who = {person->name + " (console)", ledger::console_uid(person->person_id), {}, person->person_id};
    challenges.use(session.who.owner(), challenge, context.clock.now());
    const ledger::Stamp by{context.clock.now(), session.who.actor, session.who.uid};
    if (auto single = check_not_cloned(context, *passkey, read->assertion, by); !single)
        return fail(ErrorCode::unauthorized, single.error().message);
    session.credential_id = read->credential_id;
    const auto counter = passkeys::signature_counter(read->assertion.authenticator_data);
    const std::string how = "by passkey " + ledger::words_of_counter(passkey->fingerprint, counter);
    return open_session(context, std::move(session), session_longest, how, body);
}

Answer end_session(AdminContext& context, const std::string& token) {
    context.console->state().sessions.drop(token);
    return json{{"ended", true}};
}

Answer get_sessions(AdminContext& context, const Call& call) {
    std::vector<records::Session> found;
    if (context.console != nullptr) {
        context.console->state().sessions.for_each(context.clock.now(), [&](const Session& session) {
            const Instant expires = std::min(session.ends, session.last_used + session_idle);
            if (expires <= context.clock.now()) return;
            const auto passkey = ledger::find_credential(context.ledger, session.credential_id);
            const bool is_locked = passkey && passkey->state == ledger::PasskeyState::locked;
            const auto standing = standing_of(context, in_the_name_of(session, {}));
            const bool is_own = is_of_caller(call, session, standing);
            if (is_locked || standing.locked || (!is_own && !call.standing.roles.has(ledger::Role::admin))) return;
            found.push_back({.id = session.id,
                             .by = session.who.actor,
                             .person_id = standing.person,
                             .how = session.by_link() ? "link" : "passkey",
                             .fingerprint = passkey ? std::optional(passkey->fingerprint) : std::nullopt,
                             .address = if_any(session.address),
                             .opened_at = session.opened,
                             .last_used_at = session.last_used,
                             .expires = expires,
                             .read_only = is_read_only(context, session),
                             .own = is_own});
        });
    }
    std::ranges::sort(found, {}, [](const auto& one) { return std::tie(one.opened_at, one.id); });
    json list = json::array();
    for (const auto& one : found)
        list.push_back(to_json(one));
    return json{{"sessions", std::move(list)}};
}

Result<json> session_to_end(AdminContext& context, const Call& call) {
    const auto listed = get_sessions(context, call);  // none but those that the caller may know
    if (!listed) return std::unexpected(listed.error());
    const auto& sessions = (*listed)["sessions"];
    const auto found = std::ranges::find_if(sessions, [&](const json& one) { return one["id"] == call.path[1]; });
    if (found == sessions.end())
        return fail(ErrorCode::not_found, "there is no session " + call.path[1] + ": it may have expired");
    return *found;
}

Answer end_session_of(AdminContext& context, const Call& call) {
    const auto reason = reason_of(call);
    if (!reason) return std::unexpected(reason.error());
    const auto session = session_to_end(context, call);
    if (!session) return std::unexpected(session.error());
    const auto by = stamp(context, call);
    context.ledger.transaction([&] {
        ledger::audit(context.ledger, by, "session.ended", (*session)["by"].get<std::string>(),
                      "session " + call.path[1] + " of the console: " + *reason);
    });
    context.console->state().sessions.drop_if([&](const Session& one) { return one.id == call.path[1]; });
    return json{{"ended", call.path[1]}};
}

bool is_read_only(AdminContext& context, const Session& session) {
    if (session.by_link()) return true;
    const auto passkey = ledger::find_credential(context.ledger, session.credential_id);
    return !passkey || passkey->state != ledger::PasskeyState::confirmed;
}

json me_view(AdminContext& context, const Session& session) {
    const auto standing = standing_of(context, in_the_name_of(session, {}));
    const auto person = standing.person ? ledger::find_person(context.ledger, *standing.person) : std::nullopt;
    json roles = json::array();
    for (const auto role : ledger::all_roles) {
        if (standing.roles.has(role)) roles.push_back(to_string(role));
    }
    json keys = json::array();
    if (person) {
        for (const auto& passkey : ledger::passkeys_of(context.ledger, person->person_id))
            keys.push_back(own_passkey_view(passkey));
    }
    json closures = json::array();
    for (const auto& date : context.shared.config.pay.closures)
        closures.push_back(format_date(date));
    return {{"person",
             {{"id", person ? json(person->person_id) : json(nullptr)},
              {"name", person ? person->name : session.who.actor}}},
            {"roles", std::move(roles)},
            {"how", session.by_link() ? "link" : "passkey"},
            {"expires", format_instant(std::min(session.ends, session.last_used + session_idle))},
            {"read_only", is_read_only(context, session)},
            {"timezone", context.shared.config.pay.timezone.name()},
            {"closures", std::move(closures)},
            {"keys", std::move(keys)}};
}

}  // namespace drawbridge::admin
