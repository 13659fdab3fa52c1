// The console's socket with real passkeys, and a payment file that two people made and may release.
#pragma once

#include "admin/people_fixture.hpp"
#include "drawbridge/admin/console.hpp"
#include "drawbridge/ledger/facts/passkeys.hpp"
#include "support/authenticator.hpp"

namespace drawbridge::admin {

class ConsoleFixture : public PeopleFixture {
  protected:
    using Site = test::Authenticator::Site;

    class MovingClock final : public Clock {
      public:
        [[nodiscard]] Instant now() const override { return at; }
        Instant at = test::at("2026-03-04T15:30:00");
    };

    ConsoleFixture() {
        context_.console = &console_;
        releaser_ = "uid 7002 (ben)";
    }

    // As the console's process would ask it.
    Reply ask(const std::string& token, const std::string& method, const std::string& target,
              const json& body = nullptr, bool by_itself = false) {
        asio::io_context io;
        Request request;
        request.method = method;
        request.target = target;
        if (!body.is_null()) request.body = body.dump();
        request.actor = "uid 990 (console)";
        request.uid = 990;
        request.by_console = true;
        request.session = token;
        request.by_itself = by_itself;
        Reply reply;
        asio::co_spawn(io, handle(console_context_, std::move(request)),
                       [&](const std::exception_ptr& failure, Response response) {
                           if (failure) std::rethrow_exception(failure);
                           reply.status = response.status;
                           reply.body = json::parse(response.body, nullptr, /*allow_exceptions=*/false);
                       });
        io.run();
        return reply;
    }

    static json as_body(const std::string& credential_id, const passkeys::Assertion& assertion) {
        return {{"credential_id", passkeys::to_base64url(credential_id)},
                {"client_data", passkeys::to_base64url(assertion.client_data)},
                {"authenticator_data", passkeys::to_base64url(assertion.authenticator_data)},
                {"signature", passkeys::to_base64url(assertion.signature)}};
    }
    static std::string challenge_in(const Reply& reply) {
        return passkeys::from_base64url(reply.body["challenge"].get<std::string>()).value();
    }

    // On the operators' socket.
    std::string invite(ledger::PersonId person, std::int64_t by = admin_uid) {
        return act(by, "/people/" + std::to_string(person) + "/invite").body["code"].get<std::string>();
    }
    Reply enroll(const std::string& code, const test::Authenticator& key, const Site& site = {}) {
        const auto begun = ask("", "POST", "/enroll/begin", {{"code", code}});
        if (begun.status != 200) return begun;
        const auto data = test::Authenticator::client_data("webauthn.create", challenge_in(begun), site);
        return ask("", "POST", "/enroll",
                   {{"code", code},
                    {"client_data", passkeys::to_base64url(data)},
                    {"attestation_object", passkeys::to_base64url(key.attestation(data, site))},
                    {"label", "laptop"}});
    }
    // Invited by root and confirmed by the admin, so not for the admin.
    void give(ledger::PersonId person, const test::Authenticator& key) {
        const auto enrolled = enroll(invite(person, root), key);
        ASSERT_EQ(enrolled.status, 200) << enrolled.error();
        const auto confirmed =
            act(admin_uid, "/passkeys/" + enrolled.body["fingerprint"].get<std::string>() + "/confirm");
        ASSERT_EQ(confirmed.status, 200) << confirmed.error();
    }
    Reply sign_in_reply(const test::Authenticator& key, const Site& site = {}) {
        const auto challenge = ask("", "POST", "/session/challenge", json::object());
        return ask("", "POST", "/session", as_body(key.id(), key.sign(challenge_in(challenge), site)));
    }
    std::string sign_in(const test::Authenticator& key) {
        const auto reply = sign_in_reply(key);
        return reply.status == 200 ? reply.body["token"].get<std::string>() : "no session: " + reply.error();
    }
    std::string open_link(std::int64_t uid) {
        const auto code = act(uid, "/console/link").body["code"];
        return ask("", "POST", "/session/link", {{"code", code}}).body["token"].get<std::string>();
    }

    Reply challenge(const std::string& token, const std::string& path, json body = json::object()) {
        body["reason"] = "agreed";
        return ask(token, "POST", "/acts/challenge", {{"method", "POST"}, {"path", path}, {"body", body}});
    }
    Reply sign(const std::string& token, const Reply& asked, const test::Authenticator& key, const Site& site = {}) {
        return ask(token, "POST", "/acts/" + asked.body["act_id"].get<std::string>(),
                   as_body(key.id(), key.sign(challenge_in(asked), site)));
    }

    // A staged file of one payment, made by uid 7001.
    std::string stage(DrawId id, const char* amount = "125.00") {
        read(test::sample_draw(id, DrawStatus::approved, amount));
        pay_as(stamp("uid 7001 (maker)"), /*release=*/false);
        auto name = ledger::payment_files(*ledger, /*unreleased_only=*/true).back().name;
        office_.write_staged(name);
        return name;
    }
    [[nodiscard]] ledger::FileState state_of(const std::string& name) {
        return ledger::find_file(*ledger, name)->state;
    }

    static constexpr std::int64_t admin_uid = 7100;
    Console console_;
    MovingClock moving_;
    AdminContext console_context_ = with_moving_clock();

    const ledger::PersonId admin_ = add("Adam", admin_uid, {ledger::Role::admin});
    const ledger::PersonId maker_ = add("Mia", 7001, {ledger::Role::operate, ledger::Role::releaser});
    const ledger::PersonId ben_ = add("Ben", 7002, {ledger::Role::releaser, ledger::Role::finance});
    test::Authenticator key_{passkeys::Algorithm::es256, "key of Ben"};
    test::Authenticator maker_key_{passkeys::Algorithm::eddsa, "key of Mia"};

  private:
    AdminContext with_moving_clock() {
        return {.shared = office_.shared,
                .turn = office_.turn,
                .program = office_.program,
                .console = &console_,
                .clock = moving_};
    }
};

}  // namespace drawbridge::admin
