// Sessions of the console: how they begin, what they may do, when they end.
#include <set>

#include "admin/console_fixture.hpp"
#include "console_state.hpp"
#include "drawbridge/ledger/reports/journal.hpp"
#include "routes.hpp"

namespace drawbridge::admin {
namespace {

using ledger::Role;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace std::chrono_literals;

class ConsoleSessions : public ConsoleFixture {
  protected:
    static constexpr std::int64_t dora = 7200;
    // The fingerprint of a passkey that waits to be confirmed.
    std::string enrolled(std::int64_t inviter, ledger::PersonId person, const test::Authenticator& key) {
        const auto reply = enroll(invite(person, inviter), key);
        EXPECT_EQ(reply.status, 200) << reply.error();
        return reply.body["fingerprint"];
    }
    Reply confirm(std::int64_t uid, const std::string& fingerprint) {
        return act(uid, "/passkeys/" + fingerprint + "/confirm");
    }
};

TEST_F(ConsoleSessions, a_link_opens_one_session_that_only_looks) {
    const auto made = act(7002, "/console/link");
    ASSERT_EQ(made.status, 200) << made.error();
    const json code = {{"code", made.body["code"]}};
    const auto opened = ask("", "POST", "/session/link", code);
    ASSERT_EQ(opened.status, 200) << opened.error();
    EXPECT_EQ(opened.body["me"]["how"], "link");
    EXPECT_EQ(opened.body["me"]["read_only"], true);
    EXPECT_EQ(opened.body["me"]["person"]["name"], "Ben");
    const auto token = opened.body["token"].get<std::string>();
    EXPECT_EQ(ask(token, "GET", "/pulse").status, 200);
    EXPECT_EQ(ask(token, "POST", "/pause", {{"reason", "x"}}).status, 403);
    EXPECT_EQ(challenge(token, "/pay").status, 403);
    EXPECT_EQ(ask("", "POST", "/session/link", code).status, 401) << "a link serves once";
}

TEST_F(ConsoleSessions, a_link_needs_no_person_and_no_set_up) {
    // Nobody has a role before the first one is granted: the folders' owner looks.
    const auto opened = open_link(admin_uid);
    EXPECT_EQ(ask(opened, "GET", "/me").body["person"]["id"], admin_);
    const auto root = open_link(0);
    EXPECT_EQ(ask(root, "GET", "/me").body["person"]["id"], nullptr);
    EXPECT_EQ(ask(root, "GET", "/status").status, 200);
    EXPECT_EQ(ask(root, "POST", "/pause", {{"reason", "x"}}).status, 403);
}

TEST_F(ConsoleSessions, a_code_is_too_old_after_five_minutes) {
    const auto code = act(7002, "/console/link").body["code"];
    moving_.at += 5min;
    EXPECT_EQ(ask("", "POST", "/session/link", {{"code", code}}).status, 401);
}

TEST_F(ConsoleSessions, a_request_without_a_session_is_refused_whoever_connects) {
    for (const auto& route : routes()) {
        const std::string method(route.method);
        std::string target(route.pattern);
        std::ranges::replace(target, '*', '9');
        EXPECT_EQ(ask("", method, target).status, 401) << target;
        EXPECT_EQ(ask("guess", method, target).status, 401) << target;
    }
    EXPECT_EQ(ask("", "GET", "/me").status, 401);
    EXPECT_EQ(ask("", "POST", "/acts/challenge", json::object()).status, 401);
}

TEST_F(ConsoleSessions, a_confirmed_passkey_signs_in_and_names_its_person) {
    give(ben_, key_);
    office_.config.pay.closures = {parse_date("2026-11-27").value()};
    const auto token = sign_in(key_);
    const auto me = ask(token, "GET", "/me").body;
    EXPECT_EQ(me["person"]["id"], ben_);
    EXPECT_EQ(me["how"], "passkey");
    EXPECT_EQ(me["read_only"], false);
    EXPECT_EQ(me["roles"], (json{"finance", "releaser"}));
    EXPECT_EQ(me["keys"][0]["state"], "confirmed");
    EXPECT_EQ(me["keys"][0]["label"], "laptop");
    EXPECT_EQ(me["timezone"], "America/New_York");
    EXPECT_EQ(me["closures"], json::array({"2026-11-27"}));
}

// Whoever invites could open the link too, and read what their own roles do not show.
TEST_F(ConsoleSessions, an_unconfirmed_passkey_opens_no_session) {
    const auto fingerprint = enrolled(admin_uid, ben_, key_);
    const auto refused = sign_in_reply(key_);
    EXPECT_EQ(refused.status, 401);
    EXPECT_THAT(refused.error(), HasSubstr("passkey " + fingerprint + " is not confirmed yet"));
    add("Dora", dora, {ledger::Role::admin});
    ASSERT_EQ(confirm(dora, fingerprint).status, 200);
    EXPECT_EQ(sign_in_reply(key_).status, 200);
}

TEST_F(ConsoleSessions, nobody_confirms_a_passkey_of_their_own) {
    add("Dora", dora, {ledger::Role::admin});
    const auto fingerprint = enrolled(dora, admin_, test::Authenticator(passkeys::Algorithm::es256, "key of Adam"));
    EXPECT_THAT(confirm(admin_uid, fingerprint).error(), HasSubstr("it is about you: nobody else can confirm it: lock "
                                                                   "it, and have root invite its owner"));
    EXPECT_EQ(confirm(7002, fingerprint).status, 403) << "that takes the role admin";
    EXPECT_EQ(confirm(root, fingerprint).status, 403) << "Adam can act, so root needs not";
}

// Whoever invites could open the link too, and enroll their own key in somebody else's name.
TEST_F(ConsoleSessions, an_admin_confirms_no_passkey_that_they_invited) {
    ledger->transaction([&] {
        const ledger::Change link{admin_, ledger::ChangeKind::link, {}, ledger::Identity::uid, "7101"};
        EXPECT_TRUE(ledger::make_change(*ledger, link, "test", stamp()));
    });
    const auto fingerprint = enrolled(admin_uid, ben_, key_);
    for (const auto uid : {admin_uid, std::int64_t{7101}}) {
        const auto own = confirm(uid, fingerprint);
        EXPECT_EQ(own.status, 403);
        EXPECT_THAT(own.error(), HasSubstr("you invited its owner: there is no other admin, so root must confirm it"));
    }
    add("Dora", dora, {ledger::Role::admin});
    EXPECT_THAT(confirm(admin_uid, fingerprint).error(), HasSubstr("Dora, an admin, must confirm it"));
    EXPECT_THAT(confirm(root, fingerprint).error(), HasSubstr("root identifies no particular person: Dora"));
    const auto confirmed = confirm(dora, fingerprint);
    ASSERT_EQ(confirmed.status, 200) << confirmed.error();
    EXPECT_EQ(confirmed.body["passkey"]["invited_by"], "Adam (uid 7100)");
    EXPECT_EQ(confirmed.body["passkey"]["confirmed_by"], "Dora (uid 7200)");
    EXPECT_THAT(ledger::verify(*ledger).back().violations, IsEmpty());
}

TEST_F(ConsoleSessions, root_confirms_no_passkey_that_root_invited) {
    const auto of_ben = enrolled(root, ben_, key_);
    EXPECT_THAT(confirm(root, of_ben).error(), HasSubstr("root invited its owner: Adam, an admin, must confirm it"));
    EXPECT_EQ(confirm(admin_uid, of_ben).status, 200);
    const auto of_adam = enrolled(root, admin_, test::Authenticator(passkeys::Algorithm::es256, "key of Adam"));
    EXPECT_THAT(confirm(root, of_adam).error(), HasSubstr("lock it, and have an admin invite its owner"));
    EXPECT_EQ(confirm(admin_uid, of_adam).status, 403);
}

TEST_F(ConsoleSessions, everybody_hears_who_invited_and_who_confirmed) {
    give(ben_, key_);
    const auto acts = ledger::powerful_acts(*ledger, 0, ledger::journal_end(*ledger));
    std::vector<std::string> passkey_acts;
    for (const auto& act : acts) {
        if (act.action.starts_with("passkey.")) passkey_acts.push_back(act.action + ": " + act.detail);
    }
    EXPECT_THAT(passkey_acts, ElementsAre(AllOf(HasSubstr("passkey.enrolled"), HasSubstr("invited by uid 0")),
                                          AllOf(HasSubstr("passkey.confirmed"), HasSubstr("invited by uid 0"))));
}

TEST_F(ConsoleSessions, an_invitation_enrolls_one_passkey) {
    const auto code = invite(ben_);
    EXPECT_EQ(enroll(code, key_).status, 200);
    EXPECT_EQ(enroll(code, test::Authenticator(passkeys::Algorithm::es256, "another")).status, 401);
    EXPECT_EQ(enroll("a guess", key_).status, 401);
    EXPECT_EQ(enroll(invite(maker_), key_).status, 409) << "a passkey belongs to one person";
}

TEST_F(ConsoleSessions, an_invitation_and_a_link_that_ended_with_the_daemon_say_so) {
    const auto code = invite(ben_);
    const auto link = act(7002, "/console/link").body["code"];
    Console restarted;
    console_context_.console = &restarted;
    EXPECT_THAT(enroll(code, key_).error(), HasSubstr("or ended when the daemon restarted"));
    EXPECT_THAT(ask("", "POST", "/session/link", {{"code", link}}).error(),
                HasSubstr("or ended when the daemon restarted"));
}

TEST_F(ConsoleSessions, a_key_is_enrolled_once_whatever_its_id_and_not_again_once_it_is_locked) {
    give(ben_, key_);
    const auto copy = key_.renamed("another id");
    const auto of_another = enroll(invite(maker_), copy);
    EXPECT_EQ(of_another.status, 409);
    EXPECT_THAT(of_another.error(), HasSubstr("enrolled already, under another id"));
    const auto fingerprint = ledger::passkeys_of(*ledger, ben_).front().fingerprint;
    ASSERT_EQ(act(admin_uid, "/passkeys/" + fingerprint + "/lock").status, 200);
    EXPECT_EQ(enroll(invite(ben_), copy).status, 409) << "a lock is for good";
}

// The browser makes no second key on a device whose key still works; it would take that one's place.
TEST_F(ConsoleSessions, an_enrollment_names_the_keys_that_are_not_locked) {
    const auto known = [&] {
        return ask("", "POST", "/enroll/begin", {{"code", invite(ben_)}}).body["exclude_credentials"];
    };
    give(ben_, key_);
    EXPECT_EQ(known(), json::array({passkeys::to_base64url(key_.id())}));
    const auto fingerprint = ledger::passkeys_of(*ledger, ben_).front().fingerprint;
    ASSERT_EQ(act(admin_uid, "/passkeys/" + fingerprint + "/lock").status, 200);
    EXPECT_EQ(known(), json::array());
}

TEST_F(ConsoleSessions, a_key_keeps_saying_whether_it_may_be_copied) {
    give(ben_, key_);
    const auto refused = sign_in_reply(key_, {.backup_eligible = true});
    EXPECT_EQ(refused.status, 401);
    EXPECT_THAT(refused.error(), HasSubstr("does not report the same backup flag"));
    EXPECT_EQ(sign_in_reply(key_).status, 200);
}

TEST_F(ConsoleSessions, an_invitation_ends_when_its_inviter_is_no_admin) {
    add("Dora", dora, {ledger::Role::admin});
    const auto code = invite(ben_), by_root = invite(ben_, root), enrolled_before = enrolled(admin_uid, maker_, key_);
    lock(admin_);
    const test::Authenticator key(passkeys::Algorithm::es256, "key of a thief");
    for (const auto& refused : {ask("", "POST", "/enroll/begin", {{"code", code}}), enroll(code, key)}) {
        EXPECT_EQ(refused.status, 401);
        EXPECT_THAT(refused.error(), HasSubstr("uid 7100, who made this invitation, is no longer an admin"));
    }
    const auto confirmed = confirm(dora, enrolled_before);
    EXPECT_EQ(confirmed.status, 403);
    EXPECT_THAT(confirmed.error(), HasSubstr("no longer an admin: lock it and invite the owner again"));
    EXPECT_EQ(enroll(by_root, key).status, 200);
}

TEST_F(ConsoleSessions, an_enrollment_for_another_site_or_without_verification_is_refused) {
    EXPECT_EQ(enroll(invite(ben_), key_, {.origin = "http://evil.example"}).status, 401);
    EXPECT_EQ(enroll(invite(ben_), key_, {.user_verified = false}).status, 401);
    EXPECT_TRUE(ledger::all_passkeys(*ledger).empty());
}

TEST_F(ConsoleSessions, a_key_that_can_be_copied_is_refused_where_keys_are_device_bound) {
    office_.config.console.device_bound_keys_only = true;
    EXPECT_EQ(enroll(invite(ben_), key_, {.backup_eligible = true}).status, 403);
    EXPECT_TRUE(ledger::all_passkeys(*ledger).empty());
    EXPECT_EQ(enroll(invite(ben_), key_).status, 200);
}

TEST_F(ConsoleSessions, a_sign_in_is_refused_for_another_site_and_an_unverified_user) {
    give(ben_, key_);
    EXPECT_EQ(sign_in_reply(key_, {.origin = "http://localhost:9999"}).status, 401);
    EXPECT_EQ(sign_in_reply(key_, {.id = "evil.example"}).status, 401);
    EXPECT_EQ(sign_in_reply(key_, {.user_verified = false}).status, 401);
    EXPECT_EQ(sign_in_reply(test::Authenticator()).status, 401) << "nobody enrolled it";
}

TEST_F(ConsoleSessions, a_sign_in_serves_once) {
    give(ben_, key_);
    const auto asked = ask("", "POST", "/session/challenge", json::object());
    const auto body = as_body(key_.id(), key_.sign(challenge_in(asked)));
    EXPECT_EQ(ask("", "POST", "/session", body).status, 200);
    EXPECT_EQ(ask("", "POST", "/session", body).status, 401);
}

TEST_F(ConsoleSessions, a_stranger_who_asks_for_many_challenges_keeps_nobody_out) {
    give(ben_, key_);
    const auto asked = ask("", "POST", "/session/challenge", json::object());
    std::set<std::string> others;
    for (int i = 0; i < 3000; ++i)
        others.insert(challenge_in(ask("", "POST", "/session/challenge", json::object())));
    EXPECT_EQ(others.size(), 3000U);
    EXPECT_EQ(ask("", "POST", "/session", as_body(key_.id(), key_.sign(challenge_in(asked)))).status, 200);
}

TEST_F(ConsoleSessions, who_signs_in_often_ends_their_own_oldest_session_and_nobody_elses) {
    give(ben_, key_);
    give(maker_, maker_key_);
    const auto of_ben = sign_in(key_);
    const auto oldest = sign_in(maker_key_);
    for (int times = 0; times < 20; ++times) {
        ++moving_.at;
        ASSERT_EQ(sign_in_reply(maker_key_).status, 200);
    }
    EXPECT_EQ(ask(oldest, "GET", "/me").status, 401);
    EXPECT_EQ(ask(of_ben, "GET", "/me").status, 200);
}

TEST_F(ConsoleSessions, refuses_an_old_or_foreign_challenge) {
    give(ben_, key_);
    const auto sign_in_with = [&](const std::string& challenge) {
        return ask("", "POST", "/session", as_body(key_.id(), key_.sign(challenge))).status;
    };
    const auto asked = challenge_in(ask("", "POST", "/session/challenge", json::object()));
    for (std::size_t at = 0; at < asked.size(); ++at) {
        std::string changed = asked;
        changed[at] = static_cast<char>(changed[at] ^ 1);
        EXPECT_EQ(sign_in_with(changed), 401) << at;
    }
    EXPECT_EQ(sign_in_with(asked + "x"), 401);
    moving_.at += 5min;
    EXPECT_EQ(sign_in_with(asked), 401);
    moving_.at -= 24h;
    EXPECT_EQ(sign_in_with(asked), 401) << "the clock was set back";
    moving_.at += 24h - 1min;
    EXPECT_EQ(sign_in_with(asked), 200);
}

TEST_F(ConsoleSessions, idle_for_15_minutes_it_ends_and_so_it_does_after_12_hours) {
    give(ben_, key_);
    const auto idle = sign_in(key_);
    moving_.at += 14min;
    EXPECT_EQ(ask(idle, "GET", "/me").status, 200);
    moving_.at += 15min + 1s;
    EXPECT_EQ(ask(idle, "GET", "/me").status, 401);
    const auto busy = sign_in(key_);
    for (int quarter = 0; quarter < 12 * 6 - 1; ++quarter) {
        moving_.at += 10min;
        ASSERT_EQ(ask(busy, "GET", "/me").status, 200) << quarter;
    }
    moving_.at += 10min;
    EXPECT_EQ(ask(busy, "GET", "/me").status, 401);
}

TEST_F(ConsoleSessions, a_page_that_loads_itself_again_does_not_prolong_it) {
    give(ben_, key_);
    const auto token = sign_in(key_);
    moving_.at += 8min;
    EXPECT_EQ(ask(token, "GET", "/status", nullptr, /*by_itself=*/true).status, 200);
    moving_.at += 8min;
    EXPECT_EQ(ask(token, "GET", "/status", nullptr, /*by_itself=*/true).status, 401);
}

TEST_F(ConsoleSessions, leaving_ends_it) {
    give(ben_, key_);
    const auto token = sign_in(key_);
    EXPECT_EQ(ask(token, "DELETE", "/session").status, 200);
    EXPECT_EQ(ask(token, "GET", "/me").status, 401);
}

TEST_F(ConsoleSessions, a_locked_person_and_a_locked_passkey_end_it_at_once) {
    give(ben_, key_);
    auto token = sign_in(key_);
    const auto link = open_link(7002);
    lock(ben_);
    EXPECT_EQ(ask(token, "GET", "/me").status, 401);
    EXPECT_EQ(ask(link, "GET", "/me").status, 401);
    EXPECT_EQ(sign_in_reply(key_).status, 401);
    give(maker_, maker_key_);
    token = sign_in(maker_key_);
    const auto fingerprint = ledger::passkeys_of(*ledger, maker_).front().fingerprint;
    ASSERT_EQ(act(admin_uid, "/passkeys/" + fingerprint + "/lock").status, 200);
    EXPECT_EQ(ask(token, "GET", "/me").status, 401);
    EXPECT_EQ(sign_in_reply(maker_key_).status, 401);
}

TEST_F(ConsoleSessions, open_sessions_are_listed_and_an_admin_ends_them) {
    give(ben_, key_);
    give(maker_, maker_key_);
    ledger->transaction([&] {
        EXPECT_TRUE(ledger::make_change(*ledger, {maker_, ledger::ChangeKind::grant, Role::admin}, "test", stamp()));
    });
    const auto bens = sign_in(key_), mias = sign_in(maker_key_);
    const auto code = act(admin_uid, "/console/link").body["code"];
    const auto opened = ask("", "POST", "/session/link", {{"code", code}, {"address", "192.0.2.7"}});
    moving_.at += 1min;
    static_cast<void>(ask(bens, "GET", "/me"));
    const auto all = ask(mias, "GET", "/sessions").body["sessions"];
    ASSERT_EQ(all.size(), 3U) << all;
    std::map<std::int64_t, json> by_person;
    for (const auto& one : all)
        by_person[one["person_id"].get<std::int64_t>()] = one;
    EXPECT_EQ(by_person[admin_]["how"], "link");
    EXPECT_EQ(by_person[admin_]["address"], "192.0.2.7");
    EXPECT_EQ(by_person[admin_]["read_only"], true);
    EXPECT_EQ(by_person[admin_]["own"], false);
    EXPECT_EQ(by_person[ben_]["how"], "passkey");
    EXPECT_EQ(by_person[ben_]["opened_at"], "2026-03-04T15:30:00.000Z");
    EXPECT_EQ(by_person[ben_]["last_used_at"], "2026-03-04T15:31:00.000Z");
    EXPECT_EQ(by_person[maker_]["own"], true);
    EXPECT_THAT(all.dump(), ::testing::Not(HasSubstr(bens)));
    // Others see their own, and may end no other.
    const auto own = ask(bens, "GET", "/sessions").body["sessions"];
    ASSERT_EQ(own.size(), 1U) << own;
    EXPECT_EQ(own[0]["id"], by_person[ben_]["id"]);
    const auto end_of = [&](std::int64_t person) {
        return "/sessions/" + by_person[person]["id"].get<std::string>() + "/end";
    };
    EXPECT_EQ(ask(mias, "POST", end_of(ben_), {{"reason", "x"}}).status, 403) << "without a signature";
    EXPECT_EQ(challenge(bens, end_of(maker_)).status, 404);
    const auto asked = challenge(mias, end_of(ben_));
    EXPECT_THAT(asked.body["text"].get<std::string>(), HasSubstr("end a session of the console"));
    ASSERT_EQ(sign(mias, asked, maker_key_).status, 200);
    EXPECT_EQ(ask(bens, "GET", "/me").status, 401);
    EXPECT_EQ(ask(mias, "GET", "/sessions").body["sessions"].size(), 2U);
    const auto rows = ask(mias, "GET", "/audit?action=session.ended").body["audit"];
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0]["actor"], "Mia (console)");
    EXPECT_EQ(rows[0]["subject"], "Ben (console)");
    EXPECT_THAT(rows[0]["detail"].get<std::string>(), HasSubstr("agreed"));
    // At a terminal, too.
    EXPECT_EQ(act(admin_uid, end_of(admin_)).status, 200);
    EXPECT_EQ(ask(opened.body["token"].get<std::string>(), "GET", "/me").status, 401);
    // One that is over is none.
    moving_.at += 15min;
    EXPECT_EQ(ask(sign_in(maker_key_), "GET", "/sessions").body["sessions"].size(), 1U);
}

