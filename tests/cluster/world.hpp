// Everything that a cluster test has: the PostgreSQL cluster, two machines that run Drawbridge, the Draws Service, the
// bank, and the people who do their part at all three. At the end the service and the bank are asked what happened.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cluster/database.hpp"
#include "cluster/machine.hpp"
#include "cluster/relay.hpp"
#include "delivery/sftp_server.hpp"
#include "e2e/bank.hpp"
#include "e2e/office.hpp"
#include "e2e/sandbox.hpp"

namespace drawbridge::cluster {

// A folder that is kept below build/cluster if the test fails.
class KeptFolder {
  public:
    KeptFolder();
    KeptFolder(const KeptFolder&) = delete;
    KeptFolder& operator=(const KeptFolder&) = delete;
    ~KeptFolder();
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

// A machine that runs `drawbridge run --standby`.
class Host {
  public:
    struct Ports {
        int service = 0, bank = 0;
    };
    Host(const std::filesystem::path& folder, const std::string& name, int number, Ports ports,
         const e2e::OfficeOptions& options);

    [[nodiscard]] const std::string& name() const { return machine_.name(); }
    [[nodiscard]] Machine& machine() { return machine_; }
    [[nodiscard]] e2e::Office& office() { return office_; }
    // Service and bank, as this machine reaches them.
    [[nodiscard]] Relay& service() { return *service_; }
    [[nodiscard]] Relay& bank() { return *bank_; }

    void start(const std::map<std::string, std::string>& environment = {}, const std::string& program = "drawbridge");
    // What systemd does, when it does it.
    void restart_if_ended();
    // SIGTERM, and its end. False: it did not end.
    bool stop();
    void crash();
    void boot();
    [[nodiscard]] bool is_running();
    // The daemon is to run here.
    [[nodiscard]] bool daemon_started() const { return daemon_.has_value(); }
    // It has the ledger, and works.
    [[nodiscard]] bool is_working();
    [[nodiscard]] Running& daemon() { return *daemon_; }
    // What the last start has said.
    [[nodiscard]] std::string said() const;
    // A sub-command to its end, by that person. Nobody waits longer than some seconds.
    [[nodiscard]] e2e::Outcome order(const std::vector<std::string>& arguments, std::optional<unsigned> uid = {});

  private:
    void connect();

    Ports ports_;
    Machine machine_;
    e2e::Office office_;
    std::optional<Relay> service_, bank_;
    std::optional<Running> daemon_;
    std::optional<std::chrono::steady_clock::time_point> ended_;
    int starts_ = 0;
};

enum class Delivery { by_sftp, collected };  // from the folder outgoing/ of whichever machine

class World {
  public:
    explicit World(Delivery delivery = Delivery::by_sftp);
    ~World();
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    [[nodiscard]] DatabaseCluster& database() { return database_; }
    [[nodiscard]] Host& a() { return a_; }
    [[nodiscard]] Host& b() { return b_; }
    [[nodiscard]] e2e::Sandbox& service() { return service_; }
    [[nodiscard]] std::vector<Host*> hosts() { return {&a_, &b_}; }
    // nullptr: none works.
    [[nodiscard]] Host* working();
    [[nodiscard]] Host& other(const Host& than) { return &than == &a_ ? b_ : a_; }
    // Ledger through a relay of the test, which can stall: from the next start of a daemon on.
    [[nodiscard]] Relay& put_relay_before_database();

    // How many times a process has become the ledger's writer. Of a ledger that cannot be asked: zero.
    [[nodiscard]] int writers();
    // The daemon that works has noticed that its ledger was set back, and says so.
    [[nodiscard]] bool is_paused();

    // A starts and works, then B stands by.
    void start_daemons();
    void add_draws(std::int64_t count);
    // Everything that happens by itself: systemd starts what has ended (unless `restarts` is off), and people do their
    // part.
    void tend();
    // Of these, what systemd does.
    void restart_what_has_ended();
    bool restarts = true;
    // How often somebody orders a payment. A day has file id modifiers for 36 ACH files.
    std::chrono::seconds order_every{3};
    // Tends until the condition holds. Fails the test with `what` if it does not.
    template <class Condition>
    bool waits_until(const std::string& what, Condition condition,
                     std::chrono::milliseconds deadline = std::chrono::seconds(120)) {
        const bool held = e2e::eventually(
            [&] {
                tend();
                return condition();
            },
            deadline);
        if (!held) fails(what);
        return held;
    }
    // Until every draw is reported.
    bool finishes();
    // The checker.
    void expect_all_well();
    // Draws that the service shows with a date, and that the bank has.
    [[nodiscard]] std::size_t reported();
    [[nodiscard]] const std::vector<e2e::Instruction>& at_the_bank() const { return at_the_bank_; }
    // References that the bank has twice.
    [[nodiscard]] std::set<std::string> doubles() const;
    [[nodiscard]] std::int64_t draws() const { return draws_; }
    // What the service was told, by draw.
    [[nodiscard]] std::map<std::int64_t, std::set<std::string>> dates();
    // People ask the bank about files that a lost machine may have offered, and bring it what it does not have.
    void ask_about_lost_files(Host& now);
    void look_at_the_bank();

  private:
    void fails(const std::string& what);
    void bring_to_the_bank(const std::filesystem::path& file);
    [[nodiscard]] bool has(const std::string& file) const;
    void disburse_what_is_paid();
    void hand_in_confirmations(Host& to);
    void order_payment(Host& at);
    void release_files(Host& at);
    // Whether the bank has a file of whose upload no end is recorded.
    void answer_about_uploads(Host& at);
    void expect_ledger_is_whole(Host& host);

    KeptFolder folder_;
    DatabaseCluster database_;
    e2e::Sandbox service_;
    std::optional<test::SftpServer> server_;
    Host a_, b_;
    std::optional<Relay> relay_;
    std::vector<e2e::Instruction> at_the_bank_;
    std::set<std::int64_t> disbursed_;
    std::set<std::string> taken_;  // names in the SFTP folder
    int files_taken_ = 0;
    std::int64_t draws_ = 0;
    int orders_ = 0;
    std::vector<std::string> acknowledged_;  // reasons of orders that a daemon answered
    std::map<std::string, std::chrono::steady_clock::time_point> handed_in_;
    std::chrono::steady_clock::time_point looked_, ordered_, released_, answered_;
};

}  // namespace drawbridge::cluster
