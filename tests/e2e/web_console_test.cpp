// The web console over a real office: the link opens every screen and nothing else; whoever holds the console's own
// socket can release nothing with it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "e2e/web_console.hpp"
#include "support/authenticator.hpp"
#include "support/free_port.hpp"

namespace drawbridge::e2e {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

std::string binary(const std::string& text) {
    return passkeys::to_base64url(text);
}

class WebConsoleTest : public testing::Test {
  protected:
    void SetUp() override {
        if (::geteuid() != 0) GTEST_SKIP() << "not run: only root can act with other uids";
        house_.sandbox.add({1, 100'00, "ACH-1"});
        house_.sandbox.add({2, 250'00, "CHK-1"});
        house_.sandbox.add({3, 99'00, "NOBODY"});
        house_.office.run_once();
        const auto answer = house_.office.json({"files"});
        const auto& files = answer.at("files");
        name_ = files.at(files.at(0).at("rail") == "ach" ? 0 : 1).at("name");
        web_.emplace(house_.office);
    }
    [[nodiscard]] bool nothing_was_released() const { return files_in(house_.office.outgoing()).empty(); }

    // A passkey of that person's; confirmed by Erin or not.
    test::Authenticator enrolled(int person, bool is_confirmed, unsigned inviter = 0) const {
        const std::string id = "key-" + std::to_string(person) + (is_confirmed ? "" : "-planted");
        test::Authenticator key(test::Authenticator::Algorithm::es256, id);
        const std::string link = web_->invitation(person, inviter);
        const std::string code = link.substr(link.find('#') + 1);
        const auto begun = web_->post("/api/enroll/begin", Json{{"code", code}}.dump()).json();
        const auto challenge = passkeys::from_base64url(begun.at("challenge").get<std::string>()).value();
        const auto client_data = test::Authenticator::client_data("webauthn.create", challenge, site());
        const auto made =
            web_->post("/api/enroll", Json{{"code", code},
                                           {"client_data", binary(client_data)},
                                           {"attestation_object", binary(key.attestation(client_data, site()))},
                                           {"label", "of the test"}}
                                          .dump());
        EXPECT_EQ(made.status, 200) << made.body;
        if (is_confirmed) web_->confirm_key(made.json().at("fingerprint"));
        return key;
    }
    [[nodiscard]] test::Authenticator::Site site() const {
        test::Authenticator::Site site;
        site.origin = web_->origin();
        return site;
    }
    [[nodiscard]] Json signed_over(const test::Authenticator& key, const std::string& challenge) const {
        const auto made = key.sign(passkeys::from_base64url(challenge).value(), site());
        return {{"credential_id", binary(key.id())},
                {"client_data", binary(made.client_data)},
                {"authenticator_data", binary(made.authenticator_data)},
                {"signature", binary(made.signature)}};
    }
    // The token of a session, as the console itself has it.
    [[nodiscard]] auto sign_in(const test::Authenticator& key) const {
        const auto challenge = web_->ask_daemon("POST", "/session/challenge", Json::object()).json();
        return web_->ask_daemon("POST", "/session", signed_over(key, challenge.at("challenge")));
    }
    [[nodiscard]] std::string session_of(const test::Authenticator& key) const {
        const auto opened = sign_in(key);
        EXPECT_EQ(opened.status, 200) << opened.body;
        return opened.json().value("token", "");
    }
    [[nodiscard]] Json release_act() const {
        return {{"method", "POST"}, {"path", "/files/" + name_ + "/release"}, {"body", {{"reason", "looked at"}}}};
    }

    House house_{OfficeOptions{.release = "manual"}};
    std::string name_;
    std::optional<WebConsole> web_;
};

TEST_F(WebConsoleTest, the_link_opens_every_screen) {
    const std::string cookie = web_->look();
    const auto exceptions = house_.office.run_as(WebConsole::service, {"exceptions", "--json"}).out;
    const std::string exception = std::to_string(Json::parse(exceptions).at("exceptions").at(0).at("id").get<int>());
    const std::vector<std::string> screens = {"/",
                                              "/files",
                                              "/files?state=staged",
                                              "/files/" + name_,
                                              "/exceptions",
                                              "/exceptions?state=closed",
                                              "/exceptions/" + exception,
                                              "/draws",
                                              "/draws?state=paying&sort=-amount&text=a",
                                              "/draws/1",
                                              "/draws/1?explain=true",
                                              "/bank-files",
                                              "/checks",
                                              "/checks/10001",
                                              "/calendar",
                                              "/reconciliation",
                                              "/rules",
                                              "/audit",
                                              "/audit?verify=true",
                                              "/people",
                                              "/me",
                                              "/find?q=1"};
    for (const auto& screen : screens) {
        const auto page = web_->get(screen, cookie);
        EXPECT_THAT(page.status, AnyOf(200, 303)) << screen << page.body << web_->log();
        EXPECT_THAT(page.body, Not(HasSubstr("class=\"door\""))) << screen;
        EXPECT_LT(page.body.size(), 100'000U) << screen;
        EXPECT_EQ(page.header("Cache-Control"), "no-store") << screen;
    }
    EXPECT_THAT(web_->get("/draws/1", cookie).body, HasSubstr(name_));
    const auto csv = web_->get("/reconciliation.csv", cookie);
    EXPECT_EQ(csv.status, 200);
    EXPECT_THAT(csv.header("Content-Disposition"), HasSubstr("attachment"));
    EXPECT_THAT(csv.body, HasSubstr("staged,1,P0000000001,"));
}

TEST_F(WebConsoleTest, the_link_opens_once_and_only_looks) {
    const std::string link = web_->open_link();
    const std::string code = Json{{"code", link.substr(link.find('#') + 1)}}.dump();
    const auto opened = web_->post("/api/session/link", code);
    ASSERT_EQ(opened.status, 200) << opened.body;
    EXPECT_FALSE(opened.json().contains("token"));
    EXPECT_EQ(web_->post("/api/session/link", code).status, 401);
    std::string cookie = opened.header("Set-Cookie");
    cookie = cookie.substr(0, cookie.find(';'));
    EXPECT_EQ(web_->post("/api/acts/challenge", release_act().dump(), cookie).status, 403);
    EXPECT_EQ(web_->post("/api/ingest", "{}", cookie).status, 403);
    EXPECT_EQ(web_->post("/pause", "reason=x", cookie, "application/x-www-form-urlencoded").status, 403);
    EXPECT_TRUE(nothing_was_released());
}

TEST_F(WebConsoleTest, a_second_person_releases_with_a_passkey) {
    const auto key = enrolled(2, /*is_confirmed=*/true);
    const std::string token = session_of(key);
    const auto challenge = web_->ask_daemon("POST", "/acts/challenge", release_act(), token);
    ASSERT_EQ(challenge.status, 200) << challenge.body;
    EXPECT_THAT(challenge.json().at("text").get<std::string>(), HasSubstr(name_));
    const std::string act = "/acts/" + challenge.json().at("act_id").get<std::string>();
    const auto done = web_->ask_daemon("POST", act, signed_over(key, challenge.json().at("challenge")), token);
    EXPECT_EQ(done.status, 200) << done.body << web_->log();
    EXPECT_TRUE(eventually([&] { return !nothing_was_released(); })) << web_->log();
    EXPECT_EQ(web_->ask_daemon("POST", act, signed_over(key, challenge.json().at("challenge")), token).status, 404);
}

TEST_F(WebConsoleTest, a_hostile_console_releases_nothing) {
    const std::string release = "/files/" + name_ + "/release";
    const Json reason = {{"reason", "because I can"}};
    // Without a session, and with one that only looks.
    EXPECT_EQ(web_->ask_daemon("POST", release, reason).status, 401);
    EXPECT_EQ(web_->ask_daemon("GET", "/files", nullptr).status, 401);
    EXPECT_EQ(web_->ask_daemon("POST", "/console/link", reason).status, 401);
    // With the sessions of everybody who is signed in.
    const auto ben = enrolled(2, /*is_confirmed=*/true);
    const auto anna = enrolled(1, /*is_confirmed=*/true);
    const std::string bens = session_of(ben), annas = session_of(anna);
    EXPECT_EQ(web_->ask_daemon("POST", release, reason, bens).status, 403);
    for (const char* target : {"/pay", "/resume", "/draws/approve", "/people/2/invite", "/console/link"})
        EXPECT_THAT(web_->ask_daemon("POST", target, reason, annas).status, AnyOf(403, 404)) << target;
    EXPECT_THAT(web_->ask_daemon("POST", "/passkeys/00112233445566778899/confirm", reason, annas).status,
                AnyOf(403, 404));
    // With Ben's act, signed by anybody else, or with Ben's signature over anything else.
    const auto challenge = [&](const std::string& token) {
        return web_->ask_daemon("POST", "/acts/challenge", release_act(), token).json();
    };
    const auto act_of = [](const Json& asked) { return "/acts/" + asked.value("act_id", ""); };
    const auto first = challenge(bens), second = challenge(bens);
    EXPECT_EQ(web_->ask_daemon("POST", act_of(first), signed_over(anna, first.at("challenge")), bens).status, 403);
    EXPECT_EQ(web_->ask_daemon("POST", act_of(second), signed_over(ben, first.at("challenge")), bens).status, 403);
    const auto third = challenge(bens);
    EXPECT_EQ(web_->ask_daemon("POST", act_of(third), signed_over(ben, third.at("challenge")), annas).status, 404);
    Json broken = signed_over(ben, third.at("challenge"));
    std::string signature = broken.at("signature");
    signature[10] = signature[10] == 'A' ? 'B' : 'A';
    broken["signature"] = signature;
    EXPECT_EQ(web_->ask_daemon("POST", act_of(third), broken, bens).status, 403);
    // A sign-in's signature is none over an act.
    const auto fourth = challenge(bens);
    const auto of_sign_in = web_->ask_daemon("POST", "/session/challenge", Json::object()).json();
    EXPECT_EQ(web_->ask_daemon("POST", act_of(fourth), signed_over(ben, of_sign_in.at("challenge")), bens).status, 403);
    // A key that it made up itself waits for a person who confirms it.
    const auto planted = enrolled(2, /*is_confirmed=*/false);
    EXPECT_EQ(sign_in(planted).status, 401);
    EXPECT_TRUE(nothing_was_released()) << web_->log();
}

// Erin opens Ben's invitation herself, with a key of her own.
TEST_F(WebConsoleTest, an_admin_cannot_act_as_a_person_whom_they_invited) {
    const auto planted = enrolled(2, /*is_confirmed=*/false, WebConsole::erin);
    const auto keys = Json::parse(house_.office.run_as(WebConsole::erin, {"people", "keys", "--json"}).out);
    EXPECT_THAT(keys.at("passkeys").at(0).at("invited_by").get<std::string>(), HasSubstr("uid 5104"));
    const std::string fingerprint = keys.at("passkeys").at(0).at("fingerprint");
    const auto confirmed = web_->act(WebConsole::erin, {"people", "confirm", fingerprint});
    EXPECT_EQ(to_string(confirmed.exit), "exit 1");
    EXPECT_THAT(confirmed.err, HasSubstr("you invited its owner: there is no other admin, so root must confirm it"));
    EXPECT_EQ(sign_in(planted).status, 401);
    EXPECT_TRUE(nothing_was_released()) << web_->log();
}

TEST_F(WebConsoleTest, what_is_done_to_a_passkey_is_audited) {
    enrolled(2, /*is_confirmed=*/true);
    const auto keys = Json::parse(house_.office.run_as(WebConsole::erin, {"people", "keys", "--json"}).out);
    const std::string fingerprint = keys.at("passkeys").at(0).at("fingerprint");
    const auto locked = web_->act(WebConsole::erin, {"people", "lock-key", fingerprint});
    EXPECT_EQ(to_string(locked.exit), "exit 0") << locked.err;
    const std::string cookie = web_->look();
    const std::string token = cookie.substr(cookie.find('=') + 1);
    for (const std::string action : {"passkey.enrolled", "passkey.confirmed", "passkey.locked"}) {
        const auto rows = web_->ask_daemon("GET", "/audit?action=" + action, {}, token).json().at("audit");
        ASSERT_EQ(rows.size(), 1U) << action;
        const bool has_reason = action != "passkey.enrolled";
        EXPECT_THAT(rows[0].at("detail").get<std::string>(), HasSubstr(has_reason ? "because" : ""));
    }
}

// The commands that docs/auditors.md gives an auditor, as they stand there.
std::string commands_of_docs(const std::string& after) {
    const std::string docs = read_file(std::string(DRAWBRIDGE_SOURCE_DIR) + "/docs/auditors.md");
    const auto begin = docs.find("```bash\n", docs.find(after)) + 8;
    return docs.substr(begin, docs.find("```", begin) - begin);
}

TEST_F(WebConsoleTest, an_auditor_verifies_signed_acts_without_the_program) {
    const auto key = enrolled(2, /*is_confirmed=*/true);
    const std::string token = session_of(key);
    const auto challenge = web_->ask_daemon("POST", "/acts/challenge", release_act(), token).json();
    const std::string act = "/acts/" + challenge.at("act_id").get<std::string>();
    ASSERT_EQ(web_->ask_daemon("POST", act, signed_over(key, challenge.at("challenge")), token).status, 200);
    const auto folder = house_.office.folder() / "auditor";
    std::filesystem::create_directory(folder);
    const auto verify = [&](const std::string& acts, const char* with = "## Signed acts, verified without Drawbridge") {
        std::ofstream(folder / "signed-acts.json") << acts;
        std::ofstream(folder / "verify.sh") << commands_of_docs(with);
        const std::string command = "cd " + folder.string() + " && bash verify.sh >out 2>err";
        return std::system(command.c_str());  // NOLINT(concurrency-mt-unsafe)
    };
    const std::string acts = house_.office.run_as(WebConsole::erin, {"acts", "--json"}).out;
    EXPECT_EQ(verify(acts), 0) << acts << read_file(folder / "err");
    EXPECT_THAT(read_file(folder / "out"), HasSubstr("act 1 verifies: person 2"));
    EXPECT_THAT(read_file(folder / "out"), HasSubstr(name_));
    // And finds its file in the manifests.
    std::filesystem::copy(house_.office.state() / "spool/manifests", folder / "manifests");
    EXPECT_EQ(verify(acts, "The manifest ties each file to its signature"), 0) << read_file(folder / "err");
    EXPECT_EQ(read_file(folder / "out"), name_ + " 100.00: act 1, person 2\n");
    for (const auto& [from, to] : {std::pair<std::string, std::string>("total: 100.00", "total: 900.00"),
                                   {R"("signature": "ME)", R"("signature": "MF)"}}) {
        std::string forged = acts;
        const auto at = forged.find(from);
        ASSERT_NE(at, std::string::npos) << from << acts;
        forged.replace(at, from.size(), to);
        EXPECT_NE(verify(forged), 0) << from;
    }
    const auto saved = web_->get("/signed-acts.json", web_->look());
    EXPECT_EQ(saved.status, 200);
    EXPECT_THAT(saved.body, HasSubstr("BEGIN PUBLIC KEY"));
}

TEST_F(WebConsoleTest, check_names_passkeys_that_were_made_for_another_host) {
    enrolled(2, /*is_confirmed=*/true);
    const auto before = house_.office.run({"check", "--online"});
    EXPECT_THAT(before.err + before.out, Not(HasSubstr("passkey")));
    const auto file = house_.office.folder() / "drawbridge.yaml";
    std::string text = read_file(file);
    // A name of this machine, so that nobody else is asked about it.
    char host[256] = {};
    ASSERT_EQ(::gethostname(host, sizeof host - 1), 0);
    const std::string other = "https://" + std::string(host) + ":1";
    text.replace(text.find(web_->origin()), web_->origin().size(), other);
    std::ofstream(file) << text;
    const auto after = house_.office.run({"check", "--online"});
    EXPECT_EQ(to_string(after.exit), "exit 1") << after.out;
    EXPECT_THAT(after.err + after.out,
                HasSubstr("1 passkey was made for localhost and signs nothing on " + std::string(host)));
    EXPECT_THAT(after.err + after.out, HasSubstr("the console at " + other + ": "));
}

// The page over TLS, as browsers see it.
TEST(CheckOnline, looks_at_the_consoles_page_and_certificate) {
    const House house;
    const auto port = free_port();
    const std::string origin = "https://localhost:" + std::to_string(port);
    house.office.configure("console: {origin: \"" + origin + "\"}\n");
    const auto folder = house.office.folder();
    const auto console_with = [&](const std::string& name, const std::string& days) {
        const std::string make = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days " + days +
                                 " -subj /CN=" + name + " -addext subjectAltName=DNS:" + name + " -keyout " +
                                 (folder / "tls.key").string() + " -out " + (folder / "tls.pem").string() +
                                 " 2>/dev/null";
        EXPECT_EQ(std::system(make.c_str()), 0);  // NOLINT(concurrency-mt-unsafe)
        Command console;
        console.arguments = {std::string(DRAWBRIDGE_BINARY_DIR) + "/drawbridge-console",
                             "--listen",
                             "127.0.0.1:" + std::to_string(port),
                             "--origin",
                             origin,
                             "--certificate",
                             (folder / "tls.pem").string(),
                             "--key",
                             (folder / "tls.key").string(),
                             "--socket",
                             (folder / "nobody.sock").string()};
        console.stdout_file = folder / ("console-" + name + days);
        console.stderr_file = folder / "console.err";
        Process process(console);
        EXPECT_TRUE(eventually([&] { return read_file(console.stdout_file).find("ready") != std::string::npos; }))
            << read_file(console.stderr_file);
        return process;
    };
    const auto check = [&](bool trusts) {
        const auto checked = house.office.run_test_program(
            {"check", "--online"}, {{"SSL_CERT_FILE", trusts ? (folder / "tls.pem").string() : "/nonexistent"}});
        return to_string(checked.exit) + "\n" + checked.out + checked.err;
    };
    {
        const auto console = console_with("localhost", "90");
        EXPECT_THAT(check(true),
                    testing::AllOf(HasSubstr("exit 0"),
                                   HasSubstr(origin + ": answers, and its certificate is valid for 89 days")));
        EXPECT_THAT(check(false), testing::AllOf(HasSubstr("exit 1"), HasSubstr("the certificate of localhost")));
    }
    {
        const auto console = console_with("localhost", "10");
        EXPECT_THAT(check(true), testing::AllOf(HasSubstr("exit 0"), HasSubstr("its certificate ends in 9 days")));
    }
    {
        const auto console = console_with("other.example.gov", "90");
        EXPECT_THAT(check(true),
                    testing::AllOf(HasSubstr("exit 1"), HasSubstr("the certificate of localhost is for another host")));
    }
    EXPECT_THAT(check(true), testing::AllOf(HasSubstr("exit 1"), HasSubstr("the console at " + origin + ": ")));
}

}  // namespace
}  // namespace drawbridge::e2e
