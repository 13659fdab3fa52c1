#include "drawbridge/service/client.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/steady_timer.hpp>

#include "service/client_fixture.hpp"
#include "service/draw_text.hpp"
#include "support/user_timeouts.hpp"

namespace drawbridge::service::testing {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<DrawId> ids_of(const DrawPage& page) {
    std::vector<DrawId> ids;
    for (const Draw& draw : page.draws)
        ids.push_back(draw.id);
    return ids;
}

TEST(Client, the_token_and_the_connection_are_reused) {
    ScriptedServer server(with_tokens([](const Received&) { return ok(draw_json(7)); }));
    ClientUnderTest under_test(quick_options(server.url() + "/api/"));
    // The base path precedes the token's path too, so with_tokens does not match it.
    const auto failed = under_test.read(7);
    ASSERT_FALSE(failed);
    EXPECT_EQ(server.received()[0].target, "/api/oauth/token");

    ClientUnderTest plain(quick_options(server.url()));
    for (int i = 0; i < 3; ++i)
        ASSERT_TRUE(plain.read(7));
    const auto reads = server.received(draws);
    ASSERT_EQ(reads.size(), 3U);
    EXPECT_EQ(reads[2].target, "/caseBudgets/draws/7");
    EXPECT_EQ(reads[2].headers.at("authorization"), "Bearer token-1");
    EXPECT_EQ(reads[0].connection, reads[2].connection);
    const auto tokens = server.received("POST /oauth/token");
    ASSERT_EQ(tokens.size(), 1U);
    EXPECT_EQ(tokens[0].headers.at("content-type"), "application/x-www-form-urlencoded");
    EXPECT_EQ(tokens[0].body, "grant_type=client_credentials&client_id=the-id&client_secret=the-secret");
    EXPECT_EQ(tokens[0].headers.count("authorization"), 0U);
    EXPECT_GT(plain.client->health().token_valid_for, milliseconds(3'500'000));
}

TEST(Client, fresh_reads_use_no_connection_that_was_opened_before) {
    ScriptedServer server(with_tokens([](const Received&) { return ok(draw_json(7)); }));
    ClientUnderTest under_test(quick_options(server.url()));
    EXPECT_TRUE(under_test.read(7));
    EXPECT_EQ(server.connections(), 1);
    under_test.client->begin_fresh_reads();
    EXPECT_TRUE(under_test.read(7));
    EXPECT_TRUE(under_test.read(7));
    EXPECT_EQ(server.connections(), 2);
}

TEST(Client, the_kernel_delivers_nothing_after_a_host_that_takes_over_has_waited) {
    ScriptedServer server(with_tokens([](const Received&) { return ok(draw_json(7)); }));
    ClientUnderTest under_test(quick_options(server.url()));
    ASSERT_TRUE(under_test.read(7));
    const int port = std::stoi(server.url().substr(server.url().rfind(':') + 1));
    EXPECT_THAT(test::user_timeouts_to(port),
                ::testing::AllOf(::testing::Not(::testing::IsEmpty()), ::testing::Each(5000)));
}

TEST(Client, a_401_is_answered_with_one_new_token) {
    ScriptedServer server(with_tokens([](const Received& request) {
        return request.headers.at("authorization") == "Bearer token-1" ? answer(401) : ok(draw_json(7));
    }));
    ClientUnderTest under_test(quick_options(server.url()));
    EXPECT_TRUE(under_test.read(7));
    EXPECT_EQ(server.received(draws).size(), 2U);
    EXPECT_TRUE(under_test.read(7));
    EXPECT_EQ(server.received("POST /oauth/token").size(), 2U);
}

TEST(Client, a_401_with_a_new_token_is_about_the_login_for_a_list_and_about_the_draw_for_one) {
    ScriptedServer server(with_tokens([](const Received&) { return answer(401, "who?"); }));
    ClientUnderTest under_test(quick_options(server.url()));
    EXPECT_EQ(under_test.list().error().code, ErrorCode::unauthorized);
    EXPECT_EQ(server.received(draws).size(), 2U);
    EXPECT_EQ(under_test.read(7).error().code, ErrorCode::forbidden);
    EXPECT_EQ(under_test.patch(7).error().code, ErrorCode::forbidden);
}

TEST(Client, refused_credentials_are_not_retried_and_never_shown) {
    for (const int status : {400, 401, 403}) {
        ScriptedServer server([&](const Received&) {
            return answer(status, R"({"error":"invalid_client","error_description":"bad secret the-secret"})");
        });
        ClientUnderTest under_test(quick_options(server.url()));
        const auto result = under_test.list();
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().code, ErrorCode::unauthorized);
        EXPECT_THAT(result.error().message, HasSubstr("bad secret ***"));
        EXPECT_THAT(result.error().message, Not(HasSubstr("the-secret")));
        EXPECT_EQ(server.received().size(), 1U);
    }
}

