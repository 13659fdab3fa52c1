#include "cluster/world.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <utility>

namespace drawbridge::cluster {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using std::chrono::steady_clock;

constexpr const char* here = "127.0.0.1";
constexpr int number_of_a = 21, number_of_b = 22, relay_port = 6432;
constexpr auto restart_delay = 200ms;  // RestartSec in config/postgresql/standby.conf
constexpr auto patience = 8s;          // of a person who waits for an answer
// At the end of every order's reason, so that none is part of another.
constexpr std::string_view of_a_person = " of a person";

e2e::OfficeOptions options_for(const DatabaseCluster& database, const test::SftpServer* server) {
    e2e::OfficeOptions options;
    options.ledger = "{witness: none, url: \"" + database.url() + "\"}";
    options.cutoffs = "[\"23:59\"]";
    if (server != nullptr) {
        options.more = fmt::format(
            "delivery:\n  sftp: {{host: {}, port: {}, user: {}, key_file: {}, host_key: \"{}\", folder: {}, timeout: "
            "5s}}\n",
            here, server->port(), server->user(), server->client_key().string(), server->host_key(),
            server->inbox().string());
    }
    return options;
}

std::int64_t draw_of(std::int64_t cents) {
    return (cents - e2e::cents_of_draw(0)) / (e2e::cents_of_draw(1) - e2e::cents_of_draw(0));
}

}  // namespace

KeptFolder::KeptFolder() {
    std::string pattern = "/tmp/cluster-XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp");
    path_ = pattern;
    fs::permissions(path_, fs::perms(0755));
}

KeptFolder::~KeptFolder() {
    std::error_code error;
    if (testing::Test::HasFailure()) {
        const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
        auto name = std::string(test->test_suite_name()) + "." + test->name();
        std::ranges::replace(name, '/', '.');
        const auto kept = fs::path(std::getenv("DRAWBRIDGE_CLUSTER")) / name;
        fs::create_directories(kept.parent_path(), error);
        static_cast<void>(std::system(
            fmt::format("rm -rf '{0}'; cp -r {1} '{0}' && rm -rf '{0}'/database/pg*/data '{0}'/database/etcd",
                        kept.string(), path_.string())
                .c_str()));
        std::fprintf(stderr, "kept for inspection: %s\n", kept.c_str());
    }
    fs::remove_all(path_, error);
}

Host::Host(const fs::path& folder, const std::string& name, int number, Ports ports, const e2e::OfficeOptions& options)
    : ports_(ports),
      machine_(name, number, folder),
      office_(folder / name / "office", static_cast<std::uint16_t>(ports.service), options) {
    office_.use_writers(folder / ("writers of " + name));
    connect();
}

void Host::connect() {
    office_.run_within(machine_.enter());
    service_.emplace(machine_.network(), Endpoint{here, ports_.service}, Endpoint{here, ports_.service});
    if (ports_.bank != 0) bank_.emplace(machine_.network(), Endpoint{here, ports_.bank}, Endpoint{here, ports_.bank});
}

void Host::start(const std::map<std::string, std::string>& environment, const std::string& program) {
    auto command = office_.command(program, {"run", "--standby"});
    command.environment.insert(environment.begin(), environment.end());
    command.stdout_file = command.stderr_file = office_.folder() / fmt::format("daemon-{}.log", ++starts_);
    daemon_.emplace(machine_.start(std::move(command)));
    ended_.reset();
}

void Host::restart_if_ended() {
    if (!daemon_ || is_running()) return;
    const auto now = steady_clock::now();
    if (!ended_) ended_ = now;
    if (now - *ended_ >= restart_delay) start();
}

bool Host::stop() {
    if (!daemon_) return true;
    daemon_->signal(SIGTERM);
    const bool ended = e2e::eventually([&] { return daemon_->has_ended(); }, 30s);
    if (!ended) daemon_->signal(SIGKILL);
    daemon_.reset();
    return ended;
}

void Host::crash() {
    machine_.crash();
    daemon_.reset();
}

void Host::boot() {
    service_.reset();
    bank_.reset();
    machine_.boot();
    connect();
}

bool Host::is_running() {
    return daemon_ && !daemon_->has_ended();
}

