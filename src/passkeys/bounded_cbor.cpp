#include "bounded_cbor.hpp"

#include <cstdint>
#include <optional>

namespace drawbridge::passkeys {
namespace {

constexpr int max_depth = 8;

// RFC 8949, section 3: three bits of major type, five that are the argument or say where it is.
class Walk {
  public:
    explicit Walk(std::string_view bytes) : rest_(bytes) {}
    [[nodiscard]] bool is_at_end() const { return rest_.empty(); }

    // NOLINTNEXTLINE(misc-no-recursion): the depth is bounded
    [[nodiscard]] bool item(int depth) {
        if (rest_.empty() || depth == 0) return false;
        const auto head = static_cast<unsigned char>(rest_.front());
        rest_.remove_prefix(1);
        const auto argument = read_argument(head & 0x1FU);
        if (!argument) return false;
        switch (head >> 5U) {
            case 2:  // bytes
            case 3:  // text
                if (*argument > rest_.size()) return false;
                rest_.remove_prefix(*argument);
                return true;
            case 4: return *argument <= rest_.size() && items(*argument, depth - 1);
            case 5: return *argument <= rest_.size() / 2 && items(*argument * 2, depth - 1);
            case 6: return item(depth - 1);  // a tag
            default: return true;            // a number; true, false, null
        }
    }

  private:
    // nullopt: an indefinite length, or it breaks off.
    std::optional<std::uint64_t> read_argument(unsigned info) {
        if (info < 24) return info;
        if (info > 27) return std::nullopt;
        const std::size_t size = std::size_t{1} << (info - 24U);
        if (rest_.size() < size) return std::nullopt;
        std::uint64_t argument = 0;
        for (const char byte : rest_.substr(0, size))
            argument = argument << 8U | static_cast<unsigned char>(byte);
        rest_.remove_prefix(size);
        return argument;
    }
    // NOLINTNEXTLINE(misc-no-recursion): the depth is bounded
    [[nodiscard]] bool items(std::uint64_t count, int depth) {
        for (; count > 0; --count) {
            if (!item(depth)) return false;
        }
        return true;
    }

    std::string_view rest_;
};

}  // namespace

bool is_bounded_cbor(std::string_view bytes, int items) {
    Walk walk(bytes);
    for (; items > 0; --items) {
        if (!walk.item(max_depth)) return false;
    }
    return walk.is_at_end();
}

}  // namespace drawbridge::passkeys
