#include "e2e/portal.hpp"

#include <fmt/chrono.h>

#include <cmath>
#include <stdexcept>

namespace drawbridge::e2e {

Json Portal::portal(std::string_view method, const std::string& path, const Json& body) const {
    const auto answer = answer_of(method, "/portal" + path, body.is_null() ? std::string() : body.dump());
    if (answer.status < 200 || answer.status > 299) {
        throw std::runtime_error("portal " + std::string(method) + " " + path + ": " + std::to_string(answer.status) +
                                 " " + answer.body);
    }
    return answer.body.empty() ? Json() : Json::parse(answer.body);
}

void Portal::add(const NewDraw& draw) const {
    Json body{{"id", draw.id},
              {"status", draw.status},
              {"workflowId", draw.workflow},
              {"caseId", 9000 + draw.id},
              {"caseName", "Case of draw " + std::to_string(draw.id)},
              {"description", "utility arrears, draw " + std::to_string(draw.id)}};
    body["amountRequested"] = draw.cents ? Json(json_amount(*draw.cents)) : Json();
    body["fieldA"] = draw.payee.empty() ? Json() : Json(draw.payee);
    if (draw.requested) {
        const auto date = fmt::format("{:%Y-%m-%dT%H:%M:%S}", *draw.requested);
        body["requestedDate"] = date;
        if (draw.status >= 4) {
            body["approvedDate"] = date;
            // Whoever approved it was the last to change it.
            body["approvedBy"] = body["modifiedBy"] = "treasurer@draws.example.gov";
        }
    }
    portal("POST", "/draws", body);
}

Json Portal::draw(std::int64_t id) const {
    return portal("GET", "/draws/" + std::to_string(id));
}

void Portal::edit(std::int64_t id, const Json& fields) const {
    portal("PATCH", "/draws/" + std::to_string(id), fields);
}

void Portal::act(std::int64_t id, const std::string& act, const Json& body) const {
    portal("POST", "/draws/" + std::to_string(id) + "/" + act, body);
}

void Portal::disburse_all_approved() const {
    portal("POST", "/disburse", {{"status", 4}});
}

void Portal::arm_fault(const Json& fault) const {
    portal("POST", "/faults", fault);
}

void Portal::clear_faults() const {
    portal("DELETE", "/faults");
}

std::int64_t Portal::requests(const std::string& endpoint) const {
    return portal("GET", "/requests?last=0").at("counts").at(endpoint).get<std::int64_t>();
}

Json Portal::approvals_asked() const {
    return portal("GET", "/requests?last=0").at("approvals");
}

double json_amount(std::int64_t cents) {
    return static_cast<double>(cents) / 100;
}

std::int64_t cents_of(const Json& amount) {
    return std::llround(amount.get<double>() * 100);
}

std::string decimal(std::int64_t cents) {
    const std::string fraction = std::to_string(cents % 100);
    return std::to_string(cents / 100) + (fraction.size() == 1 ? ".0" : ".") + fraction;
}

}  // namespace drawbridge::e2e
