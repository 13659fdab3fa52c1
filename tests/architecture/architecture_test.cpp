#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "architecture/source_rules.hpp"

namespace drawbridge::architecture {
namespace {

struct Sample {
    std::string path;
    std::string text;
    std::string violation;  // the only violation; empty: none
};

void expect(const Sample& sample) {
    const auto found = violations({sample.path, sample.text});
    const std::vector<std::string> wanted =
        sample.violation.empty() ? std::vector<std::string>{} : std::vector{sample.path + ":" + sample.violation};
    EXPECT_EQ(found, wanted) << sample.text;
}

std::string include(const std::string& header) {
    return "#include \"" + header + "\"\n";
}

TEST(SourceRules, limit_what_each_module_may_include) {
    const std::string core[] = {"domain", "text",       "rules",        "nacha",
                                "checks", "statements", "disbursement", "reconciliation"};
    const std::string shell[] = {"config",   "ledger", "service", "spool",  "delivery",
                                 "pipeline", "alerts", "admin",   "daemon", "cli"};
    const std::map<std::string, std::string> allowed = {
        // each module, and what it may include in addition to itself
        {"domain", ""},
        {"text", "domain"},
        {"rules", "domain text"},
        {"nacha", "domain text"},
        {"checks", "domain text"},
        {"statements", "domain text nacha checks"},
        {"disbursement", "domain text nacha checks"},
        {"reconciliation", "domain text nacha"},
        {"pages", "domain text reconciliation"},
        {"config", "CORE"},
        {"ledger", "CORE"},
        {"service", "CORE"},
        {"spool", "CORE"},
        {"delivery", "CORE"},
        {"pipeline", "CORE config ledger service spool delivery"},
        {"alerts", "CORE ledger service"},
        {"admin", "CORE config ledger service spool delivery pipeline"},
        {"daemon", "CORE config ledger service spool delivery pipeline alerts admin"},
        {"cli", "CORE config ledger service spool delivery pipeline alerts admin daemon"},
    };
    std::vector<std::string> modules(std::begin(core), std::end(core));
    modules.insert(modules.end(), std::begin(shell), std::end(shell));
    for (const auto& [module, list] : allowed) {
        for (const std::string& other : modules) {
            const bool is_core = std::ranges::find(core, other) != std::end(core);
            const bool good = other == module || (" " + list + " ").find(" " + other + " ") != std::string::npos ||
                              (is_core && list.starts_with("CORE"));
            const std::string text = "\n" + include("drawbridge/" + other + "/x.hpp");
            expect({"src/" + module + "/a.cpp", text, good ? "" : "2: " + module + " must not include " + other});
        }
    }
}

TEST(SourceRules, apply_to_headers_and_tests_too) {
    expect({"include/drawbridge/nacha/a.hpp", "// Owns.\n#pragma once\n#include <drawbridge/ledger/store/ledger.hpp>\n",
            "3: nacha must not include ledger"});
    expect({"tests/nacha/a_test.cpp", include("drawbridge/spool/spool.hpp"), "1: nacha must not include spool"});
    expect({"tests/pipeline/a_test.cpp", include("drawbridge/admin/admin.hpp"), ""});
    expect({"src/sandbox/main.cpp", include("drawbridge/domain/money.hpp"),
            "1: the sandbox shares no code with drawbridge"});
    expect({"tests/sandbox/a_test.cpp", include("drawbridge/domain/money.hpp"),
            "1: the sandbox shares no code with drawbridge"});
    expect({"src/nacha/a.cpp", include("../ledger/row.hpp"), "1: no relative include across modules"});
    expect({"src/utilities/a.cpp", "", "1: 'utilities' is not a module of the design"});
}

TEST(SourceRules, limit_libraries_to_their_modules) {
    const Sample samples[] = {
        {"src/spool/a.cpp", "#include <boost/asio/awaitable.hpp>\n",
         "1: Asio is for service, alerts, admin, daemon, app, pipeline, cli and console"},
        {"src/config/a.cpp", "#include <boost/beast/core.hpp>\n",
         "1: Beast is for service, alerts, admin, daemon, app, pipeline, cli and console"},
        {"src/service/a.cpp", "#include <boost/beast/core.hpp>\n#include <boost/asio/post.hpp>\n", ""},
        {"src/service/a.hpp", "// Owns.\n#pragma once\n#include <boost/asio/post.hpp>\n", ""},
        {"src/service/a.hpp", "// Owns.\n#pragma once\n#include <boost/beast/core.hpp>\n",
         "3: Beast is never included in a header"},
        {"src/sandbox/a.hpp", "// Owns.\n#pragma once\n#include <boost/beast/core.hpp>\n",
         "3: Beast is never included in a header"},
        {"src/pipeline/a.cpp", "#include <SQLiteCpp/Database.h>\n", "1: SQL is for the ledger"},
        {"src/admin/a.cpp", "#include <sqlite3.h>\n", "1: SQL is for the ledger"},
        {"src/pipeline/a.cpp", "#include <libpq-fe.h>\n", "1: SQL is for the ledger"},
        {"src/ledger/a.cpp", "#include <sqlite3.h>\n#include <SQLiteCpp/Database.h>\n", ""},
        {"src/sandbox/a.cpp", "#include <sqlite3.h>\n", ""},
        {"src/pipeline/a.cpp", "#include <libssh/libssh.h>\n", "1: SFTP is for delivery"},
        {"src/config/a.cpp", "#include <gpgme.h>\n", "1: OpenPGP is for delivery"},
        {"src/delivery/a.cpp", "#include <gpgme.h>\n#include <libssh/sftp.h>\n", ""},
        {"src/nacha/a.cpp", "#include <fstream>\n", "1: the core does not touch the disk"},
        {"tests/nacha/a_test.cpp", "#include <fstream>\n", ""},
        {"src/rules/a.cpp", "#include <spdlog/spdlog.h>\n", "1: the core does not log"},
        {"src/domain/a.cpp", "#include <sys/stat.h>\n", "1: the core makes no system calls"},
        {"src/nacha/a.cpp", "auto t = std::chrono::system_clock::now();\n", "1: the core reads no clock"},
        {"src/spool/a.cpp", "#include <filesystem>\nauto t = std::chrono::system_clock::now();\n", ""},
    };
    for (const Sample& sample : samples)
        expect(sample);
}

TEST(SourceRules, enforce_the_conventions) {
    const Sample samples[] = {
        {"src/cli/a.cpp", "using namespace std;\n", "1: no `using namespace` except for literals"},
        {"src/cli/a.cpp", "void f() {\n    using namespace fmt;\n}\n", "2: no `using namespace` except for literals"},
        {"src/cli/a.cpp", "using namespace std::chrono_literals;\nusing namespace std::string_view_literals;\n", ""},
        {"src/cli/a.cpp", "using namespace std::literals;\nusing std::chrono::days;\nnamespace http = beast::http;\n",
         ""},
        {"src/daemon/a.cpp", "co_spawn(executor, run(), asio::detached);\n",
         "1: no detached coroutine: a failed task must end the daemon"},
        {"src/daemon/a.cpp", "// nothing is detached\nauto s = \"detached\";\n", ""},
        {"src/daemon/a.cpp", "thread_.detach();\n", "1: no detached thread"},
        {"src/pipeline/worker.cpp", "thread_.detach();\n", ""},
        {"src/cli/a.cpp", "try {\n} catch ( ... ) {\n}\n", "2: no `catch (...)`"},
        {"src/cli/a.cpp", "try {\n} catch (const std::exception&) {\n}\n", ""},
        {"src/cli/a.cpp", std::string("int a;  // TO") + "DO later\n", "1: no open tasks in the code"},
        {"src/cli/a.cpp", std::string("/* FIX") + "ME */\n", "1: no open tasks in the code"},
        {"src/cli/a.hpp", "// Owns.\nint a;\n", "1: a header must have #pragma once"},
        {"src/cli/a.hpp", "// Owns.\n// #pragma once\nint a;\n", "1: a header must have #pragma once"},
        {"src/cli/a.hpp", "#pragma once\n#include <string>\n// Owns.\n",
         "1: a header must begin with a comment on what it owns"},
        {"src/cli/a.hpp", "#pragma once\n// Owns.\n#include <string>\n", ""},
        {"src/cli/a.hpp", "// Owns.\n#pragma once\n", ""},
    };
    for (const Sample& sample : samples)
        expect(sample);
}

TEST(SourceRules, allow_one_list_of_the_steps_and_one_json_parser) {
    const std::string four = R"("poll", "approve", "pay", "report")";
    const std::string list = "const char* steps[] = {\n    " + four + R"(, "deliver"};)";
    const std::string parse = "auto value = nlohmann::json::parse(text);\n";
    const Sample samples[] = {
        {"src/ledger/a.cpp", list, "2: the steps are listed in domain/steps.hpp only"},
        {"include/drawbridge/ledger/a.hpp", "// Owns.\n#pragma once\n" + list,
         "4: the steps are listed in domain/steps.hpp only"},
        {"src/domain/steps.cpp", list, ""},
        {"src/sandbox/a.cpp", list, ""},
        {"tests/ledger/a_test.cpp", list, ""},
        {"src/ledger/a.cpp", four, ""},
        {"src/admin/a.cpp", parse, "1: JSON is parsed by text::parse_json, which bounds its depth"},
        {"src/admin/a.cpp", "json::parse(text, nullptr, false);\n",
         "1: JSON is parsed by text::parse_json, which bounds its depth"},
        {"src/text/json.cpp", parse, ""},
        {"src/sandbox/a.cpp", parse, ""},
        {"tests/admin/a_test.cpp", parse, ""},
        {"src/admin/a.cpp", "text::parse_json(text);\n", ""},
    };
    for (const Sample& sample : samples)
        expect(sample);
}

TEST(SourceRules, want_printed_commands_to_run_as_they_are) {
    const auto in = [](const std::string& text, bool is_wrong) {
        expect(
            {"src/pipeline/a.cpp", text, is_wrong ? "1: a command that is printed runs as it is: add --reason …" : ""});
    };
    in("say(\"run 'drawbridge pause'\");\n", true);
    in("say(\"run `drawbridge deliver \" + name + \" --by-hand`\");\n", true);
    in("say(\"run 'drawbridge \"\n    \"resume' later\");\n", true);
    in("say(\"run 'drawbridge pause \"\n    \"--reason …'\");\n", false);
    in("say(\"run 'drawbridge people list'\");  // not `drawbridge people add`\n", false);
    expect({"src/config/a.cpp", "say(\"`drawbridge accept` does it\");\n", ""});
}

TEST(SourceRules, reject_temporaries_that_co_await_destroys_twice) {
    const std::string braced = "no braced temporary inside a co_await expression: name it, then move it in";
    const std::string conditional = "no conditional inside a co_await expression: name its value, then move it in";
    const std::string lambda = "no capturing lambda inside a co_await expression: name it, then move it in";
    const Sample samples[] = {
        {"src/service/a.cpp", "co_await send(Request{1, 2});\n", "1: " + braced},
        {"src/service/a.cpp", "auto x = co_await send(\n    {.id = 1});\n", "2: " + braced},
        {"src/service/a.cpp", "co_await send(std::vector<int>{1});\n", "1: " + braced},
        {"src/service/a.cpp", "if (co_await send(Request{})) {\n}\n", "1: " + braced},
        {"src/service/a.cpp", "co_await read(a ? first(b) : second(b));\n", "1: " + conditional},
        {"src/service/a.cpp", "co_await run([this] { return 1; });\n", "1: " + lambda},
        {"src/service/a.cpp", "co_await run(1, [&](int a) { return a; });\n", "1: " + lambda},
        {"src/service/a.cpp", "co_await run([](int a) { return T{a}; }, b[1], c()[i]);\n", ""},
        {"src/service/a.cpp", "if (co_await run()) {\n}\nwhile (!co_await done(a)) {\n}\n", ""},
        {"src/service/a.cpp", "Request r{1};\nco_await send(std::move(r));\nRequest s{2};\n", ""},
        {"src/service/a.cpp", "f(co_await a(), T{1});\n", ""},
        {"src/service/a.cpp", "// co_await f(T{1});\nauto my_co_await_count = T{1};\n", ""},
    };
    for (const Sample& sample : samples)
        expect(sample);
}

TEST(SourceRules, ignore_comments_and_literals) {
    EXPECT_EQ(without_comments_and_literals("a /* b\nc */ d // e\n\"f\\\"g\" 'h' 1'000 R\"x(i\"j)x\" k"),
              "a     \n     d     \n\"    \" ' ' 1'000 R\"       \" k");
    expect({"src/nacha/a.cpp", "// #include \"drawbridge/ledger/a.hpp\"\n/*\n#include <sqlite3.h>\n*/\n", ""});
    expect({"src/nacha/a.cpp", "auto s = R\"(\n#include <sqlite3.h>\n)\";\n", ""});
    expect({"src/nacha/a.cpp", "  #  include <sqlite3.h>\n", "1: SQL is for the ledger"});
}

std::vector<SourceFile> read_tree() {
    const std::filesystem::path root = DRAWBRIDGE_SOURCE_DIR;
    std::vector<SourceFile> files;
    for (const std::string_view top : {"include", "src", "tests"}) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(root / top)) {
            const auto extension = entry.path().extension();
            if (!entry.is_regular_file() || (extension != ".hpp" && extension != ".cpp")) continue;
            std::ifstream file(entry.path(), std::ios::binary);
            files.push_back({entry.path().lexically_relative(root).generic_string(),
                             std::string(std::istreambuf_iterator<char>(file), {})});
        }
    }
    std::ranges::sort(files, {}, &SourceFile::path);
    return files;
}

