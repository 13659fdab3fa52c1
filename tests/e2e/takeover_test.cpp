// Two hosts, each with a state folder of its own, and one ledger in PostgreSQL. One host dies at a durable step and the
// other takes over: every draw is paid once, and each host ends with manifests and an archive that `verify` accepts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "delivery/openpgp_keys.hpp"
#include "delivery/sftp_server.hpp"
#include "drawbridge/domain/crash_point.hpp"
#include "e2e/office.hpp"
#include "support/postgresql_cluster.hpp"

namespace drawbridge::e2e {
namespace {

using testing::AllOf;
using testing::Each;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

namespace fs = std::filesystem;

constexpr std::int64_t draw_count = 6;

// A schema for each test, on the server of this program.
OfficeOptions on_postgresql(OfficeOptions options) {
    static int schemas = 0;
    options.ledger = "{witness: none, url: \"" + test::PostgresqlCluster::instance().url("office") +
                     "\", schema: shared_" + std::to_string(::getpid()) + "_" + std::to_string(++schemas) + "}";
    return options;
}

class TwoHosts {
  public:
    explicit TwoHosts(const OfficeOptions& given)
        : options_(on_postgresql(given)), house_(options_), other_(folder_.path() / "office", port(), options_) {
        first().use_writers(folder_.path() / "writers of the first");
        first().run_once();
        fs::copy_file(first().state() / "sealing.key", other_.state() / "sealing.key");
        // From before anything was paid, so that it has traces of its own.
        other_.run_once();
    }
    Office& first() { return house_.office; }
    Office& other() { return other_; }
    Sandbox& sandbox() { return house_.sandbox; }
    Bank& bank() { return house_.bank; }
    [[nodiscard]] const fs::path& folder() const { return folder_.path(); }

  private:
    std::uint16_t port() { return house_.sandbox.port(); }

    OfficeOptions options_;
    House house_;
    TemporaryFolder folder_;
    Office other_;
};

std::optional<fs::path> find_below(const fs::path& folder, const std::string& name) {
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.path().filename() == name) return entry.path();
    return std::nullopt;
}

// The bank, for files that it collects from outgoing/, of either host.
class Collected {
  public:
    explicit Collected(TwoHosts& hosts) : hosts_(hosts) {}

    void collect(const Office& from) { take_from(from.outgoing()); }
    // People ask the bank about each file of the lost host, and bring it what it does not have.
    void ask_about_lost_files(const Office& now) {
        const auto open = now.json({"exceptions"}).at("exceptions");
        for (const auto& row : open) {
            if (row.at("reason_code") != "released_on_lost_host") continue;
            const auto name = row.at("subject").get<std::string>();
            if (!has(name)) bring(now, name);
            EXPECT_EQ(now.run({"deliver", name, "--by-hand", "--reason", "asked the bank"}).exit.code, 0);
        }
    }
    [[nodiscard]] const std::vector<Instruction>& taken() const { return taken_; }

  private:
    [[nodiscard]] bool has(const std::string& name) const {
        return std::ranges::any_of(taken_, [&](const Instruction& one) { return one.file == name; });
    }
    void bring(const Office& from, const std::string& name) {
        const auto copy = find_below(from.state() / "spool" / "archive", name);
        ASSERT_TRUE(copy) << name;
        fs::create_directories(hosts_.folder() / "by hand");
        fs::copy_file(*copy, hosts_.folder() / "by hand" / name);
        take_from(hosts_.folder() / "by hand");
    }
    void take_from(const fs::path& folder) {
        for (const auto& instruction : hosts_.bank().collect(folder))
            taken_.push_back(instruction);
    }

