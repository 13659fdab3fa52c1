#include "drawbridge/pages/act_form.hpp"

#include <gtest/gtest.h>

namespace drawbridge::pages {
namespace {

using nlohmann::json;

TEST(ActForm, reads_the_route_and_the_body) {
    const auto act = act_from_form({{"act.path", "/files/A.ach/release"},
                                    {"act.next", "/files/A.ach"},
                                    {"expect.sha256", "c0b0"},
                                    {"expect.payments:number", "130"},
                                    {"expect.total", "1223986.08"},
                                    {"reason", "compared"}});
    ASSERT_TRUE(act);
    EXPECT_EQ(act->method, "POST");
    EXPECT_EQ(act->path, "/files/A.ach/release");
    EXPECT_EQ(act->next, "/files/A.ach");
    EXPECT_EQ(act->body, (json{{"expect", {{"sha256", "c0b0"}, {"payments", 130}, {"total", "1223986.08"}}},
                               {"reason", "compared"}}));
}

TEST(ActForm, reads_lists_and_flags) {
    const auto act = act_from_form({{"act.path", "/draws/approve"},
                                    {"ids:numbers", "17, 18"},
                                    {"ids:numbers", "19"},
                                    {"despite_exceptions:flag", "true"}});
    ASSERT_TRUE(act);
    EXPECT_EQ(act->body, (json{{"ids", {17, 18, 19}}, {"despite_exceptions", true}}));
}

TEST(ActForm, puts_what_is_written_into_the_path_as_one_segment) {
    const std::vector<FormField> fields = {{"act.path", "/payments/{payment}/void"}, {"path.payment", "P0000000131"}};
    EXPECT_EQ(act_from_form(fields)->path, "/payments/P0000000131/void");
    EXPECT_EQ(act_from_form({fields[0], {"path.payment", "../x y"}})->path, "/payments/..%2Fx%20y/void");
}

TEST(ActForm, reads_numbers_as_pages_show_them) {
    const auto body_of = [](const char* payments, const char* total) {
        const auto act = act_from_form({{"act.path", "/a"}, {"payments:number", payments}, {"total:amount", total}});
        return act ? act->body : json(act.error().message);
    };
    EXPECT_EQ(body_of("1,370", "$1,234.5"), (json{{"payments", 1370}, {"total", "1234.50"}}));
    EXPECT_EQ(body_of(" 1370 ", "1234"), (json{{"payments", 1370}, {"total", "1234.00"}}));
    EXPECT_EQ(body_of("1,370,000", "1,234,567.89"), (json{{"payments", 1'370'000}, {"total", "1234567.89"}}));
    for (const char* wrong :
         {"1,37", "1,3700", ",370", "1,,370", "1.370", "1370.", "-1", "+1", "$1", "1e3", "1 370", "0x1"})
        EXPECT_EQ(body_of(wrong, "1"),
                  "payments: '" + std::string(wrong) + "' is not a whole number: write it like 1370 or 1,370");
    for (const char* wrong : {"1,23", "1.234,50", "1.", ".5", "1.234", "1.2,3", "-1", "$-1", "$$1", "1$", "1e3"})
        EXPECT_EQ(body_of("1", wrong),
                  "total: '" + std::string(wrong) + "' is not an amount: write it like 1234.50 or $1,234.50");
}

TEST(ActForm, leaves_empty_fields_out) {
    const auto act = act_from_form({{"act.path", "/pause"}, {"match", ""}});
    ASSERT_TRUE(act);
    EXPECT_EQ(act->body, json::object());
    EXPECT_EQ(act->next, "/");
}

TEST(ActForm, refuses_what_it_cannot_mean) {
    const std::vector<std::vector<FormField>> wrong = {
        {},
        {{"act.path", "https://evil.example/"}},
        {{"act.path", "//evil.example/"}},
        {{"act.path", "/a"}, {"payments:number", "12x"}},
        {{"act.path", "/a"}, {"payments:number", "99999999999999999999"}},
        {{"act.path", "/a"}, {"ids:numbers", "1,two"}},
        {{"act.path", "/a"}, {"reason", "a"}, {"reason", "b"}},
        {{"act.path", "/a"}, {"expect", "a"}, {"expect.total", "b"}},
        {{"act.path", "/a"}, {"x:unknown", "b"}},
    };
    for (const auto& fields : wrong) {
        const auto act = act_from_form(fields);
        ASSERT_FALSE(act);
        EXPECT_EQ(act.error().code, ErrorCode::invalid_input);
    }
}

TEST(ActForm, never_leads_to_another_host) {
    for (const char* next : {"https://evil.example", "//evil.example", "javascript:alert(1)", ""})
        EXPECT_EQ(act_from_form({{"act.path", "/a"}, {"act.next", next}})->next, "/");
}

}  // namespace
}  // namespace drawbridge::pages