TEST(Architecture, the_whole_tree_follows_the_rules) {
    const std::vector<SourceFile> files = read_tree();
    ASSERT_GT(files.size(), 40U);
    for (const SourceFile& file : files) {
        for (const std::string& violation : violations(file))
            ADD_FAILURE() << violation;
    }
}

// In characters, not bytes: UTF-8 has one byte of each character that is not 10xxxxxx.
std::size_t width_of(std::string_view line) {
    return static_cast<std::size_t>(
        std::ranges::count_if(line, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

// "7: 131 characters" for each line of prose that is too wide. Tables and code blocks may be wider.
std::vector<std::string> wide_lines(std::istream& page) {
    constexpr std::size_t max_width = 120;
    std::vector<std::string> wide;
    bool in_code = false;
    std::string line;
    for (int number = 1; std::getline(page, line); ++number) {
        const std::string_view text = std::string_view(line).substr(std::min(line.find_first_not_of(' '), line.size()));
        if (text.starts_with("```")) in_code = !in_code;
        if (in_code || text.starts_with("|") || width_of(line) <= max_width) continue;
        wide.push_back(std::to_string(number) + ": " + std::to_string(width_of(line)) + " characters");
    }
    return wide;
}

TEST(Pages, may_have_wide_tables_and_code_but_no_wide_prose) {
    const std::string fits(120, 'x'), wide(121, 'x');
    std::istringstream page(fits + "\n" + wide + "\n| " + wide + " |\n  ```\n" + wide + "\n  ```\n  " + fits + "\n→" +
                            fits.substr(1) + "\n");
    EXPECT_EQ(wide_lines(page), (std::vector<std::string>{"2: 121 characters", "7: 122 characters"}));
}

// A page links only to what is there on an installed machine too: cmake/Install.cmake installs these pages and docs/.
TEST(Pages, link_only_to_what_the_package_installs) {
    namespace fs = std::filesystem;
    const fs::path root = DRAWBRIDGE_SOURCE_DIR;
    const std::vector<fs::path> top = {root / "README.md", root / "CONTRIBUTING.md", root / "SECURITY.md",
                                       root / "CHANGELOG.md"};
    std::vector<fs::path> pages = top;
    for (const auto& entry : fs::directory_iterator(root / "docs"))
        if (entry.path().extension() == ".md") pages.push_back(entry.path());
    for (const auto& page : pages) {
        std::ifstream file(page);
        std::ostringstream text;
        text << file.rdbuf();
        const std::string all = text.str();
        for (auto at = all.find("]("); at != std::string::npos; at = all.find("](", at + 1)) {
            const auto target = all.substr(at + 2, all.find_first_of("#)", at) - at - 2);
            if (target.empty() || target.contains(':') || target.contains(' ')) continue;
            const auto linked = (page.parent_path() / target).lexically_normal();
            const bool is_installed =
                std::ranges::find(top, linked) != top.end() || linked.string().starts_with((root / "docs/").string());
            EXPECT_TRUE(is_installed && fs::exists(linked)) << page << ": " << target;
        }
    }
}

TEST(Pages, wrap_at_120_columns) {
    const std::filesystem::path root = DRAWBRIDGE_SOURCE_DIR;
    std::vector<std::filesystem::path> pages = {root / "README.md", root / "CONTRIBUTING.md", root / "SECURITY.md",
                                                root / "CHANGELOG.md"};
    for (const auto& entry : std::filesystem::directory_iterator(root / "docs")) {
        const auto name = entry.path().filename();
        // The program generates these two.
        if (name.extension() == ".md" && name != "configuration.md" && name != "exceptions.md")
            pages.push_back(entry.path());
    }
    ASSERT_GT(pages.size(), 10U);
    for (const auto& path : pages) {
        std::ifstream page(path);
        ASSERT_TRUE(page) << path;
        for (const std::string& line : wide_lines(page))
            ADD_FAILURE() << path.lexically_relative(root).generic_string() << ":" << line << ", not 120";
    }
}

}  // namespace
}  // namespace drawbridge::architecture
