#include "wording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/domain/banking_calendar.hpp"
#include "drawbridge/text/show.hpp"
#include "json_read.hpp"

namespace drawbridge::pages {
namespace {

using std::chrono::sys_days;

constexpr std::array<std::string_view, 7> weekdays = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                      "Thursday", "Friday", "Saturday"};
constexpr std::array<std::string_view, 12> months = {"January",   "February", "March",    "April",
                                                     "May",       "June",     "July",     "August",
                                                     "September", "October",  "November", "December"};

std::string_view month_of(BusinessDate date) {
    return months[static_cast<unsigned>(date.month()) - 1];
}

std::string year_unless_this(const PageContext& page, BusinessDate date) {
    const auto this_year = page.zone.date_of(page.now).year();
    return date.year() == this_year ? std::string() : fmt::format(", {}", static_cast<int>(date.year()));
}

std::string clock_words(std::chrono::minutes of_day) {
    return fmt::format("{:02}:{:02}", of_day.count() / 60, of_day.count() % 60);
}

struct StateWords {
    std::string_view state, words;
    Tone tone;
};

constexpr StateWords file_states[] = {
    {"planned", "being written", Tone::plain},
    {"staged", "waiting for release", Tone::wait},
    {"releasing", "on its way out", Tone::accent},
    {"released", "released", Tone::good},
    {"voided", "voided", Tone::plain},
};
constexpr StateWords check_states[] = {
    {"planned", "planned", Tone::plain},
    {"issued", "outstanding", Tone::accent},
    {"stale", "stale", Tone::wait},
    {"paid", "paid", Tone::good},
    {"void_requested", "void ordered", Tone::wait},
    {"stop_requested", "stop ordered", Tone::wait},
    {"void_transmitted", "void sent to the bank", Tone::plain},
    {"stopped", "stopped", Tone::plain},
    {"voided_by_bank", "voided by the bank", Tone::alarm},
    {"returned", "returned", Tone::alarm},
    {"not_issued", "not issued", Tone::plain},
    {"sent_before_restore", "sent before a restore", Tone::alarm},
    {"skipped_by_restore", "skipped by a restore", Tone::wait},
    {"never_used", "never used", Tone::plain},
};

template <std::size_t N>
Html tag_from(const StateWords (&known)[N], std::string_view state) {
    for (const auto& one : known) {
        if (one.state == state) return tag(one.tone, one.words);
    }
    return state.empty() ? Html() : tag(Tone::plain, spaced(state));
}

}  // namespace

Html none() {
    return el("span", {{"class", "none"}}, "—");
}

std::string money_words(const std::optional<Money>& amount) {
    if (!amount) return "—";
    if (amount->cents() < 0) return "−" + (Money() - *amount).to_display();
    return amount->to_display();
}

Html amount(const std::optional<Money>& amount) {
    return amount ? Html(money_words(amount)) : none();
}

Html amount_in(const Json& from, std::string_view key) {
    return amount(money_in(from, key));
}

Html large_amount(const std::optional<Money>& amount) {
    if (!amount) return none();
    const std::string words = money_words(amount);
    const auto point = words.rfind('.');
    if (point == std::string::npos) return words;
    return group(words.substr(0, point), el("span", {{"class", "cents"}}, words.substr(point)));
}

std::string weekday_words(BusinessDate date) {
    return std::string(weekdays[std::chrono::weekday(sys_days(date)).c_encoding()]);
}

std::string day_words(const PageContext& page, BusinessDate date) {
    return fmt::format("{}, {} {}{}", weekday_words(date).substr(0, 3), month_of(date).substr(0, 3),
                       static_cast<unsigned>(date.day()), year_unless_this(page, date));
}

std::string long_day_words(const PageContext& page, BusinessDate date) {
    return fmt::format("{}, {} {}{}", weekday_words(date), month_of(date), static_cast<unsigned>(date.day()),
                       year_unless_this(page, date));
}

std::string time_words(const PageContext& page, Instant at) {
    return clock_words(page.zone.to_local(at).time_of_day);
}

std::string moment_words(const PageContext& page, Instant at) {
    const auto local = page.zone.to_local(at);
    const auto today = sys_days(page.zone.date_of(page.now));
    const std::string clock = clock_words(local.time_of_day);
    if (sys_days(local.date) == today) return "today " + clock;
    return day_words(page, local.date) + " " + clock;
}

