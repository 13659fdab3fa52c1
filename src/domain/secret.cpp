#include "drawbridge/domain/secret.hpp"

#include <sodium.h>

namespace drawbridge {

void Secret::wipe() noexcept {
    // Wipe the whole buffer: a string that was moved from, or was once longer, still contains the old value.
    value_.resize(value_.capacity());
    sodium_memzero(value_.data(), value_.size());
    value_.clear();
}

Secret& Secret::operator=(const Secret& other) {
    if (this != &other) {
        std::string copy = other.value_;
        wipe();
        value_ = std::move(copy);
    }
    return *this;
}

Secret::Secret(Secret&& other) noexcept : value_(std::move(other.value_)) {
    other.wipe();
}

Secret& Secret::operator=(Secret&& other) noexcept {
    if (this != &other) {
        wipe();
        value_ = std::move(other.value_);
        other.wipe();
    }
    return *this;
}

Secret::~Secret() {
    wipe();
}

}  // namespace drawbridge
