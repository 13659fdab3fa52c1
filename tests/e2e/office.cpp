#include "e2e/office.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <regex>
#include <utility>

#include "e2e/http.hpp"
#include "support/postgresql_cluster.hpp"

namespace drawbridge::e2e {
namespace {

namespace fs = std::filesystem;

constexpr auto max_run = std::chrono::seconds(60);

// Each office has a schema on the server of this test program.
std::string schema_of(const fs::path& folder) {
    return fmt::format("office_{:x}", std::hash<std::string>()(folder.string()));
}

std::string ledger_section(const std::string& keys, const fs::path& folder) {
    if (!on_postgresql() || keys.contains("url:")) return keys;
    return fmt::format("{{url: \"{}\", schema: {}, {}", test::PostgresqlCluster::instance().url("office"),
                       schema_of(folder), keys.substr(1));
}

std::string configuration(const fs::path& folder, std::uint16_t port, const OfficeOptions& options) {
    return "service:\n"
           "  base_url: http://127.0.0.1:" +
           std::to_string(port) +
           "\n"
           "  client_id_file: client_id\n"
           "  client_secret_file: client_secret\n" +
           options.service +
           "state_dir: state\n"
           "rules: {file: rules.yaml}\n"
           "payees: {file: payees.csv, key: fieldA}\n"
           "poll: {every: 100ms, full_sweep_every: 1s}\n"
           "pay:\n"
           "  timezone: America/New_York\n"
           "  cutoffs: " +
           options.cutoffs + "\n  release: " + options.release + "\n" + options.pay +
           // Tests of these holds turn them on.
           (options.pay.contains("payee_hold") ? "" : "  payee_hold: 0d\n") +
           (options.pay.contains("duplicate_window") ? "" : "  duplicate_window: 0d\n") +
           "ach:\n"
           "  odfi: {routing_number: \"091000019\", name: FIRST BANK}\n"
           "  origin: {id: \"1123456789\", name: CITY HOUSING OFFICE}\n"
           "  company: {name: CITY HOUSING, id: \"1123456789\", entry_description: DRAWPMT}\n" +
           options.ach +
           "checks: {account_number_file: check_account, layout: issue.yaml, first_number: " + options.first_check +
           "}\nledger: " + ledger_section(options.ledger, folder) +
           "\nconfirmations: {profiles: [{match: \"*.csv\", format: csv}], quiet_period: " + options.quiet_period +
           "}\n" + options.more;
}

constexpr std::string_view rules =
    "version: 1\n"
    "approver_id: 1201\n"
    "rules:\n"
    "  - name: large-amounts\n"
    "    when: {amountRequested: {gt: 25000}}\n"
    "    hold: needs a second pair of eyes\n"
    "  - name: known-programs\n"
    "    when: {workflowId: {in: [12, 14, 21]}, amountRequested: {gt: 0}}\n"
    "    approve: {notes: \"auto-approved by {rule}\", notify: [finance@example.gov]}\n";

constexpr std::string_view issue_layout =
    "format: csv\n"
    "header: false\n"
    "delimiter: \",\"\n"
    "line_end: lf\n"
    "date_format: MMDDYY\n"
    "amount_format: decimal\n"
    "codes: {issue: I, void: V}\n"
    "columns: [{field: code}, {field: account_number}, {field: check_number}, {field: issue_date}, {field: amount}, "
    "{field: payee_name, width: 40}]\n";

void write_secret(const fs::path& path, std::string_view value) {
    write_file(path, std::string(value) + "\n");
    fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
}

}  // namespace

Office::Office(fs::path folder, std::uint16_t service_port, const OfficeOptions& options)
    : folder_(std::move(folder)), writers_(folder_.parent_path() / "writers") {
    fs::create_directories(state());
    write_file(folder_ / "drawbridge.yaml", configuration(folder_, service_port, options));
    write_file(folder_ / "issue.yaml", std::string(issue_layout));
    write_rules(std::string(rules));
    write_payees();
    write_secret(folder_ / "client_id", client_id);
    write_secret(folder_ / "client_secret", client_secret);
    write_secret(folder_ / "check_account", "4400123456");
}

void Office::write_payees(const std::string& more) const {
    std::string csv =
        "key,name,rail,routing_number,account_number,account_type,sec_code,address1,address2,city,state,zip\n";
    for (int i = 1; i <= 9; ++i) {
        csv += fmt::format("ACH-{0},Payee {0},ach,091000019,77001{0},{1},,,,,\n", i,
                           i % 2 == 0 ? "savings,CCD" : "checking,PPD");
        csv += fmt::format("CHK-{0},Landlord {0},check,,,,,{0} Main Street,,Springfield,IL,62701\n", i);
    }
    write_file(folder_ / "payees.csv", csv + more);
}

void Office::write_rules(const std::string& yaml) const {
    write_file(folder_ / "rules.yaml", yaml);
}

Command Office::command(const std::string& program, const std::vector<std::string>& arguments) const {
    Command command;
    command.arguments = {std::string(DRAWBRIDGE_BINARY_DIR) + "/" + program, "--config",
                         (folder_ / "drawbridge.yaml").string()};
    command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
    command.environment = {{"DRAWBRIDGE_WRITERS", writers_.string()}};
    command.stdout_file = folder_ / "run.out";
    command.stderr_file = folder_ / "run.err";
    command.within = within_;
    return command;
}

namespace {

Outcome run_to_end(const Command& command) {
    fs::remove(command.stdout_file);
    fs::remove(command.stderr_file);
    Process process(command);
    const auto exit = process.wait(max_run);
    if (!exit) {
        ADD_FAILURE() << "still running after " << max_run.count() << " s: " << command.arguments.back();
        process.kill();
    }
    return {exit.value_or(Exit{}), read_file(command.stdout_file), read_file(command.stderr_file)};
}

}  // namespace

Outcome Office::run(const std::vector<std::string>& arguments) const {
    return run_to_end(command("drawbridge", arguments));
}

Outcome Office::run_once(int expected_code) const {
    auto outcome = run({"run", "--once"});
    EXPECT_EQ(to_string(outcome.exit), "exit " + std::to_string(expected_code)) << outcome.out << outcome.err;
    return outcome;
}

Outcome Office::run_to_crash(const std::string& crash_at, const std::vector<std::string>& arguments) const {
    return act_to_crash(crash_at, arguments);
}

Outcome Office::act_to_crash(const std::string& crash_at, const std::vector<std::string>& arguments) const {
    return run_test_program(arguments, {{"DRAWBRIDGE_CRASH_AT", crash_at}});
}

Outcome Office::run_test_program(const std::vector<std::string>& arguments,
                                 const std::map<std::string, std::string>& environment) const {
    auto program = command("tests/drawbridge-crash", arguments);
    program.environment.insert(environment.begin(), environment.end());
    return run_to_end(program);
}

namespace {

constexpr unsigned nobody = 65534;

void give_to(const fs::path& folder, unsigned user) {
    if (::geteuid() != 0) return;
    const auto give = [user](const fs::path& path) { EXPECT_EQ(::lchown(path.c_str(), user, user), 0) << path; };
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        give(entry.path());
    give(folder);
}

}  // namespace

Outcome Office::act_as(unsigned uid, const std::vector<std::string>& arguments) const {
    return run_test_program(arguments, {{"DRAWBRIDGE_ACTING_UID", std::to_string(uid)}});
}

void Office::remove_ledger() const {
    if (!on_postgresql()) {
        for (const auto* name : {"ledger.db", "ledger.db-wal", "ledger.db-shm"})
            fs::remove(state() / name);
    } else {
        test::PostgresqlCluster::instance().exec("DROP SCHEMA " + schema_of(folder_) + " CASCADE");
    }
}

Outcome Office::restore(const fs::path& backup) const {
    if (!on_postgresql()) return run({"restore", backup.string(), "--reason", "the disk died"});
    remove_ledger();
    return run({"ledger", "copy", "--from", backup.string()});
}

std::vector<std::string> Office::audit(const std::string& column, const std::string& where) const {
    const auto sql = "SELECT " + column + " FROM audit WHERE " + where + " ORDER BY seq";
    std::string rows;
    if (!on_postgresql()) {
        Command sqlite;
        sqlite.arguments = {"/usr/bin/sqlite3", "-readonly", (state() / "ledger.db").string(), sql};
        sqlite.stdout_file = folder_ / "sqlite.out";
        sqlite.stderr_file = folder_ / "sqlite.err";
        const auto outcome = run_to_end(sqlite);
        EXPECT_EQ(to_string(outcome.exit), "exit 0") << sql << ": " << outcome.err;
        rows = outcome.out;
    } else {
        rows = test::PostgresqlCluster::instance().ask("SET search_path = " + schema_of(folder_) + "; " + sql);
    }
    return lines_of(rows);
}

void Office::release_what_waits() const {
    const auto listed = Json::parse(run({"files", "--json"}).out, nullptr, /*allow_exceptions=*/false);
    if (!listed.is_object()) return;
    fs::permissions(folder_.parent_path(), fs::perms(0755));
    for (const auto& file : listed.at("files")) {
        if (file.at("state") != "staged") continue;
        const std::vector<std::string> release = {"release", file.at("name"), "--reason", "agreed"};
        // A killed daemon leaves its socket behind.
        const bool is_done =
            fs::exists(state() / "drawbridge.sock") && run_as(second_person, release, {::getegid()}).exit.code == 0;
        if (!is_done) act_as(second_person, release);
    }
}

Outcome Office::run_as_nobody(const std::vector<std::string>& arguments) const {
    auto program = command("drawbridge", arguments);
    if (::geteuid() == 0) {
        give_to_user(nobody);
        const std::vector<std::string> as_nobody = {"/usr/bin/setpriv", "--reuid=65534", "--regid=65534",
                                                    "--clear-groups"};
        program.arguments.insert(program.arguments.begin(), as_nobody.begin(), as_nobody.end());
    }
    return run_to_end(program);
}

void Office::give_back() const {
    give_to_user(::geteuid());
}

void Office::give_to_user(unsigned uid) const {
    fs::permissions(folder_.parent_path(), fs::perms(0755));
    fs::create_directories(writers_);
    give_to(folder_, uid);
    give_to(writers_, uid);
}

Command Office::command_as(unsigned uid, const std::vector<std::string>& arguments, const std::vector<unsigned>& groups,
                           const std::string& name) const {
    auto program = command(name, arguments);
    std::vector<std::string> as = {"/usr/bin/setpriv", fmt::format("--reuid={}", uid), fmt::format("--regid={}", uid)};
    as.push_back(groups.empty() ? std::string("--clear-groups") : fmt::format("--groups={}", fmt::join(groups, ",")));
    program.arguments.insert(program.arguments.begin(), as.begin(), as.end());
    // The leak checker may not look into a process that has changed its uid.
    program.environment["ASAN_OPTIONS"] = "detect_leaks=0";
    // Its own files, because it may run beside other processes.
    program.stdout_file += fmt::format(".{}", uid);
    program.stderr_file += fmt::format(".{}", uid);
    return program;
}

Outcome Office::run_as(unsigned uid, const std::vector<std::string>& arguments,
                       const std::vector<unsigned>& groups) const {
    return run_to_end(command_as(uid, arguments, groups));
}

Process Office::start_as(unsigned uid, const std::vector<std::string>& arguments,
                         const std::vector<unsigned>& groups) const {
    return Process(command_as(uid, arguments, groups));
}

Process Office::start_daemon_as(unsigned uid, const std::string& crash_at) const {
    auto daemon = command_as(uid, {"run"}, {}, crash_at.empty() ? "drawbridge" : "tests/drawbridge-crash");
    if (!crash_at.empty()) daemon.environment["DRAWBRIDGE_CRASH_AT"] = crash_at;
    daemon.stdout_file = folder_ / "daemon.out";
    daemon.stderr_file = folder_ / "daemon.err";
    Process process(daemon);
    EXPECT_TRUE(eventually([&] { return fs::exists(state() / "drawbridge.sock"); })) << read_file(daemon.stderr_file);
    return process;
}

Process Office::start_standby(const fs::path& stderr_file) const {
    auto standby = command("drawbridge", {"run", "--standby"});
    standby.stdout_file = stderr_file.string() + ".out";
    standby.stderr_file = stderr_file;
    return Process(standby);
}

void Office::configure(const std::string& yaml) const {
    write_file(folder_ / "drawbridge.yaml", read_file(folder_ / "drawbridge.yaml") + yaml);
}

Process Office::start_daemon(const std::map<std::string, std::string>& environment, const std::string& program) const {
    auto daemon = command(program, {"run"});
    daemon.environment.insert(environment.begin(), environment.end());
    daemon.stdout_file = folder_ / "daemon.out";
    daemon.stderr_file = folder_ / "daemon.err";
    return Process(daemon);
}

std::string Office::daemon_log() const {
    return read_file(folder_ / "daemon.err");
}

std::string Office::metrics() const {
    std::smatch match;
    const std::string log = daemon_log();
    static const std::regex said("metrics on port ([0-9]+)");
    if (!std::regex_search(log, match, said)) return {};
    return http_request(static_cast<std::uint16_t>(std::stoi(match[1])), "GET", "/metrics", "").body;
}

Json Office::json(std::vector<std::string> arguments) const {
    arguments.emplace_back("--json");
    const auto outcome = run(arguments);
    EXPECT_EQ(to_string(outcome.exit), "exit 0") << arguments.front() << ": " << outcome.err;
    return Json::parse(outcome.out, nullptr, /*allow_exceptions=*/false);
}

std::map<std::int64_t, std::string> Office::states() const {
    std::map<std::int64_t, std::string> states;
    const auto answer = json({"draws"});
    for (const auto& draw : answer.at("draws"))
        states[draw.at("id").get<std::int64_t>()] = draw.at("state").get<std::string>();
    return states;
}

std::string Office::state_of(std::int64_t draw_id) const {
    const auto all = states();
    const auto found = all.find(draw_id);
    return found == all.end() ? "unknown" : found->second;
}

std::vector<std::string> Office::open_exceptions() const {
    std::vector<std::string> reasons;
    const auto answer = json({"exceptions"});
    for (const auto& row : answer.at("exceptions"))
        reasons.push_back(row.at("reason_code").get<std::string>());
    return reasons;
}

std::vector<std::string> Office::open_exceptions(std::int64_t draw_id) const {
    std::vector<std::string> reasons;
    const auto answer = json({"exceptions"});
    for (const auto& row : answer.at("exceptions")) {
        if (row.at("draw_id") == draw_id) reasons.push_back(row.at("reason_code").get<std::string>());
    }
    return reasons;
}

void Office::expect_verified() const {
    const auto outcome = run({"verify"});
    EXPECT_EQ(to_string(outcome.exit), "exit 0") << outcome.out << outcome.err;
}

void Office::drop(const std::string& name, const std::string& content, std::optional<unsigned> owner) const {
    const auto elsewhere = folder_ / ("dropping-" + name);
    write_file(elsewhere, content);
    if (owner) {
        EXPECT_EQ(::chown(elsewhere.c_str(), *owner, *owner), 0) << elsewhere;
    }
    fs::rename(elsewhere, state() / "inbox" / name);
}

bool dies(const Office& office, const std::string& crash_at) {
    const auto outcome = office.run_to_crash(crash_at);
    if (outcome.exit.signal == SIGKILL) return true;
    EXPECT_EQ(to_string(outcome.exit), "exit 0") << outcome.out << outcome.err;
    return false;
}

std::string test_name_of(std::string crash_at) {
    std::ranges::replace_if(crash_at, [](char c) { return c == '.' || c == ':'; }, '_');
    return crash_at;
}

std::int64_t cents_of_draw(std::int64_t id) {
    return 200'00 + 7 * id;
}

void add_draws(const Sandbox& sandbox, std::int64_t count) {
    for (std::int64_t id = 1; id <= count; ++id)
        sandbox.add({id, cents_of_draw(id), (id % 2 == 0 ? "ACH-" : "CHK-") + std::to_string(id)});
}

House::House(const OfficeOptions& options, const std::vector<std::string>& sandbox_arguments)
    : sandbox(folder.path(), sandbox_arguments),
      office(folder.path() / "office", sandbox.port(), options),
      bank(folder.path() / "bank") {}

void House::people_do_their_part(const std::string& confirmation_name) {
    sandbox.disburse_all_approved();
    const auto taken = bank.collect(office.outgoing());
    if (!taken.empty()) office.drop(confirmation_name, confirmation_csv(taken));
}

}  // namespace drawbridge::e2e
