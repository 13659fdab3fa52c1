#include "drawbridge/domain/confirmation.hpp"

#include <gtest/gtest.h>

#include <string>

namespace drawbridge {
namespace {

constexpr ConfirmationKind all_kinds[] = {
    ConfirmationKind::paid,    ConfirmationKind::returned, ConfirmationKind::voided,   ConfirmationKind::corrected,
    ConfirmationKind::pending, ConfirmationKind::disputed, ConfirmationKind::unrelated};

TEST(ConfirmationKind, has_the_words_of_the_ledger_and_of_json) {
    std::string names;
    for (const ConfirmationKind kind : all_kinds)
        names += std::string(to_string(kind)) + " ";
    EXPECT_EQ(names, "paid returned void corrected pending disputed unrelated ");
}

TEST(ConfirmationKind, is_parsed_only_from_its_exact_words) {
    for (const ConfirmationKind kind : all_kinds)
        EXPECT_EQ(parse_confirmation_kind(to_string(kind)), kind);
    for (const char* other : {"", "Paid", "voided", "unknown"})
        EXPECT_EQ(parse_confirmation_kind(other), std::nullopt) << other;
}

TEST(ReferenceKind, is_named_as_the_bank_names_it) {
    EXPECT_EQ(to_string(ReferenceKind::any), "reference");
    EXPECT_EQ(to_string(ReferenceKind::trace_number), "trace number");
    EXPECT_EQ(to_string(ReferenceKind::check_number), "check number");
    EXPECT_EQ(to_string(ReferenceKind::end_to_end_id), "end-to-end id");
    EXPECT_EQ(to_string(ReferenceKind::payment_id), "payment id");
}

}  // namespace
}  // namespace drawbridge