TEST(Client, the_part_of_a_secret_at_the_end_of_a_cut_message_is_not_shown) {
    for (const std::size_t before : {291U, 292U, 295U}) {
        ScriptedServer server([before](const Received&) {
            return answer(400, R"({"error_description":")" + std::string(before, '-') + R"(the-secret"})");
        });
        ClientUnderTest under_test(quick_options(server.url()));
        const auto result = under_test.list();
        ASSERT_FALSE(result);
        EXPECT_THAT(result.error().message, HasSubstr("---***..."));
        EXPECT_THAT(result.error().message, Not(HasSubstr("the-")));
    }
}

TEST(Client, a_token_is_renewed_before_it_expires) {
    // The lifetime is 200 in milliseconds; nine tenths of it are over after 180 ms.
    ScriptedServer server([](const Received& request) {
        return request.is("POST /oauth/token") ? ok(R"({"access_token":"t","token_type":"bearer","expires_in":200})")
                                               : ok(draw_json(7));
    });
    ClientUnderTest under_test(quick_options(server.url()));
    ASSERT_TRUE(under_test.read(7));
    boost::asio::steady_timer timer(under_test.io, milliseconds(185));
    timer.wait();
    ASSERT_TRUE(under_test.read(7));
    EXPECT_EQ(server.received("POST /oauth/token").size(), 2U);
}

TEST(Client, concurrent_calls_share_one_token_and_a_limited_number_of_connections) {
    ScriptedServer server(with_tokens([](const Received&) { return ok(draw_json(7)); }));
    ClientOptions options = quick_options(server.url());
    options.max_connections = 3;
    ClientUnderTest under_test(options);
    int succeeded = 0;
    for (int i = 0; i < 24; ++i) {
        boost::asio::co_spawn(
            under_test.io, under_test.client->read(7),
            [&](std::exception_ptr, const Result<std::optional<Draw>>& draw) { succeeded += draw && *draw ? 1 : 0; });
    }
    under_test.io.run();
    EXPECT_EQ(succeeded, 24);
    EXPECT_LE(server.max_at_once(), 3);
    EXPECT_LE(server.connections(), 3);
    EXPECT_EQ(server.received("POST /oauth/token").size(), 1U);
}

TEST(Client, concurrent_calls_share_the_failure_of_one_token_request) {
    ScriptedServer server([](const Received&) { return answer(401); });
    ClientUnderTest under_test(quick_options(server.url()));
    int refused = 0;
    for (int i = 0; i < 5; ++i) {
        boost::asio::co_spawn(under_test.io, under_test.client->read(7),
                              [&](std::exception_ptr, const Result<std::optional<Draw>>& draw) {
                                  refused += !draw && draw.error().code == ErrorCode::unauthorized ? 1 : 0;
                              });
    }
    under_test.io.run();
    EXPECT_EQ(refused, 5);
    EXPECT_EQ(server.received().size(), 1U);
}

