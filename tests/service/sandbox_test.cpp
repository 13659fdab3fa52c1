// The client against the real draws-sandbox.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <csignal>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "service/client_fixture.hpp"

namespace drawbridge::service::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A separate in-memory draws-sandbox on a free port.
class Sandbox {
  public:
    explicit Sandbox(const std::vector<std::string>& more) {
        int ends[2] = {-1, -1};
        if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe");
        std::vector<std::string> words = {DRAWBRIDGE_BINARY_DIR "/draws-sandbox",
                                          "--listen",
                                          "127.0.0.1:0",
                                          "--client-id",
                                          "the-id",
                                          "--client-secret",
                                          "the-secret"};
        words.insert(words.end(), more.begin(), more.end());
        std::vector<char*> arguments;
        for (std::string& word : words)
            arguments.push_back(word.data());
        arguments.push_back(nullptr);
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
        const int error = posix_spawn(&process_, arguments[0], &actions, nullptr, arguments.data(), environ);
        posix_spawn_file_actions_destroy(&actions);
        close(ends[1]);
        if (error != 0) throw std::runtime_error("draws-sandbox does not start");
        std::string line;
        for (char c = 0; read(ends[0], &c, 1) == 1 && c != '\n';)
            line += c;
        close(ends[0]);
        const std::size_t at = line.find("http://");
        if (at == std::string::npos) throw std::runtime_error("draws-sandbox is not ready: " + line);
        url_ = line.substr(at);
    }
    ~Sandbox() {
        kill(process_, SIGTERM);
        waitpid(process_, nullptr, 0);
    }
    Sandbox(const Sandbox&) = delete;
    Sandbox& operator=(const Sandbox&) = delete;

    [[nodiscard]] const std::string& url() const { return url_; }

    // A person's act in the service's portal.
    nlohmann::json portal(boost::beast::http::verb verb, const std::string& path,
                          const nlohmann::json& body = {}) const {
        namespace http = boost::beast::http;
        using boost::asio::ip::tcp;
        boost::asio::io_context io;
        tcp::socket socket(io);
        const auto port = static_cast<unsigned short>(std::stoi(url_.substr(url_.rfind(':') + 1)));
        socket.connect({boost::asio::ip::make_address("127.0.0.1"), port});
        http::request<http::string_body> request(verb, "/portal" + path, 11);
        request.set(http::field::host, "127.0.0.1");
        if (!body.is_null()) request.body() = body.dump();
        request.prepare_payload();
        http::write(socket, request);
        boost::beast::flat_buffer buffer;
        http::response<http::string_body> response;
        http::read(socket, buffer, response);
        if (response.result_int() / 100 != 2) throw std::runtime_error(path + ": " + response.body());
        return response.body().empty() ? nlohmann::json() : nlohmann::json::parse(response.body());
    }
    nlohmann::json post(const std::string& path, const nlohmann::json& body = {}) const {
        return portal(boost::beast::http::verb::post, path, body);
    }
    nlohmann::json get(const std::string& path) const { return portal(boost::beast::http::verb::get, path); }

  private:
    pid_t process_ = -1;
    std::string url_;
};

std::vector<Draw> list_all(ClientUnderTest& under_test, ListQuery query) {
    std::vector<Draw> all;
    for (bool last = false; !last;) {
        auto page = under_test.list(query);
        EXPECT_TRUE(page) << page.error().message;
        if (!page) return all;
        EXPECT_TRUE(page->bad.empty());
        all.insert(all.end(), page->draws.begin(), page->draws.end());
        query.after_id = page->last_id;
        last = page->last;
    }
    return all;
}