std::string Host::said() const {
    std::error_code error;
    const auto log = office_.folder() / fmt::format("daemon-{}.log", starts_);
    return fs::exists(log, error) ? e2e::read_file(log) : std::string();
}

bool Host::is_working() {
    return is_running() && !daemon_->is_stopped() && said().contains("ready: ");
}

e2e::Outcome Host::order(const std::vector<std::string>& arguments, std::optional<unsigned> uid) {
    auto command = office_.command("drawbridge", arguments);
    if (uid) {
        const std::vector<std::string> as = {"/usr/bin/setpriv", fmt::format("--reuid={}", *uid),
                                             fmt::format("--regid={}", *uid), fmt::format("--groups={}", ::getegid())};
        command.arguments.insert(command.arguments.begin(), as.begin(), as.end());
    }
    const auto said = office_.folder() / "person";
    command.stdout_file = said.string() + ".out";
    command.stderr_file = said.string() + ".err";
    fs::remove(command.stdout_file);
    fs::remove(command.stderr_file);
    auto running = machine_.start(command);
    static_cast<void>(
        e2e::eventually([&] { return !running.entered.running() || (daemon_ && daemon_->is_stopped()); }, patience));
    const auto exit = running.entered.wait(0ms);
    if (!exit) running.signal(SIGKILL);
    return {exit.value_or(e2e::Exit{}), e2e::read_file(command.stdout_file), e2e::read_file(command.stderr_file)};
}

World::World(Delivery delivery)
    : database_(folder_.path() / "database"),
      service_(folder_.path()),
      server_(delivery == Delivery::by_sftp ? std::make_optional<test::SftpServer>(folder_.path() / "server")
                                            : std::nullopt),
      a_(folder_.path(), "hall-a", number_of_a, {service_.port(), server_ ? server_->port() : 0},
         options_for(database_, server_ ? &*server_ : nullptr)),
      b_(folder_.path(), "hall-b", number_of_b, {service_.port(), server_ ? server_->port() : 0},
         options_for(database_, server_ ? &*server_ : nullptr)) {
    a_.office().run_once();
    fs::copy_file(a_.office().state() / "sealing.key", b_.office().state() / "sealing.key");
    // From before anything was paid, so that it has traces of its own.
    b_.office().run_once();
}

World::~World() = default;

Relay& World::put_relay_before_database() {
    auto& primary = database_.primary().machine();
    relay_.emplace(fs::path(), Endpoint{"10.77.0.1", relay_port}, Endpoint{primary.address(), DatabaseCluster::port});
    for (auto* host : hosts()) {
        auto yaml = e2e::read_file(host->office().folder() / "drawbridge.yaml");
        const auto url = database_.url();
        yaml.replace(yaml.find(url), url.size(), database_.url(fmt::format("10.77.0.1:{}", relay_port)));
        e2e::write_file(host->office().folder() / "drawbridge.yaml", yaml);
    }
    return *relay_;
}

Host* World::working() {
    for (auto* host : hosts())
        if (host->is_working()) return host;
    return nullptr;
}

int World::writers() {
    return std::stoi("0" + database_.ask_ledger("SELECT epoch FROM drawbridge.writer"));
}

bool World::is_paused() {
    auto* now = working();
    if (now == nullptr) return false;
    const auto status = e2e::Json::parse(now->order({"status", "--json"}).out, nullptr, /*allow_exceptions=*/false);
    return status.is_object() && !status.at("needs_attention").at("restoration").is_null();
}

void World::start_daemons() {
    a_.start();
    waits_until("the start of the first daemon", [&] { return a_.is_working(); });
    b_.start();
    waits_until("the second daemon stands by", [&] { return b_.said().contains("standing by"); });
}

void World::add_draws(std::int64_t count) {
    for (const auto last = draws_ + count; draws_ < last;) {
        const auto id = ++draws_;
        service_.add({id, e2e::cents_of_draw(id), fmt::format("{}-{}", id % 2 == 0 ? "ACH" : "CHK", 1 + id % 9)});
    }
}

