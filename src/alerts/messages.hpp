// The texts of alerts: values in, text out. Private to this module.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/time.hpp"
#include "drawbridge/ledger/facts/alerts.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/ledger/reports/journal.hpp"

namespace drawbridge::alerts {

// At most three messages: one for all returns, one for all corrections, one for all other exceptions.
[[nodiscard]] std::vector<ledger::NewAlert> exception_messages(const std::vector<ledger::ExceptionRow>& rows);
[[nodiscard]] ledger::NewAlert release_message(const std::vector<ledger::FileRow>& files);
[[nodiscard]] ledger::NewAlert correction_message(const std::vector<ledger::OpenCorrection>& rows, BusinessDate today);
[[nodiscard]] ledger::NewAlert unconfirmed_message(const ledger::Unconfirmed& waiting, BusinessDate today,
                                                   std::chrono::minutes by);

// `files`: of the entries that order a release, by name.
[[nodiscard]] ledger::NewAlert acts_message(const std::vector<ledger::JournalEntry>& acts,
                                            const std::map<std::string, ledger::FileRow>& files);

// Text from outside or by a person, as it may leave this machine: account numbers are masked, and a long text is cut.
[[nodiscard]] std::string outgoing(std::string_view text);

// Days since 1970: the number by which alert_item identifies a day.
[[nodiscard]] std::int64_t day_number(BusinessDate date);
// "16:00"
[[nodiscard]] std::string clock_time(std::chrono::minutes time_of_day);

// The JSON object that the webhook posts.
[[nodiscard]] std::string webhook_body(const ledger::AlertRow& alert, const std::string& message_id,
                                       const std::string& office);

}  // namespace drawbridge::alerts
