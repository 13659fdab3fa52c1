#include "return_rates.hpp"

#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/reports/return_rates.hpp"

namespace drawbridge::pipeline {

void watch_return_rates(Context& context) {
    const auto rates = ledger::return_rates(context.ledger, context.clock.now());
    context.ledger.transaction([&] {
        for (const auto& rate : rates) {
            const std::string subject = "ACH returns, " + std::string(nacha::to_string(rate.what));
            if (!rate.is_high()) {
                ledger::close_exceptions_of_subject(context.ledger, subject, "the rate is below the limit again",
                                                    context.stamp());
                continue;
            }
            ledger::raise_exception(context.ledger,
                                    {"confirm", "return_rate_high", std::nullopt, std::nullopt, subject,
                                     ledger::describe(rate) + " that went out in 60 days were returned: find what they "
                                                              "have in common before the bank asks"},
                                    context.stamp());
        }
    });
}

}  // namespace drawbridge::pipeline
