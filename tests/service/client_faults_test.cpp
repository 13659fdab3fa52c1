// The client's behavior when the service or the network fails.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/steady_timer.hpp>
#include <functional>

#include "drawbridge/service/client.hpp"
#include "service/client_fixture.hpp"

namespace drawbridge::service::testing {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;
using Then = Reply::Then;

constexpr const char* approve_path = "POST /caseBudgets/draws/approve";

Reply cut_short() {
    Reply reply = ok(list_json({1}));
    reply.bytes.resize(reply.bytes.size() - 5);
    reply.then = Then::close;
    return reply;
}

// The first `times` requests, not counting tokens, get `fault`, the others `good`.
Script faulty(int times, Reply fault, Reply good) {
    auto left = std::make_shared<std::atomic<int>>(times);
    return with_tokens([=](const Received&) { return (*left)-- > 0 ? fault : good; });
}

TEST(ClientFaults, safe_requests_are_retried_until_they_succeed) {
    const Reply faults[] = {answer(408),
                            answer(429),
                            answer(500, "oops"),
                            answer(502),
                            answer(503),
                            answer(504),
                            {.bytes = "", .then = Then::close},
                            {.bytes = "", .then = Then::reset},
                            {.bytes = "HTTP/1.1 200 OK\r\nContent-", .then = Then::close},
                            cut_short()};
    for (const Reply& fault : faults) {
        ScriptedServer lists(faulty(3, fault, ok(list_json({1}, R"("totalRecordCount":1,)"))));
        ClientUnderTest under_test(quick_options(lists.url()));
        const auto page = under_test.list();
        ASSERT_TRUE(page) << fault.bytes << page.error().message;
        EXPECT_EQ(page->draws.size(), 1U);
        // An idle connection that fails before it answers is replaced and does not count as an attempt.
        EXPECT_GE(lists.received(draws).size(), 4U);
        EXPECT_LE(lists.received(draws).size(), 5U);

        ScriptedServer patches(faulty(2, fault, ok(draw_json(7))));
        ClientUnderTest patching(quick_options(patches.url()));
        const auto patched = patching.patch(7);
        ASSERT_TRUE(patched) << fault.bytes << patched.error().message;
    }
}

TEST(ClientFaults, the_last_error_is_returned_after_the_last_attempt) {
    ScriptedServer server(faulty(1000, answer(503, "down for maintenance"), Reply{}));
    ClientUnderTest under_test(quick_options(server.url()));
    const auto result = under_test.read(7);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::unavailable);
    EXPECT_THAT(result.error().message, HasSubstr("503"));
    EXPECT_THAT(result.error().message, HasSubstr("down for maintenance"));
    EXPECT_EQ(server.received(draws).size(), 4U);
    EXPECT_EQ(under_test.client->health().retries, 3U);
}

TEST(ClientFaults, a_refusal_is_not_retried) {
    const std::pair<int, ErrorCode> cases[] = {{400, ErrorCode::protocol},  {403, ErrorCode::forbidden},
                                               {404, ErrorCode::not_found}, {405, ErrorCode::protocol},
                                               {409, ErrorCode::conflict},  {422, ErrorCode::protocol},
                                               {301, ErrorCode::protocol},  {501, ErrorCode::unavailable}};
    for (const auto& [status, code] : cases) {
        ScriptedServer server(faulty(1000, answer(status, "because"), Reply{}));
        ClientUnderTest under_test(quick_options(server.url()));
        const auto result = under_test.list();
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().code, code) << status;
        // The first list may also be page 0.
        const std::size_t pages = status == 404 ? 2 : 1;
        EXPECT_EQ(server.received(draws).size(), pages) << status;
    }
}

TEST(ClientFaults, a_garbled_answer_is_requested_once_more) {
    for (const int times : {1, 2}) {
        ScriptedServer server(faulty(times, ok("[<"), ok(list_json({1}, R"("totalRecordCount":1,)"))));
        ClientUnderTest under_test(quick_options(server.url()));
        const auto page = under_test.list();
        EXPECT_EQ(page.has_value(), times == 1);
        if (page) continue;
        EXPECT_EQ(page.error().code, ErrorCode::protocol);
    }
}

