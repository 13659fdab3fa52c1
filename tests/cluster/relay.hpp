// A TCP relay from an address in one network to a port of this machine, which can stall: it then passes nothing on in
// either direction and tells nobody.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <thread>

namespace drawbridge::cluster {

struct Endpoint {
    std::string address;
    int port = 0;
};

class Relay {
  public:
    // Listens in `network` (a namespace; empty: that of the test) and connects from the network of the test.
    Relay(const std::filesystem::path& network, const Endpoint& at, Endpoint to);
    Relay(const Relay&) = delete;
    Relay& operator=(const Relay&) = delete;
    ~Relay();

    void stall() { stalled_ = true; }
    void go_on() { stalled_ = false; }

  private:
    void accept_connections(const std::stop_token& stop) const;
    void pass_on(const std::stop_token& stop, int client) const;

    Endpoint to_;
    int listener_ = -1;
    std::atomic<bool> stalled_ = false;
    std::jthread thread_;
};

}  // namespace drawbridge::cluster
