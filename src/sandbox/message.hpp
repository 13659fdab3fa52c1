#pragma once
// Owns the request and the reply as the handlers see them.
// Must never know a socket: the HTTP server writes replies to the wire.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace draws_sandbox {

struct Request {
    std::string method;
    std::string path;   // without the base path, still percent-encoded
    std::string query;  // after the '?', still percent-encoded
    std::string content_type;
    std::string authorization;
    std::string body;
    bool from_loopback = true;
};

// How the bytes of a reply are sent. Anything but the defaults is a requested fault.
struct Delivery {
    enum class Kind : std::uint8_t {
        whole,
        truncated,   // half the body, then the connection is closed
        dropped,     // closed without an answer
        reset,       // the same with a TCP reset
        unanswered,  // no answer; the connection stays open until the client gives up
    };
    Kind kind = Kind::whole;
    std::chrono::milliseconds delay{0};
    bool close_after = false;
    bool close_announced = false;  // with "Connection: close"
    std::size_t piece_bytes = 0;   // 0: all at once
    std::chrono::milliseconds piece_pause{0};
};

struct Reply {
    unsigned status = 200;
    std::string content_type = "application/json";
    std::string body;
    std::vector<std::pair<std::string, std::string>> headers;
    Delivery delivery;
};

// A refusal of a whole request. `code` is stable and for programs, `detail` is for people.
struct Problem {
    unsigned status = 400;
    std::string code;
    std::string detail;
};

inline std::unexpected<Problem> bad(std::string code, std::string detail) {
    return std::unexpected(Problem{400, std::move(code), std::move(detail)});
}

[[nodiscard]] Reply json_reply(unsigned status, std::string body);
// application/problem+json with type, title, status, detail and code.
[[nodiscard]] Reply problem_reply(const Problem& problem);
[[nodiscard]] std::string_view reason_phrase(unsigned status);

}  // namespace draws_sandbox
