#include "alerts_view.hpp"

#include <utility>

#include "drawbridge/ledger/facts/alerts.hpp"
#include "drawbridge/text/json.hpp"

namespace drawbridge::admin {
namespace {

json history_view(const ledger::AlertHistoryRow& told) {
    return to_json(records::Alert{.id = told.alert.alert_id,
                                  .kind = told.alert.kind,
                                  .at = told.alert.raised_at,
                                  .title = told.alert.title,
                                  .text = told.alert.text,
                                  .items = text::parse_json(told.alert.items_json).value_or(json::array()),
                                  .sends = told.sends});
}

}  // namespace

json alerts_view(AdminContext& context, const Page& page) {
    json answer =
        page_view<ledger::AlertHistoryRow>("alerts", ledger::alert_history(context.ledger, page.wanted(), page.after),
                                           page, history_view, [](const auto& told) { return told.alert.alert_id; });
    if (page.with_total) answer["total"] = ledger::count_alerts(context.ledger);
    answer["ways"] = to_json(alert_channels(context));
    return answer;
}

records::AlertChannels alert_channels(AdminContext& context) {
    return {.channels = context.program.alert_channels(), .waiting = ledger::waiting_alerts(context.ledger)};
}

json tests_view(const std::vector<AlertTest>& tests) {
    json list = json::array();
    for (const auto& test : tests) {
        list.push_back(
            {{"channel", test.channel}, {"taken", test.error.empty()}, {"error", to_json(if_any(test.error))}});
    }
    return list;
}

}  // namespace drawbridge::admin
