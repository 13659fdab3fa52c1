// Shared by the client's tests: a client with short timeouts on its own io_context, and draws as JSON.
#pragma once

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <memory>
#include <string>
#include <vector>

#include "drawbridge/service/client.hpp"
#include "service/run_task.hpp"
#include "service/scripted_server.hpp"

namespace drawbridge::service::testing {

inline constexpr const char* draws = "GET /caseBudgets/draws";

inline std::string draw_json(DrawId id, int status = 3, const std::string& description = "null") {
    return R"({"id":)" + std::to_string(id) + R"(,"status":)" + std::to_string(status) + R"(,"description":)" +
           description +
           R"(,"requestedBy":"a@example.gov","requestedDate":"2026-03-04T05:06:07","amountRequested":12.5,)"
           R"("modifiedBy":"b@example.gov","modifiedDate":"2026-03-05T05:06:07","configDrawApproverGroupId":1,)"
           R"("caseId":null,"caseName":null,"approvedBy":null,"approvedDate":null,"amountApproved":null,)"
           R"("disbursedBy":null,"disbursedDate":null,"amountDisbursed":null,"fieldA":null,"fieldB":null,)"
           R"("fieldC":null,"fieldD":null,"fieldE":null,"workflowId":12})";
}

inline std::string list_json(const std::vector<DrawId>& ids, const std::string& envelope = "") {
    std::string text = "{" + envelope + R"("records":[)";
    for (std::size_t i = 0; i < ids.size(); ++i)
        text += (i > 0 ? "," : "") + draw_json(ids[i]);
    return text + "]}";
}

inline ClientOptions quick_options(const std::string& base_url) {
    ClientOptions options;
    options.base_url = base_url;
    options.client_id = Secret("the-id");
    options.client_secret = Secret("the-secret");
    options.proxy = "";
    options.retry_base_delay = std::chrono::milliseconds(1);
    options.request_deadline = std::chrono::seconds(5);
    return options;
}

inline std::vector<Approval> approvals_of(const std::vector<DrawId>& ids) {
    std::vector<Approval> approvals;
    for (const DrawId id : ids)
        approvals.push_back({.id = id, .approver_id = 1201});
    return approvals;
}

// A client and its event loop.
struct ClientUnderTest {
    explicit ClientUnderTest(ClientOptions options) {
        auto made = make_client(io.get_executor(), std::move(options));
        EXPECT_TRUE(made) << made.error().message;
        client = std::move(made.value());
    }
    Result<DrawPage> list(ListQuery query = {}) { return run_task(io, client->list(query)); }
    Result<std::optional<Draw>> read(DrawId id) { return run_task(io, client->read(id)); }
    Result<std::optional<Draw>> patch(DrawId id, DrawPatch patch = {.description = "d"}) {
        return run_task(io, client->patch(id, std::move(patch)));
    }
    Result<ApprovalAnswer> approve(const std::vector<DrawId>& ids) {
        return run_task(io, client->approve(approvals_of(ids)));
    }
    Result<void> check() { return run_task(io, client->check()); }

    boost::asio::io_context io;
    std::unique_ptr<DrawsClient> client;
};

}  // namespace drawbridge::service::testing
