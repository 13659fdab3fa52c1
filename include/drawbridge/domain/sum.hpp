// How many, and how much together.
#pragma once

#include <boost/describe/class.hpp>
#include <cstdint>
#include <optional>

#include "drawbridge/domain/money.hpp"

namespace drawbridge {

struct Sum {
    std::int64_t count = 0;
    Money amount = {};
    // One more; without an amount if nobody knows it.
    void add(const std::optional<Money>& more) {
        ++count;
        if (more) amount += *more;
    }
    Sum& operator+=(const Sum& more) {
        count += more.count;
        amount += more.amount;
        return *this;
    }
    // The difference may be negative.
    friend Sum operator-(const Sum& a, const Sum& b) { return {a.count - b.count, a.amount - b.amount}; }
    friend bool operator==(const Sum&, const Sum&) = default;
};
BOOST_DESCRIBE_STRUCT(Sum, (), (count, amount))

}  // namespace drawbridge
