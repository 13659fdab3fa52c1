#include "drawbridge/domain/exception_catalog.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace drawbridge {
namespace {

namespace fs = std::filesystem;
using ::testing::IsEmpty;

const fs::path root = DRAWBRIDGE_SOURCE_DIR;

std::string read_whole(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// Whoever raises exceptions: the program's code, without the catalog itself and without the sandbox.
const std::map<std::string, std::string>& sources() {
    static std::map<std::string, std::string> found;
    if (!found.empty()) return found;
    for (const std::string_view top : {"include", "src"}) {
        for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
            const auto extension = entry.path().extension();
            if (!entry.is_regular_file() || (extension != ".hpp" && extension != ".cpp")) continue;
            const auto name = entry.path().lexically_relative(root).generic_string();
            if (name.starts_with("src/domain/exception") || name.starts_with("src/sandbox/")) continue;
            found.emplace(name, read_whole(entry.path()));
        }
    }
    return found;
}

std::set<std::string> codes() {
    std::set<std::string> all;
    for (const auto& kind : exception_kinds())
        all.emplace(kind.reason_code);
    return all;
}

struct Raised {
    std::string file, step, code;  // the step where the place names it, or empty
};

// A form of code in which a reason code is spelled: what it begins with, and the rest. The last group is the code; the
// one before it, if there is one, the step.
struct Form {
    std::string begins;
    std::regex rest;
};

// The places where a reason code is spelled. A new form needs a line here; whatever it is, the ledger asserts that the
// catalog has the code.
std::vector<Raised> raised_in_sources() {
    const std::string code = R"re("([a-z]+(?:_[a-z]+)*)")re";
    std::vector<Form> forms = {
        // {"pay", "no_payee", draw, payment, subject, detail}
        {"{\"", std::regex(R"re((poll|decide|approve|pay|confirm|report)",\s*)re" + code + R"(,\s*[a-z_:\[])")},
        // about(draw, payment, "cancelled_after_payment", …)
        {"about(draw, payment,", std::regex(R"(\s*)" + code)},
        // what.reason_code = "check_order_too_late"
        {"what.reason_code = ", std::regex(code)},
        // inline constexpr std::string_view no_payee = "no_payee"
        {"inline constexpr std::string_view ", std::regex(R"re([a-z]+_[a-z_]+ = "([a-z]+_[a-z_]+)")re")},
    };
    // raise(context, id, "approval_refused", …), ReleaseFault{"draws_changed", …}
    for (const char* call : {"raise(", "raise_and_pause(", "raise_about_service(", "raise_delivery(",
                             "hold_for_person(", "refuse_file(", "encryption_failed("})
        forms.push_back({call, std::regex(R"([^;"{]{0,200})" + code)});
    for (const char* fault : {"ReleaseFault{", "PaymentHold{", "Refusal{", "Held{", "refuse(context, file, {"})
        forms.push_back({fault, std::regex(R"(\s*)" + code)});
    std::vector<Raised> found;
    for (const auto& [name, text] : sources()) {
        for (const Form& form : forms) {
            for (auto at = text.find(form.begins); at != std::string::npos; at = text.find(form.begins, at + 1)) {
                std::smatch match;
                const auto from = text.begin() + static_cast<std::ptrdiff_t>(at + form.begins.size());
                if (!std::regex_search(from, text.end(), match, form.rest, std::regex_constants::match_continuous))
                    continue;
                const bool has_step = match.size() == 3;
                found.push_back({name, has_step ? match[1].str() : "", match[match.size() - 1].str()});
            }
        }
    }
    return found;
}

TEST(ExceptionCatalog, has_every_code_that_the_sources_raise) {
    const auto found = raised_in_sources();
    ASSERT_GT(found.size(), 80U) << "the forms of raising places have changed: see raised_in_sources()";
    for (const auto& [file, step, code] : found) {
        EXPECT_NE(find_exception_kind(code), nullptr) << file << " raises " << code;
        if (step.empty()) continue;
        EXPECT_NE(find_exception_kind(code, step), nullptr) << file << " raises " << code << " in " << step;
    }
}

// condition ? "check_stopped" : "check_voided"
TEST(ExceptionCatalog, has_both_codes_of_a_choice) {
    const std::regex choice(R"re(([a-z]+_[a-z_]+)"\s*:\s*"([a-z]+_[a-z_]+)")re");
    const std::string begins = "? \"";
    int found = 0;
    for (const auto& [name, text] : sources()) {
        for (auto at = text.find(begins); at != std::string::npos; at = text.find(begins, at + 1)) {
            std::smatch match;
            const auto from = text.begin() + static_cast<std::ptrdiff_t>(at + begins.size());
            if (!std::regex_search(from, text.end(), match, choice, std::regex_constants::match_continuous)) continue;
            const std::string one = match[1], other = match[2];
            const bool is_known = find_exception_kind(one) != nullptr;
            if (is_known) ++found;
            EXPECT_EQ(find_exception_kind(other) != nullptr, is_known) << name << ": " << one << ", " << other;
        }
    }
    EXPECT_GE(found, 2);
}

// "delivery_" and the step of the upload that needs a person.
const std::set<std::string> put_together = {"delivery_conflict", "delivery_uncertain"};

// A code that nobody raises any more leaves the catalog.
TEST(ExceptionCatalog, has_no_code_that_the_sources_do_not_spell) {
    std::set<std::string> unseen = codes();
    std::erase_if(unseen, [](const std::string& code) { return put_together.contains(code); });
    for (const auto& [name, text] : sources())
        std::erase_if(unseen, [&](const std::string& code) { return text.contains("\"" + code + "\""); });
    EXPECT_THAT(unseen, IsEmpty());
}

TEST(ExceptionCatalog, has_the_codes_that_are_put_together) {
    for (const std::string& code : put_together)
        EXPECT_NE(find_exception_kind(code, "pay"), nullptr) << code;
}

TEST(ExceptionCatalog, names_each_code_once_in_a_step) {
    std::set<std::pair<std::string_view, std::string_view>> seen;
    for (const auto& kind : exception_kinds()) {
        for (const Step step : all_steps) {
            if (kind.step != step && !kind.also.has(step)) continue;
            // What deliver raises counts as pay: a kind of both is one.
            if (step == Step::deliver && kind.also.has(Step::pay)) continue;
            EXPECT_TRUE(seen.emplace(kind.reason_code, to_string(ledger_step(step))).second) << kind.reason_code;
        }
        EXPECT_TRUE(!kind.step || !kind.also.has(*kind.step)) << kind.reason_code;
    }
}

TEST(ExceptionCatalog, finds_a_kind_by_code_and_stored_step) {
    ASSERT_NE(find_exception_kind("no_payee", "pay"), nullptr);
    EXPECT_EQ(find_exception_kind("no_payee", "pay")->title, "No payee for this draw");
    EXPECT_EQ(find_exception_kind("no_payee", "poll"), nullptr);
    EXPECT_EQ(find_exception_kind("no_such_code", "pay"), nullptr);
    EXPECT_EQ(find_exception_kind("no_such_code"), nullptr);
    // The same code of two steps is two kinds.
    EXPECT_EQ(find_exception_kind("case_stopped", "pay")->resolve_effect, ResolveEffect::closes);
    EXPECT_EQ(find_exception_kind("case_stopped", "confirm")->resolve_effect, ResolveEffect::lifts);
}

TEST(ExceptionCatalog, stores_what_deliver_raises_as_pay) {
    for (const Step step : all_steps)
        EXPECT_EQ(ledger_step(step), step == Step::deliver ? Step::pay : step);
    EXPECT_NE(find_exception_kind("delivery_failing", "pay"), nullptr);
    EXPECT_EQ(find_exception_kind("delivery_failing", "deliver"), nullptr);
    for (const Step step : all_steps)
        EXPECT_EQ(find_exception_kind("disk_full", to_string(step)) != nullptr, step != Step::deliver)
            << to_string(step);
}

TEST(ExceptionCatalog, is_grouped_by_step_in_the_order_of_the_pipeline) {
    const auto place = [](const ExceptionKind& kind) {
        return kind.step ? static_cast<int>(*kind.step) : static_cast<int>(all_steps.size());
    };
    EXPECT_TRUE(std::ranges::is_sorted(exception_kinds(), {}, place));
}

TEST(ExceptionCatalog, has_texts_that_fit_a_person) {
    for (const auto& kind : exception_kinds()) {
        EXPECT_FALSE(kind.title.empty()) << kind.reason_code;
        EXPECT_LE(kind.title.size(), 60U) << kind.reason_code << ": a title is a line of a mail";
        EXPECT_FALSE(kind.title.ends_with('.')) << kind.reason_code;
        for (const std::string_view text : {kind.meaning, kind.what_to_do, kind.resolve_does}) {
            EXPECT_TRUE(text.ends_with('.')) << kind.reason_code << ": sentences: " << text;
            EXPECT_EQ(text.find_first_of("|<>\n"), std::string_view::npos) << kind.reason_code << ": " << text;
            EXPECT_EQ(text.find("  "), std::string_view::npos) << kind.reason_code << ": " << text;
            EXPECT_EQ(std::ranges::count(text, '`') % 2, 0) << kind.reason_code << ": " << text;
        }
    }
}

TEST(ExceptionCatalog, lists_an_act_for_whatever_resolve_does) {
    for (const auto& kind : exception_kinds()) {
        EXPECT_FALSE(kind.acts.empty()) << kind.reason_code;
        EXPECT_EQ(kind.acts.has(ExceptionAct::resolve), kind.resolve_effect != ResolveEffect::refused)
            << kind.reason_code;
        EXPECT_TRUE(kind.acts.has(ExceptionAct::resolve) || !kind.acts.has(ExceptionAct::undo)) << kind.reason_code;
    }
    std::set<std::string_view> words;
    for (const ExceptionAct act : all_exception_acts)
        EXPECT_TRUE(words.insert(to_string(act)).second) << to_string(act);
}

// Which exceptions keep `resume` from being said stands in SQL, too. A restored ledger has a condition of its own.
TEST(ExceptionCatalog, pauses_where_the_ledger_refuses_to_resume) {
    std::set<std::string> wanted;
    for (const auto& kind : exception_kinds()) {
        if (!kind.pauses) continue;
        EXPECT_TRUE(kind.acts.has(ExceptionAct::resume)) << kind.reason_code;
        if (kind.reason_code != "ledger_is_older") wanted.emplace(kind.reason_code);
    }
    const std::string text = read_whole(root / "src/ledger/facts/pause_causes.hpp");
    const std::regex code("'([a-z_]+)'");
    std::set<std::string> listed;
    for (std::sregex_iterator at(text.begin(), text.end(), code), end; at != end; ++at)
        listed.insert((*at)[1]);
    EXPECT_EQ(listed, wanted);
}

TEST(ExceptionReference, is_the_page_in_docs) {
    EXPECT_EQ(read_whole(root / "docs/exceptions.md"), exception_reference()) << "drawbridge exception-reference";
}

}  // namespace
}  // namespace drawbridge