// An administrator writes new credentials to the files after the service changed them.
TEST(Client, credentials_are_read_again_after_a_refused_login) {
    ScriptedServer server([](const Received& request) {
        if (request.is("POST /oauth/token") && !request.body.ends_with("=new-secret")) return answer(401);
        return with_tokens([](const Received&) { return ok(draw_json(7)); })(request);
    });
    int readings = 0;
    std::optional<Credentials> in_files;
    auto options = quick_options(server.url());
    options.read_credentials = [&] {
        ++readings;
        return in_files;
    };
    ClientUnderTest under_test(std::move(options));
    EXPECT_FALSE(under_test.read(7));
    EXPECT_EQ(readings, 0) << "read once at the start";
    EXPECT_FALSE(under_test.read(7)) << "the files cannot be read";
    in_files = Credentials{Secret("the-id"), Secret("the-secret")};
    EXPECT_FALSE(under_test.read(7)) << "the files are unchanged";
    EXPECT_EQ(server.received().back().body, "grant_type=client_credentials&client_id=the-id&client_secret=the-secret");
    in_files = Credentials{Secret("the-id"), Secret("new-secret")};
    EXPECT_TRUE(under_test.read(7));
    EXPECT_EQ(readings, 3);
    EXPECT_FALSE(under_test.check()) << "it asks for another token; the answer is no list";
    EXPECT_EQ(readings, 3) << "the last login was accepted";
}

TEST(Client, an_answer_is_read_in_every_http_framing) {
    const std::string body = draw_json(7);
    const std::string chunks = "5\r\n" + body.substr(0, 5) + "\r\n" +
                               [&] {
                                   char size[16];
                                   std::snprintf(size, sizeof size, "%zX", body.size() - 5);
                                   return std::string(size);
                               }() +
                               ";x=y\r\n" + body.substr(5) + "\r\n0\r\nTrailer: 1\r\n\r\n";
    const Reply replies[] = {
        {.bytes = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n" + chunks},
        {.bytes = "HTTP/1.1 200 OK\r\n\r\n" + body, .then = Reply::Then::close},
        {.bytes = "HTTP/1.0 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body,
         .then = Reply::Then::close},
        {.bytes = "HTTP/1.1 100 Continue\r\n\r\n" + ok(body).bytes},
        answer(200, "\xEF\xBB\xBF" + body, "Content-Type: text/html\r\n"),
        answer(201, body),
        {.bytes = answer(200, body, "Connection: close\r\n").bytes, .then = Reply::Then::close},
    };
    for (const Reply& reply : replies) {
        ScriptedServer server(with_tokens([&](const Received&) { return reply; }));
        ClientUnderTest under_test(quick_options(server.url()));
        for (int i = 0; i < 2; ++i) {
            const auto draw = under_test.read(7);
            ASSERT_TRUE(draw) << draw.error().message << reply.bytes;
            EXPECT_EQ((*draw)->id, 7);
        }
    }
}

TEST(Client, read_distinguishes_a_missing_draw_from_a_wrong_one) {
    ScriptedServer server(with_tokens([](const Received& request) {
        return request.target.ends_with("/8") ? answer(404, "no such draw") : ok(draw_json(7));
    }));
    ClientUnderTest under_test(quick_options(server.url()));
    const auto missing = under_test.read(8);
    ASSERT_TRUE(missing) << missing.error().message;
    EXPECT_FALSE(*missing);
    const auto other = under_test.read(9);
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().code, ErrorCode::protocol);
    EXPECT_THAT(other.error().message, HasSubstr("draw 9 was requested, but the service showed draw 7"));
}

TEST(Client, patch_returns_the_updated_draw_or_the_reason_of_a_refusal) {
    ScriptedServer server(with_tokens([](const Received& request) {
        if (request.target.ends_with("/1")) return ok(json(with(with(whole_draw(), "id", "1"), "status", "5")));
        if (request.target.ends_with("/2")) return answer(204);
        if (request.target.ends_with("/6")) return ok(json(without(with(whole_draw(), "id", "6"), "fieldE")));
        if (request.target.ends_with("/3")) return answer(409, R"({"detail":"status is not 5"})");
        if (request.target.ends_with("/4")) return answer(404);
        return ok("done");
    }));
    ClientUnderTest under_test(quick_options(server.url()));
    const auto updated = under_test.patch(1, {.disbursed_date = *parse_instant("2026-03-04T05:06:07")});
    ASSERT_TRUE(updated && *updated);
    EXPECT_EQ((*updated)->status, DrawStatus::disbursed);
    EXPECT_EQ(server.received("PATCH")[0].body, R"({"disbursedDate":"2026-03-04T05:06:07"})");
    EXPECT_EQ(server.received("PATCH")[0].headers.at("content-type"), "application/json");
    for (const DrawId silent : {2, 5, 6}) {
        const auto accepted = under_test.patch(silent);
        ASSERT_TRUE(accepted) << accepted.error().message;
        EXPECT_FALSE(*accepted);
    }
    const auto refused = under_test.patch(3);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::conflict);
    EXPECT_THAT(refused.error().message, HasSubstr("status is not 5"));
    EXPECT_EQ(under_test.patch(4).error().code, ErrorCode::not_found);
    EXPECT_EQ(server.received("PATCH").size(), 6U);
}

