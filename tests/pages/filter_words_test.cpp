#include "drawbridge/pages/filter_words.hpp"

#include <gtest/gtest.h>

namespace drawbridge::pages {
namespace {

std::string list_of(std::string_view text) {
    const auto list = list_of_words(text);
    return list ? list->text() : "none";
}

TEST(FilterWords, lead_from_anywhere_to_the_list_that_they_are_about) {
    const std::pair<std::string_view, std::string_view> table[] = {
        {"state:held", "/draws?state=held"},
        {"State:HELD", "/draws?state=held"},
        {"state:held amount:>5000 case:Smith", "/draws?state=held&min_amount=5000.01&text=Smith"},
        {"case:\"Oak Street\" payee:Maple", "/draws?text=Oak%20Street&payee=Maple"},
        {"workflow:12 sort:-amount", "/draws?workflow=12&sort=-amount"},
        {"state:held Oak Street", "/draws?state=held&text=Oak%20Street"},
        {">2500", "/draws?min_amount=2500.01"},
        {"<=$2,500", "/draws?max_amount=2500.00"},
        {"state:held A > B", "/draws?state=held&text=A%20%3E%20B"},
        {"state:held state:held", "/draws?state=held"},
        {"case:Oak text:Street", "/draws?text=Oak%20Street"},
        {"reason:no_payee", "/exceptions?reason=no_payee"},
        {"state:closed step:confirm", "/exceptions?state=closed&step=confirm"},
        {"state:open step:pay", "/exceptions?step=pay"},
        {"state:staged", "/files?state=staged"},
        {"state:stale", "/checks?state=stale"},
        {"who:anna action:release", "/audit?actor=anna&action=release"},
        {"about:\"draw 7\"", "/audit?subject=draw%207"},
    };
    for (const auto& [text, list] : table)
        EXPECT_EQ(list_of(text), list) << text;
}

TEST(FilterWords, read_amounts_as_people_write_them) {
    const std::pair<std::string_view, std::string_view> table[] = {
        {"amount:5000", "/draws?min_amount=5000.00&max_amount=5000.00"},
        {"amount:>=5,000", "/draws?min_amount=5000.00"},
        {"amount:<$100", "/draws?max_amount=99.99"},
        {"amount:<=100.50", "/draws?max_amount=100.50"},
        {"amount:1000..2500", "/draws?min_amount=1000.00&max_amount=2500.00"},
        // The daemon says what is wrong with these.
        {"amount:many", "/draws?min_amount=many&max_amount=many"},
        {"amount:>92233720368547758.07", "/draws?min_amount=92233720368547758.07"},
        {"amount:>", "/draws"},
    };
    for (const auto& [text, list] : table)
        EXPECT_EQ(list_of(text), list) << text;
}

TEST(FilterWords, are_not_found_in_plain_text) {
    for (const std::string_view text : {"",
                                        "Smith",
                                        "100023",
                                        "re: the roof",
                                        "10:30",
                                        "state:",
                                        "note:held",
                                        "a:b",
                                        "reason:no_payee Smith",
                                        "reason:no_payee amount:5",
                                        "who:anna state:held",
                                        "step:pay who:anna",
                                        "state:staged Smith",
                                        "A > B",
                                        "a -> b",
                                        "<b",
                                        ">=",
                                        "state:held state:paid",
                                        "amount:1..2 >5",
                                        "who:anna actor:ben"})
        EXPECT_EQ(list_of(text), "none") << text;
}

TEST(FilterWords, become_filters_of_the_list_of_draws_and_leave_the_other_words) {
    const auto of = [](const Query& query) {
        const auto list = draws_by_words(query);
        return list ? list->text() : "none";
    };
    EXPECT_EQ(of({{"text", "state:held Oak Street"}, {"payee", "Maple"}, {"after", "17"}}),
              "/draws?payee=Maple&state=held&text=Oak%20Street");
    EXPECT_EQ(of({{"state", "paid"}, {"text", "state:held"}}), "/draws?state=held");
    EXPECT_EQ(of({{"text", "Oak Street"}, {"state", "held"}}), "none");
    EXPECT_EQ(of({{"text", "A > B"}}), "none");
    EXPECT_EQ(of({{"text", "state:held state:paid"}}), "none");
    EXPECT_EQ(of({{"state", "held"}}), "none");
}

}  // namespace
}  // namespace drawbridge::pages