TEST(ClientFaults, a_bulk_approval_of_unknown_outcome_is_never_repeated) {
    Reply half = ok(R"([{"drawId":1}])");
    half.bytes.pop_back();
    half.then = Then::close;
    const Reply faults[] = {{.bytes = "", .then = Then::close},
                            {.bytes = "", .then = Then::reset},
                            {.bytes = "", .then = Then::hang},
                            half,
                            answer(500),
                            answer(502),
                            answer(503, "", "Retry-After: 0\r\n"),
                            answer(504),
                            answer(408),
                            answer(303, "", "Location: /elsewhere\r\n"),
                            ok("not json"),
                            ok(R"({"status":"fine"})"),
                            answer(200, "[]", "Content-Encoding: gzip\r\n"),
                            {.bytes = "SSH-2.0-OpenSSH\r\n", .then = Then::close}};
    for (const Reply& fault : faults) {
        ScriptedServer server(faulty(1, fault, ok(R"([{"drawId":1}])")));
        ClientOptions options = quick_options(server.url());
        options.request_deadline = milliseconds(300);
        ClientUnderTest under_test(options);
        const auto result = under_test.approve({1});
        ASSERT_FALSE(result) << fault.bytes;
        EXPECT_EQ(result.error().code, ErrorCode::outcome_unknown) << fault.bytes << result.error().message;
        EXPECT_EQ(server.received(approve_path).size(), 1U) << fault.bytes;
    }
}

TEST(ClientFaults, a_bulk_approval_refused_as_a_whole_is_an_error) {
    const std::pair<int, ErrorCode> cases[] = {{400, ErrorCode::invalid_input}, {403, ErrorCode::forbidden},
                                               {404, ErrorCode::not_found},     {409, ErrorCode::conflict},
                                               {413, ErrorCode::invalid_input}, {429, ErrorCode::limited}};
    for (const auto& [status, code] : cases) {
        ScriptedServer server(faulty(1000, answer(status, "no"), Reply{}));
        ClientUnderTest under_test(quick_options(server.url()));
        EXPECT_EQ(under_test.approve({1}).error().code, code) << status;
        EXPECT_EQ(server.received(approve_path).size(), 1U) << status;
    }
}

TEST(ClientFaults, a_bulk_approval_is_repeated_after_a_401_because_nothing_was_done) {
    ScriptedServer server(faulty(1, answer(401), ok(R"([{"drawId":1}])")));
    ClientUnderTest under_test(quick_options(server.url()));
    const auto result = under_test.approve({1});
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_TRUE(result->outcomes.at(0).approved);
    const auto sent = server.received(approve_path);
    ASSERT_EQ(sent.size(), 2U);
    EXPECT_EQ(sent[0].body, sent[1].body);
}

TEST(ClientFaults, a_bulk_approval_uses_a_new_connection) {
    // The service closes the connection right after a read, without announcing it.
    ScriptedServer server(with_tokens([](const Received& request) {
        if (request.is(approve_path)) return ok(R"([{"drawId":1}])");
        return Reply{.bytes = ok(draw_json(7)).bytes, .then = Then::close};
    }));
    ClientUnderTest under_test(quick_options(server.url()));
    for (int i = 0; i < 20; ++i) {
        ASSERT_TRUE(under_test.read(7));
        const auto result = under_test.approve({1});
        ASSERT_TRUE(result) << result.error().message;
    }
}

TEST(ClientFaults, a_refused_connection_means_that_nothing_was_done) {
    unsigned short port = 0;
    {
        ScriptedServer gone(with_tokens([](const Received&) { return Reply{}; }));
        port = gone.port();
    }
    ClientUnderTest under_test(quick_options("http://127.0.0.1:" + std::to_string(port)));
    const auto result = under_test.approve({1});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::unavailable);
    EXPECT_THAT(result.error().message, HasSubstr("cannot connect to 127.0.0.1"));
}