// Five draws behind a service that numbers its pages from `first`; an unknown page is answered with `beyond`.
Script paged_service(int first, Reply beyond, bool with_total) {
    return with_tokens([=](const Received& request) {
        const auto number = [&](const std::string& name, int otherwise) {
            const std::size_t at = request.target.find(name + "=");
            return at == std::string::npos ? otherwise : std::atoi(request.target.c_str() + at + name.size() + 1);
        };
        const int size = number("pageSize", 10);
        const int skipped = (number("pageNumber", first) - first) * size;
        if (skipped < 0) return beyond;
        std::vector<DrawId> left;
        for (DrawId id = 11; id <= 15; ++id)
            if (id > number("id%5Bgt%5D", 0)) left.push_back(id);
        const std::string envelope = "\"totalRecordCount\":" + std::to_string(left.size()) + ",";
        left.erase(left.begin(), left.begin() + std::min<std::ptrdiff_t>(skipped, std::ssize(left)));
        if (std::ssize(left) > size) left.resize(static_cast<std::size_t>(size));
        return ok(list_json(left, with_total ? envelope : ""));
    });
}

// The draws of all pages.
std::vector<DrawId> list_to_end(ClientUnderTest& under_test, ListQuery query) {
    std::vector<DrawId> seen;
    for (bool last = false; !last;) {
        const auto page = under_test.list(query);
        EXPECT_TRUE(page) << page.error().message;
        if (!page) break;
        std::ranges::copy(ids_of(*page), std::back_inserter(seen));
        query.after_id = page->last_id;
        last = page->last;
    }
    return seen;
}

TEST(Client, list_finds_every_draw_with_pages_numbered_from_one_or_zero) {
    const Reply refusals[] = {answer(400), answer(500), ok(list_json({})), ok(list_json({11}))};
    for (const int page_size : {1, 2, 4, 5, 6}) {
        for (const bool with_total : {true, false}) {
            for (const int first : {0, 1}) {
                for (const Reply& beyond : refusals) {
                    ScriptedServer server(paged_service(first, beyond, with_total));
                    ClientUnderTest under_test(quick_options(server.url()));
                    EXPECT_THAT(list_to_end(under_test, {.page_size = page_size}), ElementsAre(11, 12, 13, 14, 15))
                        << first << " " << page_size << with_total;
                }
            }
        }
    }
}

// Ten draws in pages of at most three, with numbers that count something else.
TEST(Client, list_finds_every_draw_of_a_service_that_caps_its_pages_and_counts_wrong) {
    for (const int first : {0, 1}) {
        for (const char* total : {R"("totalRecordCount":COUNT,"pageCount":4,"pageSize":3,)", R"("pageCount":1,)",
                                  R"("totalRecordCount":9,)"}) {
            ScriptedServer server(with_tokens([&](const Received& request) {
                const auto number = [&](const std::string& name) {
                    const std::size_t at = request.target.find(name + "=");
                    return at == std::string::npos ? 0 : std::stoll(request.target.substr(at + name.size() + 1));
                };
                if (number("pageNumber") < first) return answer(400);
                std::vector<DrawId> shown;
                const DrawId after = number("id%5Bgt%5D") + (number("pageNumber") - first) * 3;
                for (DrawId id = after + 1; id <= std::min<DrawId>(10, after + 3); ++id)
                    shown.push_back(id);
                std::string envelope = total;
                if (const auto at = envelope.find("COUNT"); at != std::string::npos)
                    envelope.replace(at, 5, std::to_string(shown.size()));
                return ok(list_json(shown, envelope));
            }));
            ClientUnderTest under_test(quick_options(server.url()));
            EXPECT_EQ(list_to_end(under_test, {}).size(), 10U) << first << total;
        }
    }
}