    TwoHosts& hosts_;
    std::vector<Instruction> taken_;
};

void expect_paid_once(TwoHosts& hosts, const Office& now) {
    EXPECT_THAT(now.states(), AllOf(SizeIs(draw_count), Each(Pair(testing::_, "reported"))));
    EXPECT_THAT(hosts.bank().references_used_twice(), IsEmpty());
    EXPECT_THAT(hosts.bank().times_paid(), AllOf(SizeIs(draw_count), Each(Pair(testing::_, 1))));
    for (std::int64_t id = 1; id <= draw_count; ++id)
        EXPECT_EQ(hosts.sandbox().draw(id).at("approvalCount"), 1) << id;
    EXPECT_THAT(files_in(now.outgoing()), IsEmpty());
    auto staged = files_in(now.state() / "spool" / "staged");
    std::erase_if(staged, [](const fs::path& file) { return file.filename().string().starts_with('.'); });
    EXPECT_THAT(staged, IsEmpty());
    now.expect_verified();
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
    return test_name_of(info.param);
}

bool tests_every_point() {
    return std::getenv("DRAWBRIDGE_TEST_EVERY_TAKEOVER") != nullptr;
}

std::vector<std::string> points_of_a_run() {
    if (!tests_every_point()) {
        return {"approve.request_sent:1",  "pay.plan_committed:1",     "pay.staged_committed:2",
                "pay.release_committed:1", "pay.released_renamed:1",   "takeover.arrival_kept:2",
                "confirm.claimed:1",       "report.answer_received:1", "takeover.files_restored:1",
                "takeover.recorded:1"};
    }
    std::vector<std::string> all;
    for (const auto name : crash_points) {
        const auto module = name.substr(0, name.find('.'));
        const bool is_here = module == "decide" || module == "approve" || module == "pay" || module == "confirm" ||
                             module == "report" || module == "takeover";
        if (!is_here || name == "confirm.copied") continue;
        all.push_back(std::string(name) + ":1");
        all.push_back(std::string(name) + ":2");
    }
    return all;
}

class Takeover : public testing::TestWithParam<std::string> {};

TEST_P(Takeover, goes_on_where_the_other_host_died) {
    TwoHosts hosts({});
    Collected bank(hosts);
    add_draws(hosts.sandbox(), draw_count);
    static_cast<void>(dies(hosts.first(), GetParam()));
    bank.collect(hosts.first());
    hosts.other().run_once();
    bank.collect(hosts.other());
    bank.ask_about_lost_files(hosts.other());
    ASSERT_THAT(bank.taken(), SizeIs(draw_count));

    hosts.sandbox().disburse_all_approved();
    const auto half = bank.taken().begin() + draw_count / 2;
    hosts.other().drop("a-first.csv", confirmation_csv({bank.taken().begin(), half}));
    hosts.other().drop("b-bad.csv", std::string(confirmation_header) + "123,paid,lots,2026-01-01\n");
    hosts.other().drop("c-second.csv", confirmation_csv({half, bank.taken().end()}));
    static_cast<void>(dies(hosts.other(), GetParam()));
    // What was not taken was not acknowledged: finance brings it to the host that works.
    for (const auto& file : files_in(hosts.other().state() / "inbox"))
        hosts.first().drop(file.filename(), read_file(file));
    hosts.first().run_once();
    hosts.first().run_once();
    expect_paid_once(hosts, hosts.first());
    EXPECT_THAT(hosts.first().open_exceptions(), testing::ElementsAre("file_refused"));
    // And back, so that the archive and the manifests of the other host are complete too.
    hosts.other().run_once();
    expect_paid_once(hosts, hosts.other());
}

INSTANTIATE_TEST_SUITE_P(At, Takeover, testing::ValuesIn(points_of_a_run()), test_name);

TEST(Standby, keeps_traces_of_its_own_and_goes_on_when_the_writer_is_killed) {
    TwoHosts hosts({});
    hosts.first().configure("metrics: {listen: \"127.0.0.1:0\"}\n");
    Collected bank(hosts);
    auto writer = hosts.first().start_daemon();
    ASSERT_TRUE(eventually([&] { return fs::exists(hosts.first().state() / "drawbridge.sock"); }));
    const auto err = hosts.folder() / "standby.err";
    auto standby = hosts.other().start_standby(err);
    ASSERT_TRUE(eventually([&] { return read_file(err).contains("standing by"); })) << read_file(err);
    add_draws(hosts.sandbox(), draw_count);
    ASSERT_TRUE(eventually([&] { return hosts.first().states().size() == draw_count; }));
    ASSERT_TRUE(eventually([&] {
        hosts.first().json({"pay", "--now", "--reason", "test"});
        hosts.first().release_what_waits();
        bank.collect(hosts.first());
        return bank.taken().size() == draw_count;
    }));
    const auto manifests = [](const Office& office) { return files_in(office.state() / "spool" / "manifests"); };
    ASSERT_THAT(manifests(hosts.first()), SizeIs(1));
    ASSERT_TRUE(eventually([&] {
        const auto copies = manifests(hosts.other());
        return copies.size() == 1 && read_file(copies.front()) == read_file(manifests(hosts.first()).front());
    })) << read_file(err);
    hosts.first().drop("paid.csv", confirmation_csv(bank.taken()));
    ASSERT_TRUE(eventually([&] { return hosts.first().state_of(1) == "paid"; }));
    ASSERT_TRUE(eventually([&] { return !fs::is_empty(hosts.other().state() / "spool" / "archive"); }))
        << "the confirmation file";
    const auto hosts_seen = hosts.first().json({"status"}).at("ledger").at("hosts");
    EXPECT_THAT(hosts_seen.at("standbys"), SizeIs(1));
    EXPECT_THAT(hosts_seen.at("standbys").at(0).at("differs"), IsEmpty());
    EXPECT_TRUE(hosts_seen.at("writer").get<std::string>().ends_with(" " + std::to_string(writer.id())));
    EXPECT_TRUE(hosts_seen.at("owns_tables").get<bool>());
    EXPECT_THAT(hosts.first().run({"status"}).out, testing::HasSubstr(" stands by, seen "));
    EXPECT_THAT(hosts.first().run({"metrics"}).out,
                AllOf(testing::HasSubstr("drawbridge_ledger_standby_seen_seconds{host="),
                      testing::HasSubstr("# TYPE drawbridge_ledger_writers_total counter\n"),
                      testing::HasSubstr("# TYPE drawbridge_ledger_slow_commits_total counter\n"
                                         "drawbridge_ledger_slow_commits_total 0\n")));
    const auto rules = hosts.other().folder() / "rules.yaml";
    const auto right_rules = read_file(rules);
    write_file(rules, "version: 1\nrules: [");
    EXPECT_TRUE(eventually([&] { return read_file(err).contains("rules.yaml:"); })) << read_file(err);
    write_file(rules, right_rules + "# another\n");
    EXPECT_TRUE(
        eventually([&] { return hosts.first().run({"status"}).out.contains("; it has other rules than this host"); }));
    EXPECT_THAT(hosts.first().metrics(), testing::HasSubstr("drawbridge_ledger_standby_differs{host="));
    const auto metrics = hosts.first().metrics();
    for (const char* name :
         {"writer_since_timestamp_seconds", "writers_total", "standby_seen_seconds", "server_standbys"})
        EXPECT_THAT(metrics, testing::HasSubstr("drawbridge_ledger_" + std::string(name)));
    EXPECT_THAT(read_file(err), testing::HasSubstr(hosts_seen.at("writer").get<std::string>()));
    writer.kill();
    ASSERT_TRUE(eventually([&] { return read_file(err).contains("ready: "); })) << read_file(err);
    hosts.sandbox().disburse_all_approved();
    EXPECT_TRUE(eventually([&] { return hosts.other().state_of(1) == "reported"; })) << read_file(err);
    standby.signal(SIGTERM);
    ASSERT_TRUE(standby.wait(std::chrono::seconds(20)));
    hosts.other().run_once();
    expect_paid_once(hosts, hosts.other());
    EXPECT_THAT(hosts.other().open_exceptions(), IsEmpty());
}

TEST(Takeover, imports_no_confirmation_file_that_was_replaced_before_it_was_taken) {
    TwoHosts hosts({});
    Collected bank(hosts);
    add_draws(hosts.sandbox(), draw_count);
    hosts.first().run_once();
    bank.collect(hosts.first());
    ASSERT_THAT(bank.taken(), SizeIs(draw_count));
    hosts.first().drop("bank.csv", confirmation_csv(bank.taken()));
    ASSERT_TRUE(dies(hosts.first(), "takeover.arrival_kept:1"));
    // The bank takes all but the first back.
    write_file(hosts.first().state() / "inbox" / "bank.csv", confirmation_csv({bank.taken().front()}));
    hosts.first().run_once();
    const auto states = hosts.first().states();
    ASSERT_EQ(std::ranges::count(states, "paid", [](const auto& draw) { return draw.second; }), 1);
    hosts.other().run_once();
    EXPECT_EQ(hosts.other().states(), states);
    const auto entries = hosts.other().json({"audit", "--action", "confirmation_file.not_taken"}).at("audit");
    EXPECT_THAT(entries, SizeIs(1));
}

TEST(Standby, asks_about_no_file_that_the_first_host_still_offers_when_it_is_back) {
    TwoHosts hosts({});
    Collected bank(hosts);
    add_draws(hosts.sandbox(), draw_count);
    hosts.first().run_once();
    ASSERT_FALSE(files_in(hosts.first().outgoing()).empty());
    hosts.other().run_once();
    const auto lost = hosts.other().open_exceptions();
    ASSERT_FALSE(lost.empty());
    EXPECT_THAT(lost, Each(std::string("released_on_lost_host")));
    hosts.first().run_once();
    EXPECT_THAT(hosts.first().open_exceptions(), IsEmpty());
    bank.collect(hosts.first());
    EXPECT_THAT(bank.taken(), SizeIs(draw_count));
    hosts.other().run_once();
    EXPECT_EQ(hosts.other().open_exceptions(), lost) << "it does not know that the bank has collected them";
    hosts.first().run_once();
    EXPECT_EQ(hosts.first().open_exceptions(), lost) << "they are gone, and nothing says who took them";
}

TEST(Standby, that_never_stood_by_starts_paused) {
    TwoHosts hosts({});
    add_draws(hosts.sandbox(), draw_count);
    hosts.first().run_once();
    fs::remove(hosts.other().state() / "ledger.mark");
    hosts.other().run_once();
    EXPECT_FALSE(hosts.other().json({"status"}).at("needs_attention").at("restoration").is_null());
}

// Its mark is older than the database that was set back: only its age tells that this host has not seen the rest.
TEST(Standby, that_has_not_stood_by_until_now_starts_paused) {
    TwoHosts hosts({});
    add_draws(hosts.sandbox(), draw_count);
    hosts.first().run_once();
    const auto mark = hosts.other().state() / "ledger.mark";
    fs::last_write_time(mark, fs::file_time_type::clock::now() - std::chrono::minutes(11));
    hosts.other().run_once();
    const auto restoration = hosts.other().json({"status"}).at("needs_attention").at("restoration");
    ASSERT_FALSE(restoration.is_null());
    EXPECT_THAT(restoration.dump(), testing::HasSubstr("this one has not been a standby since"));
}

// Its manifests end before the last file of the first host, which the database that was set back does not know either.
TEST(Standby, after_a_rollback_pays_nothing_that_the_other_host_may_have_paid) {
    TwoHosts hosts({});
    Collected bank(hosts);
    test::PostgresqlCluster::instance().take_snapshot();
    hosts.sandbox().add({1, 100'01, "ACH-1"});
    hosts.first().run_once();
    hosts.other().run_once();
    hosts.sandbox().add({2, 100'02, "ACH-1"});
    hosts.first().run_once();
    bank.collect(hosts.first());
    ASSERT_THAT(bank.taken(), SizeIs(2));
    test::PostgresqlCluster::instance().roll_back_to_snapshot();
    for (int runs = 0; runs < 2; ++runs)
        hosts.other().run({"run", "--once"});
    EXPECT_THAT(hosts.other().json({"status"}).at("needs_attention").at("restoration").dump(),
                testing::HasSubstr("another machine may have written more than this one saw"));
    EXPECT_EQ(hosts.other().run({"resume", "--reason", "compared"}).exit.code, 0);
    hosts.other().run_once();
    bank.collect(hosts.other());
    EXPECT_THAT(hosts.bank().times_paid(), AllOf(SizeIs(2), Each(Pair(testing::_, 1))));
    EXPECT_EQ(hosts.other().state_of(2), "blocked");
    EXPECT_THAT(hosts.other().open_exceptions(), testing::Contains("possibly_paid"));
}

TEST(Standby, is_not_made_the_writer_by_a_command) {
    TwoHosts hosts({});
    add_draws(hosts.sandbox(), draw_count);
    hosts.first().run_once();
    const auto takeovers = [&] {
        return hosts.first().json({"audit", "--action", "ledger.taken_over"}).at("audit").size();
    };
    const auto before = takeovers();
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"status"}, {"pause", "--reason", "test"}, {"files"}}) {
        const auto refused = hosts.other().run(command);
        EXPECT_EQ(refused.exit.code, 1) << command.front();
        EXPECT_THAT(refused.err, testing::HasSubstr("no daemon answers here, and another machine writes this ledger"));
    }
    EXPECT_THAT(hosts.first().open_exceptions(), IsEmpty());
    EXPECT_NE(read_file(hosts.first().state() / "folder.id"), read_file(hosts.other().state() / "folder.id"));
    EXPECT_EQ(takeovers(), before);
}

TEST(Standby, starts_paused_on_a_ledger_that_lacks_what_its_traces_name) {
    TwoHosts hosts({});
    add_draws(hosts.sandbox(), draw_count);
    hosts.first().run_once();
    hosts.other().run_once();
    auto mark = read_file(hosts.other().state() / "ledger.mark");
    write_file(hosts.other().state() / "ledger.mark", "9" + mark);
    hosts.first().run_once();
    hosts.other().run_once();
    EXPECT_FALSE(hosts.other().json({"status"}).at("needs_attention").at("restoration").is_null());
}

TEST(DaemonRole, can_do_the_whole_cycle) {
    OfficeOptions options = on_postgresql({});
    const auto owner = "user=drawbridge&", daemon = "user=office&";
    options.ledger.replace(options.ledger.find(daemon), std::string_view(daemon).size(), owner);
    House house(options);
    house.office.run_once();
    const auto schema = options.ledger.substr(options.ledger.find("schema: ") + 8);
    test::PostgresqlCluster::instance().exec(
        "SET drawbridge.schema = '" + schema.substr(0, schema.size() - 1) + "'; SET drawbridge.daemon = 'office';\n" +
        read_file(fs::path(DRAWBRIDGE_SOURCE_DIR) / "config/postgresql/daemon-role.sql"));
    auto yaml = read_file(house.office.folder() / "drawbridge.yaml");
    yaml.replace(yaml.find(owner), std::string_view(owner).size(), daemon);
    write_file(house.office.folder() / "drawbridge.yaml", yaml);
    add_draws(house.sandbox, draw_count);
    house.office.run_once();
    house.people_do_their_part("paid.csv");
    house.office.run_once();
    EXPECT_THAT(house.office.states(), AllOf(SizeIs(draw_count), Each(Pair(testing::_, "reported"))));
    house.office.expect_verified();
    EXPECT_FALSE(house.office.json({"status"}).at("ledger").at("hosts").at("owns_tables").get<bool>());
}

// The bank's server and key, and the configuration that names them.
struct BankServer {
    BankServer() : server(folder.path() / "server"), key(folder.path()) {}
    [[nodiscard]] OfficeOptions options() const {
        OfficeOptions options;
        options.more = "delivery:\n  sftp:\n    host: 127.0.0.1\n    port: " + std::to_string(server.port()) +
                       "\n    user: " + server.user() + "\n    key_file: " + server.client_key().string() +
                       "\n    host_key: " + server.host_key() + "\n    folder: " + server.inbox().string() +
                       "\n    timeout: 5s\n  openpgp: {public_key_file: " + key.public_key_file().string() +
                       ", fingerprint: \"" + key.fingerprint() + "\"}\n";
        return options;
    }
    // The bank decrypts what it has into `into`.
    void hand_over(const fs::path& into) const {
        fs::create_directories(into);
        for (const auto& file : files_in(server.inbox())) {
            const std::string name = file.filename();
            if (!name.starts_with("tmp-")) write_file(into / fs::path(name).stem(), key.decrypt(read_file(file)));
        }
    }

    TemporaryFolder folder;
    test::SftpServer server;
    test::OpenPgpKey key;
};

std::vector<std::string> points_of_a_delivery() {
    if (!tests_every_point()) return {"deliver.encrypted_committed:1", "deliver.uploaded:1", "deliver.renamed:2"};
    std::vector<std::string> all;
    for (const auto name : crash_points) {
        if (!name.starts_with("deliver.") && !name.starts_with("pay.release") && !name.starts_with("pay.manifest"))
            continue;
        all.push_back(std::string(name) + ":1");
        all.push_back(std::string(name) + ":2");
    }
    return all;
}

class TakeoverOfADelivery : public testing::TestWithParam<std::string> {};

TEST_P(TakeoverOfADelivery, brings_each_file_to_the_bank_once) {
    const BankServer server;
    TwoHosts hosts(server.options());
    add_draws(hosts.sandbox(), draw_count);
    EXPECT_TRUE(dies(hosts.first(), GetParam()));
    hosts.other().run_once();
    hosts.other().run_once();
    EXPECT_THAT(hosts.other().open_exceptions(), IsEmpty());
    server.hand_over(hosts.folder() / "at the bank");
    Collected bank(hosts);
    const auto paid = hosts.bank().collect(hosts.folder() / "at the bank");
    ASSERT_THAT(paid, SizeIs(draw_count));
    hosts.sandbox().disburse_all_approved();
    hosts.other().drop("paid.csv", confirmation_csv(paid));
    hosts.other().run_once();
    expect_paid_once(hosts, hosts.other());
    hosts.first().run_once();
    expect_paid_once(hosts, hosts.first());
}

INSTANTIATE_TEST_SUITE_P(At, TakeoverOfADelivery, testing::ValuesIn(points_of_a_delivery()), test_name);

}  // namespace
}  // namespace drawbridge::e2e
