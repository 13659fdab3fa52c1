// Expected failures, as values. A bug is an assertion (assert.hpp). A failing disk or ledger is an exception.
// Everything else that a caller must handle is an Error.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace drawbridge {

enum class ErrorCode {
    invalid_input,    // text, a field or a file that is not what it must be
    not_found,        // the requested thing does not exist
    conflict,         // the current state forbids it (HTTP 409, a second live payment)
    in_use,           // another process has it now; try again later
    unauthorized,     // credentials refused
    forbidden,        // the caller may not do this
    timeout,          // a deadline passed; whether the effect happened may be unknown
    unavailable,      // the other side cannot be reached or cannot answer now
    limited,          // the other side asks to wait (HTTP 429, or 503 with Retry-After); nothing was refused
    protocol,         // the other side sent something that its interface does not allow
    outcome_unknown,  // sent, but no answer: it may or may not have happened; read back, never retry blindly
    exhausted,        // a number range or a limit is used up
    cancelled,        // the program is stopping
};

[[nodiscard]] std::string_view to_string(ErrorCode code);

// The message tells the reader where it went wrong, what is wrong and what to do.
struct Error {
    ErrorCode code;
    std::string message;
    friend bool operator==(const Error&, const Error&) = default;
};

template <class T>
using Result = std::expected<T, Error>;

[[nodiscard]] inline std::unexpected<Error> fail(ErrorCode code, std::string message) {
    return std::unexpected(Error{code, std::move(message)});
}

}  // namespace drawbridge
