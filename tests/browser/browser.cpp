#include "browser/browser.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <stdexcept>
#include <thread>

#include "drawbridge/passkeys/encoding.hpp"

namespace drawbridge::browser {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr auto patience = 15s;
const std::string dialog = "//dialog[@open]";
constexpr const char* element_key = "element-6066-11e4-a52e-4f735466cecf";

std::optional<fs::path> first_of(std::initializer_list<const char*> paths) {
    for (const auto* path : paths) {
        if (::access(path, X_OK) == 0) return fs::path(path);
    }
    return std::nullopt;
}

// One request a connection; the whole answer.
std::string exchanged(std::uint16_t port, const std::string& request) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const timeval deadline{60, 0};
    ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &deadline, sizeof deadline);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    std::string answer;
    if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
        std::string_view rest = request;
        while (!rest.empty()) {
            const auto sent = ::send(fd, rest.data(), rest.size(), MSG_NOSIGNAL);
            if (sent <= 0) break;
            rest.remove_prefix(static_cast<std::size_t>(sent));
        }
        char piece[16384];
        for (ssize_t size = 0; (size = ::recv(fd, piece, sizeof piece, 0)) > 0;) {
            answer.append(piece, static_cast<std::size_t>(size));
            // The driver keeps the connection: its answer ends where its length says.
            const auto head = answer.find("\r\n\r\n");
            constexpr std::string_view length_field = "Content-Length:";
            const auto length = answer.find(length_field);
            if (head == std::string::npos || length > head) continue;
            if (answer.size() >= head + 4 + std::stoul(answer.substr(length + length_field.size()))) break;
        }
    }
    ::close(fd);
    return answer;
}

std::string quoted(const std::string& text) {
    return "\"" + text + "\"";
}

}  // namespace

std::optional<BrowserPrograms> find_browser() {
    const auto chromium = first_of({"/usr/bin/chromium", "/usr/bin/chromium-browser"});
    const auto driver = first_of({"/usr/bin/chromedriver", "/usr/lib/chromium/chromedriver"});
    if (!chromium || !driver) return std::nullopt;
    return BrowserPrograms{*chromium, *driver};
}

// Asks for a free port first, and may find it taken when it listens: then it starts again.
Driver::Driver(const BrowserPrograms& programs, fs::path folder) : programs_(programs) {
    constexpr int attempts = 5;
    for (int attempt = 1; !start(folder); ++attempt) {
        if (attempt == attempts)
            throw std::runtime_error("chromedriver did not start: " + e2e::read_file(folder / "chromedriver.err") +
                                     e2e::read_file(folder / "chromedriver.out"));
    }
}

bool Driver::start(const fs::path& folder) {
    e2e::Command command;
    command.arguments = {programs_.driver.string(), "--port=0"};
    command.environment = {{"HOME", folder.string()}, {"TMPDIR", folder.string()}, {"PATH", "/usr/bin:/bin"}};
    command.stdout_file = folder / "chromedriver.out";
    command.stderr_file = folder / "chromedriver.err";
    e2e::Process& process = process_.emplace(command);
    const std::string before = "started successfully on port ";
    return e2e::eventually([&] {
               const bool ended = !process.running();
               const std::string said = e2e::read_file(command.stdout_file);
               const auto at = said.rfind(before);
               if (at == std::string::npos || said.find('.', at) == std::string::npos) return ended;
               port_ = static_cast<std::uint16_t>(std::stoi(said.substr(at + before.size())));
               return true;
           }) &&
           port_ != 0;
}

Json Driver::call(std::string_view method, const std::string& path, const Json& body) const {
    const std::string text = body.is_null() ? (method == "POST" ? "{}" : "") : body.dump();
    const std::string answer =
        exchanged(port_, fmt::format("{} {} HTTP/1.1\r\nHost: localhost:{}\r\nConnection: close\r\n"
                                     "Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{}",
                                     method, path, port_, text.size(), text));
    const auto head = answer.find("\r\n\r\n");
    const auto json = Json::parse(head == std::string::npos ? "" : answer.substr(head + 4), nullptr, false);
    if (!json.is_object()) throw std::runtime_error("chromedriver does not answer to " + path + ": " + answer);
    const Json& value = json.at("value");
    if (value.is_object() && value.contains("error"))
        throw std::runtime_error(path + ": " + value.value("message", value.dump()));
    return value;
}

