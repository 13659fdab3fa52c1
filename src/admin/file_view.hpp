// GET /files and GET /files/NAME: what a person looks at before a file goes. Private to this module.
#pragma once

#include "call.hpp"

namespace drawbridge::admin {

[[nodiscard]] Answer get_files(AdminContext& context, const Call& call);
[[nodiscard]] Answer get_file(AdminContext& context, const Call& call);

// Whether this caller may release the file now, and if not, why and who may: {"ok", "because"}.
[[nodiscard]] json may_release_view(AdminContext& context, const ledger::FileRow& file, const Call& call);

// "expect" of a release: {"sha256", "payments", "total"} of the file that was looked at; each may be left out, but not
// all. Error (conflict): it is another one by now.
[[nodiscard]] Result<void> check_expected(AdminContext& context, const std::string& name, const json& body);

}  // namespace drawbridge::admin
