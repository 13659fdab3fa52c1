#include "drawbridge/api/record_json.hpp"

#include <gmock/gmock.h>

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <stdexcept>

namespace drawbridge::api {
namespace {

using nlohmann::json;

enum class Color { red, dark_blue };
BOOST_DESCRIBE_ENUM(Color, red, dark_blue)
std::string_view to_string(Color color) {
    return color == Color::red ? "red" : "dark blue";
}

struct Inner {
    std::int64_t count = 0;
    Money amount;
};
BOOST_DESCRIBE_STRUCT(Inner, (), (count, amount))

struct Outer {
    std::string name;
    bool ok = false;
    int left_out_of_the_description = 7;
    Instant at;
    BusinessDate date = {};
    Color color = Color::red;
    std::optional<std::string> note = {};
    std::optional<Inner> one = {};
    std::vector<Inner> all = {};
    Maybe<std::optional<std::string>> asked = {};
    json any = {};
};
BOOST_DESCRIBE_STRUCT(Outer, (), (name, ok, at, date, color, note, one, all, asked, any))

Outer full() {
    return {.name = "A",
            .ok = true,
            .at = parse_instant("2026-03-04T05:06:07.008Z").value(),
            .date = parse_date("2026-03-04").value(),
            .color = Color::dark_blue,
            .note = "so",
            .one = Inner{2, Money::from_cents(123456)},
            .all = {Inner{1, Money::from_cents(-5)}, Inner{}},
            .asked = std::optional<std::string>("yes"),
            .any = {{"key", {1, 2}}}};
}

TEST(RecordJson, has_a_key_for_each_described_member) {
    EXPECT_EQ(to_json(full()), json::parse(R"({
        "name": "A", "ok": true, "at": "2026-03-04T05:06:07.008Z", "date": "2026-03-04", "color": "dark blue",
        "note": "so", "one": {"count": 2, "amount": "1234.56"},
        "all": [{"count": 1, "amount": "-0.05"}, {"count": 0, "amount": "0.00"}], "asked": "yes",
        "any": {"key": [1, 2]}})"));
}

TEST(RecordJson, an_empty_optional_is_null_and_an_empty_maybe_is_left_out) {
    const auto empty = to_json(Outer{});
    EXPECT_TRUE(empty.at("note").is_null());
    EXPECT_TRUE(empty.at("one").is_null());
    EXPECT_EQ(empty.at("all"), json::array());
    EXPECT_FALSE(empty.contains("asked"));
    Outer asked;
    asked.asked.emplace();
    EXPECT_TRUE(to_json(asked).at("asked").is_null());
}

TEST(RecordJson, reads_what_it_writes) {
    Outer empty;
    empty.date = full().date;
    for (const auto& record : {full(), empty})
        EXPECT_EQ(to_json(from_json<Outer>(to_json(record))), to_json(record));
    Outer asked = empty;
    asked.asked.emplace();
    EXPECT_TRUE(from_json<Outer>(to_json(asked)).asked.has_value());
    EXPECT_EQ(from_json<std::vector<Inner>>(to_json(full().all)).at(0).amount, Money::from_cents(-5));
}

TEST(RecordJson, refuses_an_answer_of_another_shape) {
    for (const char* key : {"name", "note", "all"}) {
        auto lacks = to_json(full());
        lacks.erase(key);
        EXPECT_THROW(static_cast<void>(from_json<Outer>(lacks)), json::out_of_range) << key;
    }
    const std::pair<const char*, json> wrong[] = {
        {"at", "yesterday"}, {"date", "2026-02-30"}, {"color", "green"}, {"one", {{"count", 1}, {"amount", "1.234"}}}};
    for (const auto& [key, value] : wrong) {
        auto differs = to_json(full());
        differs[key] = value;
        EXPECT_THROW(static_cast<void>(from_json<Outer>(differs)), std::runtime_error) << key;
    }
    auto number = to_json(full());
    number["name"] = 3;
    EXPECT_THROW(static_cast<void>(from_json<Outer>(number)), json::type_error);
}

}  // namespace
}  // namespace drawbridge::api
