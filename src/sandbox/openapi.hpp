#pragma once
// Owns the OpenAPI 3.1 document of what is served; its text is openapi.json, written from the specification by hand, so
// that it checks the code.

#include <string>

namespace draws_sandbox {

// With the base path as its server.
[[nodiscard]] std::string openapi_document(const std::string& base_path);

}  // namespace draws_sandbox