void World::tend() {
    if (steady_clock::now() - looked_ < 500ms) return;
    looked_ = steady_clock::now();
    restart_what_has_ended();
    look_at_the_bank();
    disburse_what_is_paid();
    auto* now = working();
    if (now == nullptr) return;
    hand_in_confirmations(*now);
    order_payment(*now);
    release_files(*now);
    answer_about_uploads(*now);
}

void World::restart_what_has_ended() {
    for (auto* host : hosts())
        if (restarts) host->restart_if_ended();
}

void World::look_at_the_bank() {
    if (!server_) {
        for (auto* host : hosts())
            for (const auto& file : e2e::files_in(host->office().outgoing())) {
                bring_to_the_bank(file);
                fs::remove(file);
            }
        return;
    }
    for (const auto& file : e2e::files_in(server_->inbox()))
        if (!file.filename().string().starts_with("tmp-") && taken_.insert(file.filename()).second)
            bring_to_the_bank(file);
}

void World::bring_to_the_bank(const fs::path& file) {
    const auto folder = folder_.path() / "bank" / std::to_string(++files_taken_);
    fs::create_directories(folder);
    fs::copy_file(file, folder / file.filename());
    const auto instructions = e2e::read_payment_file(folder / file.filename());
    at_the_bank_.insert(at_the_bank_.end(), instructions.begin(), instructions.end());
}

bool World::has(const std::string& file) const {
    return std::ranges::any_of(at_the_bank_, [&](const e2e::Instruction& one) { return one.file == file; });
}

void World::ask_about_lost_files(Host& now) {
    const auto open = now.office().json({"exceptions"}).at("exceptions");
    for (const auto& row : open) {
        if (row.at("reason_code") != "released_on_lost_host") continue;
        const auto name = row.at("subject").get<std::string>();
        if (!has(name)) {
            for (const auto& entry : fs::recursive_directory_iterator(now.office().state() / "spool" / "archive"))
                if (entry.path().filename() == name) bring_to_the_bank(entry.path());
            EXPECT_TRUE(has(name)) << name << " is not in the archive";
        }
        EXPECT_EQ(now.order({"deliver", name, "--by-hand", "--reason", "asked the bank"}).exit.code, 0);
    }
}

void World::disburse_what_is_paid() {
    for (const auto& paid : at_the_bank_) {
        const auto id = draw_of(paid.cents);
        if (disbursed_.insert(id).second && service_.draw(id).at("status") == 4) service_.act(id, "disburse");
    }
}

// One file of confirmations for each payment file, handed in again where it was not taken.
void World::hand_in_confirmations(Host& to) {
    const auto known = dates();
    std::map<std::string, std::vector<e2e::Instruction>> files;
    for (const auto& paid : at_the_bank_)
        if (!known.contains(draw_of(paid.cents))) files[paid.file].push_back(paid);
    for (const auto& [file, open] : files) {
        auto& last = handed_in_[file];
        if (steady_clock::now() - last < 15s) continue;
        last = steady_clock::now();
        std::vector<e2e::Instruction> all;
        std::ranges::copy_if(at_the_bank_, std::back_inserter(all),
                             [&wanted = file](const e2e::Instruction& one) { return one.file == wanted; });
        to.office().drop(file + ".csv", e2e::confirmation_csv(all));
    }
}

void World::order_payment(Host& at) {
    if (steady_clock::now() - ordered_ < order_every || static_cast<std::int64_t>(at_the_bank_.size()) >= draws_)
        return;
    const auto reason = fmt::format("payment order {}{}", ++orders_, of_a_person);
    if (at.order({"pay", "--now", "--reason", reason}).exit.code != 0) return;
    ordered_ = steady_clock::now();
    acknowledged_.push_back(reason);
}

void World::release_files(Host& at) {
    if (steady_clock::now() - released_ < 3s || static_cast<std::int64_t>(at_the_bank_.size()) >= draws_) return;
    released_ = steady_clock::now();
    const auto listed = e2e::Json::parse(at.order({"files", "--json"}).out, nullptr, /*allow_exceptions=*/false);
    if (!listed.is_object()) return;
    for (const auto& file : listed.at("files")) {
        if (file.at("state") != "staged" || !at.is_working()) continue;
        const auto name = file.at("name").get<std::string>();
        const auto agreed = fmt::format("release of {} by order {}{}", name, ++orders_, of_a_person);
        if (at.order({"release", name, "--reason", agreed}, e2e::second_person).exit.code == 0)
            acknowledged_.push_back(agreed);
    }
}

