#include "drawbridge/text/yaml.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace drawbridge::text {
namespace {

YamlNode parsed(std::string_view text) {
    auto node = parse_yaml(text, "f.yaml");
    EXPECT_TRUE(node.has_value()) << to_string(node.error());
    return node.value_or(YamlNode());
}

// One line for each node: position, kind, text. Shows at a glance what the parser understood.
void outline(const YamlNode& node, std::string& into) {
    const std::string place = std::to_string(node.line()) + ":" + std::to_string(node.column());
    switch (node.kind()) {
        case YamlNode::Kind::null: into += place + " null\n"; break;
        case YamlNode::Kind::scalar:
            into += place + (node.is_quoted() ? " quoted " : " plain ") + node.scalar() + "\n";
            break;
        case YamlNode::Kind::sequence:
            into += place + " list\n";
            for (const YamlNode& item : node.items())
                outline(item, into);
            break;
        case YamlNode::Kind::map:
            into += place + " map\n";
            for (const YamlNode::Entry& entry : node.entries()) {
                into += std::to_string(entry.line) + ":" + std::to_string(entry.column) + " key " + entry.key + "\n";
                outline(entry.value, into);
            }
            break;
    }
}

std::string outline(std::string_view text) {
    std::string into;
    outline(parsed(text), into);
    return into;
}

TEST(ParseYaml, keeps_text_quotes_and_positions) {
    EXPECT_EQ(outline("a: 012\n"
                      "b: [x, \"091000019\", 'null']\n"
                      "c:\n"
                      "  amount: 2500.00 # a comment\n"
                      "  none:\n"
                      "  also: null\n"),
              "1:1 map\n"
              "1:1 key a\n"
              "1:4 plain 012\n"
              "2:1 key b\n"
              "2:4 list\n"
              "2:5 plain x\n"
              "2:8 quoted 091000019\n"
              "2:21 quoted null\n"
              "3:1 key c\n"
              "4:3 map\n"
              "4:3 key amount\n"
              "4:11 plain 2500.00\n"
              "5:3 key none\n"
              "5:3 null\n"
              "6:3 key also\n"
              "6:9 null\n");
}

TEST(ParseYaml, counts_columns_in_bytes) {
    EXPECT_EQ(outline("é: 'ü'\r\nb: \"x\"\r\n"), "1:1 map\n1:1 key é\n1:5 quoted ü\n2:1 key b\n2:4 quoted x\n");
}

TEST(ParseYaml, keeps_duplicate_keys_for_the_reader) {
    EXPECT_EQ(outline("a: 1\na: 2\n"), "1:1 map\n1:1 key a\n1:4 plain 1\n2:1 key a\n2:4 plain 2\n");
}

TEST(ParseYaml, returns_null_for_an_empty_file) {
    for (const char* text : {"", "\n\n", "# only a comment\n", "\xEF\xBB\xBF", "---\n"})
        EXPECT_EQ(parsed(text).kind(), YamlNode::Kind::null) << text;
}

TEST(ParseYaml, skips_a_byte_order_mark_and_one_document_marker) {
    EXPECT_EQ(outline("\xEF\xBB\xBF"
                      "a: 1\n"),
              "1:1 map\n1:1 key a\n1:4 plain 1\n");
    EXPECT_EQ(outline("---\na: 1\n...\n"), "2:1 map\n2:1 key a\n2:4 plain 1\n");
}

TEST(ParseYaml, reads_quotes_inside_quotes) {
    EXPECT_EQ(outline("a: 'it''s'\nb: \"say \\\"no\\\"\"\nc: |\n  it's \"block\n"),
              "1:1 map\n1:1 key a\n1:4 quoted it's\n2:1 key b\n2:4 quoted say \"no\"\n"
              "3:1 key c\n3:4 quoted it's \"block\n\n");
}

struct Refused {
    const char* text;
    const char* report;
};

TEST(ParseYaml, rejects_with_the_position) {
    const std::vector<Refused> table = {
        {"a: 1\n---\nb: 2\n",
         "f.yaml:2:1: a second document begins here: keep one document per file and remove the other '---' lines\n"},
        {"a: &x 1\nb: *x\n",
         "f.yaml:1:4: anchors are not supported: remove the '&' and its name\n"
         "f.yaml:2:4: aliases are not supported: replace the '*' and its name with the value\n"},
        {"a: &x 1\nb: *x\nc: {d: 1}\ne: [*x, {f: 2}]\n",
         "f.yaml:1:4: anchors are not supported: remove the '&' and its name\n"
         "f.yaml:2:4: aliases are not supported: replace the '*' and its name with the value\n"
         "f.yaml:4:5: aliases are not supported: replace the '*' and its name with the value\n"},
        {"a: !!int 1\n", "f.yaml:1:4: tags are not supported: remove the '!' and what follows it\n"},
        {"a: !secret {b: 1}\n", "f.yaml:1:4: tags are not supported: remove the '!' and what follows it\n"},
        {"? [a]\n: 1\n", "f.yaml:1:3: a key must be plain text, not a list or a map: quote it if it is text\n"},
        {"~: 1\n", "f.yaml:1:1: an empty key: write the key before the ':'\n"},
        {"a: [1, 2\nb: 3\n",
         "f.yaml:2:2: not valid YAML: end of sequence flow not found: check the indentation, quotes and brackets "
         "here\n"},
        {"a: b: c\n",
         "f.yaml:1:5: not valid YAML: illegal map value: check the indentation, quotes and brackets here\n"},
        {"rules:\n  - hold: 'open\n  - hold: more\n",
         "f.yaml:2:11: this quote is not closed: close it where the text ends\n"},
        {"a: \"open \\\"\nb: 1\n", "f.yaml:1:4: this quote is not closed: close it where the text ends\n"},
        {"a: Apt #5\nb: 5 #6\nc: 'Apt #5'\nd: Apt # 5\n",
         "f.yaml:1:4: this text ends before '#5', which begins a comment: put the text in quotes if that belongs to "
         "it, "
         "or else a blank after the '#'\n"},
        {"é: x\x04\nb: 1\n", "f.yaml:1:6: a control character: remove it\n"},
        {"a: 1\nb: x\u200by\n", "f.yaml:2:5: U+200B, a character that shows nothing: remove it\n"},
        {"# x\u00ad\n", "f.yaml:1:4: U+00AD, a character that shows nothing: remove it\n"},
        {"a: 1 # x\rb: 2\n",
         "f.yaml:1:9: a carriage return without a line feed: end each line with a line feed, or with both\n"},
        {"a: 1 # x\u2028b: 2\n",
         "f.yaml:1:9: U+2028, a control character or line end that other programs read otherwise: remove it\n"},
        {"a: 1 # x\u0085b: 2\n",
         "f.yaml:1:9: U+0085, a control character or line end that other programs read otherwise: remove it\n"},
        {"secret\n",
         "f.yaml:1:1: the file is a single text, not a map of keys: begin it with a key, as in 'version: 1'\n"},
        {"a: 1\nb: \xC3\x28\n", "f.yaml:2:4: a byte that is not UTF-8: save the file as UTF-8\n"},
        {"a: \xED\xA0\x80\n", "f.yaml:1:4: a byte that is not UTF-8: save the file as UTF-8\n"},
        {"\xFF\xFE"
         "a",
         "f.yaml:1:1: a byte that is not UTF-8: save the file as UTF-8\n"}};
    for (const Refused& refused : table) {
        const auto node = parse_yaml(refused.text, "f.yaml");
        EXPECT_EQ(node ? "accepted" : to_string(node.error()), refused.report) << refused.text;
    }
}

TEST(ParseYaml, rejects_nul_bytes) {
    const auto node = parse_yaml(std::string_view("a: 1\n\0b: 2\n", 11), "f.yaml");
    ASSERT_FALSE(node.has_value());
    EXPECT_EQ(to_string(node.error()), "f.yaml:2:1: a control character: remove it\n");
}

TEST(ParseYaml, rejects_deep_nesting_instead_of_exhausting_the_stack) {
    const auto node = parse_yaml(std::string(100'000, '['), "f.yaml");
    ASSERT_FALSE(node.has_value());
    ASSERT_EQ(node.error().size(), 1U);
    EXPECT_EQ(node.error().front().message, "lists and maps are nested too deeply");
}

// Reads the value of key `v` with one getter. The result is the getter's value, or its diagnostics.
using Getter = std::function<std::string(YamlReader&, const YamlNode&)>;

std::string read_with(const Getter& getter, const std::string& value) {
    Diagnostics diagnostics;
    YamlReader reader("f.yaml", diagnostics);
    const YamlNode root = parsed("v: " + value + "\n");
    const std::string read = getter(reader, root.entries().front().value);
    return diagnostics.empty() ? read : to_string(diagnostics);
}

template <class T>
std::string shown(const std::optional<T>& value) {
    return value ? std::to_string(*value) : "nothing";
}

TEST(YamlReader, reads_whole_numbers) {
    const Getter getter = [](YamlReader& r, const YamlNode& n) { return shown(r.integer(n, "v")); };
    for (const char* text : {"0", "-7", "500", "9223372036854775807"})
        EXPECT_EQ(read_with(getter, text), text);
    const std::string hint = ": write it in digits, without quotes, separators or leading zeros\n";
    for (const char* text : {"010", "1.0", "1e3", "0x10", "+5", "1_000", "9223372036854775808", "5-", "five"}) {
        EXPECT_EQ(read_with(getter, text),
                  "f.yaml:1:4: v must be a whole number, not '" + std::string(text) + "'" + hint);
    }
    EXPECT_EQ(read_with(getter, "\"5\""), "f.yaml:1:4: v must be a whole number, not the quoted text '5'" + hint);
    EXPECT_EQ(read_with(getter, "[5]"), "f.yaml:1:4: v must be a whole number, not a list" + hint);
    EXPECT_EQ(read_with(getter, ""), "f.yaml:1:1: v must be a whole number, not nothing" + hint);
}

TEST(YamlReader, reads_whole_numbers_in_a_range) {
    const Getter getter = [](YamlReader& r, const YamlNode& n) { return shown(r.integer_in(n, "v", 1, 500)); };
    EXPECT_EQ(read_with(getter, "1"), "1");
    EXPECT_EQ(read_with(getter, "500"), "500");
    EXPECT_EQ(read_with(getter, "0"), "f.yaml:1:4: v is 0: it must be from 1 to 500\n");
    EXPECT_EQ(read_with(getter, "501"), "f.yaml:1:4: v is 501: it must be from 1 to 500\n");
}

TEST(YamlReader, reads_only_true_and_false) {
    const Getter getter = [](YamlReader& r, const YamlNode& n) { return shown(r.boolean(n, "v")); };
    EXPECT_EQ(read_with(getter, "true"), "1");
    EXPECT_EQ(read_with(getter, "false"), "0");
    for (const char* text : {"yes", "no", "on", "True", "1"}) {
        EXPECT_EQ(read_with(getter, text), "f.yaml:1:4: v must be true or false, not '" + std::string(text) +
                                               "': write true or false, without quotes\n");
    }
}

TEST(YamlReader, reads_amounts_as_decimal_text) {
    const Getter getter = [](YamlReader& r, const YamlNode& n) {
        const auto amount = r.money(n, "v");
        return amount ? std::to_string(amount->cents()) : "nothing";
    };
    EXPECT_EQ(read_with(getter, "2500"), "250000");
    EXPECT_EQ(read_with(getter, "0.1"), "10");
    EXPECT_EQ(read_with(getter, "92233720368547758.07"), "9223372036854775807");
    EXPECT_EQ(read_with(getter, "2500.001"),
              "f.yaml:1:4: v: '2500.001' is not an amount in dollars and cents: it has more than two decimal places\n");
    EXPECT_THAT(read_with(getter, "-1"), testing::StartsWith("f.yaml:1:4: v: '-1' is not an amount"));
    EXPECT_THAT(read_with(getter, "2,500"), testing::StartsWith("f.yaml:1:4: v: '2,500' is not an amount"));
    EXPECT_EQ(read_with(getter, "'2500'"),
              "f.yaml:1:4: v must be an amount, not the quoted text '2500': write it like 2500.00, without quotes\n");
}

TEST(YamlReader, reads_durations) {
    const Getter getter = [](YamlReader& r, const YamlNode& n) { return shown(r.duration_ms(n, "v")); };
    EXPECT_EQ(read_with(getter, "500ms"), "500");
    EXPECT_EQ(read_with(getter, "0s"), "0");
    EXPECT_EQ(read_with(getter, "30s"), "30000");
    EXPECT_EQ(read_with(getter, "5m"), "300000");
    EXPECT_EQ(read_with(getter, "24h"), "86400000");
    EXPECT_EQ(read_with(getter, "3d"), "259200000");
    for (const char* text : {"30", "s", "1.5h", "-3s", "3 s", "3w", "99999999999999d"}) {
        EXPECT_EQ(read_with(getter, text), "f.yaml:1:4: v must be a duration, not '" + std::string(text) +
                                               "': write it like 500ms, 30s, 5m, 24h or 3d\n");
    }
}

TEST(YamlReader, reads_text_as_written) {
    const Getter getter = [](YamlReader& r, const YamlNode& n) { return r.text(n, "v").value_or("nothing"); };
    EXPECT_EQ(read_with(getter, "0012"), "0012");
    EXPECT_EQ(read_with(getter, "'null'"), "null");
    EXPECT_EQ(read_with(getter, "null"), "f.yaml:1:4: v must be text, not nothing\n");
    EXPECT_EQ(read_with(getter, "'  '"), "f.yaml:1:4: v is empty: write some text here\n");
    EXPECT_EQ(read_with(getter, "{a: 1}"), "f.yaml:1:4: v must be text, not a map\n");
}

TEST(YamlReader, reads_lists_and_names_each_bad_item) {
    const Getter numbers = [](YamlReader& r, const YamlNode& n) {
        const auto list = r.integers(n, "v");
        return list ? std::to_string(list->size()) + " numbers" : "nothing";
    };
    EXPECT_EQ(read_with(numbers, "[12, 14]"), "2 numbers");
    EXPECT_EQ(read_with(numbers, "[]"), "0 numbers");
    EXPECT_EQ(read_with(numbers, "12"), "f.yaml:1:4: v must be a list of numbers, not '12': write it like [12, 14]\n");
    EXPECT_EQ(read_with(numbers, "[x, 1, y]"),
              "f.yaml:1:5: each of v must be a whole number, not 'x': write it in digits, without quotes, separators "
              "or leading zeros\n"
              "f.yaml:1:11: each of v must be a whole number, not 'y': write it in digits, without quotes, separators "
              "or leading zeros\n");
    const Getter texts = [](YamlReader& r, const YamlNode& n) {
        const auto list = r.texts(n, "v");
        return list ? testing::PrintToString(*list) : "nothing";
    };
    EXPECT_EQ(read_with(texts, "[a, '2']"), "{ \"a\", \"2\" }");
    EXPECT_EQ(read_with(texts, "[a, [b]]"), "f.yaml:1:8: each of v must be text, not a list\n");
    // A list with a bad item is not used without it.
    Diagnostics diagnostics;
    YamlReader reader("f.yaml", diagnostics);
    EXPECT_EQ(reader.integers(parsed("[x, 1]"), "v"), std::nullopt);
    EXPECT_EQ(reader.texts(parsed("[a, [b]]"), "v"), std::nullopt);
}

TEST(YamlReader, names_unknown_duplicate_and_missing_keys) {
    Diagnostics diagnostics;
    YamlReader reader("f.yaml", diagnostics);
    const YamlNode root = parsed("name: a\naprove: {}\nzzzzzz: 1\nname: b\n");
    EXPECT_TRUE(reader.check_map(root, {"name", "approve", "hold"}, "a rule"));
    EXPECT_EQ(reader.require(root, "when", "a rule"), nullptr);
    EXPECT_NE(reader.require(root, "name", "a rule"), nullptr);
    EXPECT_EQ(YamlReader::find(root, "hold"), nullptr);
    EXPECT_EQ(to_string(diagnostics),
              "f.yaml:1:1: missing key 'when' in a rule: add 'when:'\n"
              "f.yaml:2:1: unknown key 'aprove' in a rule: did you mean 'approve'?\n"
              "f.yaml:3:1: unknown key 'zzzzzz' in a rule: the keys here are name, approve, hold\n"
              "f.yaml:4:1: duplicate key 'name' in a rule, first on line 1: keep one of them\n");
}

TEST(YamlReader, reports_what_it_found_instead_of_a_map) {
    Diagnostics diagnostics;
    YamlReader reader("f.yaml", diagnostics);
    EXPECT_FALSE(reader.check_map(parsed("[a]"), {"name", "hold"}, "a rule"));
    EXPECT_FALSE(reader.check_map(parsed(""), {"name", "hold"}, "a rule"));
    EXPECT_EQ(to_string(diagnostics),
              "f.yaml:1:1: a rule must be a map of keys, not a list: its keys are name, hold\n"
              "f.yaml:1:1: a rule must be a map of keys, not nothing: its keys are name, hold\n");
}

}  // namespace
}  // namespace drawbridge::text