TEST(AgainstSandbox, every_draw_is_listed_once_with_any_page_size) {
    const Sandbox sandbox({"--draws", "1234", "--seed", "3"});
    ClientUnderTest under_test(quick_options(sandbox.url()));
    ASSERT_TRUE(under_test.check());
    const auto all = list_all(under_test, {.page_size = 500});
    EXPECT_EQ(all.size(), 1234U);
    EXPECT_EQ(list_all(under_test, {.page_size = 97}), all);
    std::size_t of_a_status = 0;
    for (int status = 0; status <= 5; ++status) {
        for (const Draw& draw : list_all(under_test, {.status = static_cast<DrawStatus>(status), .page_size = 50})) {
            EXPECT_EQ(static_cast<int>(draw.status), status);
            ++of_a_status;
        }
    }
    EXPECT_EQ(of_a_status, 1234U);
    const auto in_workflow = list_all(under_test, {.workflow_id = 14});
    EXPECT_EQ(std::ssize(in_workflow), std::ranges::count(all, 14, &Draw::workflow_id));
    const Instant since = all[600].modified_date;
    const auto recent = list_all(under_test, {.modified_since = since});
    EXPECT_EQ(std::ssize(recent), std::ranges::count_if(all, [&](const Draw& draw) {
                  return draw.modified_date >= std::chrono::floor<std::chrono::seconds>(since);
              }));
    const auto same = under_test.read(all[17].id);
    ASSERT_TRUE(same && *same);
    EXPECT_EQ(**same, all[17]);
    EXPECT_FALSE(*under_test.read(999'999'999));
}