TEST(ClientFaults, a_redirect_is_refused_and_the_token_is_sent_nowhere_else) {
    ScriptedServer elsewhere(with_tokens([](const Received&) { return ok(draw_json(7)); }));
    for (const int status : {301, 302, 303, 307, 308}) {
        ScriptedServer server(with_tokens([&](const Received&) {
            return answer(status, "", "Location: " + elsewhere.url() + "/caseBudgets/draws/7\r\n");
        }));
        ClientUnderTest under_test(quick_options(server.url()));
        const auto result = under_test.read(7);
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().code, ErrorCode::protocol);
        EXPECT_THAT(result.error().message, HasSubstr("redirect to " + elsewhere.url()));
    }
    EXPECT_EQ(elsewhere.connections(), 0);
}

TEST(ClientFaults, silence_and_a_trickle_hit_the_deadline) {
    const Reply faults[] = {{.bytes = "", .then = Then::hang},
                            {.bytes = ok(draw_json(7)).bytes, .then = Then::trickle, .pause = milliseconds(20)}};
    for (const Reply& fault : faults) {
        ScriptedServer server(faulty(1000, fault, Reply{}));
        ClientOptions options = quick_options(server.url());
        options.request_deadline = milliseconds(150);
        options.attempts = 1;
        ClientUnderTest under_test(options);
        const auto result = under_test.read(7);
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().code, ErrorCode::timeout) << result.error().message;
    }
}