Browser::Browser(const Driver& driver) : driver_(driver) {
    const Json options = {
        {"binary", driver.programs().chromium.string()},
        {"args",
         {"--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1280,1000",
          "--no-first-run", "--disable-background-networking", "--disable-component-update", "--lang=en-US"}}};
    const Json wanted = {{"browserName", "chrome"},
                         {"goog:chromeOptions", options},
                         {"goog:loggingPrefs", {{"browser", "ALL"}}},
                         {"timeouts", {{"script", 300'000}}},  // ms; axe takes long on a busy machine
                         {"webauthn:virtualAuthenticators", true}};
    session_ = "/session/" + driver_.call("POST", "/session", {{"capabilities", {{"alwaysMatch", wanted}}}})
                                 .at("sessionId")
                                 .get<std::string>();
    authenticator_ = add_authenticator();
}

Browser::~Browser() {
    try {
        driver_.call("DELETE", session_);
    } catch (const std::runtime_error&) {  // the driver is gone, and its browsers with it
        session_.clear();
    }
}

void Browser::open(const std::string& url) const {
    driver_.call("POST", session_ + "/url", {{"url", url}});
}

std::string Browser::url() const {
    return driver_.call("GET", session_ + "/url").get<std::string>();
}

std::string Browser::title() const {
    return driver_.call("GET", session_ + "/title").get<std::string>();
}

Json Browser::run(const std::string& script, const Json& arguments) const {
    return driver_.call("POST", session_ + "/execute/sync", {{"script", script}, {"args", arguments}});
}

std::string Browser::text() const {
    return run("return document.body ? document.body.innerText : ''").get<std::string>();
}

void Browser::wait_for_text(const std::string& wanted) const {
    const auto comes = [&] { return text().find(wanted) != std::string::npos; };
    if (e2e::eventually(comes, patience)) return;
    throw std::runtime_error("'" + wanted + "' does not appear at " + url() + ":\n" + text());
}

std::vector<std::string> Browser::elements(const std::string& xpath) const {
    std::vector<std::string> ids;
    for (const auto& found : driver_.call("POST", session_ + "/elements", {{"using", "xpath"}, {"value", xpath}}))
        ids.push_back(found.at(element_key).get<std::string>());
    return ids;
}

bool Browser::has(const std::string& xpath) const {
    return !elements(xpath).empty();
}

void Browser::wait_for(const std::string& xpath) const {
    if (e2e::eventually([&] { return has(xpath); }, patience)) return;
    throw std::runtime_error("there is no " + xpath + " at " + url() + ":\n" + text());
}

std::string Browser::element(const std::string& xpath) const {
    wait_for(xpath);
    return elements(xpath).front();
}

void Browser::click(const std::string& xpath) const {
    driver_.call("POST", session_ + "/element/" + element(xpath) + "/click");
}

void Browser::type(const std::string& xpath, const std::string& keys) const {
    driver_.call("POST", session_ + "/element/" + element(xpath) + "/value", {{"text", keys}});
}

std::string Browser::text_of(const std::string& xpath) const {
    return driver_.call("GET", session_ + "/element/" + element(xpath) + "/text").get<std::string>();
}

void Browser::press(const std::vector<std::string>& keys) const {
    Json strokes = Json::array();
    for (const auto& key : keys) {
        strokes.push_back({{"type", "keyDown"}, {"value", key}});
        strokes.push_back({{"type", "keyUp"}, {"value", key}});
    }
    const Json keyboard = {{"type", "key"}, {"id", "keyboard"}, {"actions", strokes}};
    driver_.call("POST", session_ + "/actions", {{"actions", Json::array({keyboard})}});
}

Json Browser::command(const std::string& name, const Json& parameters) const {
    return driver_.call("POST", session_ + "/goog/cdp/execute", {{"cmd", name}, {"params", parameters}});
}

void Browser::set_width(int pixels) const {
    command("Emulation.setDeviceMetricsOverride",
            {{"width", pixels}, {"height", 900}, {"deviceScaleFactor", 1}, {"mobile", false}});
}

void Browser::emulate_media(const std::string& type,
                            const std::vector<std::pair<std::string, std::string>>& features) const {
    Json list = Json::array();
    for (const auto& [name, value] : features)
        list.push_back({{"name", name}, {"value", value}});
    command("Emulation.setEmulatedMedia", {{"media", type}, {"features", list}});
}

std::vector<std::string> Browser::errors() const {
    std::vector<std::string> found;
    for (const auto& entry : driver_.call("POST", session_ + "/se/log", {{"type", "browser"}})) {
        if (entry.value("level", "") == "SEVERE" || entry.value("level", "") == "WARNING")
            found.push_back(entry.value("message", ""));
    }
    return found;
}

void Browser::save_screenshot(const fs::path& file) const {
    const auto base64 = driver_.call("GET", session_ + "/screenshot").get<std::string>();
    std::string url_safe;
    for (const char c : base64) {
        if (c != '=') url_safe.push_back(c == '+' ? '-' : c == '/' ? '_' : c);
    }
    e2e::write_file(file, passkeys::from_base64url(url_safe).value_or(""));
}

std::string Browser::add_authenticator() const {
    return driver_
        .call("POST", session_ + "/webauthn/authenticator",
              {{"protocol", "ctap2"},
               {"transport", "internal"},
               {"hasResidentKey", true},
               {"hasUserVerification", true},
               {"isUserConsenting", true},
               {"isUserVerified", true}})
        .get<std::string>();
}

// An authenticator belongs to its tab.
void Browser::in_another_tab(const std::function<void()>& what) const {
    const std::string folder = session_ + "/webauthn/authenticator/";
    const auto here = driver_.call("GET", session_ + "/window");
    const auto credentials = driver_.call("GET", folder + authenticator_ + "/credentials");
    const auto other = driver_.call("POST", session_ + "/window/new", {{"type", "tab"}}).at("handle");
    driver_.call("POST", session_ + "/window", {{"handle", other}});
    const auto authenticator = add_authenticator();
    for (const auto& credential : credentials)
        driver_.call("POST", folder + authenticator + "/credential", credential);
    what();
    // One authenticator has one counter, whatever the tab.
    const auto used = driver_.call("GET", folder + authenticator + "/credentials");
    driver_.call("DELETE", session_ + "/window");
    driver_.call("POST", session_ + "/window", {{"handle", here}});
    driver_.call("DELETE", folder + authenticator_ + "/credentials");
    for (const auto& credential : used)
        driver_.call("POST", folder + authenticator_ + "/credential", credential);
}

std::string Browser::cookie(const std::string& name) const {
    return driver_.call("GET", session_ + "/cookie/" + name).at("value").get<std::string>();
}

void Browser::verify_user(bool does) const {
    driver_.call("POST", session_ + "/webauthn/authenticator/" + authenticator_ + "/uv", {{"isUserVerified", does}});
}

std::string Browser::read_act(const std::string& opener, const std::string& reason) const {
    const std::string details = "//details[contains(@class,'act')][summary[contains(.," + quoted(opener) + ")]]";
    click(details + "/summary");
    type(details + "//*[@name='reason']", reason);
    click(details + "//button[@type='submit']");
    if (!e2e::eventually([&] { return has(dialog); }, patience))
        throw std::runtime_error("nothing is asked to be signed at " + url() + ":\n" + text());
    return text_of(dialog + "//pre");
}

void Browser::sign() const {
    click(dialog + "//button[@value='yes']");
}

std::string Browser::sign_act(const std::string& opener, const std::string& reason) const {
    const std::string signed_text = read_act(opener, reason);
    sign();
    wait_for_text("It is signed and in the audit trail");
    return signed_text;
}

}  // namespace drawbridge::browser
