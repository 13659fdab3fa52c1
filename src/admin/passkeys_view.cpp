#include "passkeys_view.hpp"

#include <map>

#include "console_state.hpp"
#include "drawbridge/domain/assert.hpp"
#include "drawbridge/passkeys/encoding.hpp"
#include "page.hpp"
#include "second_person.hpp"

namespace drawbridge::admin {
namespace {

constexpr std::size_t one_time_code_bytes = 16;

std::unexpected<Error> no_console() {
    return fail(ErrorCode::unavailable, "no daemon runs, and only a daemon has a console: start it");
}

json passkey_view(const ledger::Passkey& passkey) {
    return to_json(records::Passkey{.fingerprint = passkey.fingerprint,
                                    .person_id = passkey.person_id,
                                    .label = passkey.label,
                                    .site = passkey.site,
                                    .invited_by = passkey.invited.by,
                                    .state = std::string(to_string(passkey.state)),
                                    .algorithm = std::string(passkeys::to_string(passkey.what.key.algorithm)),
                                    .credential_id = passkeys::to_base64url(passkey.what.credential_id),
                                    .public_key = passkeys::to_base64url(passkey.what.key.bytes),
                                    .aaguid = passkeys::to_base64url(passkey.what.aaguid),
                                    .backup_eligible = passkey.what.backup_eligible,
                                    .enrolled_at = passkey.enrolled_at,
                                    .confirmed_at = passkey.confirmed_at,
                                    .confirmed_by = if_any(passkey.confirmed_by),
                                    .locked_at = passkey.locked_at,
                                    .last_signed_at = passkey.last_signed_at});
}

records::SignedAct signed_act_record(const ledger::SignedAct& act, const ledger::Passkey& key) {
    return {.act_id = act.act_id,
            .at = act.at,
            .person_id = act.person_id,
            .request = act.request,
            .text = act.text,
            .client_data = passkeys::to_base64url(act.assertion.client_data),
            .authenticator_data = passkeys::to_base64url(act.assertion.authenticator_data),
            .signature = passkeys::to_base64url(act.assertion.signature),
            .fingerprint = key.fingerprint,
            .algorithm = std::string(passkeys::to_string(key.what.key.algorithm)),
            .public_key = passkeys::to_pem(key.what.key),
            .confirmed_by = if_any(key.confirmed_by)};
}

Result<ledger::Passkey> passkey_in(AdminContext& context, const Call& call) {
    auto passkey = ledger::find_passkey(context.ledger, call.path[1]);
    if (passkey) return std::move(*passkey);
    return fail(ErrorCode::not_found, "there is no passkey " + call.path[1].substr(0, 64) +
                                          ": `drawbridge people keys` shows their fingerprints");
}

Result<void> may_confirm(AdminContext& context, const ledger::Passkey& passkey, const Call& call) {
    const Begun begun{.what = "passkey " + passkey.fingerprint,
                      .about = passkey.person_id,
                      .uid = passkey.invited.uid,
                      .by = passkey.invited.by,
                      .did = "invited its owner",
                      .do_it = "invite its owner",
                      .undo = "lock it"};
    if (auto second = check_second_person(context, begun, call); !second) return second;
    if (began_as_admin(context, passkey.invited.uid, passkey.enrolled_at)) return {};
    return fail(ErrorCode::forbidden, begun.what + ": " + passkey.invited.by +
                                          ", who invited its owner, is no longer an admin: lock it and invite the "
                                          "owner again");
}

}  // namespace

Answer make_console_link(AdminContext& context, const Call& call) {
    const auto reason = reason_of(call);
    if (!reason) return std::unexpected(reason.error());
    if (context.console == nullptr) return no_console();
    const std::string code = random_text(one_time_code_bytes);
    const Instant now = context.clock.now();
    const Instant expires = now + link_code_lives;
    const auto by = stamp(context, call);
    context.ledger.transaction([&] {
        ledger::audit(context.ledger, by, "console.link_made", by.actor,
                      "a read-only session, until " + format_instant(expires) + ": " + *reason);
    });
    context.console->state().links.put(code, Principal{call.actor, call.uid, call.groups}, now, expires);
    return json{{"code", code}, {"expires", format_instant(expires)}, {"origin", context.shared.config.console.origin}};
}

Answer invite_person(AdminContext& context, const Call& call) {
    const auto reason = reason_of(call);
    if (!reason) return std::unexpected(reason.error());
    const auto id = whole_number(call.path[1], "the person", 1, INT64_MAX);
    if (!id) return std::unexpected(id.error());
    const auto person = ledger::find_person(context.ledger, *id);
    if (!person) return fail(ErrorCode::not_found, "there is no person " + call.path[1]);
    if (person->locked) return fail(ErrorCode::conflict, "person " + call.path[1] + " is locked");
    if (context.console == nullptr) return no_console();
    const std::string code = random_text(one_time_code_bytes);
    const Instant now = context.clock.now();
    const Instant expires = now + invitation_lives;
    const auto by = stamp(context, call);
    context.ledger.transaction([&] {
        ledger::audit(context.ledger, by, "person.invited", "person " + call.path[1] + " (" + person->name + ")",
                      "to enroll a passkey, until " + format_instant(expires) + ": " + *reason);
    });
    context.console->state().invitations.put(code, Invitation{person->person_id, {*call.uid, call.actor}, {}}, now,
                                             expires);
    return json{{"code", code}, {"expires", format_instant(expires)}, {"origin", context.shared.config.console.origin}};
}

Answer passkeys_view(AdminContext& context) {
    json list = json::array();
    for (const auto& passkey : ledger::all_passkeys(context.ledger))
        list.push_back(passkey_view(passkey));
    return json{{"passkeys", std::move(list)}};
}

Answer confirm_passkey(AdminContext& context, const Call& call) {
    const auto reason = reason_of(call);
    if (!reason) return std::unexpected(reason.error());
    const auto passkey = passkey_in(context, call);
    if (!passkey) return std::unexpected(passkey.error());
    if (auto may = may_confirm(context, *passkey, call); !may) return std::unexpected(may.error());
    const auto by = stamp(context, call);
    const auto done =
        context.ledger.transaction([&] { return ledger::confirm_passkey(context.ledger, *passkey, *reason, by); });
    if (!done) return std::unexpected(done.error());
    return json{{"passkey", passkey_view(*ledger::find_passkey(context.ledger, passkey->fingerprint))}};
}

Answer lock_passkey(AdminContext& context, const Call& call) {
    const auto reason = reason_of(call);
    if (!reason) return std::unexpected(reason.error());
    const auto passkey = passkey_in(context, call);
    if (!passkey) return std::unexpected(passkey.error());
    const auto by = stamp(context, call);
    const auto done =
        context.ledger.transaction([&] { return ledger::lock_passkey(context.ledger, *passkey, *reason, by); });
    if (!done) return std::unexpected(done.error());
    return json{{"passkey", passkey_view(*ledger::find_passkey(context.ledger, passkey->fingerprint))}};
}

Answer get_signed_acts(AdminContext& context, const Call& call) {
    const auto page = read_page(call);
    if (!page) return std::unexpected(page.error());
    std::map<std::int64_t, ledger::Passkey> keys;
    for (auto& key : ledger::all_passkeys(context.ledger))
        keys.emplace(key.passkey_id, std::move(key));
    json answer = page_view<ledger::SignedAct>(
        "acts", ledger::signed_acts(context.ledger, page->after, page->wanted()), *page,
        [&](const auto& act) { return to_json(signed_act_record(act, keys.at(act.passkey_id))); },
        [](const auto& act) { return act.act_id; });
    if (page->with_total) answer["total"] = ledger::count_signed_acts(context.ledger);
    return answer;
}

Answer get_signed_act(AdminContext& context, const Call& call) {
    const auto id = whole_number(call.path[1], "the act", 1, INT64_MAX);
    if (!id) return std::unexpected(id.error());
    const auto act = ledger::find_signed_act(context.ledger, *id);
    if (!act) return fail(ErrorCode::not_found, "there is no signed act " + call.path[1]);
    const auto fault = ledger::fault_in(context.ledger, *act);
    const auto keys = ledger::passkeys_of(context.ledger, act->person_id);
    const auto key = std::ranges::find(keys, act->passkey_id, &ledger::Passkey::passkey_id);
    DRAWBRIDGE_ASSERT(key != keys.end(), "the schema knows who signs with which passkey");
    json answer = to_json(signed_act_record(*act, *key));
    answer["passkey"] = passkey_view(*key);
    answer["verifies"] = !fault;
    answer["fault"] = to_json(fault);
    return answer;
}

}  // namespace drawbridge::admin
