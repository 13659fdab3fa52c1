// A daemon on a unix socket that answers what the test says and keeps what it was asked.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace drawbridge::console {

class FakeDaemon {
  public:
    struct Asked {
        std::string method, target, authorization, body;
        bool by_itself = false;
    };
    using Answer = std::pair<int, nlohmann::json>;
    using Answers = std::function<Answer(const Asked&)>;

    FakeDaemon(const std::filesystem::path& socket, Answers answers);
    FakeDaemon(const FakeDaemon&) = delete;
    FakeDaemon& operator=(const FakeDaemon&) = delete;
    ~FakeDaemon();

    [[nodiscard]] std::vector<Asked> asked() const;
    // "GET /me", in order.
    [[nodiscard]] std::vector<std::string> requests() const;
    void forget();

  private:
    class Server;
    std::unique_ptr<Server> server_;
};

}  // namespace drawbridge::console
