#include "measured.hpp"

#include <fstream>
#include <stdexcept>

namespace drawbridge::bench {

service::ClientOptions sandbox_client(const std::string& base_url) {
    service::ClientOptions options;
    options.base_url = base_url;
    options.client_id = Secret("sandbox");
    options.client_secret = Secret("sandbox-secret");
    return options;
}

std::int64_t peak_rss_kib() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        std::int64_t kib = 0;
        if (word == "VmHWM:" && status >> kib) return kib;
    }
    throw std::runtime_error("/proc/self/status has no VmHWM");
}

}  // namespace drawbridge::bench
