#include "drawbridge/service/client.hpp"

#include <algorithm>
#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>
#include <limits>
#include <memory>
#include <set>
#include <utility>

#include "caller.hpp"
#include "drawbridge/domain/assert.hpp"
#include "drawbridge/service/codec.hpp"
#include "drawbridge/text/show.hpp"
#include "tls.hpp"

namespace drawbridge::service {
namespace {

std::string draw_target(DrawId id) {
    return "/caseBudgets/draws/" + std::to_string(id);
}

HttpRequest get_request(std::string target) {
    HttpRequest request;
    request.method = "GET";
    request.target = std::move(target);
    return request;
}

HttpRequest json_request(std::string_view method, std::string target, std::string body) {
    HttpRequest request;
    request.method = method;
    request.target = std::move(target);
    request.content_type = "application/json";
    request.body = std::move(body);
    return request;
}

bool is_success(const HttpAnswer& answer) {
    return answer.status / 100 == 2;
}

// Asio throws this from a wait when the surrounding task has been canceled. The task keeps the caller alive: when the
// program ends on an error, tasks may be destroyed after the client that started them.
template <class T>
Task<T> with_cancellation([[maybe_unused]] std::shared_ptr<Caller> caller, Task<T> task) {
    try {
        co_return co_await std::move(task);
    } catch (const boost::system::system_error& error) {
        if (error.code() != asio::error::operation_aborted) throw;
        co_return fail(ErrorCode::cancelled, "stopped while talking to the service");
    }
}

class HttpDrawsClient final : public DrawsClient {
  public:
    HttpDrawsClient(asio::any_io_executor executor, ClientOptions options, ConnectionSettings settings)
        : caller_(std::make_shared<Caller>(std::move(executor), std::move(options), std::move(settings))) {}

    Task<DrawPage> list(ListQuery query) override {
        DRAWBRIDGE_ASSERT(query.page_size >= 1, "a page has at least one record");
        return with_cancellation(caller_, list_page_in_bounds(query));
    }
    void begin_fresh_reads() override { caller_->renew_connections(); }
    Task<std::optional<Draw>> read(DrawId id) override { return with_cancellation(caller_, read_draw(id)); }
    Task<std::optional<Draw>> patch(DrawId id, DrawPatch patch) override {
        return with_cancellation(caller_, patch_draw(id, std::move(patch)));
    }
    Task<ApprovalAnswer> approve(std::vector<Approval> approvals) override {
        DRAWBRIDGE_ASSERT(approvals.size() <= max_bulk_approvals, "at most 500 draws a bulk approval");
        std::set<DrawId> ids;
        for (const Approval& approval : approvals)
            DRAWBRIDGE_ASSERT(ids.insert(approval.id).second, "a draw is approved once in a call");
        return with_cancellation(caller_, approve_draws(std::move(approvals)));
    }
    ClientHealth health() const override { return caller_->health(); }
    std::optional<std::chrono::milliseconds> clock_ahead() const override { return caller_->clock_ahead(); }
    bool takes_calls() const override { return caller_->takes_calls(); }
    Task<void> check() override { return with_cancellation(caller_, check_service()); }

  private:
    Task<DrawPage> list_page(ListQuery query);
    Task<DrawPage> list_page_in_bounds(ListQuery query);
    Task<DrawPage> page_after_unreadable_record(ListQuery query, Error why);
    Task<DrawPage> page_of(ListQuery query, ListAnswer answer);
    Task<ListAnswer> without_missing_fields(ListAnswer answer);
    Task<std::optional<PartialDraw>> read_partial(DrawId id);
    Task<ListAnswer> fetch_list(ListQuery query, int page_number);
    Task<std::optional<int>> find_first_page_number(ListQuery query, std::optional<DrawId> first_id);
    [[nodiscard]] ApprovalAnswer redacted(ApprovalAnswer answer) const;
    [[nodiscard]] Error refusal_of_draw(const HttpAnswer& answer, const std::string& what) const;
    Task<std::optional<Draw>> read_draw(DrawId id);
    Task<std::optional<Draw>> patch_draw(DrawId id, DrawPatch patch);
    Task<ApprovalAnswer> approve_draws(std::vector<Approval> approvals);
    Task<void> check_service();

