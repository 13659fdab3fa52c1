#include "manual.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

namespace draws_sandbox {
namespace {

std::string escaped(std::string_view text) {
    std::string roff;
    bool at_line_start = true;
    for (const char c : text) {
        if (at_line_start && (c == '.' || c == '\'')) roff += "\\&";
        at_line_start = c == '\n';
        if (c == '\\' || c == '-') roff += '\\';
        roff += c == '\\' ? 'e' : c;
    }
    return roff;
}

bool is_shown(const CLI::Option* option) {
    return !option->get_group().empty();
}

void add_options(std::string& page, const CLI::App& app, const std::string& group) {
    for (const CLI::Option* option : app.get_options(is_shown)) {
        if (option->get_group() != group) continue;
        page += ".TP\n\\fB" + escaped(option->get_name(false, true)) + "\\fR";
        if (option->get_items_expected_max() > 0) page += " \\fI" + escaped(option->get_type_name()) + "\\fR";
        page += "\n" + escaped(option->get_description());
        if (!option->get_default_str().empty()) page += escaped(" (default: " + option->get_default_str() + ")");
        page += '\n';
    }
}

}  // namespace

std::string manual_page(const CLI::App& app) {
    std::string page =
        ".TH DRAWS\\-SANDBOX 1 \"\" \"drawbridge\" \"Drawbridge\"\n"
        ".SH NAME\ndraws\\-sandbox \\- a complete Draws Service for training and tests\n"
        ".SH SYNOPSIS\n.B draws\\-sandbox\n[\\fIOPTION\\fR ...]\n.SH DESCRIPTION\n";
    page += escaped(app.get_description()) +
            escaped(
                "\nIt pays nobody: its draws are generated. When it is ready it prints one line with its address. "
                "SIGTERM ends it. To use it, set Drawbridge's service.base_url to its address, with the client id and "
                "secret given here.\n");
    std::vector<std::string> groups;
    for (const CLI::Option* option : app.get_options(is_shown)) {
        if (std::ranges::find(groups, option->get_group()) == groups.end()) groups.push_back(option->get_group());
    }
    for (const auto& group : groups) {
        std::string title = group;
        std::ranges::transform(title, title.begin(),
                               [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
        page += ".SH " + escaped(title) + "\n";
        add_options(page, app, group);
    }
    page +=
        ".SH EXAMPLES\n.EX\ndraws\\-sandbox \\-\\-listen 127.0.0.1:8087 \\-\\-draws 300 \\-\\-seed 7\n.EE\n"
        ".SH EXIT STATUS\n.TP\n.B 0\nit was asked to stop\n.TP\n.B 1\nit cannot serve; the message says why\n.TP\n"
        ".B other\ninvalid command line\n"
        ".SH SEE ALSO\n\\fBdrawbridge\\fR(1), /usr/share/doc/drawbridge/docs/sandbox.md\n";
    return page;
}

}  // namespace draws_sandbox
