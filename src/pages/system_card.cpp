#include "system_card.hpp"

#include <chrono>

#include "json_read.hpp"
#include "parts.hpp"
#include "tables.hpp"
#include "wording.hpp"

namespace drawbridge::pages {
namespace {

// As config/prometheus/alerts.yml has them.
constexpr std::chrono::seconds standby_missing{120};
constexpr std::int64_t server_lags_ms = 10'000;

Html standby_words(const PageContext& page, const Json& standby) {
    const auto seen = instant_in(standby, "seen_at");
    const auto behind = count_in(standby, "entries_behind");
    const Html words = group(text_in(standby, "host"), ", seen ", moment(page, seen), ", ",
                             behind == 0 ? std::string("nothing behind")
                                         : grouped(behind) + (behind == 1 ? " entry" : " entries") + " behind");
    const bool is_missing = !seen || page.now - *seen > standby_missing;
    if (is_missing) return group(tag(Tone::wait, "missing"), " ", words);
    std::string others;
    for (const Json& what : list_in(standby, "differs"))
        if (what.is_string()) others += (others.empty() ? "other " : ", ") + what.get<std::string>();
    return others.empty() ? words : group(tag(Tone::wait, others), " ", words);
}

Html server_standby_words(const Json& standby) {
    const std::string sync = text_in(standby, "sync");
    const auto& lag = field(standby, "lag_ms");
    const auto lag_ms = count_in(standby, "lag_ms");
    Html words = text_in(standby, "name") + ", " + (sync.empty() ? "connected" : sync);
    if (lag.is_number()) words = group(words, ", lag ", grouped(lag_ms), " ms");
    return lag_ms > server_lags_ms ? group(tag(Tone::wait, "lags"), " ", words) : words;
}

// Who is around a ledger in PostgreSQL; a file has nobody around it.
void add_hosts(const PageContext& page, const Json& hosts, Facts& facts) {
    if (!hosts.is_object()) return;
    facts.text("Ledger", group("in PostgreSQL, written by ", text_in(hosts, "writer"), " since ",
                               moment_in(page, hosts, "since")));
    for (const Json& standby : list_in(hosts, "standbys"))
        facts.text("Standby", standby_words(page, standby));
    for (const Json& standby : list_in(hosts, "server_standbys"))
        facts.text("Database standby", server_standby_words(standby));
    if (flag_in(hosts, "owns_tables")) {
        facts.text("Database role", group(tag(Tone::wait, "owns the tables"),
                                          small("docs/high-availability.md has a role with fewer rights")));
    }
}

}  // namespace

Html system_card(const PageContext& page, const Json& status) {
    Facts facts;
    const auto& daemon = field(status, "daemon");
    const std::string doing = text_in(daemon, "doing");
    facts.text("Drawbridge", flag_in(daemon, "running")
                                 ? group(tag(Tone::good, "running"), " ", doing == "waiting" ? "" : doing)
                                 : tag(Tone::alarm, "no daemon runs"));
    const auto& service = field(status, "service");
    if (service.is_object()) {
        const std::string problem = text_in(service, "last_error");
        const bool is_closed = text_in(service, "circuit") == "closed";
        facts.text("Draws Service",
                   is_closed ? tag(Tone::good, "answers") : group(tag(Tone::alarm, "does not answer"), " ", problem));
    }
    for (const Json& run : list_in(status, "runs")) {
        if (flag_in(run, "ok")) continue;
        facts.text("Step " + text_in(run, "step"), group(tag(Tone::alarm, "failed"), " ", text_in(run, "summary")));
    }
    const auto& backup = field(status, "backup");
    facts.text("Last backup", backup.is_object() ? ago(page, instant_in(backup, "at")) : tag(Tone::wait, "none yet"));
    add_hosts(page, field(field(status, "ledger"), "hosts"), facts);
    const std::string reports = text_in(field(status, "ledger"), "reports");
    if (!reports.empty()) facts.text("Reports", text_of(reports));
    const std::string no_space = text_in(status, "no_space");
    if (!no_space.empty()) facts.text("Disk", tag(Tone::alarm, no_space));
    for (const Json& problem : list_in(status, "reload_problems"))
        facts.text("Rules and payees", group(tag(Tone::alarm, "not taken"), " ", text_of(problem)));
    for (const Json& control : list_in(status, "controls")) {
        if (flag_in(control, "on")) continue;
        facts.text("Control off", group(capitalized(text_in(control, "state")), small(mono(text_in(control, "key")))));
    }
    return card("System", facts.html());
}

}  // namespace drawbridge::pages
