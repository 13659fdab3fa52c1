#include "cluster/database.hpp"

#include <fmt/format.h>
#include <libpq-fe.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "support/postgresql_cluster.hpp"

namespace drawbridge::cluster {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr int node_count = 3, first_node = 11;
constexpr const char* as_nobody = "setpriv --reuid=nobody --regid=nogroup --clear-groups";

std::string address_of_node(int number) {
    return fmt::format("10.77.0.{}", first_node + number);
}

// One certificate for all servers, and for the machine of the test, where relays to them are.
void make_certificate(const fs::path& folder) {
    must_run(
        fmt::format("cd {} && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj "
                    "/CN=ledger -addext subjectAltName=IP:10.77.0.1,IP:{},IP:{},IP:{} -keyout server.key -out "
                    "server.crt 2>/dev/null && chown nobody server.key",
                    folder.string(), address_of_node(0), address_of_node(1), address_of_node(2)));
}

// A short-lived connection; asks one question.
class Question {
  public:
    explicit Question(const std::string& to) : connection_(PQconnectdb(to.c_str())) {
        PQsetNoticeReceiver(connection_, notice, &warned_);
    }
    Question(const Question&) = delete;
    Question& operator=(const Question&) = delete;
    ~Question() { PQfinish(connection_); }
    // nullopt: no answer.
    std::optional<std::string> ask(const std::string& sql) {
        if (PQstatus(connection_) != CONNECTION_OK) return std::nullopt;
        warned_ = false;
        PGresult* result = PQexec(connection_, sql.c_str());
        const auto status = PQresultStatus(result);
        std::optional<std::string> answer;
        if (status == PGRES_COMMAND_OK) answer = "";
        if (status == PGRES_TUPLES_OK) answer = PQntuples(result) > 0 ? PQgetvalue(result, 0, 0) : "";
        PQclear(result);
        return warned_ ? std::nullopt : answer;  // "canceling wait for synchronous replication"
    }

  private:
    static void notice(void* warned, const PGresult* result) {
        if (std::string_view(PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED)) == "WARNING")
            *static_cast<bool*>(warned) = true;
    }

    PGconn* connection_;
    bool warned_ = false;
};

std::optional<std::string> ask(const Machine& machine, const std::string& sql, const std::string& database) {
    return Question(fmt::format("host={} user=postgres dbname={} connect_timeout=2 tcp_user_timeout=4000 "
                                "sslmode=require application_name=test options='-c statement_timeout=5s'",
                                machine.address(), database))
        .ask(sql);
}

}  // namespace

Node::Node(const fs::path& folder, int number)
    : folder_(folder / fmt::format("pg{}", number + 1)),
      machine_(fmt::format("pg{}", number + 1), first_node + number, folder) {
    fs::create_directories(folder_);
    must_run("chown nobody " + folder_.string());
}

void Node::start_patroni() {
    patroni_.emplace(machine_.start({{"/usr/bin/setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups",
                                      "/usr/bin/patroni", settings().string()},
                                     {{"HOME", folder_.string()}},
                                     folder_ / "patroni.log",
                                     folder_ / "patroni.log"}));
}

void Node::kill_patroni() const {
    patroni_->signal(SIGKILL);
}

// Numbers in these commands are those of the machine: its own /proc is mounted there.
void Node::kill_server() const {
    machine_.run("kill -9 -- $(pgrep -x postgres)");
}

void Node::signal_receiver(const std::string& signal) const {
    machine_.run("kill -" + signal + " $(pgrep -f '[p]ostgres: .*walreceiver')");
}

void Node::promote() const {
    const auto programs = test::PostgresqlCluster::programs().string();
    machine_.run(fmt::format("{} {}/pg_ctl -D {}/data promote", as_nobody, programs, folder_.string()));
    for (const char* sql : {"ALTER SYSTEM SET synchronous_standby_names = ''", "SELECT pg_reload_conf()"})
        machine_.run(fmt::format("{}/psql -h {} -U postgres -c \"{}\"", programs, folder_.string(), sql));
}

void Node::crash() {
    machine_.crash();
}