    std::shared_ptr<Caller> caller_;
    // Whether the service numbers its first page 0 or 1 is not specified; the first list that can tell decides.
    std::optional<int> first_page_number_;
    // Halved when a page of this size exceeds service.max_body_bytes or stops being JSON.
    int max_page_size_ = std::numeric_limits<int>::max();
    // What this list's records lack: whether the service shows nulls, so that nothing missing is one; else the fields
    // that are missing where they are null, and those that it shows only elsewhere.
    bool shows_nulls_ = false;
    FieldSet omitted_nulls_ = 0, shown_elsewhere_ = 0;
};

// Whether smaller pages may show the records around the one that causes it.
bool may_be_one_record(const Error& error) {
    return error.code == ErrorCode::exhausted || error.code == ErrorCode::invalid_input;
}

std::optional<DrawId> first_readable_id(const ListAnswer& answer) {
    for (const auto& id : answer.ids) {
        if (id) return id;
    }
    return std::nullopt;
}

Task<ListAnswer> HttpDrawsClient::fetch_list(ListQuery query, int page_number) {
    constexpr int tries = 2;  // a garbled answer is requested once more
    constexpr int no_content = 204;
    for (int number = 1;; ++number) {
        HttpRequest request = get_request(list_target(query, page_number));
        auto answer = co_await caller_->call(std::move(request));
        if (!answer) co_return std::unexpected(std::move(answer.error()));
        if (!is_success(*answer)) {
            Error refused = caller_->refusal(*answer, "a list of draws");
            if (refused.code == ErrorCode::invalid_input) refused.code = ErrorCode::protocol;
            co_return std::unexpected(std::move(refused));
        }
        if (answer->status == no_content && answer->body.empty()) co_return ListAnswer();
        auto list = parse_list(answer->body);
        if (list || number == tries) co_return list;
    }
}

Task<DrawPage> HttpDrawsClient::list_page_in_bounds(ListQuery query) {
    if (query.after_id <= 0) {  // each list tries whole pages
        max_page_size_ = std::numeric_limits<int>::max();
        shows_nulls_ = false;
        omitted_nulls_ = shown_elsewhere_ = 0;
    }
    for (;;) {
        query.page_size = std::min(query.page_size, max_page_size_);
        auto page = co_await list_page(query);
        if (page || !may_be_one_record(page.error())) co_return page;
        if (query.page_size == 1) co_return co_await page_after_unreadable_record(query, std::move(page.error()));
        max_page_size_ = query.page_size / 2;
    }
}

// A single record exceeds the size limit of an answer or is not JSON. It cannot be read, so it has no id; the records
// after it are read.
Task<DrawPage> HttpDrawsClient::page_after_unreadable_record(ListQuery query, Error why) {
    constexpr int max_in_a_row = 20;
    std::vector<BadRecord> unreadable;
    Result<ListAnswer> answer = std::unexpected(std::move(why));
    while (!answer && may_be_one_record(answer.error())) {
        const std::string after = "after draw " + std::to_string(query.after_id);
        const std::string which = unreadable.empty() ? "the record " + after
                                                     : "record " + std::to_string(unreadable.size() + 1) + " " + after;
        if (unreadable.size() == max_in_a_row)
            co_return fail(ErrorCode::protocol, which + " cannot be read either: " + answer.error().message);
        const bool is_too_long = answer.error().code == ErrorCode::exhausted;
        unreadable.push_back(
            {.id = std::nullopt,
             .field = "",
             .message = which + (is_too_long ? " is longer than the " + std::to_string(caller_->max_body_bytes()) +
                                                   " bytes that an answer may have"
                                             : " cannot be read: " + answer.error().message)});
        answer = co_await fetch_list(query, first_page_number_.value_or(1) + static_cast<int>(unreadable.size()));
    }
    if (!answer) co_return std::unexpected(std::move(answer.error()));
    auto page = co_await page_of(query, std::move(*answer));
    if (!page) co_return page;
    std::ranges::move(unreadable, std::back_inserter(page->bad));
    max_page_size_ = std::numeric_limits<int>::max();  // the records that could not be read are behind us
    // The total counts from the skipped record, so it does not tell whether this page is the last.
    page->last = page->draws.empty() && page->incomplete.empty() && page->last_id == query.after_id;
    co_return page;
}

Task<DrawPage> HttpDrawsClient::list_page(ListQuery query) {
    auto answer = co_await fetch_list(query, first_page_number_.value_or(1));
    if (!answer && answer.error().code == ErrorCode::not_found && !first_page_number_) {
        // A service that numbers its first page 0 may have no page 1 of a short list.
        if (auto first = co_await fetch_list(query, 0); first && first_readable_id(*first)) {
            first_page_number_ = 0;
            answer = std::move(first);
        }
    }
    if (!answer) co_return std::unexpected(std::move(answer.error()));
    const std::optional<DrawId> first_id = first_readable_id(*answer);
    const bool can_tell = first_id || answer->ids.empty();
    if (!first_page_number_ && can_tell) {
        const auto number = co_await find_first_page_number(query, first_id);
        if (!number) co_return std::unexpected(number.error());
        if (*number == 0) {
            answer = co_await fetch_list(query, 0);
            if (!answer) co_return std::unexpected(std::move(answer.error()));
            // If it contains page 1's first draw it is the same page: a draw was added before it in the meantime.
            const bool same_page = first_id && std::ranges::find(answer->ids, first_id) != answer->ids.end();
            first_page_number_ = same_page ? 1 : 0;
        } else {
            first_page_number_ = *number;
        }
    }
    co_return co_await page_of(query, std::move(*answer));
}

Task<DrawPage> HttpDrawsClient::page_of(ListQuery query, ListAnswer answer) {
    auto whole = co_await without_missing_fields(std::move(answer));
    if (!whole) co_return std::unexpected(std::move(whole.error()));
    bool honors_filters = false;
    if (const auto other = query_to_compare(query, *whole)) {
        const auto shown = co_await fetch_list(*other, first_page_number_.value_or(1));
        if (!shown) co_return std::unexpected(shown.error());
        const auto same = std::ranges::mismatch(whole->ids, shown->ids);
        honors_filters = same.in1 != whole->ids.end();
    }
    co_return check_page(query, std::move(*whole), honors_filters);
}

// What a record of the list lacks is null if the service shows no nulls, and may have any value if the list shows only
// a part of each draw. The rest of the list tells, or a few draws read by themselves.
Task<ListAnswer> HttpDrawsClient::without_missing_fields(ListAnswer answer) {
    shows_nulls_ = shows_nulls_ || answer.has_null;
    omitted_nulls_ |= answer.with_value;
    constexpr int max_read = 3;
    FieldSet read_as_missing = 0;
    int read = 0;
    for (const auto& [draw, lacks] : answer.partial) {
        if (shows_nulls_ || read == max_read || (lacks & ~(shown_elsewhere_ | omitted_nulls_)) == 0) continue;
        const auto whole = co_await read_partial(draw.id);
        if (!whole) co_return std::unexpected(whole.error());
        if (!*whole) continue;  // it is gone since
        ++read;
        shown_elsewhere_ |= lacks & ~(*whole)->lacks;
        read_as_missing |= (*whole)->lacks;
    }
    omitted_nulls_ |= read_as_missing;
    const FieldSet null = shows_nulls_ ? 0 : omitted_nulls_ & ~shown_elsewhere_;
    for (auto& [draw, lacks] : std::exchange(answer.partial, {}))
        ((lacks & ~null) == 0 ? answer.draws : answer.incomplete).push_back(std::move(draw));
    std::ranges::stable_sort(answer.draws, {}, &Draw::id);
    co_return answer;
}

// If page 0 exists and begins before page 1, then page 1 is the second page, and using it as the first would lose
// draws. nullopt: both are empty, so a later list must tell.
Task<std::optional<int>> HttpDrawsClient::find_first_page_number(ListQuery query, std::optional<DrawId> first_id) {
    query.page_size = 1;
    if (first_id) {
        // Of the list that begins with this draw, page 1 shows it only if it is the first page. A server in front of
        // the service may refuse page 0, or never answer it.
        ListQuery from_first = query;
        from_first.after_id = *first_id - 1;
        const auto first = co_await fetch_list(from_first, 1);
        if (!first) co_return std::unexpected(first.error());
        if (first_readable_id(*first) == first_id) co_return 1;
    }
    constexpr int tries = 3;  // some services fail at a page 0 that they do not have: once may be an accident
    for (int number = 1;; ++number) {
        HttpRequest request = get_request(list_target(query, 0));
        auto answer = co_await caller_->call(std::move(request));
        const std::string what = "page 0 of a list of draws, which shows whether the first page is 0 or 1";
        if (!answer) {
            answer.error().message += ": asked for " + what;
            co_return std::unexpected(std::move(answer.error()));
        }
        const int status = answer->status;
        if (status == 401 || status == 403 || status == 408 || status == 429 || status > 501)
            co_return std::unexpected(caller_->refusal(*answer, what));
        if (status / 100 == 4) co_return 1;  // it has no page 0
        const auto page = is_success(*answer) ? parse_list(answer->body) : fail(ErrorCode::protocol, "");
        const bool was_retried = status == 500 && caller_->attempts() > 1;
        if (!page && !was_retried && number < tries) continue;
        if (!page) co_return 1;
        if (page->ids.empty()) co_return first_id ? std::optional(1) : std::nullopt;
        const auto& id = page->ids.front();
        co_return !first_id || (id && *id < *first_id) ? 0 : 1;
    }
}

// The service gave us a new token for this request, so a 401 is about the draw and not about the login.
Error HttpDrawsClient::refusal_of_draw(const HttpAnswer& answer, const std::string& what) const {
    Error error = caller_->refusal(answer, what);
    if (error.code == ErrorCode::unauthorized) error.code = ErrorCode::forbidden;
    return error;
}

Task<std::optional<Draw>> HttpDrawsClient::read_draw(DrawId id) {
    auto read = co_await read_partial(id);
    if (!read) co_return std::unexpected(std::move(read.error()));
    if (!*read) co_return std::nullopt;
    co_return std::move((*read)->draw);
}

Task<std::optional<PartialDraw>> HttpDrawsClient::read_partial(DrawId id) {
    constexpr int tries = 2;
    for (int number = 1;; ++number) {
        HttpRequest request = get_request(draw_target(id));
        auto answer = co_await caller_->call(std::move(request));
        if (!answer) {
            if (answer.error().code == ErrorCode::exhausted) answer.error().code = ErrorCode::protocol;
            co_return std::unexpected(std::move(answer.error()));
        }
        if (answer->status == 404) co_return std::nullopt;
        if (!is_success(*answer)) {
            co_return std::unexpected(refusal_of_draw(*answer, "reading draw " + std::to_string(id)));
        }
        auto draw = parse_draw(answer->body);
        if (!draw && number < tries) continue;
        if (!draw) co_return std::unexpected(std::move(draw.error()));
        if (draw->draw.id != id) {
            co_return fail(ErrorCode::protocol, "draw " + std::to_string(id) +
                                                    " was requested, but the service showed draw " +
                                                    std::to_string(draw->draw.id));
        }
        co_return std::move(*draw);
    }
}

Task<std::optional<Draw>> HttpDrawsClient::patch_draw(DrawId id, DrawPatch patch) {
    HttpRequest request = json_request("PATCH", draw_target(id), encode_patch(patch));
    request.sent_crash_point = "report.request_sent";
    request.answered_crash_point = "report.answer_received";
    auto answer = co_await caller_->call(std::move(request));
    if (!answer) co_return std::unexpected(std::move(answer.error()));
    if (!is_success(*answer)) {
        co_return std::unexpected(refusal_of_draw(*answer, "updating draw " + std::to_string(id)));
    }
    // The answer may show only what was updated. What it leaves out may have any value.
    auto shown = parse_draw(answer->body);
    if (!shown || shown->lacks != 0) co_return std::nullopt;  // accepted, but no whole draw in the answer
    if (shown->draw.id != id) {
        co_return fail(ErrorCode::protocol, "draw " + std::to_string(id) +
                                                " was updated, but the service showed draw " +
                                                std::to_string(shown->draw.id));
    }
    co_return std::move(shown->draw);
}

Task<ApprovalAnswer> HttpDrawsClient::approve_draws(std::vector<Approval> approvals) {
    if (approvals.empty()) co_return ApprovalAnswer();
    HttpRequest request = json_request("POST", "/caseBudgets/draws/approve", encode_approvals(approvals));
    request.safe_to_repeat = false;
    request.sent_crash_point = "approve.request_sent";
    request.answered_crash_point = "approve.answer_received";
    auto answer = co_await caller_->call(std::move(request));
    if (!answer) co_return std::unexpected(std::move(answer.error()));
    const std::string what = "the approval of " + text::counted(static_cast<std::int64_t>(approvals.size()), "draw");
    if (!is_success(*answer)) {
        Error error = caller_->refusal(*answer, what);
        // 4xx: refused as a whole. The outcome is unknown after 5xx (it may come after the approval, or from a proxy),
        // after 408 (the service was working on it) and after 303 (it is even done).
        const bool is_refused = answer->status / 100 == 4 && answer->status != 408;
        // Some services refuse the call for one draw, approve the others, and say so for each.
        if (is_refused) {
            auto result = parse_approval_answer(answer->body, approvals);
            if (result && !result->outcomes.empty()) co_return redacted(*std::move(result));
        }
        if (!is_refused) error.code = ErrorCode::outcome_unknown;
        co_return std::unexpected(std::move(error));
    }
    auto result = parse_approval_answer(answer->body, approvals);
    if (!result) {
        co_return fail(ErrorCode::outcome_unknown,
                       "the service accepted " + what + ", but: " + caller_->redact(result.error().message));
    }
    co_return redacted(*std::move(result));
}

ApprovalAnswer HttpDrawsClient::redacted(ApprovalAnswer answer) const {
    for (auto& outcome : answer.outcomes)
        outcome.error = caller_->redact(std::move(outcome.error));
    return answer;
}

Task<void> HttpDrawsClient::check_service() {
    caller_->forget_token();
    ListQuery query;
    query.page_size = 1;
    auto page = co_await list_page(query);
    if (!page) co_return std::unexpected(std::move(page.error()));
    co_return Result<void>();
}

std::string first_wrong_option(const ClientOptions& options) {
    if (options.client_id.empty()) return "service.client_id_file has no client id";
    if (options.client_secret.empty()) return "service.client_secret_file has no client secret";
    if (options.max_connections < 1) return "service.max_connections must be 1 or more";
    if (options.max_requests_per_second < 0) return "service.max_requests_per_second must be 0 (no limit) or more";
    if (options.request_deadline <= std::chrono::milliseconds(0)) return "service.request_deadline must be positive";
    if (options.connect_deadline <= std::chrono::milliseconds(0)) return "service.connect_deadline must be positive";
    if (options.max_body_bytes == 0) return "service.max_body_bytes must be positive";
    if (options.attempts < 1) return "service.attempts must be 1 or more";
    if (options.circuit_failures < 1) return "service.circuit_failures must be 1 or more";
    return {};
}

Result<std::optional<Proxy>> find_proxy(const ClientOptions& options, const Endpoint& endpoint) {
    if (!endpoint.tls) return std::nullopt;  // this machine needs no proxy
    const std::optional<std::string> address = options.proxy ? options.proxy : proxy_from_environment(endpoint.host);
    if (!address || address->empty()) return std::nullopt;
    auto proxy = parse_proxy(*address);
    if (!proxy) return std::unexpected(std::move(proxy.error()));
    return std::move(*proxy);
}

}  // namespace

std::string_view to_string(CircuitState state) {
    switch (state) {
        case CircuitState::closed: return "closed";
        case CircuitState::open: return "open";
        case CircuitState::half_open: return "half-open";
    }
    return "";
}

Result<std::unique_ptr<DrawsClient>> make_client(asio::any_io_executor executor, ClientOptions options) {
    if (std::string wrong = first_wrong_option(options); !wrong.empty()) {
        return fail(ErrorCode::invalid_input, std::move(wrong));
    }
    auto endpoint = parse_base_url(options.base_url);
    if (!endpoint) return std::unexpected(std::move(endpoint.error()));
    auto proxy = find_proxy(options, *endpoint);
    if (!proxy) return std::unexpected(std::move(proxy.error()));
    std::optional<asio::ssl::context> tls;
    if (endpoint->tls) {
        auto context = make_tls_context(options.ca_file);
        if (!context) return std::unexpected(std::move(context.error()));
        tls = std::move(*context);
    }
    ConnectionSettings settings{.endpoint = std::move(*endpoint),
                                .proxy = std::move(*proxy),
                                .tls = std::move(tls),
                                .max_body_bytes = options.max_body_bytes,
                                .user_agent = options.user_agent};
    return make_client(std::move(executor), std::move(options), std::move(settings));
}

std::unique_ptr<DrawsClient> make_client(asio::any_io_executor executor, ClientOptions options,
                                         ConnectionSettings settings) {
    return std::make_unique<HttpDrawsClient>(std::move(executor), std::move(options), std::move(settings));
}

}  // namespace drawbridge::service
