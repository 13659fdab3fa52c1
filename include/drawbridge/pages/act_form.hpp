// An act on its way from a form to the daemon: which route, and the body that the person signs for.
//
// modules/act.js reads forms in the same way, so that an act means the same with and without scripts.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "drawbridge/domain/error.hpp"

namespace drawbridge::pages {

struct FormField {
    std::string name, value;
};

struct Act {
    std::string method = "POST";
    std::string path;     // of the API: "/files/ACH-20261123-A.ach/release"
    nlohmann::json body;  // with its reason
    std::string next;     // the page afterwards
};

// The fields act.path and act.next; "path.payment", which replaces {payment} in the path; and those of the body:
// "reason"; "expect.total", one inside another; "ids:numbers", "payments:number", "total:amount" and
// "despite_exceptions:flag" are not texts: "1,370" is 1370, and "$1,234.5" is 1234.50. An empty text is left out.
// invalid_input: not a path of the API, not a number, a field that comes twice and is not a list.
[[nodiscard]] Result<Act> act_from_form(const std::vector<FormField>& fields);

}  // namespace drawbridge::pages
