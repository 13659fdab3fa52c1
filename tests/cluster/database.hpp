// A PostgreSQL cluster of three machines under Patroni, with etcd on the machine of the test, as
// docs/high-availability.md describes it: one primary, a synchronous standby, and no commit without one.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "cluster/machine.hpp"
#include "e2e/process.hpp"

namespace drawbridge::cluster {

// One PostgreSQL server with the Patroni that runs it.
class Node {
  public:
    Node(const std::filesystem::path& folder, int number);

    [[nodiscard]] Machine& machine() { return machine_; }
    [[nodiscard]] const std::string& name() const { return machine_.name(); }
    void start_patroni();
    // SIGKILL. PostgreSQL goes on without it.
    void kill_patroni() const;
    // SIGKILL to the server and all its processes; Patroni starts it again.
    void kill_server() const;
    // To the process that receives from the primary.
    void signal_receiver(const std::string& signal) const;
    // Makes this server a primary, whatever it lacks, whose commits wait for nobody.
    void promote() const;
    [[nodiscard]] std::filesystem::path settings() const { return folder_ / "patroni.yml"; }
    // The machine is gone; it comes back with its disk.
    void crash();
    void boot();

  private:
    std::filesystem::path folder_;
    Machine machine_;
    std::optional<Running> patroni_;
};

// Commits as fast as it can until it is destroyed, and remembers the longest silence.
class Writer {
  public:
    explicit Writer(std::string to);
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    ~Writer();
    [[nodiscard]] std::chrono::milliseconds longest_silence() const { return std::chrono::milliseconds(silence_ms_); }
    [[nodiscard]] int commits() const { return commits_; }

  private:
    std::string to_;
    std::atomic<std::int64_t> silence_ms_ = 0;
    std::atomic<int> commits_ = 0;
    std::jthread thread_;
};

class DatabaseCluster {
  public:
    static constexpr int port = 5432;
    explicit DatabaseCluster(const std::filesystem::path& folder);

    // For ledger.url: all servers, or one address in place of them.
    [[nodiscard]] std::string url(const std::optional<std::string>& only = std::nullopt) const;
    [[nodiscard]] std::vector<std::unique_ptr<Node>>& nodes() { return nodes_; }
    // Waits for a server that takes writes. `but`: another one than that.
    Node& primary(const Node* but = nullptr);
    // A standby that commits wait for, or that they do not wait for.
    Node& standby(bool is_synchronous);
    // Of the primary, as a superuser. The first value of the answer.
    std::string ask(const std::string& sql);
    // In the ledger's database, of the server that takes writes now. Empty: there is none.
    std::string ask_ledger(const std::string& sql);
    // A commit of the ledger's writer waits for a standby.
    [[nodiscard]] bool a_commit_waits();
    // Stops what receives on each standby, so that every commit waits. No more than some seconds: then the primary
    // notices.
    void freeze_standbys();
    void let_standbys_go_on();
    // They go on without what they were sent.
    void let_standbys_forget();
    // Orders a planned switchover to the synchronous standby.
    void switch_over();
    // Ends the sessions of a machine's daemon, or the statements that run in them.
    void end_sessions_of(const std::string& address);
    void cancel_statements_of(const std::string& address);
    // Where `Writer` writes.
    [[nodiscard]] std::string to_write() const;

  private:
    void write_settings(int number);
    void to_standbys(const std::string& signal);

    std::filesystem::path folder_;
    std::optional<e2e::Process> etcd_;
    std::vector<std::unique_ptr<Node>> nodes_;
};

}  // namespace drawbridge::cluster
