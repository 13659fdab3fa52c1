#pragma once
// Owns the options for what the specification leaves open, where real services may differ. Each is a command line
// option; docs/sandbox.md gives the reason for each default.

#include <cstdint>

namespace draws_sandbox {

enum class ErrorBody : std::uint8_t { problem, text, empty };

struct Options {
    std::int64_t page_size_default = 50;
    std::int64_t page_size_max = 1000;
    bool refuse_page_size_over_max = false;  // false: cap it; the envelope shows the size used
    bool ignore_unknown_parameters = false;
    ErrorBody error_body = ErrorBody::problem;
    unsigned token_status = 200;
    unsigned patch_status = 200;    // 204 has no body
    unsigned approve_status = 200;  // 204 has no body
    unsigned too_many_status = 400;
    bool accept_basic_auth = false;  // client credentials in an Authorization header
};

}  // namespace draws_sandbox
