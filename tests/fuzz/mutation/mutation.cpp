#include "fuzz/mutation/mutation.hpp"

#include <algorithm>

namespace drawbridge::fuzz {
namespace {

enum class Kind { nacha, bai2, xml, other };

Kind kind_of(std::string_view file) {
    if (file.starts_with("\xEF\xBB\xBF")) file.remove_prefix(3);
    file.remove_prefix(std::min(file.find_first_not_of(" \t\r\n"), file.size()));
    if (file.starts_with('<')) return Kind::xml;
    if (file.starts_with("01,")) return Kind::bai2;
    const bool is_record = file.starts_with("101") || file.starts_with("52") || file.starts_with("6");
    return is_record && file.size() >= 94 ? Kind::nacha : Kind::other;
}

std::vector<std::string> lines_of(std::string_view file) {
    std::vector<std::string> lines;
    while (!file.empty()) {
        const std::size_t end = std::min(file.find('\n'), file.size() - 1) + 1;
        lines.emplace_back(file.substr(0, end));
        file.remove_prefix(end);
    }
    return lines;
}

// Some lines of the other between the lines of the one.
std::string cross_lines(std::string_view file, std::string_view other, Random& random) {
    auto lines = lines_of(file);
    const auto others = lines_of(other);
    const std::size_t from = random.below(others.size());
    const std::size_t count = std::min(1 + random.below(8), others.size() - from);
    const auto first = others.begin() + static_cast<std::ptrdiff_t>(from);
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(random.below(lines.size() + 1)), first,
                 first + static_cast<std::ptrdiff_t>(count));
    std::string all;
    for (const auto& line : lines)
        all += line;
    return all;
}

// An element of the other after one of the one's.
std::string cross_elements(std::string_view file, std::string_view other, Random& random) {
    const std::size_t begin = other.find('<', random.below(other.size()));
    if (begin == std::string_view::npos) return std::string(file);
    const std::size_t name_end = other.find_first_of(" />", begin);
    const std::string close = "</" + std::string(other.substr(begin + 1, name_end - begin - 1)) + ">";
    const std::size_t end = other.find(close, begin);
    const std::size_t place = file.find("</", random.below(file.size()));
    if (close.size() < 4 || end == std::string_view::npos || place == std::string_view::npos) return std::string(file);
    std::string all(file);
    return all.insert(place, other.substr(begin, end + close.size() - begin));
}

}  // namespace

std::uint64_t Random::next() {
    std::uint64_t mixed = state_ += 0x9E3779B97F4A7C15U;
    mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
    return mixed ^ (mixed >> 31U);
}

void shuffle(std::vector<std::string>& parts, Random& random) {
    if (parts.empty()) return;
    const std::size_t from = random.below(parts.size());
    const std::size_t count = std::min(1 + random.below(random.one_in(3) ? 6 : 1), parts.size() - from);
    const auto first = parts.begin() + static_cast<std::ptrdiff_t>(from);
    const auto last = first + static_cast<std::ptrdiff_t>(count);
    const std::vector<std::string> some(first, last);
    switch (random.below(5)) {
        case 0: parts.erase(first, last); return;
        case 1: std::swap(*first, parts[random.below(parts.size())]); return;
        case 2: parts.erase(first, last); break;
        default: break;
    }
    const std::size_t to = random.one_in(2) ? std::min(from + count, parts.size()) : random.below(parts.size() + 1);
    parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(to), some.begin(), some.end());
}

std::string mutate_bank_file(std::string_view file, Chance& chance) {
    switch (kind_of(file)) {
        case Kind::nacha: return mutate_nacha(file, chance);
        case Kind::bai2: return mutate_bai2(file, chance);
        case Kind::xml: return mutate_xml(file, chance);
        case Kind::other: break;
    }
    return chance.bytes(std::string(file));
}

std::string cross_bank_files(std::string_view file, std::string_view other, Chance& chance) {
    if (file.empty() || other.empty()) return std::string(file);
    const Kind kind = kind_of(file);
    if (kind == Kind::xml) return cross_elements(file, other, chance.random);
    std::string all = cross_lines(file, other, chance.random);
    if (chance.random.one_in(4)) return all;
    if (kind == Kind::nacha) return with_nacha_totals(all);
    return kind == Kind::bai2 ? with_bai2_totals(all) : all;
}

}  // namespace drawbridge::fuzz
