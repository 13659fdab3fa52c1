#include "message.hpp"

#include <fmt/format.h>

#include "wire.hpp"

namespace draws_sandbox {

Reply json_reply(unsigned status, std::string body) {
    Reply reply;
    reply.status = status;
    reply.body = std::move(body);
    return reply;
}

Reply problem_reply(const Problem& problem) {
    Reply reply;
    reply.status = problem.status;
    reply.content_type = "application/problem+json";
    reply.body = R"({"type":"about:blank","title":)";
    append_json_string(reply.body, reason_phrase(problem.status));
    reply.body += fmt::format(R"(,"status":{},"detail":)", problem.status);
    append_json_string(reply.body, problem.detail);
    reply.body += R"(,"code":)";
    append_json_string(reply.body, problem.code);
    reply.body += '}';
    return reply;
}

std::string_view reason_phrase(unsigned status) {
    switch (status) {
        case 200: return "OK";
        case 201: return "Created";
        case 204: return "No Content";
        case 302: return "Found";
        case 307: return "Temporary Redirect";
        case 400: return "Bad Request";
        case 401: return "Unauthorized";
        case 403: return "Forbidden";
        case 404: return "Not Found";
        case 405: return "Method Not Allowed";
        case 408: return "Request Timeout";
        case 409: return "Conflict";
        case 413: return "Content Too Large";
        case 415: return "Unsupported Media Type";
        case 422: return "Unprocessable Content";
        case 429: return "Too Many Requests";
        case 500: return "Internal Server Error";
        case 501: return "Not Implemented";
        case 502: return "Bad Gateway";
        case 503: return "Service Unavailable";
        case 504: return "Gateway Timeout";
        default: return "Status";
    }
}

}  // namespace draws_sandbox