// Another upload is a release, by somebody who has not released the file.
void World::answer_about_uploads(Host& at) {
    if (!server_ || steady_clock::now() - answered_ < 3s) return;
    answered_ = steady_clock::now();
    const auto listed = e2e::Json::parse(at.order({"exceptions", "--json"}).out, nullptr, /*allow_exceptions=*/false);
    if (!listed.is_object()) return;
    for (const auto& row : listed.at("exceptions")) {
        if (row.at("reason_code") != "delivery_uncertain") continue;
        const auto name = row.at("subject").get<std::string>();
        static_cast<void>(at.order({"deliver", name, has(name) ? "--by-hand" : "--again", "--reason", "asked the bank"},
                                   e2e::finance_person));
    }
}

std::map<std::int64_t, std::set<std::string>> World::dates() {
    std::map<std::int64_t, std::set<std::string>> dates;
    const auto answer = service_.portal("GET", "/requests?last=0");
    for (const auto& [id, all] : answer.at("dates").items())
        dates[std::stoll(id)] = all.get<std::set<std::string>>();
    return dates;
}

std::size_t World::reported() {
    return dates().size();
}

bool World::finishes() {
    return waits_until("every draw is reported", [&] { return reported() == static_cast<std::size_t>(draws_); }, 240s);
}

std::set<std::string> World::doubles() const {
    std::set<std::string> seen, twice;
    for (const auto& one : at_the_bank_)
        if (!seen.insert(one.reference).second) twice.insert(one.reference);
    return twice;
}

void World::expect_ledger_is_whole(Host& host) {
    host.office().run_once();
    host.office().expect_verified();
    const auto states = host.office().states();
    EXPECT_THAT(states, testing::AllOf(testing::SizeIs(static_cast<std::size_t>(draws_)),
                                       testing::Each(testing::Pair(testing::_, "reported"))));
    std::string ordered;
    const auto audit = host.office().json({"audit"});
    for (const auto& entry : audit.at("audit")) {
        const auto detail = entry.at("detail").get<std::string>();
        if (detail.contains(of_a_person)) ordered += detail + '\n';
    }
    for (const auto& reason : acknowledged_)
        EXPECT_TRUE(ordered.contains(reason)) << reason << ": a daemon said that it was done";
}

void World::expect_all_well() {
    restarts = false;
    // The one that stands by first: it would take over.
    auto& last = working() == &b_ ? b_ : a_;
    for (auto* host : {&other(last), &last})
        EXPECT_TRUE(host->stop()) << host->name() << ": " << host->said();
    look_at_the_bank();
    EXPECT_THAT(doubles(), testing::IsEmpty());
    std::map<std::int64_t, int> times_paid;
    std::int64_t cents = 0, expected_cents = 0;
    for (const auto& one : at_the_bank_) {
        ++times_paid[draw_of(one.cents)];
        cents += one.cents;
    }
    const auto told = dates();
    for (std::int64_t id = 1; id <= draws_; ++id) {
        expected_cents += e2e::cents_of_draw(id);
        EXPECT_EQ(times_paid[id], 1) << "draw " << id;
        EXPECT_EQ(service_.draw(id).at("approvalCount"), 1) << "draw " << id;
        const auto found = told.find(id);
        EXPECT_EQ(found == told.end() ? 0 : found->second.size(), 1U) << "dates of draw " << id;
    }
    EXPECT_EQ(cents, expected_cents);
    // With the last report known outside, the draws waited for nothing, and the database may still have no primary.
    database_.primary();
    for (auto* host : hosts())
        expect_ledger_is_whole(*host);
}

void World::fails(const std::string& what) {
    std::string open;
    if (auto* now = working(); now != nullptr) open = now->order({"exceptions"}).out;
    ADD_FAILURE() << "did not happen: " << what << "\n"
                  << reported() << " of " << draws_ << " draws are reported\n"
                  << "A: " << a_.said() << "\nB: " << b_.said() << "\n"
                  << open;
}

}  // namespace drawbridge::cluster