TEST_F(ConsoleSessions, leaves_out_an_invalid_address) {
    const auto code = act(7002, "/console/link").body["code"];
    const auto opened = ask("", "POST", "/session/link", {{"code", code}, {"address", "<script>"}});
    const auto listed = ask(opened.body["token"].get<std::string>(), "GET", "/sessions").body["sessions"];
    ASSERT_EQ(listed.size(), 1U);
    EXPECT_EQ(listed[0]["address"], nullptr);
}

TEST_F(ConsoleSessions, pausing_needs_a_passkey_session_and_no_signature) {
    give(ben_, key_);
    const auto paused = ask(sign_in(key_), "POST", "/pause", {{"reason", "look at this"}});
    EXPECT_EQ(paused.status, 200) << paused.error();
    EXPECT_EQ(ledger::movement(*ledger)->by, "Ben (console)");
}

// A person's second report waits for the first; what others ask, and pages, do not.
TEST_F(ConsoleSessions, heavy_requests_are_one_at_a_time_for_each_person) {
    give(ben_, key_);
    give(maker_, maker_key_);
    const auto ben = sign_in(key_), ben_too = sign_in(key_), maker = sign_in(maker_key_);
    const json rules = {{"rules", "version: 1\nrules: []\n"}};
    const auto under_way = [&](const std::string& what, const json& body) {
        Call call;
        call.method = "GET";
        call.path = {what};
        call.body = body;
        return console_.state().heavy.begin("Ben (console)", call, moving_.now());
    };
    ASSERT_TRUE(under_way("reconcile", json::object()));
    const auto refused = ask(ben_too, "GET", "/reconcile");
    EXPECT_EQ(refused.status, 503);
    EXPECT_THAT(refused.error(), HasSubstr("another report, replay, preview or refresh of yours is in progress"));
    EXPECT_EQ(ask(ben, "POST", "/rules/backtest", rules).status, 503);
    EXPECT_EQ(ask(ben, "GET", "/verify").status, 503);
    EXPECT_EQ(ask(ben, "POST", "/draws/refresh", {{"ids", {1}}}).status, 503);
    EXPECT_EQ(ask(ben, "GET", "/files").status, 200);
    EXPECT_EQ(ask(maker, "GET", "/reconcile").status, 200) << "it is another person's";

    // Between two slices the next one of the same report goes on, and another report waits.
    console_.state().heavy.end("Ben (console)", /*has_more_slices=*/true, moving_.now());
    EXPECT_EQ(ask(ben, "GET", "/reconcile").status, 503);
    EXPECT_EQ(ask(ben, "GET", "/reconcile?after=files:0").status, 200);
    EXPECT_EQ(ask(ben, "GET", "/reconcile").status, 200) << "that was the last slice";

    // Whoever leaves a report has the place again soon.
    ASSERT_TRUE(under_way("reconcile", json::object()));
    console_.state().heavy.end("Ben (console)", /*has_more_slices=*/true, moving_.now());
    moving_.at += 11s;
    EXPECT_EQ(ask(ben, "GET", "/verify").status, 200);
}

