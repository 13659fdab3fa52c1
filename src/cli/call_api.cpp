#include "call_api.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/text/json.hpp"
#include "drawbridge/text/show.hpp"
#include "show.hpp"
#include "table.hpp"

namespace drawbridge::cli {

using nlohmann::json;

namespace {

// The message of an error answer: {"error": {"message"}}. It may have several lines, and print_error() sanitizes them.
std::optional<std::string> error_message_in(const Result<json>& answer) {
    const json::json_pointer message("/error/message");
    if (!answer || !answer->contains(message) || !(*answer)[message].is_string()) return std::nullopt;
    return text::without_route(trimmed((*answer)[message].get_ref<const std::string&>(), "\n"));
}

// Whether the answer is as old as that of the ledger itself.
void show_source(const admin::Response& response) {
    if (!response.read_from.empty()) print_error("drawbridge: " + plain(response.read_from));
}

// Prints the reason and returns the exit code. A question that the daemon does not accept has a wrong option value.
int refused(const admin::Response& response, const Result<json>& answer, bool is_question) {
    print_error("drawbridge: " +
                error_message_in(answer).value_or(fmt::format("the daemon answered with status {}: {}", response.status,
                                                              answer ? "no reason given" : answer.error().message)));
    constexpr int bad_request = 400;
    return is_question && response.status == bad_request ? app::exit_usage : app::exit_failed;
}

}  // namespace

Answer call_api(const Options& options, std::string method, std::string target, const json& body) {
    app::Caller caller(options.config);
    return call_api(caller, std::move(method), std::move(target), body);
}

Answer call_api(app::Caller& caller, std::string method, std::string target, const json& body) {
    std::string bytes;
    if (!body.is_null()) bytes = body.dump(-1, ' ', false, json::error_handler_t::replace);
    return call_api_with_bytes(caller, std::move(method), std::move(target), std::move(bytes));
}

Answer call_api_with_bytes(app::Caller& caller, std::string method, std::string target, std::string bytes) {
    admin::Request request;
    request.method = std::move(method);
    request.target = std::move(target);
    request.body = std::move(bytes);
    const bool is_question = request.method == "GET";
    const auto response = caller.call(std::move(request));
    if (!response) {
        print_error("drawbridge: " + response.error().message);
        return std::unexpected(response.error().exit_code);
    }
    show_source(*response);
    auto answer = text::parse_json(response->body);
    if (response->status == 200 && answer) return std::move(*answer);
    return std::unexpected(refused(*response, answer, is_question));
}

std::expected<std::string, int> call_api_for_bytes(app::Caller& caller, std::string target, const json& body) {
    admin::Request request;
    request.method = "POST";
    request.target = std::move(target);
    request.body = body.dump();
    auto response = caller.call(std::move(request));
    if (response && response->status == 200) return std::move(response->body);
    if (response) return std::unexpected(refused(*response, text::parse_json(response->body), /*is_question=*/false));
    print_error("drawbridge: " + response.error().message);
    return std::unexpected(response.error().exit_code);
}

std::expected<std::string, int> call_api_for_text(const Options& options, std::string target) {
    admin::Request request;
    request.method = "GET";
    request.target = std::move(target);
    const auto response = app::call(options.config, request);
    if (response) show_source(*response);
    if (response && response->status == 200) return response->body;
    print_error("drawbridge: " + (response ? "the daemon answered with status " + std::to_string(response->status)
                                           : response.error().message));
    return std::unexpected(response ? app::exit_failed : response.error().exit_code);
}

int show_answer(const Options& options, const std::string& target, const std::function<void(const json&)>& show) {
    const auto answer = call_api(options, "GET", target);
    if (!answer) return answer.error();
    print_answer(options, *answer, show);
    return app::exit_ok;
}

void print_answer(const Options& options, const json& answer, const std::function<void(const json&)>& show) {
    if (options.json) {
        print_json(answer);
    } else {
        show(answer);
    }
}

int act(const Options& options, const std::string& target, const std::function<std::string(const json&)>& message,
        const json& more) {
    json body = {{"reason", options.reason}};
    body.update(more);
    const auto answer = call_api(options, "POST", target, body);
    if (!answer) return answer.error();
    print_answer(options, *answer, [&](const json& given) { print_line(message(given)); });
    return app::exit_ok;
}

std::string with_parameters(std::string path, const std::vector<std::string>& parameters) {
    for (std::size_t i = 0; i < parameters.size(); ++i)
        path += (i == 0 ? "?" : "&") + parameters[i];
    return path;
}

}  // namespace drawbridge::cli