TEST(Client, pages_are_not_taken_for_numbered_from_one_while_every_list_is_empty) {
    std::atomic<bool> has_draws = false;
    ScriptedServer server(with_tokens([&](const Received& request) {
        const bool is_first = request.target.find("pageNumber=0&") != std::string::npos;
        return ok(list_json(has_draws && is_first ? std::vector<DrawId>{11} : std::vector<DrawId>{}));
    }));
    ClientUnderTest under_test(quick_options(server.url()));
    EXPECT_TRUE(under_test.list()->draws.empty());
    has_draws = true;
    EXPECT_EQ(under_test.list()->draws.size(), 1U);
}

TEST(Client, a_service_may_have_no_page_past_the_end_of_a_list) {
    // Numbers its pages from 0, and answers 404 to those it does not have.
    ScriptedServer server(with_tokens([](const Received& request) {
        if (!request.target.contains("pageNumber=0&")) return answer(404);
        return ok(
            list_json(request.target.contains("id%5Bgt%5D=12") ? std::vector<DrawId>{} : std::vector<DrawId>{12}));
    }));
    ClientUnderTest under_test(quick_options(server.url()));
    EXPECT_THAT(list_to_end(under_test, {}), ElementsAre(12));
    EXPECT_EQ(server.received(std::string(draws) + "?pageNumber=1").size(), 1U);

    // With a wrong base URL nothing is a list.
    ScriptedServer other(with_tokens([](const Received&) { return answer(404); }));
    ClientUnderTest misled(quick_options(other.url()));
    EXPECT_EQ(misled.list().error().code, ErrorCode::not_found);
}

TEST(Client, no_content_is_an_empty_list) {
    ScriptedServer server(with_tokens([](const Received&) { return answer(204); }));
    ClientUnderTest under_test(quick_options(server.url()));
    const auto page = under_test.list();
    ASSERT_TRUE(page) << page.error().message;
    EXPECT_TRUE(page->last);
    EXPECT_TRUE(page->draws.empty());
}

TEST(Client, a_page_says_how_many_draws_the_service_counts) {
    const std::pair<const char*, std::int64_t> envelopes[] = {
        {R"("pageSize":5,"totalRecordCount":10,)", 10}, {R"("pageSize":5,"pageCount":3,)", 3}, {"", 0}};
    for (const auto& [envelope, counted] : envelopes) {
        ScriptedServer server(with_tokens([&](const Received&) { return ok(list_json({}, envelope)); }));
        ClientUnderTest under_test(quick_options(server.url()));
        const auto page = under_test.list({.page_size = 5});
        ASSERT_TRUE(page) << page.error().message;
        EXPECT_TRUE(page->last);
        EXPECT_EQ(page->counted, counted);
    }
}

// A server in front of the service may refuse it, or never answer it.
TEST(Client, list_needs_no_page_zero_where_page_one_begins_the_list) {
    for (const Reply& beyond :
         {answer(400), answer(403), answer(503), Reply{.bytes = "", .then = Reply::Then::reset}}) {
        ScriptedServer server(paged_service(1, beyond, /*with_total=*/true));
        ClientUnderTest under_test(quick_options(server.url()));
        EXPECT_THAT(list_to_end(under_test, {.page_size = 2}), ElementsAre(11, 12, 13, 14, 15)) << beyond.bytes;
        EXPECT_EQ(server.received(std::string(draws) + "?pageNumber=0").size(), 0U);
        EXPECT_EQ(under_test.client->health().last_error, "");
    }
}

