#include "error_answer.hpp"

#include <nlohmann/json.hpp>

namespace drawbridge::admin {

Response error_answer(int status, std::string_view code, std::string_view message) {
    using nlohmann::json;
    const json answer = {{"error", {{"code", code}, {"message", message}}}};
    return {status, answer.dump(-1, ' ', /*ensure_ascii=*/false, json::error_handler_t::replace)};
}

}  // namespace drawbridge::admin