TEST(AgainstSandbox, a_draw_is_approved_then_disbursed_then_reported) {
    const Sandbox sandbox({"--draws", "0"});
    ClientUnderTest under_test(quick_options(sandbox.url()));
    const DrawId good = sandbox.post("/draws", {{"status", 3}, {"amountRequested", 12.5}, {"workflowId", 12}})["id"];
    const DrawId cancelled = sandbox.post("/draws", {{"status", 2}, {"amountRequested", 1}, {"workflowId", 12}})["id"];

    const auto answer = under_test.approve({good, cancelled, 987'654});
    ASSERT_TRUE(answer) << answer.error().message;
    ASSERT_EQ(answer->outcomes.size(), 3U);
    EXPECT_TRUE(answer->outcomes[0].approved);
    ASSERT_TRUE(answer->outcomes[0].draw);
    EXPECT_EQ(answer->outcomes[0].draw->amount_approved, Money::from_cents(1250));
    EXPECT_FALSE(answer->outcomes[1].approved);
    EXPECT_FALSE(answer->outcomes[1].error.empty());
    EXPECT_FALSE(answer->outcomes[2].approved);

    const DrawPatch patch{.disbursed_date = *parse_instant("2026-03-04T05:06:07"), .fields = {{"fieldE", "TRACE-1"}}};
    const auto early = under_test.patch(good, patch);
    ASSERT_FALSE(early);
    EXPECT_EQ(early.error().code, ErrorCode::conflict);
    sandbox.post("/draws/" + std::to_string(good) + "/disburse");
    const auto reported = under_test.patch(good, patch);
    ASSERT_TRUE(reported) << reported.error().message;
    ASSERT_TRUE(*reported);
    EXPECT_EQ((*reported)->disbursed_date, patch.disbursed_date);
    EXPECT_EQ((*reported)->field_e, "TRACE-1");
    EXPECT_EQ(under_test.patch(987'654, patch).error().code, ErrorCode::not_found);
}

TEST(AgainstSandbox, a_lost_approval_answer_is_unknown_and_resolved_by_reading_back) {
    const Sandbox sandbox({"--draws", "0"});
    ClientUnderTest under_test(quick_options(sandbox.url()));
    for (const auto& [kind, status] : {std::pair("close_after_commit", DrawStatus::approved),
                                       std::pair("close_before_commit", DrawStatus::pending_approval),
                                       std::pair("truncated", DrawStatus::approved)}) {
        const DrawId id = sandbox.post("/draws", {{"status", 3}, {"amountRequested", 5}, {"workflowId", 12}})["id"];
        sandbox.post("/faults", {{"endpoint", "approve"}, {"kind", kind}});
        const auto lost = under_test.approve({id});
        ASSERT_FALSE(lost) << kind;
        EXPECT_EQ(lost.error().code, ErrorCode::outcome_unknown) << kind << lost.error().message;
        const auto read_back = under_test.read(id);
        ASSERT_TRUE(read_back && *read_back);
        EXPECT_EQ((*read_back)->status, status) << kind;
        const auto counts = sandbox.get("/draws/" + std::to_string(id));
        EXPECT_EQ(counts["approvalCount"], status == DrawStatus::approved ? 1 : 0);
    }
}

TEST(AgainstSandbox, faults_of_list_read_and_patch_are_retried) {
    const Sandbox sandbox({"--draws", "20"});
    ClientUnderTest under_test(quick_options(sandbox.url()));
    const auto all = list_all(under_test, {});
    ASSERT_EQ(all.size(), 20U);
    for (const char* endpoint : {"list", "read", "patch"}) {
        for (const nlohmann::json& fault :
             {nlohmann::json{{"kind", "status"}, {"code", 503}, {"times", 2}}, nlohmann::json{{"kind", "truncated"}},
              nlohmann::json{{"kind", "close_before_commit"}, {"times", 2}},
              nlohmann::json{{"kind", "close_after_commit"}}, nlohmann::json{{"kind", "invalid_json"}},
              nlohmann::json{{"kind", "status"}, {"code", 401}}}) {
            nlohmann::json body = fault;
            body["endpoint"] = endpoint;
            sandbox.post("/faults", body);
            EXPECT_EQ(list_all(under_test, {}).size(), 20U) << body;
            EXPECT_TRUE(under_test.read(all[3].id)) << body;
            EXPECT_TRUE(under_test.patch(all[3].id, {.fields = {{"fieldB", "x"}}})) << body;
        }
    }
}

TEST(AgainstSandbox, a_list_that_does_not_match_is_detected) {
    const Sandbox sandbox({"--draws", "60", "--seed", "5"});
    ClientUnderTest under_test(quick_options(sandbox.url()));
    const auto all = list_all(under_test, {});
    ASSERT_EQ(all.size(), 60U);
    const ListQuery query{.status = DrawStatus::pending_approval, .after_id = all[20].id, .page_size = 10};
    ASSERT_TRUE(under_test.list(query));
    for (const char* kind : {"ignore_filters", "ignore_page_size", "ignore_sort", "repeat_page"}) {
        sandbox.post("/faults", {{"endpoint", "list"}, {"kind", kind}});
        const auto page = under_test.list(query);
        ASSERT_FALSE(page) << kind;
        EXPECT_EQ(page.error().code, ErrorCode::protocol) << kind << page.error().message;
    }
    EXPECT_TRUE(under_test.list(query));
}

TEST(AgainstSandbox, an_irregular_bulk_answer_is_handled_per_draw) {
    const Sandbox sandbox({"--draws", "0"});
    ClientUnderTest under_test(quick_options(sandbox.url()));
    const auto approve_three = [&](const nlohmann::json& fault) {
        std::vector<DrawId> ids;
        for (int i = 0; i < 3; ++i)
            ids.push_back(sandbox.post("/draws", {{"status", 3}, {"amountRequested", 5}, {"workflowId", 12}})["id"]);
        nlohmann::json body = fault;
        body["endpoint"] = "approve";
        sandbox.post("/faults", body);
        auto answer = under_test.approve(ids);
        EXPECT_TRUE(answer) << body << answer.error().message;
        std::string seen;  // one character per draw of the request
        for (const DrawId id : ids) {
            const auto outcome = std::ranges::find(answer->outcomes, id, &ApprovalOutcome::id);
            seen += outcome == answer->outcomes.end() ? '?' : outcome->approved ? 'y' : 'n';
        }
        EXPECT_EQ(std::ranges::count(seen, '?'), std::ssize(answer->unanswered));
        return seen + (answer->unrequested.empty() ? "" : "+");
    };
    EXPECT_EQ(approve_three({{"kind", "reordered"}}), "yyy");
    EXPECT_EQ(approve_three({{"kind", "partial"}, {"every", 2}}), "nyn");
    EXPECT_EQ(approve_three({{"kind", "foreign_result"}, {"drawId", 5}}), "yyy+");
    EXPECT_EQ(std::ranges::count(approve_three({{"kind", "missing_results"}}), '?'), 1);
    EXPECT_EQ(approve_three({{"kind", "content_type"}}), "yyy");
    EXPECT_EQ(approve_three({{"kind", "token_revoked"}}), "yyy");
    EXPECT_EQ(approve_three({{"kind", "close_after_response"}}), "yyy");
}

TEST(AgainstSandbox, wrong_credentials_are_unauthorized) {
    const Sandbox sandbox({"--draws", "0"});
    ClientOptions options = quick_options(sandbox.url());
    options.client_secret = Secret("wrong-secret");
    ClientUnderTest under_test(options);
    const auto result = under_test.check();
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::unauthorized);
}

}  // namespace
}  // namespace drawbridge::service::testing