TEST(Client, page_zero_is_requested_again_when_it_fails_and_named_in_the_error) {
    std::atomic<int> failures = 2;
    ScriptedServer server(with_tokens([&](const Received& request) {
        if (!request.target.contains("pageNumber=0&")) return ok(list_json({}));
        return failures-- > 0 ? answer(503) : answer(400);
    }));
    ClientUnderTest under_test(quick_options(server.url()));
    const auto page = under_test.list();
    EXPECT_TRUE(page) << page.error().message;
    failures = 1000;
    ClientUnderTest failing(quick_options(server.url()));
    const auto failed = failing.list();
    ASSERT_FALSE(failed);
    EXPECT_THAT(failed.error().message, HasSubstr("answered 503 to page 0 of a list of draws, which shows whether the "
                                                  "first page is 0 or 1"));
}

TEST(Client, a_list_that_does_not_match_the_request_is_refused) {
    ScriptedServer server(with_tokens([](const Received&) { return ok(list_json({1, 2})); }));
    ClientUnderTest under_test(quick_options(server.url()));
    const auto result = under_test.list({.status = DrawStatus::approved});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::protocol);
    EXPECT_THAT(result.error().message, HasSubstr("asked for status Approved, draw 1 is Pending Approval"));
}

// Its index shows draws 1 and 2 as pending, although they are Disbursed.
TEST(Client, a_list_of_a_few_draws_from_a_stale_index_is_no_ignored_filter) {
    ScriptedServer server(with_tokens([](const Received& request) {
        const bool is_pending = request.target.find("status=3") != std::string::npos;
        if (!is_pending) return ok(list_json({}));
        return ok(R"({"records":[)" + draw_json(1, 5) + "," + draw_json(2, 5) + "]}");
    }));
    ClientUnderTest under_test(quick_options(server.url()));
    const auto page = under_test.list({.status = DrawStatus::pending_approval});
    ASSERT_TRUE(page) << page.error().message;
    EXPECT_TRUE(page->draws.empty());
    ASSERT_EQ(page->bad.size(), 2U);
    EXPECT_EQ(page->bad[1].message, "asked for status Pending Approval, draw 2 is Disbursed");
    EXPECT_EQ(page->last_id, 2);
}

TEST(Client, check_fetches_a_token_and_lists_one_record) {
    ScriptedServer server(with_tokens([](const Received&) { return ok(list_json({1}, R"("totalRecordCount":1,)")); }));
    ClientUnderTest under_test(quick_options(server.url()));
    ASSERT_TRUE(under_test.check());
    ASSERT_TRUE(under_test.check());
    EXPECT_EQ(server.received("POST /oauth/token").size(), 2U);
    EXPECT_THAT(server.received(draws)[0].target, HasSubstr("pageSize=1"));
}

TEST(Client, approve_sends_one_request_and_orders_the_answer) {
    ScriptedServer server(with_tokens([](const Received&) {
        return ok(R"([{"drawId":3,"error":{"message":"wrong state"},"draw":null},{"drawId":1,"error":null,"draw":)" +
                  draw_json(1, 4) + "}]");
    }));
    ClientUnderTest under_test(quick_options(server.url()));
    const auto result = under_test.approve({1, 2, 3});
    ASSERT_TRUE(result) << result.error().message;
    ASSERT_EQ(result->outcomes.size(), 2U);
    EXPECT_TRUE(result->outcomes[0].approved);
    EXPECT_EQ(result->outcomes[1].error, "wrong state");
    EXPECT_THAT(result->unanswered, ElementsAre(2));
    ASSERT_TRUE(under_test.approve({}));
    EXPECT_EQ(server.received("POST /caseBudgets/draws/approve").size(), 1U);
}

TEST(Client, the_refusal_of_a_single_approval_shows_no_secret) {
    ScriptedServer server(with_tokens(
        [](const Received&) { return ok(R"([{"drawId":7,"error":"bad call with the-secret and token-1"}])"); }));
    ClientUnderTest under_test(quick_options(server.url()));
    const auto result = under_test.approve({7});
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(result->outcomes.at(0).error, "bad call with *** and ***");
}

