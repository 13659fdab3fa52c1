#include "screens.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <initializer_list>

#include "drawbridge/domain/web_address.hpp"
#include "drawbridge/pages/screens.hpp"

namespace drawbridge::console {
namespace {

using Answers = std::vector<Json>;
using Next = std::optional<Ask>;
using pages::PageContext;

// A page stays below 100 KB.
constexpr std::string_view rows_per_page = "150";
constexpr int lines_per_preview = 300;

Ask get(std::string target) {
    return {"GET", std::move(target), nullptr};
}

std::string list_target(std::string_view path, const WebRequest& request,
                        std::initializer_list<std::string_view> names) {
    return with_parameters(std::string(path) + "limit=" + std::string(rows_per_page), request, names);
}

std::string one_of(std::string_view folder, const WebRequest& request) {
    return std::string(folder) + percent_encoded(request.segments.at(1));
}

const Json& part(const Json& from, const char* key) {
    static const Json nothing = nullptr;
    if (!from.is_object()) return nothing;
    const auto found = from.find(key);
    return found == from.end() ? nothing : *found;
}

// What was asked for second, third…; null: it was not.
const Json& at(const Answers& answers, std::size_t place) {
    static const Json nothing = nullptr;
    return place < answers.size() ? answers[place] : nothing;
}

template <class... Targets>
Next in_turn(const Answers& answers, const Targets&... targets) {
    const std::array<std::string, sizeof...(targets)> all = {std::string(targets)...};
    if (answers.size() == all.size()) return std::nullopt;
    return get(all[answers.size()]);
}

Next ask_today(const PageContext&, const WebRequest&, const Answers& answers) {
    return in_turn(answers, "/status", "/exceptions?limit=200&total=true", "/forecast?days=10");
}
Next ask_files(const PageContext&, const WebRequest& request, const Answers& answers) {
    return in_turn(answers, list_target("/files?total=true&", request, {"state", "after"}));
}
Next ask_file(const PageContext&, const WebRequest& request, const Answers& answers) {
    const std::string file = one_of("/files/", request) + "?payments_limit=" + std::string(rows_per_page);
    return in_turn(answers, with_parameters(file, request, {"payments_after"}));
}
// What was closed today stands beneath what is open, while all of it is shown.
Next ask_exceptions(const PageContext& page, const WebRequest& request, const Answers& answers) {
    const std::string list =
        list_target("/exceptions?total=true&", request, {"state", "reason", "step", "closed_on", "after"});
    const bool is_narrowed = list != list_target("/exceptions?total=true&", request, {});
    if (is_narrowed) return in_turn(answers, list);
    const std::string today = format_date(page.zone.date_of(page.now));
    return in_turn(answers, list, "/exceptions?total=true&limit=10&closed_on=" + today);
}
Next ask_exception(const PageContext&, const WebRequest& request, const Answers& answers) {
    if (answers.empty()) return get(one_of("/exceptions/", request));
    const Json& draw = part(part(answers.front(), "exception"), "draw_id");
    if (answers.size() == 2 || !draw.is_number_integer()) return std::nullopt;
    return get("/draws/" + std::to_string(draw.get<std::int64_t>()));
}
Next ask_draws(const PageContext&, const WebRequest& request, const Answers& answers) {
    return in_turn(answers,
                   list_target("/draws?total=true&", request,
                               {"state", "workflow", "payee", "min_amount", "max_amount", "text", "sort", "after"}));
}
Next ask_draw(const PageContext&, const WebRequest& request, const Answers& answers) {
    const std::string draw = one_of("/draws/", request);
    if (answers.empty()) return get(draw);
    if (answers.size() == 2 || request.parameter("explain") != "true") return std::nullopt;
    return Ask{"POST", draw + "/explain", Json::object()};
}
Next ask_bank_files(const PageContext&, const WebRequest& request, const Answers& answers) {
    return in_turn(answers, list_target("/confirmations?total=true&", request, {"after"}), "/status");
}
Next ask_bank_file(const PageContext&, const WebRequest& request, const Answers& answers) {
    return in_turn(answers, with_parameters(one_of("/confirmations/", request), request, {"after"}));
}
Next ask_preview(const PageContext&, const WebRequest& request, const Answers& answers) {
    if (!answers.empty()) return std::nullopt;
    return Ask{"POST",
               "/ingest/" + percent_encoded(request.parameter("upload")) + "/preview",
               {{"name", request.parameter("name")},
                {"profile", request.parameter("profile")},
                {"limit", lines_per_preview},
                {"keep", true}}};
}
Next ask_checks(const PageContext&, const WebRequest& request, const Answers& answers) {
    return in_turn(answers, list_target("/checks?", request, {"state", "after"}), "/status");
}
// The register is read from the place before the number.
Next ask_check(const PageContext&, const WebRequest& request, const Answers& answers) {
    const std::string& number = request.segments.at(1);
    const bool is_number = number.size() <= 15 && number.find_first_not_of("0123456789") == std::string::npos;
    const std::int64_t before = is_number ? std::max<std::int64_t>(std::stoll(number), 1) - 1 : INT64_MAX;
    return in_turn(answers, "/checks?limit=1&after=" + std::to_string(before));
}
// The month that the reader is in, unless the page says another.
Next ask_calendar(const PageContext& page, const WebRequest& request, const Answers& answers) {
    const bool has_period = !request.parameter("from").empty() && !request.parameter("to").empty();
    const auto today = page.zone.date_of(page.now);
    const auto month = today.year() / today.month();
    const BusinessDate last(month / std::chrono::last);
    const std::string calendar = has_period ? with_parameters("/calendar", request, {"from", "to"})
                                            : "/calendar?from=" + format_date(month / 1) + "&to=" + format_date(last);
    return in_turn(answers, calendar, "/forecast?days=30");
}
// Cash is forecast from today on.
Next ask_calendar_day(const PageContext& page, const WebRequest& request, const Answers& answers) {
    const std::string& day = request.segments.at(1);
    const std::string calendar = "/calendar?from=" + percent_encoded(day) + "&to=" + percent_encoded(day);
    const auto date = parse_date(day);
    const std::chrono::sys_days today = page.zone.date_of(page.now);
    constexpr std::chrono::days max_days{400};
    if (!date || std::chrono::sys_days(*date) < today || std::chrono::sys_days(*date) - today >= max_days)
        return in_turn(answers, calendar);
    const auto days = (std::chrono::sys_days(*date) - today).count() + 1;
    return in_turn(answers, calendar, "/forecast?days=" + std::to_string(days));
}
Next ask_rules(const PageContext&, const WebRequest&, const Answers& answers) {
    return in_turn(answers, "/rules", "/changes?limit=50");
}
Next ask_change(const PageContext&, const WebRequest& request, const Answers& answers) {
    return in_turn(answers, one_of("/changes/", request));
}
Next ask_audit(const PageContext&, const WebRequest& request, const Answers& answers) {
    if (answers.empty()) return get(list_target("/audit?", request, {"actor", "action", "subject", "after"}));
    if (answers.size() == 2 || request.parameter("verify") != "true") return std::nullopt;
    return get("/verify");
}
Next ask_signed_act(const PageContext&, const WebRequest& request, const Answers& answers) {
    return in_turn(answers, one_of("/acts/", request));
}
Next ask_people(const PageContext&, const WebRequest&, const Answers& answers) {
    return in_turn(answers, "/people", "/passkeys", "/sessions");
}
Next ask_me(const PageContext&, const WebRequest&, const Answers& answers) {
    return in_turn(answers, "/sessions");
}
Next ask_find(const PageContext&, const WebRequest& request, const Answers& answers) {
    return in_turn(answers, "/find?q=" + percent_encoded(request.parameter("q")));
}

// A gap of the register stands on one row, under its first number.
bool is_number_of(const Json& check, const std::string& number) {
    const Json &first = part(check, "number"), &last = part(check, "last_number");
    if (!first.is_number_integer() || number.size() > 15) return false;
    const std::int64_t wanted = std::stoll("0" + number);
    const auto begin = first.get<std::int64_t>();
    return wanted >= begin && wanted <= (last.is_number_integer() ? last.get<std::int64_t>() : begin);
}

constexpr Screen table[] = {
    {"/", ask_today,
     [](const PageContext& page, const WebRequest&, const Answers& got) {
         return pages::today_page(page, at(got, 0), at(got, 1), at(got, 2));
     }},
    {"/files", ask_files,
     [](const PageContext& page, const WebRequest& request, const Answers& got) {
         return pages::files_page(page, at(got, 0), request.query);
     }},
    {"/files/*", ask_file,
     [](const PageContext& page, const WebRequest&, const Answers& got) { return pages::file_page(page, at(got, 0)); }},
    {"/exceptions", ask_exceptions,
     [](const PageContext& page, const WebRequest& request, const Answers& got) {
         return pages::exceptions_page(page, at(got, 0), at(got, 1), request.query);
     }},
    {"/exceptions/*", ask_exception,
     [](const PageContext& page, const WebRequest&, const Answers& got) {
         return pages::exception_page(page, at(got, 0), at(got, 1));
     }},
    {"/draws", ask_draws,
     [](const PageContext& page, const WebRequest& request, const Answers& got) {
         return pages::draws_page(page, at(got, 0), request.query);
     }},
    {"/draws/*", ask_draw,
     [](const PageContext& page, const WebRequest&, const Answers& got) {
         return pages::draw_page(page, at(got, 0), at(got, 1));
     }},
    {"/bank-files", ask_bank_files,
     [](const PageContext& page, const WebRequest&, const Answers& got) {
         return pages::bank_files_page(page, at(got, 0), part(at(got, 1), "inbox"));
     }},
    {"/bank-files/preview", ask_preview,
     [](const PageContext& page, const WebRequest& request, const Answers& got) {
         return pages::bank_preview_page(page, request.parameter("upload"), request.parameter("profile"), at(got, 0));
     }},
    {"/bank-files/*", ask_bank_file,
     [](const PageContext& page, const WebRequest&, const Answers& got) {
         return pages::bank_file_page(page, at(got, 0));
     }},
    {"/checks", ask_checks,
     [](const PageContext& page, const WebRequest& request, const Answers& got) {
         return pages::checks_page(page, at(got, 0), part(at(got, 1), "checks"), request.query);
     }},
    {"/checks/*", ask_check,
     [](const PageContext& page, const WebRequest& request, const Answers& got) {
         const Json& found = part(at(got, 0), "checks");
         const bool is_it = found.is_array() && !found.empty() && is_number_of(found[0], request.segments.at(1));
         if (is_it) return pages::check_page(page, found[0]);
         return pages::error_page(page, 404, nullptr);
     }},
    {"/calendar", ask_calendar,
     [](const PageContext& page, const WebRequest&, const Answers& got) {
         return pages::calendar_page(page, at(got, 0), at(got, 1));
     }},
    {"/calendar/*", ask_calendar_day,
     [](const PageContext& page, const WebRequest&, const Answers& got) {
         return pages::calendar_day_page(page, at(got, 0), at(got, 1));
     }},
    {"/rules", ask_rules,
     [](const PageContext& page, const WebRequest&, const Answers& got) {
         return pages::rules_page(page, at(got, 0), at(got, 1), nullptr, nullptr);
     }},
    {"/changes/*", ask_change,
     [](const PageContext& page, const WebRequest&, const Answers& got) {
         return pages::change_page(page, at(got, 0));
     }},
    {"/audit", ask_audit,
     [](const PageContext& page, const WebRequest& request, const Answers& got) {
         return pages::audit_page(page, at(got, 0), at(got, 1), request.query);
     }},
    {"/acts/*", ask_signed_act,
     [](const PageContext& page, const WebRequest&, const Answers& got) {
         return pages::signed_act_page(page, at(got, 0));
     }},
    {"/people", ask_people,
     [](const PageContext& page, const WebRequest&, const Answers& got) {
         return pages::people_page(page, at(got, 0), at(got, 1), at(got, 2));
     }},
    {"/me", ask_me,
     [](const PageContext& page, const WebRequest&, const Answers& got) { return pages::me_page(page, at(got, 0)); }},
    {"/find", ask_find,
     [](const PageContext& page, const WebRequest& request, const Answers& got) {
         return pages::find_page(page, request.parameter("q"), at(got, 0));
     }},
};

}  // namespace

std::string with_parameters(std::string target, const WebRequest& request,
                            std::initializer_list<std::string_view> names) {
    bool is_first = target.find('?') == std::string::npos;
    for (const auto name : names) {
        const std::string value = request.parameter(name);
        if (value.empty()) continue;
        target += std::string(is_first ? "?" : "&") + std::string(name) + "=" + percent_encoded(value);
        is_first = false;
    }
    return target;
}

std::span<const Screen> screens() {
    return table;
}

bool is_at(const std::vector<std::string>& segments, std::string_view pattern) {
    if (segments.empty()) return pattern == "/";
    for (const auto& segment : segments) {
        if (pattern.empty()) return false;
        pattern.remove_prefix(1);
        const auto wanted = pattern.substr(0, pattern.find('/'));
        if (wanted != segment && (wanted != "*" || segment.empty())) return false;
        pattern.remove_prefix(wanted.size());
    }
    return pattern.empty();
}

const Screen* find_screen(const std::vector<std::string>& segments) {
    const auto found =
        std::ranges::find_if(table, [&](const Screen& screen) { return is_at(segments, screen.pattern); });
    return found == std::end(table) ? nullptr : found;
}

}  // namespace drawbridge::console
