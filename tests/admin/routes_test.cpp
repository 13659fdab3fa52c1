// Which role may use which route: tests every route of the table with every role.
#include "routes.hpp"

#include <sys/stat.h>

#include <regex>
#include <set>

#include "people_fixture.hpp"
#include "support/program.hpp"

namespace drawbridge::admin {
namespace {

using ledger::Role;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::int64_t first_uid = 7001;

std::int64_t uid_with(Role role) {
    return first_uid + static_cast<std::int64_t>(role);
}

// "/files/*/release" → "/files/999/release". No person, draw, exception or change has that id.
std::string target_of(const Route& route) {
    std::string target(route.pattern);
    for (auto at = target.find('*'); at != std::string::npos; at = target.find('*'))
        target.replace(at, 1, "999");
    return target;
}

std::string name_of(const Route& route) {
    return std::string(route.method) + " " + std::string(route.pattern);
}

class Routes : public PeopleFixture {
  protected:
    void one_person_for_each_role() {
        for (const Role role : ledger::all_roles)
            add(std::string(to_string(role)), uid_with(role), {role});
    }
    int ask(std::int64_t uid, const Route& route, std::vector<std::int64_t> groups = {}) {
        const json body = route.method == "POST" ? json{{"reason", "because"}} : json(nullptr);
        return send(uid, std::string(route.method), target_of(route), body, std::move(groups)).status;
    }
};

TEST_F(Routes, each_route_allows_only_its_roles) {
    one_person_for_each_role();
    for (const auto& route : routes()) {
        for (const Role role : ledger::all_roles) {
            const bool allowed = route.allowed.roles().has(role);
            EXPECT_EQ(ask(uid_with(role), route) != 403, allowed) << name_of(route) << " for " << to_string(role);
        }
    }
}

TEST_F(Routes, no_route_allows_a_caller_without_a_role) {
    one_person_for_each_role();
    for (const auto& route : routes()) {
        EXPECT_EQ(ask(7999, route), 403) << name_of(route);
        EXPECT_EQ(ask(7999, route, {::getgid()}), 403) << name_of(route) << ": groups no longer give roles";
    }
}

TEST_F(Routes, a_locked_person_can_use_no_route) {
    for (const Role role : ledger::all_roles)
        lock(add(std::string(to_string(role)), uid_with(role), {role}));
    for (const auto& route : routes()) {
        for (const Role role : ledger::all_roles)
            EXPECT_EQ(ask(uid_with(role), route), 403) << name_of(route) << " for " << to_string(role);
    }
    EXPECT_THAT(send(uid_with(Role::viewer), "GET", "/status").error(), HasSubstr("is locked"));
}

TEST_F(Routes, root_may_do_acts_that_make_no_maker) {
    one_person_for_each_role();
    for (const auto& route : routes())
        EXPECT_EQ(ask(0, route) == 403, route.maker == Maker::yes) << name_of(route);
    EXPECT_THAT(act(0, "/draws/approve").error(), HasSubstr("uid 0 identifies no particular person"));
}

TEST_F(Routes, the_daemons_uid_may_only_read_once_people_are_set_up) {
    const auto own = static_cast<std::int64_t>(::geteuid());
    if (own == 0) GTEST_SKIP() << "this test runs as root; tests/e2e/people_test covers another uid";
    one_person_for_each_role();
    for (const auto& route : routes()) {
        const bool reads = route.allowed.roles().meets({Role::viewer, Role::auditor});
        EXPECT_EQ(ask(own, route) != 403, reads) << name_of(route);
    }
}

TEST_F(Routes, before_people_are_set_up_the_folders_groups_give_the_roles) {
    struct stat found{};
    ASSERT_EQ(::stat(folder.path().c_str(), &found), 0);
    const std::int64_t office = found.st_gid;
    constexpr ledger::Roles of_office{Role::operate, Role::releaser, Role::viewer, Role::auditor};
    const bool apart = ::geteuid() == 0 && ::chown((folder.path() / "inbox").c_str(), 0, 7200) == 0;
    for (const auto& route : routes()) {
        const auto allowed = route.allowed.roles();
        EXPECT_EQ(ask(7999, route), 403) << name_of(route);
        if (!apart) continue;
        EXPECT_EQ(ask(7999, route, {office}) != 403, allowed.meets(of_office)) << name_of(route);
        EXPECT_EQ(ask(7999, route, {7200}) != 403, allowed.meets({Role::finance, Role::viewer})) << name_of(route);
        EXPECT_NE(ask(0, route), 403) << name_of(route);
    }
    EXPECT_THAT(
        send(7999, "GET", "/status").error(),
        HasSubstr("GET /status: this needs one of the roles viewer, auditor, finance, operator, releaser, and you (uid "
                  "7999) have no role: join the group that owns"));
}

TEST_F(Routes, the_display_name_does_not_affect_authorization) {
    one_person_for_each_role();
    for (const char* actor : {"uid 7001 (anna)", "uid 7001", "uid 0 (root)", ""}) {
        Request request{.method = "POST", .target = "/pay", .body = R"({"reason": "x"})", .actor = actor, .uid = 7001};
        asio::io_context io;
        asio::co_spawn(io, handle(context_, std::move(request)), [&](const std::exception_ptr& failure, Response got) {
            EXPECT_FALSE(failure);
            EXPECT_EQ(got.status, 403) << actor;
        });
        io.run();
    }
}

TEST_F(Routes, finance_resolves_only_exceptions_of_the_confirm_step) {
    one_person_for_each_role();
    const auto raise = [&](const std::string& step, const std::string& code) {
        ledger->transaction([&] {
            ledger::raise_exception(*ledger, {step, code, std::nullopt, std::nullopt, "bank.csv", "detail"}, stamp());
        });
        return std::to_string(ledger::open_exceptions(*ledger).back().exception_id);
    };
    const auto of_pay = raise("pay", "no_payee");
    const auto of_confirm = raise("confirm", "file_refused");
    const auto finance = uid_with(Role::finance);
    EXPECT_EQ(act(finance, "/exceptions/" + of_pay + "/resolve").status, 403);
    EXPECT_EQ(act(finance, "/exceptions/" + of_pay + "/undo").status, 403);
    EXPECT_EQ(act(finance, "/exceptions/" + of_confirm + "/resolve").status, 200);
    EXPECT_EQ(act(uid_with(Role::operate), "/exceptions/" + of_pay + "/resolve").status, 200);
}

TEST_F(Routes, an_error_in_a_handler_is_answered_and_logged) {
    const auto reply = act(0, "/backup");  // the fixture's program throws
    EXPECT_EQ(reply.status, 500);
    EXPECT_EQ(reply.body["error"]["code"], "internal");
    ASSERT_EQ(failures_.size(), 1U);
    EXPECT_THAT(failures_.front(), HasSubstr("POST /backup failed: a mistake of this program"));
}

TEST_F(Routes, a_failed_commit_ends_the_daemon) {
    ASSERT_EQ(act(0, "/pause").status, 200);
    std::filesystem::rename(folder.path() / "ledger.db", folder.path() / "elsewhere.db");
    EXPECT_THROW(act(0, "/resume"), std::runtime_error);
    EXPECT_THAT(failures_, IsEmpty());
}

TEST_F(Routes, the_header_lists_exactly_the_routes_of_the_table) {
    const std::string header =
        test::read_whole(std::string(DRAWBRIDGE_SOURCE_DIR) + "/include/drawbridge/admin/handlers.hpp");
    static const std::regex line(R"(//   (GET|POST) +(/[^ ?\n]*))");
    static const std::regex variable(R"(/[A-Z][A-Z0-9]*)");
    std::set<std::string> listed, served;
    for (std::sregex_iterator at(header.begin(), header.end(), line), end; at != end; ++at)
        listed.insert((*at)[1].str() + " " + std::regex_replace((*at)[2].str(), variable, "/*"));
    for (const auto& route : routes())
        EXPECT_TRUE(served.insert(name_of(route)).second) << name_of(route) << " occurs twice";
    EXPECT_EQ(listed, served);
}

// Whoever takes a file answers for all of its bytes.
TEST_F(Routes, nobody_adds_to_the_upload_of_another_person) {
    add("Anna", anna, {Role::finance});
    add("Ben", ben, {Role::finance, Role::releaser});
    const auto begun = send(anna, "POST", "/ingest", json::object());
    ASSERT_EQ(begun.status, 200) << begun.error();
    const auto upload = "/ingest/" + begun.body["upload"].get<std::string>();
    EXPECT_EQ(send_bytes(anna, upload + "/bytes?offset=0", "payment_reference").status, 200);
    const auto added = send_bytes(ben, upload + "/bytes?offset=17", ",status,amount,date\n");
    EXPECT_EQ(added.status, 404);
    EXPECT_THAT(added.error(), HasSubstr("you have no upload"));
    for (const char* what : {"/preview", "/take"})
        EXPECT_EQ(send(ben, "POST", upload + what, {{"name", "bank.csv"}}).status, 404) << what;
    EXPECT_EQ(send_bytes(anna, upload + "/bytes?offset=17", ",status,amount,date\n").status, 200);
}

}  // namespace
}  // namespace drawbridge::admin