TEST(Client, the_rate_limit_spaces_requests) {
    ScriptedServer server(with_tokens([](const Received&) { return ok(draw_json(7)); }));
    ClientOptions options = quick_options(server.url());
    options.max_requests_per_second = 50;
    ClientUnderTest under_test(options);
    const auto began = std::chrono::steady_clock::now();
    for (int i = 0; i < 10; ++i)
        ASSERT_TRUE(under_test.read(7));
    // Eleven requests including the token's: ten gaps of 20 ms.
    EXPECT_GE(std::chrono::steady_clock::now() - began, milliseconds(199));
}

// Cancels the task once the service has received a request with this prefix.
template <class T>
Result<T> run_cancelled(ClientUnderTest& under_test, Task<T> task, const ScriptedServer& server,
                        std::string_view seen) {
    boost::asio::cancellation_signal signal;
    std::optional<Result<T>> outcome;
    boost::asio::co_spawn(under_test.io, std::move(task),
                          boost::asio::bind_cancellation_slot(signal.slot(), [&](std::exception_ptr, Result<T> result) {
                              outcome = std::move(result);
                          }));
    while (server.received(seen).empty())
        under_test.io.run_one_for(milliseconds(1));
    signal.emit(boost::asio::cancellation_type::terminal);
    under_test.io.run();
    return std::move(outcome.value());
}

TEST(Client, cancellation_ends_a_call_and_leaves_an_approvals_outcome_unknown) {
    const Reply silence{.bytes = "", .then = Reply::Then::hang};
    ScriptedServer server(with_tokens([&](const Received&) { return silence; }));
    {
        ClientUnderTest under_test(quick_options(server.url()));
        const auto result = run_cancelled(under_test, under_test.client->list({}), server, draws);
        EXPECT_EQ(result.error().code, ErrorCode::cancelled);
    }
    ClientUnderTest under_test(quick_options(server.url()));
    const auto result = run_cancelled(under_test, under_test.client->approve(approvals_of({1})), server, "POST /caseB");
    EXPECT_EQ(result.error().code, ErrorCode::outcome_unknown);
}

TEST(MakeClient, invalid_options_are_refused_by_name) {
    struct Case {
        std::function<void(ClientOptions&)> change;
        const char* says;
    };
    const Case cases[] = {
        {[](ClientOptions& o) { o.base_url = "http://draws.example.gov/api"; }, "plain http"},
        {[](ClientOptions& o) { o.base_url = "http://10.0.0.1"; }, "plain http"},
        {[](ClientOptions& o) { o.base_url = "draws.example.gov"; }, "is not an address"},
        {[](ClientOptions& o) { o.base_url = "ftp://draws.example.gov"; }, "https://"},
        {[](ClientOptions& o) { o.base_url = "https://u:p@draws.example.gov"; }, "user name or password"},
        {[](ClientOptions& o) { o.base_url = "https://draws.example.gov/?a=b"; }, "path"},
        {[](ClientOptions& o) { o.client_id = Secret(); }, "client_id_file"},
        {[](ClientOptions& o) { o.client_secret = Secret(); }, "client_secret_file"},
        {[](ClientOptions& o) { o.ca_file = "/nonexistent/ca.pem"; }, "service.ca_file: /nonexistent/ca.pem"},
        {[](ClientOptions& o) { o.proxy = "socks5://proxy:1080"; }, "service.proxy"},
        {[](ClientOptions& o) { o.max_connections = 0; }, "max_connections"},
    };
    boost::asio::io_context io;
    for (const Case& c : cases) {
        ClientOptions options = quick_options("https://draws.example.gov/api");
        c.change(options);
        const auto client = make_client(io.get_executor(), options);
        ASSERT_FALSE(client) << c.says;
        EXPECT_EQ(client.error().code, ErrorCode::invalid_input);
        EXPECT_THAT(client.error().message, HasSubstr(c.says));
    }
    for (const char* url : {"https://draws.example.gov", "https://draws.example.gov:8443/a/b/", "http://localhost:1/",
                            "http://127.0.0.1:8087", "http://[::1]:8087/api"}) {
        EXPECT_TRUE(make_client(io.get_executor(), quick_options(url))) << url;
    }
}

}  // namespace
}  // namespace drawbridge::service::testing
