// Enrolling a passkey with a one-time code. It signs nothing before a person confirms its fingerprint who is neither
// its owner nor its inviter.
#include "console_requests.hpp"
#include "drawbridge/domain/digest.hpp"
#include "drawbridge/passkeys/encoding.hpp"
#include "drawbridge/text/sanitize.hpp"
#include "drawbridge/text/utf8.hpp"
#include "second_person.hpp"

namespace drawbridge::admin {
namespace {

constexpr std::size_t enrollment_challenge_bytes = 32;
constexpr std::size_t user_handle_bytes = 16;
constexpr std::size_t max_label_length = 60;  // characters; the page's field takes no more

struct Invited {
    Invitation* invitation = nullptr;
    ledger::Person person;
};
Result<Invited> find_invited(AdminContext& context, const json& body) {
    auto* invitation = context.console->state().invitations.find(text_in(body, "code"), context.clock.now());
    if (invitation == nullptr) {
        return fail(
            ErrorCode::unauthorized,
            "the code was used already, is too old, or ended when the daemon restarted: ask an admin for a new one "
            "(`drawbridge people invite ID --reason …`)");
    }
    if (!began_as_admin(context, invitation->by.uid, context.clock.now())) {
        return fail(ErrorCode::unauthorized, invitation->by.by +
                                                 ", who made this invitation, is no longer an admin: ask an admin for "
                                                 "a new one (`drawbridge people invite ID --reason …`)");
    }
    auto person = ledger::find_person(context.ledger, invitation->person);
    if (!person || person->locked)
        return fail(ErrorCode::unauthorized, "person " + std::to_string(invitation->person) + " is locked");
    return Invited{invitation, std::move(*person)};
}

// The same for each passkey of a person; it says nothing about them.
std::string user_handle_of(AdminContext& context, ledger::PersonId person) {
    return sha256(context.ledger.ledger_id() + ":" + std::to_string(person)).substr(0, user_handle_bytes);
}

bool is_label(std::string_view label) {
    std::size_t length = 0;
    text::for_each_character(label, [&](std::string_view, std::optional<char32_t>) { ++length; });
    return length <= max_label_length && text::is_printable(label);
}

}  // namespace

Answer begin_enrollment(AdminContext& context, const json& body) {
    const auto invited = find_invited(context, body);
    if (!invited) return std::unexpected(invited.error());
    invited->invitation->challenge = random_text(enrollment_challenge_bytes);
    const auto site = site_of(context);
    // A new key may take the place of a locked one on its device.
    json known = json::array();
    for (const auto& passkey : ledger::passkeys_of(context.ledger, invited->person.person_id)) {
        if (passkey.state != ledger::PasskeyState::locked)
            known.push_back(passkeys::to_base64url(passkey.what.credential_id));
    }
    return json{{"person", {{"id", invited->person.person_id}, {"name", invited->person.name}}},
                {"user_handle", passkeys::to_base64url(user_handle_of(context, invited->person.person_id))},
                {"challenge", invited->invitation->challenge},
                {"rp_id", site.id},
                {"origin", site.origin},
                {"exclude_credentials", std::move(known)}};
}

Answer enroll(AdminContext& context, const json& body) {
    const auto invited = find_invited(context, body);
    if (!invited) return std::unexpected(invited.error());
    const std::string label = text_in(body, "label");
    if (!is_label(label)) {
        return fail(ErrorCode::invalid_input,
                    "'label' is not a name of at most " + std::to_string(max_label_length) + " characters on one line");
    }
    const auto client_data = bytes_in(body, "client_data");
    if (!client_data) return std::unexpected(client_data.error());
    const auto object = bytes_in(body, "attestation_object");
    if (!object) return std::unexpected(object.error());
    // Each challenge serves one try.
    const auto challenge = passkeys::from_base64url(std::exchange(invited->invitation->challenge, {}));
    if (!challenge || challenge->empty()) return fail(ErrorCode::conflict, "begin with POST /enroll/begin");
    const auto made = passkeys::verify_attestation(*client_data, *object, site_of(context), *challenge);
    if (!made) return std::unexpected(made.error());
    if (context.shared.config.console.device_bound_keys_only && made->backup_eligible) {
        return fail(ErrorCode::forbidden,
                    "this passkey can be copied to other devices, and console.keys is device_bound: use a security key "
                    "or one that stays on this computer");
    }
    const ledger::Stamp by{context.clock.now(), invited->person.name + " (console)",
                           ledger::console_uid(invited->person.person_id)};
    const auto added = context.ledger.transaction([&] {
        return ledger::add_passkey(context.ledger,
                                   {.person_id = invited->person.person_id,
                                    .invited = invited->invitation->by,
                                    .what = *made,
                                    .site = site_of(context).id,
                                    .label = label},
                                   by);
    });
    if (!added) return std::unexpected(added.error());
    context.console->state().invitations.drop(text_in(body, "code"));
    return json{{"fingerprint", added->fingerprint}, {"state", to_string(added->state)}};
}

}  // namespace drawbridge::admin