void Node::boot() {
    machine_.boot();
    start_patroni();
}

DatabaseCluster::DatabaseCluster(const fs::path& folder) : folder_(folder) {
    fs::create_directories(folder_);
    fs::permissions(folder_, fs::perms(0711));
    make_certificate(folder_);
    etcd_.emplace(e2e::Command{{"/usr/bin/etcd", "--data-dir", (folder_ / "etcd").string(), "--listen-client-urls",
                                "http://10.77.0.1:2379", "--advertise-client-urls", "http://10.77.0.1:2379",
                                "--listen-peer-urls", "http://127.0.0.1:2380", "--unsafe-no-fsync"},
                               {},
                               folder_ / "etcd.log",
                               folder_ / "etcd.log"});
    for (int number = 0; number < node_count; ++number) {
        nodes_.push_back(std::make_unique<Node>(folder_, number));
        write_settings(number);
        nodes_.back()->start_patroni();
    }
    primary();
    // Both standbys are there, and one of them is the synchronous one.
    const auto has_standbys = [&] {
        return ask("SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming' AND application_name LIKE "
                   "'pg_'") == "2" &&
               ask("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'") == "1";
    };
    if (!e2e::eventually(has_standbys, 120s))
        throw std::runtime_error("the cluster has no standbys: see " + folder_.string());
    // On a busy machine a commit may take longer than a question may.
    const auto is_made = [&] {
        ask("CREATE ROLE office LOGIN");
        ask("CREATE DATABASE ledger TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C' OWNER office");
        return ask("SELECT count(*) FROM pg_database WHERE datname = 'ledger'") == "1";
    };
    if (!e2e::eventually(is_made, 60s)) throw std::runtime_error("no database is made: see " + folder_.string());
}

// ttl is the least that Patroni takes; a longer retry_timeout does not fit into it, and on a busy machine a shorter one
// makes primaries step down.
void DatabaseCluster::write_settings(int number) {
    const auto& machine = nodes_.back()->machine();
    const auto home = folder_ / machine.name();
    e2e::write_file(
        nodes_.back()->settings(),
        fmt::format(R"yaml(scope: ledger
name: {name}
restapi: {{listen: "{address}:8008", connect_address: "{address}:8008"}}
etcd3: {{hosts: ["10.77.0.1:2379"]}}
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 1
    retry_timeout: 9
    synchronous_mode: true
    synchronous_mode_strict: true
    postgresql:
      use_pg_rewind: true
      parameters: {{max_connections: 60, wal_log_hints: "on", wal_keep_size: 512MB, max_locks_per_transaction: 256}}
  initdb: [{{encoding: UTF8}}, {{locale: C}}, {{auth: trust}}, no-sync]
postgresql:
  listen: "{address}:{port}"
  connect_address: "{address}:{port}"
  data_dir: {home}/data
  bin_dir: {programs}
  authentication:
    superuser: {{username: postgres, sslmode: require}}
    replication: {{username: replicator, sslmode: require}}
    rewind: {{username: rewind, sslmode: require}}
  pg_hba: ["local all all trust", "hostssl all all 10.77.0.0/24 trust", "hostssl replication all 10.77.0.0/24 trust"]
  parameters:
    unix_socket_directories: {home}
    ssl: "on"
    ssl_cert_file: {folder}/server.crt
    ssl_key_file: {folder}/server.key
    fsync: "off"
    log_line_prefix: "%m [%p] "
    hot_standby_feedback: "on"
    wal_retrieve_retry_interval: 500ms
    wal_sender_timeout: 5s
    wal_receiver_timeout: 5s
    shared_buffers: 32MB
)yaml",
                    fmt::arg("name", machine.name()), fmt::arg("address", address_of_node(number)),
                    fmt::arg("port", port), fmt::arg("home", home.string()), fmt::arg("folder", folder_.string()),
                    fmt::arg("programs", test::PostgresqlCluster::programs().string())));
}

