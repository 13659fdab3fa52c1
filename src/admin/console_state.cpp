#include "console_state.hpp"

#include <sodium.h>

#include <fmt/format.h>

#include "drawbridge/domain/digest.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/passkeys/encoding.hpp"

namespace drawbridge::admin {
namespace {

constexpr std::size_t challenge_nonce_bytes = 16, time_digits = 16;

std::unexpected<Error> no_session(const std::string& why) {
    return fail(ErrorCode::unauthorized, why + ": sign in, or open a new link with `drawbridge console open`");
}

}  // namespace

std::string random_text(std::size_t count) {
    std::string bytes(count, '\0');
    randombytes_buf(bytes.data(), bytes.size());
    return passkeys::to_base64url(bytes);
}

std::string hash_of_secret(std::string_view secret) {
    return sha256(secret);
}

SignInChallenges::SignInChallenges() : key_(crypto_auth_KEYBYTES, '\0') {
    randombytes_buf(key_.data(), key_.size());
}

std::string SignInChallenges::seal_of(std::string_view text) const {
    std::string seal(crypto_auth_BYTES, '\0');
    const auto bytes = [](const auto& from) { return reinterpret_cast<const unsigned char*>(from.data()); };
    crypto_auth(reinterpret_cast<unsigned char*>(seal.data()), bytes(text), text.size(), bytes(key_));
    return seal;
}

// A nonce and the milliseconds of its making; then the seal over both.
std::string SignInChallenges::make(Instant now) const {
    std::string bytes(challenge_nonce_bytes, '\0');
    randombytes_buf(bytes.data(), bytes.size());
    bytes += fmt::format("{:0{}}", now.time_since_epoch().count(), time_digits);
    return passkeys::to_base64url(bytes + seal_of(bytes));
}

bool SignInChallenges::is_good(const std::string& challenge, Instant now) {
    const auto bytes = passkeys::from_base64url(challenge);
    if (!bytes || bytes->size() != challenge_nonce_bytes + time_digits + crypto_auth_BYTES) return false;
    const auto text = std::string_view(*bytes).substr(0, challenge_nonce_bytes + time_digits);
    if (!passkeys::equal_in_constant_time(seal_of(text), bytes->substr(text.size()))) return false;
    const Instant made{std::chrono::milliseconds(std::stoll(std::string(text.substr(challenge_nonce_bytes))))};
    // Also refuses a challenge from a clock that was ahead.
    return !is_from_clock_ahead(made, now) && now < made + challenge_lives && used_.find(challenge, now) == nullptr;
}

std::string Principal::owner() const {
    if (person) return "person " + std::to_string(*person);
    return uid ? "uid " + std::to_string(*uid) : actor;
}

Console::Console() : state_(std::make_unique<State>()) {}
Console::~Console() = default;

passkeys::RelyingParty site_of(const AdminContext& context) {
    return {context.shared.config.console.site, context.shared.config.console.origin};
}

Result<Session> find_session(AdminContext& context, const std::string& token, bool by_itself) {
    auto& sessions = context.console->state().sessions;
    const Instant now = context.clock.now();
    Session* session = token.empty() ? nullptr : sessions.find(token, now);
    if (session == nullptr) return no_session("there is no session, or it has ended");
    const auto end = [&](const std::string& why) {
        sessions.drop(token);
        return no_session(why);
    };
    if (now - session->last_used > session_idle) return end("the session was idle for too long");
    if (session->who.person) {
        const auto person = ledger::find_person(context.ledger, *session->who.person);
        if (!person || person->locked) return end("person " + std::to_string(*session->who.person) + " is locked");
        const auto passkey = ledger::find_credential(context.ledger, session->credential_id);
        if (!passkey || passkey->state == ledger::PasskeyState::locked)
            return end("the passkey of this session is locked");
    }
    if (!session->who.person && session->who.uid) {
        const auto id = ledger::person_of(context.ledger, *session->who.uid);
        const auto person = id ? ledger::find_person(context.ledger, *id) : std::nullopt;
        if (person && person->locked) return end("person " + std::to_string(*id) + " is locked");
    }
    if (!by_itself) session->last_used = now;
    return *session;
}

std::string text_in(const nlohmann::json& body, const char* key) {
    const auto found = body.find(key);
    return found != body.end() && found->is_string() ? found->get<std::string>() : std::string();
}

Result<std::string> bytes_in(const nlohmann::json& body, const char* key) {
    constexpr std::size_t max_length = 64 * 1024;
    const std::string text = text_in(body, key);
    auto bytes = text.size() > max_length ? std::nullopt : passkeys::from_base64url(text);
    if (!bytes || bytes->empty())
        return fail(ErrorCode::invalid_input, std::string("'") + key + "' is not base64url without padding");
    return std::move(*bytes);
}

Result<SignedBody> read_signed_body(const nlohmann::json& body) {
    SignedBody read;
    for (const auto& [key, into] : {std::pair("credential_id", &read.credential_id),
                                    {"client_data", &read.assertion.client_data},
                                    {"authenticator_data", &read.assertion.authenticator_data},
                                    {"signature", &read.assertion.signature}}) {
        auto bytes = bytes_in(body, key);
        if (!bytes) return std::unexpected(bytes.error());
        *into = std::move(*bytes);
    }
    return read;
}

Result<void> check_not_cloned(AdminContext& context, const ledger::Passkey& passkey,
                              const passkeys::Assertion& assertion, const ledger::Stamp& by) {
    const std::string subject = "passkey " + passkey.fingerprint;
    if (ledger::has_open_exception(context.ledger, subject, "passkey_cloned"))
        return fail(ErrorCode::forbidden,
                    subject + " may have been copied: it is not used until exception passkey_cloned is closed");
    if (passkeys::is_backup_eligible(assertion.authenticator_data) != passkey.what.backup_eligible) {
        return fail(ErrorCode::forbidden,
                    subject +
                        " does not report the same backup flag as at its enrollment: have an admin lock it, and "
                        "enroll a new one");
    }
    const auto counter = passkeys::signature_counter(assertion.authenticator_data);
    const auto last = ledger::last_signature_counter(context.ledger, passkey);
    if (counter > last || (counter == 0 && last == 0)) return {};
    const std::string what = fmt::format("{} of person {}: its signature counter was {} and is now {}", subject,
                                         passkey.person_id, last, counter);
    context.ledger.transaction([&] {
        ledger::raise_exception(context.ledger,
                                {"pay", "passkey_cloned", std::nullopt, std::nullopt, subject,
                                 what + ": another device may have a copy of the key"},
                                by);
    });
    return fail(
        ErrorCode::forbidden,
        what +
            ": the key may have been copied. An admin locks the key, or an operator resolves exception passkey_cloned");
}

}  // namespace drawbridge::admin
