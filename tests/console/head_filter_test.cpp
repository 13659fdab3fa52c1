#include "drawbridge/console/head_filter.hpp"

#include <gtest/gtest.h>

#include <string>

namespace drawbridge::console {
namespace {

constexpr std::string_view authority = "console.example.gov";

std::string head_with(const std::string& fields, const std::string& line = "GET / HTTP/1.1") {
    return line + "\r\nHost: console.example.gov\r\n" + fields + "\r\n";
}

int status_of(const std::string& head) {
    const auto fault = fault_in_head(head, authority);
    return fault ? fault->status : 0;
}

TEST(HeadFilter, what_browsers_send_passes) {
    EXPECT_EQ(status_of(head_with("")), 0);
    EXPECT_EQ(status_of(head_with("Content-Length: 12\r\n", "POST /api/session HTTP/1.1")), 0);
    EXPECT_EQ(
        status_of(head_with("Accept: text/html,application/xhtml+xml;q=0.9,*/*;q=0.8\r\nConnection: keep-alive\r\n"
                            "Cookie: __Host-drawbridge-session=abc_-123\r\nSec-Fetch-Site: same-origin\r\n",
                            "GET /draws?text=a+b%20%26&state=held HTTP/1.1")),
        0);
    EXPECT_EQ(status_of("GET / HTTP/1.1\r\nhOST:\tCONSOLE.example.gov \r\n\r\n"), 0);
}

struct Refused {
    const char* what;
    std::string head;
    int status;
};

TEST(HeadFilter, what_two_programs_could_read_differently_is_refused) {
    const std::string host = "Host: console.example.gov\r\n";
    const Refused table[] = {
        {"chunked", head_with("Transfer-Encoding: chunked\r\n"), 400},
        {"gzip beside a length", head_with("Transfer-Encoding: gzip\r\nContent-Length: 3\r\n"), 400},
        {"chunked beside a length", head_with("Content-Length: 3\r\nTRANSFER-encoding: chunked\r\n"), 400},
        {"two lengths", head_with("Content-Length: 3\r\nContent-Length: 4\r\n"), 400},
        {"two equal lengths", head_with("Content-Length: 3\r\nContent-Length: 3\r\n"), 400},
        {"a list of lengths", head_with("Content-Length: 3, 3\r\n"), 400},
        {"a signed length", head_with("Content-Length: +3\r\n"), 400},
        {"no length", head_with("Content-Length:\r\n"), 400},
        {"a length beyond any", head_with("Content-Length: 99999999999\r\n"), 400},
        {"no host", "GET / HTTP/1.1\r\n\r\n", 400},
        {"two hosts", head_with(host), 400},
        {"another host", "GET / HTTP/1.1\r\nHost: other.example.gov\r\n\r\n", 421},
        {"its host with a port", "GET / HTTP/1.1\r\nHost: console.example.gov:443\r\n\r\n", 421},
        {"HTTP/1.0", "GET / HTTP/1.0\r\n" + host + "\r\n", 505},
        {"HTTP/2", "GET / HTTP/2\r\n" + host + "\r\n", 505},
        {"HTTP/0.9", "GET /\r\n\r\n", 400},
        {"absolute form", head_with("", "GET http://console.example.gov/ HTTP/1.1"), 400},
        {"authority form", head_with("", "CONNECT console.example.gov:443 HTTP/1.1"), 405},
        {"asterisk form", head_with("", "OPTIONS * HTTP/1.1"), 405},
        {"a bracket in the target", head_with("", "GET /draws?state=[held HTTP/1.1"), 400},
        {"a network path", head_with("", "GET //evil.example HTTP/1.1"), 400},
        {"a method in lower case", head_with("", "get / HTTP/1.1"), 405},
        {"TRACE", head_with("", "TRACE / HTTP/1.1"), 405},
        {"a folded field", head_with("Accept: a\r\n b\r\n"), 400},
        {"a blank before the colon", head_with("Accept : a\r\n"), 400},
        {"a field without a colon", head_with("Accept\r\n"), 400},
        {"a field without a name", head_with(": a\r\n"), 400},
        {"a bare LF in the middle", "GET / HTTP/1.1\nHost: console.example.gov\r\n\r\n", 400},
        {"a bare LF at the end", "GET / HTTP/1.1\r\nHost: console.example.gov\r\n\n", 400},
        {"a bare CR", head_with("Accept: a\rb\r\n"), 400},
        {"NUL in a value", head_with(std::string("Accept: a\0b\r\n", 14)), 400},
        {"a byte above ASCII", head_with("Accept: \xC3\xA9\r\n"), 400},
        {"a blank in the target", head_with("", "GET /a b HTTP/1.1"), 400},
        {"a fragment in the target", head_with("", "GET /open#code HTTP/1.1"), 400},
        {"a byte above ASCII in the target", head_with("", "GET /\xC3\xA9 HTTP/1.1"), 400},
        {"a dot segment", head_with("", "GET /assets/../draws HTTP/1.1"), 400},
        {"a hidden dot segment", head_with("", "GET /assets/%2e%2E/draws HTTP/1.1"), 400},
        {"a hidden slash", head_with("", "GET /files/a%2fb HTTP/1.1"), 400},
        {"a hidden backslash", head_with("", "GET /files/a%5Cb HTTP/1.1"), 400},
        {"a hidden NUL", head_with("", "GET /files/a%00 HTTP/1.1"), 400},
        {"a hidden line end in the query", head_with("", "GET /find?q=a%0d%0ab HTTP/1.1"), 400},
        {"an escape that is none", head_with("", "GET /%zz HTTP/1.1"), 400},
        {"an escape that breaks off", head_with("", "GET /%2 HTTP/1.1"), 400},
        {"an overlong escape", head_with("", "GET /%c0%af HTTP/1.1"), 400},
        {"a surrogate", head_with("", "GET /%ed%a0%80 HTTP/1.1"), 400},
        {"a long target", head_with("", "GET /" + std::string(max_browser_target_bytes, 'a') + " HTTP/1.1"), 414},
        {"an expectation", head_with("Expect: 100-continue\r\nContent-Length: 3\r\n"), 417},
        {"an empty line first", "\r\nGET / HTTP/1.1\r\n" + host + "\r\n", 400},
        {"more behind its end", head_with("") + "GET", 400},
    };
    for (const auto& [what, head, status] : table)
        EXPECT_EQ(status_of(head), status) << what;
}

TEST(HeadFilter, a_hundred_fields_are_enough) {
    std::string fields;
    for (std::size_t i = 1; i < max_fields; ++i)
        fields += "X-" + std::to_string(i) + ": a\r\n";
    EXPECT_EQ(status_of(head_with(fields)), 0);
    EXPECT_EQ(status_of(head_with(fields + "X-More: a\r\n")), 431);
}

TEST(HeadFilter, a_head_ends_at_the_first_empty_line_however_it_ends) {
    EXPECT_EQ(end_of_head("GET / HTTP/1.1\r\n\r\nrest"), 18U);
    EXPECT_EQ(end_of_head("GET /\n\nrest"), 7U);
    EXPECT_EQ(end_of_head("GET /\n\r\nrest"), 8U);
    EXPECT_EQ(end_of_head("GET / HTTP/1.1\r\nHost: a\r\n"), std::string_view::npos);
    EXPECT_EQ(end_of_head("GET / HTTP/1.1\r\n\r"), std::string_view::npos);
}

}  // namespace
}  // namespace drawbridge::console
