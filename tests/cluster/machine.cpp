#include "cluster/machine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <net/if.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <utility>

namespace drawbridge::cluster {
namespace {

namespace fs = std::filesystem;

// The only child. Zero: there is none yet.
pid_t child_of(pid_t parent) {
    std::ifstream file(fmt::format("/proc/{0}/task/{0}/children", parent));
    pid_t child = 0;
    file >> child;
    return child;
}

// R, S, D, T: stopped, Z: ended. Zero: there is no such process.
char state_of(pid_t pid) {
    std::ifstream file(fmt::format("/proc/{}/stat", pid));
    std::string line;
    std::getline(file, line);
    const auto name_end = line.rfind(')');
    return name_end == std::string::npos ? '\0' : line.at(name_end + 2);
}

std::string program_of(pid_t pid) {
    std::ifstream file(fmt::format("/proc/{}/comm", pid));
    std::string name;
    std::getline(file, name);
    return name;
}

}  // namespace

bool has_switch() {
    return ::if_nametoindex("switch") != 0 && std::getenv("DRAWBRIDGE_CLUSTER") != nullptr;
}

void must_run(const std::string& command) {
    if (std::system((command + " </dev/null").c_str()) != 0) throw std::runtime_error("failed: " + command);
}

void Running::signal(int number) const {
    ::kill(pid, number);
}

bool Running::has_ended() const {
    const char state = state_of(pid);
    return state == '\0' || state == 'Z';
}

bool Running::is_stopped() const {
    return state_of(pid) == 'T';
}

Machine::Machine(std::string name, int number, fs::path logs)
    : name_(std::move(name)), number_(number), logs_(std::move(logs)) {
    boot();
}

std::string Machine::address() const {
    return fmt::format("10.77.0.{}", number_);
}

fs::path Machine::network() const {
    return fmt::format("/proc/{}/ns/net", first_process_);
}

// The shell waits for every process whose parent has ended, as an init does: Patroni takes a server for alive until
// somebody has.
void Machine::boot() {
    const auto log = logs_ / (name_ + ".machine");
    unshared_.emplace(e2e::Command{{"/usr/bin/unshare", "--net", "--uts", "--pid", "--mount-proc", "--kill-child",
                                    "/bin/sh", "-c", "hostname " + name_ + "; sleep infinity & wait"},
                                   {},
                                   log,
                                   log});
    const bool is_up = e2e::eventually([&] {
        first_process_ = child_of(unshared_->id());
        return first_process_ != 0 && program_of(child_of(first_process_)) == "sleep";
    });
    if (!is_up) throw std::runtime_error(name_ + " does not boot: " + e2e::read_file(log));
    // The kernel takes the link of a crashed machine away a moment after it.
    must_run(fmt::format("while ip link show v-{} >/dev/null 2>&1; do sleep 0.05; done", name_));
    must_run(
        fmt::format("ip link add v-{0} type veth peer name eth0 address 02:00:00:00:00:{1:02x} netns {2} && "
                    "ip link set v-{0} master switch up",
                    name_, number_, first_process_));
    must_run(
        fmt::format("nsenter --target {} --net sh -c 'ip link set lo up && ip address add {}/24 dev eth0 && ip "
                    "link set eth0 up'",
                    first_process_, address()));
}

void Machine::crash() {
    ::kill(first_process_, SIGKILL);
    unshared_->wait(std::chrono::seconds(20));
    unshared_.reset();
}

void Machine::unplug() const {
    must_run(fmt::format("ip link set v-{} down", name_));
}

void Machine::plug_in() const {
    must_run(fmt::format("ip link set v-{} up", name_));
}

std::vector<std::string> Machine::enter() const {
    return {"/usr/bin/nsenter", "--target", std::to_string(first_process_), "--net", "--uts", "--pid", "--mount", "--"};
}

Running Machine::start(e2e::Command command) const {
    command.within = enter();
    Running running{e2e::Process(command), 0};
    static_cast<void>(e2e::eventually([&] {
        running.pid = child_of(running.entered.id());
        return running.pid != 0 || !running.entered.running();
    }));
    return running;
}

bool Machine::run(const std::string& command) const {
    std::string quoted;
    for (const char c : command)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return std::system(fmt::format("{} sh -c '{}' </dev/null >>{} 2>&1", fmt::join(enter(), " "), quoted,
                                   (logs_ / (name_ + ".commands")).string())
                           .c_str()) == 0;
}

}  // namespace drawbridge::cluster