std::string length_words(std::chrono::milliseconds length) {
    const auto total = std::chrono::duration_cast<std::chrono::minutes>(std::chrono::abs(length)).count();
    if (total < 1) return "less than a minute";
    if (total < 60) return fmt::format("{} min", total);
    if (total < 24 * 60)
        return total % 60 == 0 ? fmt::format("{} h", total / 60) : fmt::format("{} h {} min", total / 60, total % 60);
    const auto days = total / (24 * 60), hours_left = total % (24 * 60) / 60;
    return days > 2 || hours_left == 0 ? fmt::format("{} d", days) : fmt::format("{} d {} h", days, hours_left);
}

Html day(const PageContext& page, const std::optional<BusinessDate>& date) {
    if (!date) return none();
    return el("time", {{"datetime", format_date(*date)}}, day_words(page, *date));
}

Html moment(const PageContext& page, const std::optional<Instant>& at) {
    if (!at) return none();
    return el("time", {{"datetime", format_instant(*at)}}, moment_words(page, *at));
}

Html day_in(const PageContext& page, const Json& from, std::string_view key) {
    return day(page, date_in(from, key));
}

Html moment_in(const PageContext& page, const Json& from, std::string_view key) {
    return moment(page, instant_in(from, key));
}

Html countdown(const PageContext& page, Instant until) {
    const std::string words = until <= page.now ? "now" : "in " + length_words(until - page.now);
    return el("time", {{"class", "countdown"}, {"datetime", format_instant(until)}, {"data-until", ""}}, words);
}

namespace {

// A day or more counts in banking days, as far as there are any: over a weekend nobody is late.
std::string age_words(const PageContext& page, Instant since) {
    const auto length = page.now - since;
    if (length < std::chrono::minutes(1)) return "just now";
    if (length < std::chrono::days(1) || length > std::chrono::days(366)) return length_words(length);
    const int days = page.calendar.count(page.zone.date_of(since), page.zone.date_of(page.now));
    return days == 0 ? length_words(length) : text::counted(days, "banking day");
}

}  // namespace

Html age(const PageContext& page, const std::optional<Instant>& since) {
    if (!since) return none();
    const std::string words = age_words(page, *since);
    return el("time", {{"datetime", format_instant(*since)}, {"title", moment_words(page, *since)}}, words);
}

Html ago(const PageContext& page, const std::optional<Instant>& since) {
    const bool is_now = since && page.now - *since < std::chrono::minutes(1);  // "just now"
    return is_now ? age(page, since) : group(age(page, since), " ago");
}

std::string counted(std::int64_t count, std::string_view what) {
    return text::counted(count, what);
}

std::string grouped(std::int64_t count) {
    return text::grouped(count);
}

std::string number_words(std::int64_t count) {
    constexpr std::array<std::string_view, 10> names = {"No",   "One", "Two",   "Three", "Four",
                                                        "Five", "Six", "Seven", "Eight", "Nine"};
    if (count >= 0 && count < static_cast<std::int64_t>(names.size()))
        return std::string(names[static_cast<std::size_t>(count)]);
    return text::grouped(count);
}

std::string capitalized(std::string text) {
    if (!text.empty()) text[0] = to_upper(text[0]);
    return text;
}

std::string sentence(std::string_view said) {
    std::string words;
    for (std::size_t at = 0; at < said.size();) {
        const char before = at == 0 ? ' ' : said[at - 1];
        std::size_t end = at;
        while (end < said.size() && is_digit(said[end]))
            ++end;
        const bool has_cents =
            end > at && end + 2 < said.size() && said[end] == '.' && is_digit(said[end + 1]) && is_digit(said[end + 2]);
        const char after = has_cents && end + 3 < said.size() ? said[end + 3] : ' ';
        const bool is_example = said.substr(0, at).ends_with("write it like ");
        const bool stands_alone =
            before == ' ' && !is_example && (after == ' ' || after == ',' || after == ':' || after == ';');
        const auto money = has_cents && stands_alone ? Money::parse(said.substr(at, end + 3 - at))
                                                     : fail(ErrorCode::invalid_input, "");
        if (money) {
            words += money->to_display();
            at = end + 3;
            continue;
        }
        end = std::max(end, at + 1);
        words += said.substr(at, end - at);
        at = end;
    }
    return capitalized(std::move(words));
}

