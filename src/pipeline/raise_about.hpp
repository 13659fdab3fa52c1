// Raises an exception that is about no draw and no payment. Private to this module.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/pipeline/context.hpp"

namespace drawbridge::pipeline {

inline void raise_about(Context& context, Step step, std::string_view subject, std::string_view reason_code,
                        std::string detail) {
    context.ledger.transaction([&] {
        ledger::raise_exception(context.ledger,
                                {std::string(to_string(step)), std::string(reason_code), std::nullopt, std::nullopt,
                                 std::string(subject), std::move(detail)},
                                context.stamp());
    });
}

}  // namespace drawbridge::pipeline