std::string DatabaseCluster::url(const std::optional<std::string>& only) const {
    std::string hosts = only.value_or("");
    if (!only) {
        for (int number = 0; number < node_count; ++number)
            hosts += (number == 0 ? "" : ",") + address_of_node(number) + ":" + std::to_string(port);
    }
    return fmt::format("postgresql://office@{}/ledger?sslrootcert={}/server.crt", hosts, folder_.string());
}

Node& DatabaseCluster::primary(const Node* but) {
    Node* found = nullptr;
    const bool is_there = e2e::eventually(
        [&] {
            for (auto& node : nodes_) {
                if (node.get() == but) continue;
                if (cluster::ask(node->machine(), "SELECT pg_is_in_recovery()", "postgres") != "f") continue;
                found = node.get();
                return true;
            }
            return false;
        },
        120s);
    if (!is_there) throw std::runtime_error("the cluster has no primary: see " + folder_.string());
    return *found;
}

std::string DatabaseCluster::ask(const std::string& sql) {
    return cluster::ask(primary().machine(), sql, "postgres").value_or("");
}

std::string DatabaseCluster::ask_ledger(const std::string& sql) {
    return Question(to_write() + " dbname=ledger").ask(sql).value_or("");
}

Node& DatabaseCluster::standby(bool is_synchronous) {
    const auto name =
        ask(fmt::format("SELECT application_name FROM pg_stat_replication WHERE application_name LIKE 'pg_' AND "
                        "sync_state {} 'sync'",
                        is_synchronous ? "=" : "<>"));
    for (auto& node : nodes_)
        if (node->name() == name) return *node;
    throw std::runtime_error("the cluster has no such standby");
}

bool DatabaseCluster::a_commit_waits() {
    return ask("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND application_name = "
               "'drawbridge'") != "0";
}

void DatabaseCluster::to_standbys(const std::string& signal) {
    for (auto& node : nodes_)
        node->signal_receiver(signal);
}

void DatabaseCluster::freeze_standbys() {
    to_standbys("STOP");
}

void DatabaseCluster::let_standbys_go_on() {
    to_standbys("CONT");
}

// It ends before it reads what has arrived.
void DatabaseCluster::let_standbys_forget() {
    to_standbys("TERM");
    to_standbys("CONT");
}

void DatabaseCluster::switch_over() {
    auto& from = primary();
    const auto& to = standby(/*is_synchronous=*/true);
    must_run(fmt::format("patronictl -c {} switchover --leader {} --candidate {} --force >>{} 2>&1",
                         from.settings().string(), from.name(), to.name(), (folder_ / "switchover.log").string()));
}

void DatabaseCluster::end_sessions_of(const std::string& address) {
    ask(
        fmt::format("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE client_addr = '{}' AND "
                    "application_name = 'drawbridge'",
                    address));
}

void DatabaseCluster::cancel_statements_of(const std::string& address) {
    ask(
        fmt::format("SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity WHERE client_addr = '{}' AND "
                    "application_name = 'drawbridge'",
                    address));
}

std::string DatabaseCluster::to_write() const {
    std::string hosts;
    for (int number = 0; number < node_count; ++number)
        hosts += (number == 0 ? "" : ",") + address_of_node(number);
    return fmt::format(
        "host={} user=postgres dbname=postgres connect_timeout=2 tcp_user_timeout=2000 sslmode=require "
        "target_session_attrs=read-write application_name=test",
        hosts);
}

Writer::Writer(std::string to) : to_(std::move(to)) {
    thread_ = std::jthread([this](const std::stop_token& stop) {
        auto last = std::chrono::steady_clock::now();
        while (!stop.stop_requested()) {
            Question session(to_);
            static_cast<void>(session.ask("CREATE TABLE IF NOT EXISTS probe (at timestamptz)"));
            while (!stop.stop_requested() && session.ask("INSERT INTO probe VALUES (now())")) {
                const auto now = std::chrono::steady_clock::now();
                const auto silence = std::chrono::duration_cast<std::chrono::milliseconds>(now - last).count();
                silence_ms_ = std::max(silence_ms_.load(), static_cast<std::int64_t>(silence));
                last = now;
                ++commits_;
            }
        }
    });
}

Writer::~Writer() = default;

}  // namespace drawbridge::cluster
