#pragma once
// Owns the answers to what the specification leaves open, where a real service might plausibly differ. Each is a
// switch of the command line; docs/sandbox.md has the reason for each default.

#include <cstdint>

namespace draws_sandbox {

enum class ErrorBody : std::uint8_t { problem, text, empty };

struct Options {
    std::int64_t page_size_default = 50;
    std::int64_t page_size_max = 1000;
    bool refuse_page_size_over_max = false;  // or cut it down; the envelope tells
    bool ignore_unknown_parameters = false;
    ErrorBody error_body = ErrorBody::problem;
    unsigned token_status = 200;
    unsigned patch_status = 200;    // 204 sends no draw back
    unsigned approve_status = 200;  // 204 sends no results back
    unsigned too_many_status = 400;
    bool accept_basic_auth = false;  // client credentials in an Authorization header
};

}  // namespace draws_sandbox
