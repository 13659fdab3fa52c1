// The operators' API with callers of any uid and groups, and people in the ledger.
#pragma once

#include <gmock/gmock.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "admin/fixed_clock.hpp"
#include "admin/office.hpp"
#include "drawbridge/ledger/facts/people.hpp"
#include "ledger/ledger_fixture.hpp"

namespace drawbridge::admin {

using nlohmann::json;

inline constexpr std::int64_t root = 0, anna = 5001, anna_too = 5011, ben = 5002, carl = 5003;

class PeopleFixture : public ledger::LedgerFixture {
  protected:
    std::map<std::int64_t, std::string> logins_;  // " (anna)"
    struct Reply {
        int status = 0;
        json body;
        [[nodiscard]] std::string error() const {
            return body.contains("error") ? body["error"]["message"].get<std::string>() : std::string();
        }
    };

    Reply send(std::int64_t uid, const std::string& method, const std::string& target, const json& body = nullptr,
               std::vector<std::int64_t> groups = {}) {
        return send_text(uid, method, target, body.is_null() ? "" : body.dump(), std::move(groups));
    }
    Reply send_bytes(std::int64_t uid, const std::string& target, std::string bytes) {
        return send_text(uid, "POST", target, std::move(bytes), {});
    }
    Reply send_text(std::int64_t uid, const std::string& method, const std::string& target, std::string text,
                    std::vector<std::int64_t> groups) {
        asio::io_context io;
        Request request;
        request.method = method;
        request.target = target;
        request.body = std::move(text);
        request.actor = "uid " + std::to_string(uid) + logins_[uid];
        request.uid = uid;
        request.groups = std::move(groups);
        Reply reply;
        asio::co_spawn(io, handle(context_, std::move(request)),
                       [&](const std::exception_ptr& failure, Response response) {
                           if (failure) std::rethrow_exception(failure);
                           reply.status = response.status;
                           reply.body = json::parse(response.body, nullptr, /*allow_exceptions=*/false);
                       });
        io.run();
        return reply;
    }
    Reply act(std::int64_t uid, const std::string& target, json body = json::object()) {
        body["reason"] = "because";
        return send(uid, "POST", target, body);
    }

    // Writes directly to the ledger.
    ledger::PersonId add(const std::string& name, std::int64_t uid, ledger::Roles roles) {
        return ledger->transaction([&] {
            const auto person = ledger::add_person(*ledger, name, "test", stamp());
            const ledger::Change link{person, ledger::ChangeKind::link, {}, ledger::Identity::uid, std::to_string(uid)};
            EXPECT_TRUE(ledger::make_change(*ledger, link, "test", stamp()));
            for (const auto role : ledger::all_roles) {
                if (!roles.has(role)) continue;
                EXPECT_TRUE(ledger::make_change(*ledger, {person, ledger::ChangeKind::grant, role}, "test", stamp()));
            }
            return person;
        });
    }
    void lock(ledger::PersonId person) {
        ledger->transaction(
            [&] { EXPECT_TRUE(ledger::make_change(*ledger, {person, ledger::ChangeKind::lock}, "test", stamp())); });
    }

    FixedClock clock_;
    Office office_{*ledger, clock_, folder.path()};
    rules::RuleSet& rules_ = office_.shared.rules;
    std::vector<std::string>& failures_ = office_.program.failures;
    AdminContext& context_ = office_.context;
};

}  // namespace drawbridge::admin
