// A request to the operators' API: its target up to the first NUL byte, its body after it.
#include <algorithm>

#include "admin/call.hpp"
#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    namespace admin = drawbridge::admin;
    namespace fuzz = drawbridge::fuzz;
    const std::string_view bytes = fuzz::as_text(data, size);
    const std::size_t nul = std::min(bytes.find('\0'), bytes.size());
    admin::Request request;
    request.method = "POST";
    request.target = bytes.substr(0, nul);
    request.body = bytes.substr(std::min(nul + 1, bytes.size()));
    auto call = admin::parse_request(request);
    auto body = admin::read_body(request.body);
    fuzz::expect(call || !call.error().message.empty(), "a refusal must have a reason");
    fuzz::expect(body ? body->is_object() : !body.error().message.empty(), "a body is an object");
    if (!call || !body) return 0;
    call->body = std::move(*body);
    const auto reason = admin::reason_of(*call);
    fuzz::expect(reason ? !reason->empty() : !reason.error().message.empty(), "a reason is a text");
    return 0;
}
