#include "alerts_view.hpp"

#include <utility>

#include "drawbridge/ledger/facts/alerts.hpp"
#include "drawbridge/text/json.hpp"

namespace drawbridge::admin {
namespace {

json alert_send_view(const ledger::AlertSendRow& row) {
    return {{"channel", ledger::to_string(row.channel)},
            {"outcome", row.outcome},
            {"outcome_at", view(row.outcome_at)},
            {"failed_attempts", row.failed_attempts},
            {"last_error", text_or_null(row.last_error)}};
}

json history_view(const ledger::AlertHistoryRow& told) {
    json deliveries = json::array();
    for (const auto& delivery : told.sends)
        deliveries.push_back(alert_send_view(delivery));
    return {{"id", told.alert.alert_id},
            {"kind", told.alert.kind},
            {"at", format_instant(told.alert.raised_at)},
            {"title", told.alert.title},
            {"text", told.alert.text},
            {"items", text::parse_json(told.alert.items_json).value_or(json::array())},
            {"deliveries", std::move(deliveries)}};
}

}  // namespace

json alerts_view(AdminContext& context, const Page& page) {
    json answer =
        page_view<ledger::AlertHistoryRow>("alerts", ledger::alert_history(context.ledger, page.wanted(), page.after),
                                           page, history_view, [](const auto& told) { return told.alert.alert_id; });
    if (page.with_total) answer["total"] = ledger::count_alerts(context.ledger);
    answer["ways"] = alert_channels_view(context);
    return answer;
}

json alert_channels_view(AdminContext& context) {
    json waiting = json::array();
    for (const auto& row : ledger::waiting_alerts(context.ledger)) {
        waiting.push_back({{"channel", ledger::to_string(row.channel)},
                           {"count", row.count},
                           {"oldest", format_instant(row.oldest)},
                           {"last_error", text_or_null(row.last_error)},
                           {"last_attempt_at", view(row.last_attempt_at)}});
    }
    return {{"channels", context.program.alert_channels()}, {"waiting", std::move(waiting)}};
}

json tests_view(const std::vector<AlertTest>& tests) {
    json list = json::array();
    for (const auto& test : tests) {
        list.push_back({{"channel", test.channel}, {"taken", test.error.empty()}, {"error", text_or_null(test.error)}});
    }
    return list;
}

}  // namespace drawbridge::admin
