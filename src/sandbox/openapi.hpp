#pragma once
// Owns the OpenAPI 3.1 document of the service. Its text is openapi.json, written by hand from the specification, so
// that it checks the code.

#include <string>

namespace draws_sandbox {

// The document, with the base path in its server's address.
[[nodiscard]] std::string openapi_document(const std::string& base_path);

}  // namespace draws_sandbox