std::string with_local_times(const PageContext& page, std::string_view text) {
    constexpr std::size_t longest = std::string_view("2026-11-24T15:30:00.000Z").size();
    std::string words;
    while (!text.empty()) {
        const auto first = text.substr(0, longest);
        const auto at =
            first.size() == longest && first.ends_with('Z') ? parse_instant(first) : fail(ErrorCode::invalid_input, "");
        words += at ? moment_words(page, *at) : std::string(text.substr(0, 1));
        text.remove_prefix(at ? longest : 1);
    }
    return words;
}

Html with_code(std::string_view text) {
    Html words;
    while (true) {
        const auto begin = text.find('`');
        const auto end = begin == std::string_view::npos ? begin : text.find('`', begin + 1);
        if (end == std::string_view::npos) return group(words, text);
        words += group(text.substr(0, begin), el("code", text.substr(begin + 1, end - begin - 1)));
        text.remove_prefix(end + 1);
    }
}

Html with_short_hashes(std::string_view text) {
    constexpr std::size_t of_hash = 64, shown = 12;
    std::string words;
    for (std::size_t at = 0; at < text.size();) {
        const auto end = std::min(text.find_first_not_of("0123456789abcdef", at), text.size());
        words +=
            end - at == of_hash ? std::string(text.substr(at, shown)) + "…" : std::string(text.substr(at, end - at));
        if (end < text.size()) words += text[end];
        at = end + 1;
    }
    return words == text ? Html(text) : el("span", {{"title", text}}, words);
}

std::string spaced(std::string_view name) {
    std::string words(name);
    for (char& c : words) {
        if (c == '_') c = ' ';
    }
    return words;
}

std::string_view class_of(Tone tone) {
    switch (tone) {
        case Tone::plain: return "";
        case Tone::wait: return "wait";
        case Tone::alarm: return "alarm";
        case Tone::good: return "good";
        case Tone::accent: return "accent";
    }
    return "";
}

Html tag(Tone tone, std::string_view words) {
    return el("span", {{"class", std::string("tag ") + std::string(class_of(tone))}}, words);
}

Tone tone_of_state(std::string_view state) {
    if (state == "held" || state == "paying") return Tone::wait;
    if (state == "blocked" || state == "returned") return Tone::alarm;
    if (state == "paid" || state == "disbursed" || state == "reported") return Tone::good;
    if (state == "approved" || state == "approving") return Tone::accent;
    return Tone::plain;
}

Html state_tag(std::string_view state) {
    return state.empty() ? Html() : tag(tone_of_state(state), spaced(state));
}

Html file_state_tag(std::string_view state) {
    return tag_from(file_states, state);
}

Html check_state_tag(std::string_view state) {
    return tag_from(check_states, state);
}

bool has_check_orders(const Json& file) {
    return text_in(file, "kind") == "check_orders";
}

std::string items_words(const Json& file) {
    return counted(count_in(file, "payments"), has_check_orders(file) ? "check order" : "payment");
}

std::string person_words(std::string_view by) {
    const auto open = by.find(" (");
    const bool is_uid = by.starts_with("uid ") && open != std::string_view::npos && by.ends_with(')');
    if (is_uid) return std::string(by.substr(open + 2, by.size() - open - 3));
    return std::string(by);
}

std::string people_words(const Json& list) {
    std::string words;
    for (const Json& by : list)
        words += (words.empty() ? "" : ", ") + person_words(text_of(by));
    return words;
}

Html hash(std::string_view sha256) {
    if (sha256.empty()) return none();
    constexpr std::size_t part = 8;
    std::string words(sha256.substr(0, part));
    if (sha256.size() > part) words += " " + std::string(sha256.substr(part, part)) + "…";
    return el("code", {{"class", "hash"}, {"title", sha256}}, words);
}

Html mono(std::string_view text) {
    return text.empty() ? none() : el("span", {{"class", "mono"}}, text);
}

}  // namespace drawbridge::pages
