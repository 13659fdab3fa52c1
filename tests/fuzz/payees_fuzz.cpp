// The payee file.
#include "drawbridge/disbursement/payees.hpp"
#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    namespace fuzz = drawbridge::fuzz;
    namespace disbursement = drawbridge::disbursement;
    const auto read = disbursement::PayeeDirectory::read(fuzz::as_text(data, size), "payees.csv");
    if (!read) {
        fuzz::expect(!read.error().empty(), "a refusal must have a reason");
        return 0;
    }
    for (const auto& payee : read->payees()) {
        fuzz::expect(read->find(payee.key) == &payee, "each payee is found by its key");
        fuzz::expect(!payee.name.empty(), "a payee has a name");
    }
    return 0;
}
