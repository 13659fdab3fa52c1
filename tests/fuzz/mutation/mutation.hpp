// Changes files of a known structure: a change of single bytes breaks a total or a tag, and then most of a parser is
// never reached. Each function answers a changed file, and the same for the same seed. The files stay as wrong as
// other people's files are: only some changes are followed by new totals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace drawbridge::fuzz {

// SplitMix64: its seed costs nothing, and a new one is made for each change.
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next();
    // Zero to `end` - 1; zero if `end` is zero.
    std::size_t below(std::size_t end) { return end == 0 ? 0 : static_cast<std::size_t>(next() % end); }
    bool one_in(std::size_t chances) { return below(chances) == 0; }
    std::string_view of(std::initializer_list<std::string_view> texts) {
        return *(texts.begin() + below(texts.size()));
    }

  private:
    std::uint64_t state_;
};

// `bytes` changes a text as the fuzzer does: single bytes, and the constants that the parser compares with.
struct Chance {
    Random random;
    std::function<std::string(std::string)> bytes;
};

// Records of 94 characters: moves, copies and drops records and batches, sets fields by their position, adds addenda;
// then new trace numbers, controls, hashes and padding, or not.
[[nodiscard]] std::string mutate_nacha(std::string_view file, Chance& chance);
// Controls, hashes, counts and padding as they must be for the records.
[[nodiscard]] std::string with_nacha_totals(std::string_view file);

// Lines of comma-separated fields: moves, copies and drops lines, groups and accounts, sets fields, continues records
// in 88; then new control totals and counts, or not.
[[nodiscard]] std::string mutate_bai2(std::string_view file, Chance& chance);
[[nodiscard]] std::string with_bai2_totals(std::string_view file);

// Elements: copies, drops, moves and renames them, changes texts and attributes, writes entities and CDATA. Tags stay
// in pairs.
[[nodiscard]] std::string mutate_xml(std::string_view file, Chance& chance);

// By what the file looks like; other files change in single bytes only.
[[nodiscard]] std::string mutate_bank_file(std::string_view file, Chance& chance);
// A part of `other` at some place of `file`: records of the one between records of the other, or an element.
[[nodiscard]] std::string cross_bank_files(std::string_view file, std::string_view other, Chance& chance);

// Moves, copies, swaps or drops some of the parts, which follow each other.
void shuffle(std::vector<std::string>& parts, Random& random);

}  // namespace drawbridge::fuzz