// For every route: a session of each role gets what the role gets on the operators' socket, as far as a session goes.
TEST_F(ConsoleSessions, roles_decide_as_on_the_operators_socket) {
    for (const Role role : ledger::all_roles) {
        const auto uid = 7300 + static_cast<std::int64_t>(role);
        const auto person = add(std::string(to_string(role)), uid, {role});
        test::Authenticator key(passkeys::Algorithm::es256, "key of " + std::string(to_string(role)));
        give(person, key);
        const auto token = sign_in(key);
        for (const auto& route : routes()) {
            std::string target(route.pattern);
            for (auto at = target.find('*'); at != std::string::npos; at = target.find('*'))
                target.replace(at, 1, "999");
            const bool allowed = route.allowed.roles().has(role);
            const bool is_get = route.method == "GET";
            const json body = is_get ? json(nullptr) : json{{"reason", "because"}};
            const auto status = ask(token, std::string(route.method), target, body).status;
            const std::string what = std::string(route.method) + " " + target + " for " + std::string(to_string(role));
            switch (console_access(route)) {
                case ConsoleAccess::as_method:
                case ConsoleAccess::session:
                case ConsoleAccess::passkey: EXPECT_EQ(status != 403, allowed) << what; break;
                case ConsoleAccess::signature: {
                    EXPECT_EQ(status, 403) << what << ": it is signed";
                    const auto asked = challenge(token, target, json::object());
                    EXPECT_EQ(asked.status != 403, allowed) << what << ": " << asked.error();
                    break;
                }
                case ConsoleAccess::not_served: EXPECT_EQ(status, 404) << what; break;
            }
            if (route.pattern == "/pause" && allowed) {
                ledger->transaction([&] { ledger::set_paused(*ledger, false, "test", stamp()); });
            }
        }
    }
}

}  // namespace
}  // namespace drawbridge::admin
