// A Cookie header: what comes out of it goes into a header to the daemon as it is.
#include <string>

#include "drawbridge/console/cookies.hpp"
#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    namespace console = drawbridge::console;
    namespace fuzz = drawbridge::fuzz;
    const std::string header(fuzz::as_text(data, size));
    for (const auto name : {console::CookieName::session, console::CookieName::theme, console::CookieName::keys}) {
        for (const bool is_public : {true, false}) {
            const auto value = console::cookie_value(header, name, is_public);
            fuzz::expect(value.find_first_of(";, \t\r\n") == std::string::npos, "a token goes into a header as it is");
            fuzz::expect(value.empty() || header.find("=" + value) != std::string::npos, "it is of this header");
            // What we set is what we read again, whatever other cookies stand beside it.
            const auto set = console::set_cookie(name, value, is_public);
            const auto pair = set.substr(0, set.find(';'));
            fuzz::expect(console::cookie_value("other=1; " + pair, name, is_public) == value,
                         "it is read as it was set");
            fuzz::expect(value.empty() || console::cookie_value(header + "; " + pair, name, is_public).empty(),
                         "two of a name are none");
        }
    }
    return 0;
}
