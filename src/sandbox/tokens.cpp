#include "tokens.hpp"

#include <fmt/format.h>

#include <iterator>
#include <random>

namespace draws_sandbox {

std::string TokenStore::issue(Instant at) {
    std::erase_if(expiries_, [at](const auto& entry) { return entry.second <= at; });
    std::random_device entropy;
    std::string token;
    for (int word = 0; word < 8; ++word)
        fmt::format_to(std::back_inserter(token), "{:08x}", entropy());
    expiries_.emplace(token, at + lifetime_);
    return token;
}

bool TokenStore::accepts(std::string_view token, Instant at) const {
    const auto found = expiries_.find(std::string(token));
    return found != expiries_.end() && at < found->second;
}

bool same_secret(std::string_view given, std::string_view expected) {
    auto difference = given.size() == expected.size() ? 0U : 1U;
    for (std::size_t i = 0; i < given.size(); ++i) {
        const auto other = expected.empty() ? '\0' : expected[i % expected.size()];
        difference |= static_cast<unsigned>(static_cast<unsigned char>(given[i])) ^ static_cast<unsigned char>(other);
    }
    return difference == 0;
}

}  // namespace draws_sandbox
