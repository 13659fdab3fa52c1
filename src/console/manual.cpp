#include "manual.hpp"

#include <CLI/CLI.hpp>
#include <string_view>

namespace drawbridge::console {
namespace {

std::string roff(std::string_view text) {
    std::string escaped;
    bool is_line_start = true;
    for (const char c : text) {
        if (is_line_start && (c == '.' || c == '\'')) escaped += "\\&";
        is_line_start = c == '\n';
        if (c == '\\' || c == '-') escaped += '\\';
        escaped += c == '\\' ? 'e' : c;
    }
    return escaped;
}

}  // namespace

std::string manual_page(const CLI::App& app) {
    std::string page =
        ".TH DRAWBRIDGE\\-CONSOLE 1\n.SH NAME\ndrawbridge\\-console \\- web console of drawbridge\n"
        ".SH SYNOPSIS\n\\fBdrawbridge\\-console\\fR [\\fIOPTIONS\\fR]\n.SH DESCRIPTION\n" +
        roff(app.get_description()) +
        "\nA session only reads. Acts are signed with the person's passkey, and the daemon verifies each "
        "signature.\n.SH OPTIONS\n";
    for (const CLI::Option* option :
         app.get_options([](const CLI::Option* one) { return !one->get_group().empty(); })) {
        page += ".TP\n\\fB" + roff(option->get_name(false, true)) + "\\fR";
        if (option->get_items_expected_max() > 0) page += " \\fI" + roff(option->get_type_name()) + "\\fR";
        page += "\n" + roff(option->get_description()) + "\n";
    }
    page +=
        ".SH EXIT STATUS\n0 after SIGTERM; 1 when it failed; 2 when the command line is wrong; 78 when the "
        "configuration cannot be used.\n"
        ".SH SEE ALSO\n.BR drawbridge (1),\n.BR drawbridge.yaml (5),\n"
        "/usr/share/doc/drawbridge/docs/console.md\n";
    return page;
}

}  // namespace drawbridge::console
