// What a screen reader is told of the main screens: roles and names as indented text, byte for byte.
//
// DRAWBRIDGE_WRITE_GOLDEN in the environment writes tests/browser/golden/ instead.
#include <gmock/gmock.h>

#include <cstdlib>
#include <map>

#include "browser/screens_fixture.hpp"
#include "pages/screen_list.hpp"

namespace drawbridge::browser {
namespace {

// Indented text of Chromium's tree: no boxes without a meaning, no text that its parent's name repeats.
class TreeText {
  public:
    explicit TreeText(const Json& answer) {
        for (const Json& node : answer.at("nodes"))
            nodes_.emplace(node.at("nodeId").get<std::string>(), &node);
        append(answer.at("nodes").at(0).at("nodeId"), 0, "");
    }
    [[nodiscard]] const std::string& text() const { return text_; }

  private:
    static std::string value(const Json& node, const char* key) {
        const auto found = node.find(key);
        if (found == node.end() || !found->contains("value")) return {};
        const Json& content = found->at("value");
        return content.is_string() ? content.get<std::string>() : content.dump();
    }
    static std::string states(const Json& node, const std::string& role) {
        std::string states;
        for (const Json& property : node.value("properties", Json::array())) {
            const std::string name = property.at("name");
            const std::string content = value(property, "value");
            const bool tells = (name == "level" && role == "heading") || name == "expanded" || name == "checked" ||
                               name == "pressed" || ((name == "required" || name == "disabled") && content == "true");
            if (tells) states += " " + name + "=" + content;
        }
        return states;
    }
    // Chromium's own words for what ARIA has no role for have changed before.
    static std::string_view word(const std::string& role) {
        if (role == "StaticText") return "text";
        if (role.starts_with("DisclosureTriangle")) return "summary";
        if (role == "LabelText") return "label";
        if (role == "RootWebArea") return "page";
        return role;
    }
    // Some versions of Chromium name the parts of a date field twice: "Year Year".
    static std::string name_of(const Json& node) {
        const std::string name = value(node, "name");
        const std::string half = name.substr(0, name.size() / 2);
        return name == half + " " + half ? half : name;
    }
    void append(const std::string& id, std::size_t depth, const std::string& above) {
        const auto found = nodes_.find(id);
        if (found == nodes_.end()) return;
        const Json& node = *found->second;
        const std::string role = value(node, "role"), name = name_of(node);
        const bool is_text = role == "StaticText";
        const bool is_told = !node.value("ignored", false) && role != "none" && role != "generic" &&
                             role != "InlineTextBox" && !(is_text && (above.find(name) != std::string::npos));
        if (is_told) {
            text_.append(2 * depth, ' ').append(word(role));
            if (!name.empty()) text_ += " \"" + name + "\"";
            text_ += states(node, role) + "\n";
        }
        for (const Json& child : node.value("childIds", Json::array()))
            append(child, depth + (is_told ? 1 : 0), is_told ? name : above);
    }

    std::map<std::string, const Json*> nodes_;
    std::string text_;
};

class AccessibilityTree : public ScreensTest {
  protected:
    [[nodiscard]] std::string tree_text() const {
        return TreeText(browser_->command("Accessibility.getFullAXTree")).text();
    }
};

TEST_F(AccessibilityTree, is_as_agreed) {
    const std::filesystem::path folder = std::string(DRAWBRIDGE_SOURCE_DIR) + "/tests/browser/golden";
    for (const std::string name :
         {"today",        "today-quiet", "today-paused", "today-hosts",    "files",    "file",
          "file-refused", "exceptions",  "exception",    "draws",          "draw",     "bank-files",
          "bank-preview", "checks",      "calendar",     "reconciliation", "rules",    "audit",
          "people",       "find",        "sign",         "sign-in",        "error-409"}) {
        browser_->open(site_.url(name));
        const auto golden = folder / (name + ".txt");
        const std::string agreed = e2e::read_file(golden);
        std::string tree;
        // Chromium may answer with the tree of a moment ago, when the page was still empty.
        e2e::eventually([&] { return (tree = tree_text()) == agreed; }, std::chrono::seconds(5));
        if (std::getenv("DRAWBRIDGE_WRITE_GOLDEN") != nullptr) e2e::write_file(golden, tree);
        EXPECT_EQ(tree, e2e::read_file(golden)) << name;
    }
}

}  // namespace
}  // namespace drawbridge::browser
