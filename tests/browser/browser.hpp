// A real browser for tests: Debian's chromium through chromedriver, by W3C WebDriver over HTTP, with a passkey of its
// own.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "e2e/process.hpp"

namespace drawbridge::browser {

using Json = nlohmann::json;

// nullopt: chromium or chromedriver is not on this machine.
struct BrowserPrograms {
    std::filesystem::path chromium, driver;
};
[[nodiscard]] std::optional<BrowserPrograms> find_browser();

class Driver {
  public:
    // Keeps its log and the browsers' profiles below `folder`.
    Driver(const BrowserPrograms& programs, std::filesystem::path folder);
    // One request; throws std::runtime_error with what the driver says.
    Json call(std::string_view method, const std::string& path, const Json& body = nullptr) const;
    [[nodiscard]] const BrowserPrograms& programs() const { return programs_; }

  private:
    bool start(const std::filesystem::path& folder);
    BrowserPrograms programs_;
    std::optional<e2e::Process> process_;
    std::uint16_t port_ = 0;
};

// WebDriver's names of keys that have no character.
inline constexpr const char *tab_key = "\uE004", *enter_key = "\uE007", *escape_key = "\uE00C", *shift_key = "\uE008",
                            *arrow_up_key = "\uE013", *arrow_right_key = "\uE014", *arrow_down_key = "\uE015";

// One person at one computer: a profile of its own, and an authenticator that confirms at once who it is.
class Browser {
  public:
    explicit Browser(const Driver& driver);
    Browser(const Browser&) = delete;
    Browser& operator=(const Browser&) = delete;
    ~Browser();

    void open(const std::string& url) const;
    [[nodiscard]] std::string url() const;
    [[nodiscard]] std::string title() const;
    // What a reader sees of the page.
    [[nodiscard]] std::string text() const;
    // Waits for it; throws with the page's text when it doesn't come.
    void wait_for_text(const std::string& wanted) const;
    void wait_for(const std::string& xpath) const;
    [[nodiscard]] bool has(const std::string& xpath) const;
    void click(const std::string& xpath) const;
    void type(const std::string& xpath, const std::string& keys) const;
    [[nodiscard]] std::string text_of(const std::string& xpath) const;
    Json run(const std::string& script, const Json& arguments = Json::array()) const;
    // Presses these keys one after the other, wherever the focus is.
    void press(const std::vector<std::string>& keys) const;
    // A command of the Chrome DevTools Protocol.
    Json command(const std::string& name, const Json& parameters = Json::object()) const;
    void set_width(int pixels) const;
    // "print", and media features: {"forced-colors", "active"}.
    void emulate_media(const std::string& type,
                       const std::vector<std::pair<std::string, std::string>>& features = {}) const;
    // What the browser complains about: errors and warnings.
    [[nodiscard]] std::vector<std::string> errors() const;
    void save_screenshot(const std::filesystem::path& file) const;

    // Does this in a new tab, where the same passkeys are at hand, and comes back.
    void in_another_tab(const std::function<void()>& what) const;
    // Of the page's cookies, also of those that no script sees.
    [[nodiscard]] std::string cookie(const std::string& name) const;
    // Whether the authenticator recognizes the person from now on.
    void verify_user(bool does) const;

    // Opens the form of an act by the words of its button, fills in the reason and asks for the text to sign, which it
    // answers.
    std::string read_act(const std::string& opener, const std::string& reason) const;
    // Signs the text that is shown. What comes of it shows on the page.
    void sign() const;
    // Both, and the act is done.
    std::string sign_act(const std::string& opener, const std::string& reason) const;

  private:
    [[nodiscard]] std::vector<std::string> elements(const std::string& xpath) const;
    [[nodiscard]] std::string element(const std::string& xpath) const;
    [[nodiscard]] std::string add_authenticator() const;

    const Driver& driver_;
    std::string session_, authenticator_;
};

}  // namespace drawbridge::browser
