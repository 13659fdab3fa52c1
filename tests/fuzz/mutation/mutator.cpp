// libFuzzer calls these instead of changing bytes: three of four changes know the structure of the file. With
// DRAWBRIDGE_FUZZ_BYTES_ALONE=1 all change single bytes, to compare.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "fuzz/mutation/mutation.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed);
extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* one, std::size_t one_size,
                                                 const std::uint8_t* other, std::size_t other_size, std::uint8_t* out,
                                                 std::size_t max_size, unsigned seed);

namespace {

namespace fuzz = drawbridge::fuzz;

const bool bytes_alone = std::getenv("DRAWBRIDGE_FUZZ_BYTES_ALONE") != nullptr;

std::string change_bytes(std::string text) {
    const std::size_t size = text.size();
    text.resize(size + 64);
    text.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(text.data()), size, text.size()));
    return text;
}

std::string_view as_text(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

std::size_t put(const std::string& text, std::uint8_t* out, std::size_t max_size) {
    const std::size_t size = std::min(text.size(), max_size);
    if (size > 0) std::memcpy(out, text.data(), size);
    return size;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
    fuzz::Chance chance{fuzz::Random(seed), change_bytes};
    if (bytes_alone || chance.random.one_in(4)) return LLVMFuzzerMutate(data, size, max_size);
    return put(fuzz::mutate_bank_file(as_text(data, size), chance), data, max_size);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* one, std::size_t one_size,
                                                 const std::uint8_t* other, std::size_t other_size, std::uint8_t* out,
                                                 std::size_t max_size, unsigned seed) {
    if (bytes_alone) return 0;
    fuzz::Chance chance{fuzz::Random(seed), change_bytes};
    return put(fuzz::cross_bank_files(as_text(one, one_size), as_text(other, other_size), chance), out, max_size);
}