TEST(ClientFaults, a_body_over_the_limit_is_refused) {
    const std::string large(5000, ' ');
    const Reply replies[] = {ok(large),
                             {.bytes = "HTTP/1.1 200 OK\r\n\r\n" + large, .then = Then::close},
                             {.bytes = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1388\r\n" + large},
                             answer(200, "", "Filler: " + std::string(100'000, 'x') + "\r\n")};
    for (const Reply& reply : replies) {
        ScriptedServer server(faulty(1000, reply, Reply{}));
        ClientOptions options = quick_options(server.url());
        options.max_body_bytes = 4000;
        ClientUnderTest under_test(options);
        const auto result = under_test.read(7);
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().code, ErrorCode::protocol) << result.error().message;
        EXPECT_THAT(result.error().message, HasSubstr(&reply == &replies[3] ? "are larger than the 65536 bytes"
                                                                            : "larger than the 4000 bytes"));
        EXPECT_EQ(server.received(draws).size(), 1U);
    }
}

// Answers lists by their pageSize from the ids 1 to 20.
Script list_of(std::function<std::string(DrawId)> record) {
    return with_tokens([record = std::move(record)](const Received& request) {
        const auto number_in = [&](const std::string& name, DrawId otherwise) {
            const auto found = request.target.find(name);
            return found == std::string::npos ? otherwise : std::stoll(request.target.substr(found + name.size()));
        };
        const DrawId after = number_in("id%5Bgt%5D=", 0);
        const DrawId page = number_in("pageNumber=", 1);
        const DrawId size = number_in("pageSize=", 1);
        std::string records;
        const DrawId first = after + (page - 1) * size + 1;
        for (DrawId id = first; id < first + size && id <= 20; ++id) {
            records += (records.empty() ? "" : ",") + record(id);
        }
        const std::string total = std::to_string(20 - after);
        return ok(R"({"totalRecordCount":)" + total + R"(,"records":[)" + records + "]}");
    });
}

// The fourth record is very long.
Script long_record(std::size_t padding) {
    return list_of(
        [padding](DrawId id) { return draw_json(id, 3, id == 4 ? '"' + std::string(padding, 'x') + '"' : "null"); });
}

std::vector<DrawId> sweep(ClientUnderTest& client, std::vector<std::string>& bad) {
    std::vector<DrawId> ids;
    ListQuery query;
    query.page_size = 10;
    for (int pages = 0; pages < 50; ++pages) {
        const auto page = client.list(query);
        EXPECT_TRUE(page) << page.error().message;
        if (!page) break;
        for (const auto& draw : page->draws)
            ids.push_back(draw.id);
        for (const auto& record : page->bad)
            bad.push_back(record.message);
        if (page->last) break;
        query.after_id = page->last_id;
    }
    return ids;
}

TEST(ClientFaults, a_page_that_is_too_long_is_requested_in_smaller_pages) {
    ScriptedServer server(long_record(3000));
    ClientOptions options = quick_options(server.url());
    options.max_body_bytes = 7000;
    ClientUnderTest under_test(options);
    std::vector<std::string> bad;
    EXPECT_EQ(sweep(under_test, bad).size(), 20U);
    EXPECT_THAT(bad, ::testing::IsEmpty());
    EXPECT_EQ(under_test.client->health().circuit, CircuitState::closed) << "the service is up";
    EXPECT_EQ(sweep(under_test, bad).size(), 20U);
    EXPECT_EQ(server.received(std::string(draws) + "?pageNumber=1&pageSize=10&sortBy=id&sortOrder=asc").size(), 2U)
        << "the next list tries whole pages again";
}

TEST(ClientFaults, a_record_that_is_too_long_is_skipped_and_the_others_are_read) {
    ScriptedServer server(long_record(8000));
    ClientOptions options = quick_options(server.url());
    options.max_body_bytes = 7000;
    ClientUnderTest under_test(options);
    std::vector<std::string> bad;
    const auto ids = sweep(under_test, bad);
    EXPECT_EQ(ids.size(), 19U);
    EXPECT_THAT(ids, ::testing::Not(::testing::Contains(4)));
    EXPECT_THAT(bad, ::testing::ElementsAre(HasSubstr("the record after draw 3 is longer")));
    EXPECT_THAT(server.received(draws).back().target, HasSubstr("pageSize=10&"))
        << "the pages after it are whole again";
}

TEST(ClientFaults, records_that_are_not_json_are_skipped_and_the_others_are_read) {
    ScriptedServer server(list_of([](DrawId id) { return draw_json(id, 3, id == 4 || id == 5 ? "NaN" : "null"); }));
    ClientUnderTest under_test(quick_options(server.url()));
    std::vector<std::string> bad;
    const auto ids = sweep(under_test, bad);
    EXPECT_EQ(ids.size(), 18U);
    EXPECT_THAT(ids, ::testing::AllOf(::testing::Contains(3), ::testing::Contains(6)));
    EXPECT_THAT(bad, ::testing::ElementsAre(HasSubstr("the record after draw 3 cannot be read: the service's list of "
                                                      "draws cannot be read: it stops being JSON at byte "),
                                            HasSubstr("record 2 after draw 3 cannot be read")));
}

TEST(ClientFaults, errors_do_not_grow_while_the_circuit_is_open) {
    ScriptedServer server(faulty(1000, answer(503, "down for maintenance"), Reply{}));
    ClientOptions options = quick_options(server.url());
    options.attempts = 1;
    ClientUnderTest under_test(options);
    for (int number = 0; number < options.circuit_failures; ++number)
        EXPECT_FALSE(under_test.list());
    const auto first = under_test.list().error().message.size();
    for (int number = 0; number < 100; ++number)
        EXPECT_LE(under_test.list().error().message.size(), first + 10);
    EXPECT_LE(under_test.client->health().last_error.size(), first);
    EXPECT_FALSE(under_test.client->takes_calls());
}

TEST(ClientFaults, a_service_that_limits_requests_takes_no_calls_until_it_answers_another_way) {
    ClientOptions options;
    ScriptedServer server(faulty(options.circuit_failures, answer(429), ok(draw_json(7))));
    options = quick_options(server.url());
    options.attempts = 1;
    ClientUnderTest under_test(options);
    for (int number = 0; number < options.circuit_failures; ++number) {
        EXPECT_TRUE(under_test.client->takes_calls()) << "one answer may be about one draw";
        EXPECT_FALSE(under_test.read(7));
    }
    EXPECT_FALSE(under_test.client->takes_calls());
    EXPECT_TRUE(under_test.read(7));
    EXPECT_TRUE(under_test.client->takes_calls());

    ScriptedServer pausing(faulty(1000, answer(429, "", "Retry-After: 7200\r\n"), Reply{}));
    ClientUnderTest paused(quick_options(pausing.url()));
    EXPECT_FALSE(paused.read(7));
    EXPECT_FALSE(paused.client->takes_calls());
}

TEST(ClientFaults, an_answer_that_asks_to_wait_is_no_refusal) {
    for (const Reply& asks : {answer(429), answer(503, "", "Retry-After: 0\r\n")}) {
        ScriptedServer server(faulty(1000, asks, Reply{}));
        ClientUnderTest under_test(quick_options(server.url()));
        const auto result = under_test.patch(7);
        ASSERT_FALSE(result) << asks.bytes;
        EXPECT_EQ(result.error().code, ErrorCode::limited) << asks.bytes;
    }
}

TEST(ClientFaults, an_answer_that_is_not_http_is_refused) {
    ScriptedServer server(faulty(1000, {.bytes = "SSH-2.0-OpenSSH_9.2\r\n", .then = Then::close}, Reply{}));
    ClientUnderTest under_test(quick_options(server.url()));
    const auto result = under_test.read(7);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::protocol);
    EXPECT_THAT(result.error().message, HasSubstr("not HTTP"));
}

TEST(ClientFaults, too_many_requests_pauses_every_call) {
    ScriptedServer server(faulty(1, answer(429, "", "Retry-After: 1\r\n"), ok(draw_json(7))));
    ClientUnderTest under_test(quick_options(server.url()));
    const auto began = std::chrono::steady_clock::now();
    ASSERT_TRUE(under_test.read(7));
    EXPECT_GE(std::chrono::steady_clock::now() - began, milliseconds(999));
    EXPECT_EQ(server.received(draws).size(), 2U);
}

// Our clock is fixed. The answer has no Date unless a case adds one.
TEST(ClientFaults, a_retry_after_date_is_compared_with_our_clock_if_the_answer_has_no_date) {
    const Instant ours = std::chrono::sys_days(std::chrono::year(2026) / 11 / 20) + std::chrono::hours(23);
    const struct {
        const char* headers;
        const char* says;
    } cases[] = {
        {"Retry-After: Fri, 20 Nov 2026 23:10:00 GMT\r\n", "a pause of another 600 s"},
        {"Retry-After: Fri, 20 Nov 2026 23:10:00 GMT\r\nDate: now\r\n", "a pause of another 600 s"},
        {"Retry-After: Fri, 20 Nov 2026 23:10:00 GMT\r\nDate: Fri, 20 Nov 2026 23:05:00 GMT\r\n",
         "a pause of another 300 s"},
        {"Retry-After: Fri, 20 Nov 2099 23:10:00 GMT\r\n", "a pause of another 3600 s"},
    };
    for (const auto& one : cases) {
        ScriptedServer server(faulty(1, answer(503, "", one.headers), ok(draw_json(7))));
        auto options = quick_options(server.url());
        options.wall_clock = [ours] { return ours; };
        ClientUnderTest under_test(std::move(options));
        const auto result = under_test.read(7);
        ASSERT_FALSE(result) << one.headers;
        EXPECT_THAT(result.error().message, HasSubstr(one.says));
        EXPECT_EQ(server.received(draws).size(), 1U);
    }
}

TEST(ClientFaults, a_retry_after_beyond_the_cap_ends_the_call_and_pauses_the_next) {
    ScriptedServer server(faulty(1, answer(503, "", "Retry-After: 600\r\n"), ok(list_json({}))));
    ClientUnderTest under_test(quick_options(server.url()));
    for (int i = 0; i < 2; ++i) {
        const auto result = under_test.list();
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().code, ErrorCode::limited);
        EXPECT_THAT(result.error().message, HasSubstr("a pause of another"));
    }
    EXPECT_EQ(server.received(draws).size(), 1U);
}

TEST(ClientFaults, a_pause_of_one_draw_delays_no_other) {
    ScriptedServer server(with_tokens([](const Received& request) {
        return request.target.ends_with("/7") ? answer(503, "", "Retry-After: 600\r\n") : ok(draw_json(8));
    }));
    ClientUnderTest under_test(quick_options(server.url()));
    for (int i = 0; i < 2; ++i) {
        EXPECT_THAT(under_test.read(7).error().message, HasSubstr("a pause of another"));
        EXPECT_TRUE(under_test.read(8));
    }
    EXPECT_EQ(server.received(std::string(draws) + "/7").size(), 1U);
}

TEST(ClientFaults, draws_at_which_the_service_fails_leave_the_circuit_closed_and_get_one_attempt_later) {
    std::atomic<bool> healthy = false;
    ScriptedServer server(with_tokens([&](const Received& request) {
        if (request.target.ends_with("/8")) return ok(draw_json(8));
        return healthy ? ok(draw_json(7)) : answer(500);
    }));
    ClientOptions options = quick_options(server.url());
    options.circuit_failures = 3;
    ClientUnderTest under_test(options);
    for (int i = 0; i < 4; ++i)
        EXPECT_FALSE(under_test.read(7));
    EXPECT_EQ(server.received(draws).size(), 4U + 3U) << "four attempts, then one at a time";
    EXPECT_EQ(under_test.client->health().circuit, CircuitState::closed);
    EXPECT_TRUE(under_test.read(8));
    healthy = true;
    EXPECT_TRUE(under_test.read(7));
    healthy = false;
    EXPECT_FALSE(under_test.read(7));
    EXPECT_EQ(server.received(draws).size(), 7U + 2U + 4U) << "it worked in between";
}

TEST(ClientFaults, the_circuit_opens_and_lets_one_call_probe_later) {
    std::atomic<bool> healthy = false;
    ScriptedServer server(with_tokens([&](const Received&) { return healthy ? ok(list_json({})) : answer(500); }));
    ClientOptions options = quick_options(server.url());
    options.circuit_failures = 6;
    options.circuit_open_for = milliseconds(300);
    ClientUnderTest under_test(options);
    ASSERT_FALSE(under_test.list());
    EXPECT_EQ(under_test.client->health().circuit, CircuitState::closed);
    ASSERT_FALSE(under_test.list());  // the sixth failure in a row opens it
    EXPECT_EQ(server.received(draws).size(), 6U);
    EXPECT_EQ(under_test.client->health().circuit, CircuitState::open);
    EXPECT_EQ(under_test.client->health().consecutive_failures, 6);
    EXPECT_THAT(under_test.client->health().last_error, HasSubstr("500"));

    healthy = true;
    const auto rejected = under_test.list();
    ASSERT_FALSE(rejected);
    EXPECT_EQ(rejected.error().code, ErrorCode::unavailable);
    EXPECT_THAT(rejected.error().message, HasSubstr("6 times in a row"));
    EXPECT_EQ(server.received(draws).size(), 6U);

    boost::asio::steady_timer timer(under_test.io, *under_test.client->health().next_try_in + milliseconds(1));
    timer.wait();
    EXPECT_TRUE(under_test.list());
    EXPECT_EQ(under_test.client->health().circuit, CircuitState::closed);
    EXPECT_EQ(under_test.client->health().consecutive_failures, 0);
}

TEST(ClientFaults, the_retry_budget_limits_retries_over_all_calls) {
    ScriptedServer server(faulty(1000, answer(503), Reply{}));
    ClientOptions options = quick_options(server.url());
    options.retry_budget = 5;
    options.circuit_failures = 1000;
    ClientUnderTest under_test(options);
    for (int i = 0; i < 10; ++i)
        ASSERT_FALSE(under_test.list());
    EXPECT_EQ(server.received(draws).size(), 15U);
}

TEST(ClientFaults, an_idle_connection_closed_by_the_service_is_replaced) {
    ScriptedServer server(
        with_tokens([](const Received&) { return Reply{.bytes = ok(draw_json(7)).bytes, .then = Then::close}; }));
    ClientOptions options = quick_options(server.url());
    options.attempts = 1;
    ClientUnderTest under_test(options);
    for (int i = 0; i < 20; ++i) {
        const auto draw = under_test.read(7);
        ASSERT_TRUE(draw) << draw.error().message;
    }
}

}  // namespace
}  // namespace drawbridge::service::testing
