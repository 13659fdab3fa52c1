// What can be expected to go wrong, as a value. A bug is an assertion (assert.hpp); a failing disk or ledger is an
// exception; everything else that a caller must handle is an Error.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace drawbridge {

enum class ErrorCode {
    invalid_input,    // text, a field or a file that does not say what it must
    not_found,        // what was asked for does not exist
    conflict,         // the present state forbids it (HTTP 409, a second live payment)
    in_use,           // another process has it; later it may not
    unauthorized,     // credentials refused
    forbidden,        // the caller may not do this
    timeout,          // a deadline passed; whether the effect happened may be unknown
    unavailable,      // the other side cannot be reached or cannot answer now
    protocol,         // the other side answered something that its interface does not allow
    outcome_unknown,  // sent, but no answer: it may or may not have happened; read back, never repeat blindly
    exhausted,        // a number range or a limit is used up
    cancelled,        // the program is stopping
};

[[nodiscard]] std::string_view to_string(ErrorCode code);

// The message says what, where and what to do, for the person who reads it.
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
