#include "store/postgresql/lease.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <system_error>

namespace drawbridge::ledger::postgresql {
namespace {

std::string first_line(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

// The 22nd word of /proc/PID/stat: when the process was started. Empty: there is no such process. The second word is
// the program's name in parentheses and may contain anything.
std::string started_at(const std::string& pid) {
    const std::string stat = first_line("/proc/" + pid + "/stat");
    const auto name_end = stat.rfind(')');
    // Z: killed, and not yet waited for.
    if (name_end == std::string::npos || stat.compare(name_end + 1, 2, " Z") == 0) return {};
    constexpr int words_after_name = 20;
    std::size_t at = name_end + 1;
    for (int word = 1; word < words_after_name && at != std::string::npos; ++word)
        at = stat.find(' ', at + 1);
    if (at == std::string::npos) return {};
    return stat.substr(at + 1, stat.find(' ', at + 1) - at - 1);
}

// Empty: a service manager hides it (ProcSubset=pid).
std::string boot_id() {
    return first_line("/proc/sys/kernel/random/boot_id");
}

// Processes with the same text see each other's numbers in /proc, unless the boot id is hidden: the number of the first
// namespace is the same on every machine.
std::string host_of_this_process() {
    std::array<char, 64> target{};
    const auto size = ::readlink("/proc/self/ns/pid", target.data(), target.size());
    const std::string name_space(target.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
    return fmt::format("boot {}, {}", boot_id(), name_space);
}

std::string shown(const std::string& host, const std::string& pid, const std::string& started) {
    return fmt::format("{}, process {}, started {}", host, pid, started);
}

}  // namespace

BootTime boot_time() {
    timespec now{};
    ::clock_gettime(CLOCK_BOOTTIME, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

bool lease_can_end() {
    return ::getpid() != 1;
}

Lease::Lease(std::chrono::nanoseconds length) : length_(length), from_(boot_time()) {
    sigevent event{};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGKILL;
    if (::timer_create(CLOCK_BOOTTIME, &event, &timer_) != 0) {
        throw std::system_error(errno, std::generic_category(), "the timer of the lease on the ledger");
    }
}

Lease::~Lease() {
    ::timer_delete(timer_);
}

void Lease::acknowledged(BootTime sent) {
    if (boot_time() - sent > length_ / 2) ++slow_commits_;
    from_ = sent;
    if (effects_ > 0) set(from_ + length_);
}

void Lease::begin_effect() {
    if (effects_++ == 0) set(from_ + length_);
}

void Lease::end_effect() {
    if (--effects_ == 0) set(BootTime(0));
}

// Zero stops the timer. A time that is over already counts: the kernel then kills at once.
void Lease::set(BootTime at) const {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(at);
    itimerspec when{};
    when.it_value.tv_sec = seconds.count();
    when.it_value.tv_nsec = (at - seconds).count();
    if (::timer_settime(timer_, TIMER_ABSTIME, &when, nullptr) != 0) {
        throw std::system_error(errno, std::generic_category(), "the timer of the lease on the ledger");
    }
}

std::string host_name() {
    std::array<char, 256> name{};
    static_cast<void>(::gethostname(name.data(), name.size() - 1));
    std::string text(name.data());
    std::erase_if(text, [](char c) { return c == '\'' || c == '\\'; });
    return text;
}

std::string this_process() {
    const auto pid = std::to_string(::getpid());
    return shown(host_of_this_process(), pid, started_at(pid));
}

bool has_ended(std::string_view process) {
    if (boot_id().empty()) return false;  // it may be a process of another machine
    const auto host = host_of_this_process();
    constexpr std::string_view word = ", process ";
    if (!process.starts_with(host + std::string(word))) return false;
    const auto rest = process.substr(host.size() + word.size());
    const std::string pid(rest.substr(0, rest.find(',')));
    const auto started = started_at(pid);
    return started.empty() || shown(host, pid, started) != process;
}

}  // namespace drawbridge::ledger::postgresql
