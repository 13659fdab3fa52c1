// Strict YAML: every scalar keeps its text and position; unknown and duplicate keys are errors with a "did you mean".
//
// yaml-cpp parses; these classes wrap its nodes so that no reader forgets a check. A reader continues after an error,
// so that one run reports every problem.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/money.hpp"
#include "drawbridge/text/diagnostic.hpp"

namespace drawbridge::text {

class YamlNode {
  public:
    enum class Kind { null, scalar, sequence, map };
    struct Entry;

    [[nodiscard]] Kind kind() const;
    [[nodiscard]] int line() const;    // from 1
    [[nodiscard]] int column() const;  // from 1, in bytes
    // The scalar's text as written. The node must be a scalar.
    [[nodiscard]] const std::string& scalar() const;
    // 'quoted' or "quoted": never a number, a Boolean or null.
    [[nodiscard]] bool is_quoted() const;
    // The node must be a sequence.
    [[nodiscard]] const std::vector<YamlNode>& items() const;
    // The node must be a map. In file order, including duplicates (the reader reports them).
    [[nodiscard]] const std::vector<Entry>& entries() const;

  private:
    friend class YamlBuilder;
    struct Data;
    std::shared_ptr<const Data> data_;
};

struct YamlNode::Entry {
    std::string key;
    int line = 0, column = 0;  // of the key
    YamlNode value;
};

// The whole document. Diagnostics: a syntax error (only the first), several documents, anchors, aliases and tags. An
// empty file is a null node.
[[nodiscard]] std::expected<YamlNode, Diagnostics> parse_yaml(std::string_view text, std::string_view file_name);

// "500ms", "30s", "5m", "24h", "3d". nullopt: something else, or too long for milliseconds.
[[nodiscard]] std::optional<std::int64_t> parse_duration_ms(std::string_view text);

// Reads typed values and collects the errors. A getter that fails adds a diagnostic and returns nullopt.
class YamlReader {
  public:
    YamlReader(std::string file_name, Diagnostics& into) : file_(std::move(file_name)), into_(into) {}

    // Checks that `node` is a map whose keys are all in `allowed`, each at most once, and reports the others. False
    // when it is not a map.
    bool check_map(const YamlNode& node, const std::vector<std::string_view>& allowed, std::string_view what);
    // nullptr when absent; adds no diagnostic.
    [[nodiscard]] static const YamlNode* find(const YamlNode& map, std::string_view key);
    // Adds a diagnostic when absent: "missing key 'name' in a rule".
    const YamlNode* require(const YamlNode& map, std::string_view key, std::string_view what);

    std::optional<std::string> text(const YamlNode& node, std::string_view what);  // any scalar except null; not empty
    std::optional<std::int64_t> integer(const YamlNode& node, std::string_view what);
    std::optional<std::int64_t> integer_in(const YamlNode& node, std::string_view what, std::int64_t low,
                                           std::int64_t high);
    std::optional<bool> boolean(const YamlNode& node, std::string_view what);  // only true or false
    std::optional<Money> money(const YamlNode& node, std::string_view what);   // decimal text, never floating point
    std::optional<std::int64_t> duration_ms(const YamlNode& node, std::string_view what);  // 500ms 30s 5m 24h 3d
    std::optional<std::vector<std::string>> texts(const YamlNode& node,
                                                  std::string_view what);  // a sequence of scalars
    std::optional<std::vector<std::int64_t>> integers(const YamlNode& node, std::string_view what);

    void error(const YamlNode& at, std::string message, std::string hint = {});
    void error(int line, int column, std::string message, std::string hint = {});
    void warning(const YamlNode& at, std::string message, std::string hint = {});
    [[nodiscard]] const std::string& file() const { return file_; }

  private:
    std::string file_;
    Diagnostics& into_;
};

}  // namespace drawbridge::text
