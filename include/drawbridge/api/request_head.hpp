// Which requests a server of ours refuses by their head alone, before it reads a body: those that two programs could
// read differently (RFC 9112), and those that no client of ours sends. Values in, values out.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace drawbridge::api {

// The request line and the header fields together.
inline constexpr std::size_t max_head_bytes = 16 * 1024;
inline constexpr std::size_t max_target_bytes = 8 * 1024;

// From browser through console to daemon: an open page sent the request, not a person, so it does not prolong the
// session.
inline constexpr std::string_view by_itself_field = "Drawbridge-By-Itself";

struct RequestHead {
    std::string_view target;
    int version = 11;  // 10 or 11
    std::size_t hosts = 1;
    bool has_content_length = false;
    std::vector<std::string_view> transfer_encodings = {};  // the value of each Transfer-Encoding field
};

struct HeadFault {
    int status = 400;
    std::string_view message;
};

// nullopt: the body may be read.
[[nodiscard]] std::optional<HeadFault> fault_in(const RequestHead& head);

}  // namespace drawbridge::api
