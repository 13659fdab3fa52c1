// Handles one operator's request: over the socket, or in this process if no daemon answers.
#include <utility>

#include "drawbridge/admin/client.hpp"
#include "drawbridge/config/admin_socket.hpp"
#include "in_process.hpp"

namespace drawbridge::app {
namespace {

// Long: a pay step with thousands of draws reads each of them again.
constexpr std::chrono::hours max_wait{1};

// A configuration that cannot be read is for build() to report.
bool has_read_server(const std::filesystem::path& config_file) {
    const auto config = config::load_config(config_file);
    return config && read_server_of(*config).has_value();
}

}  // namespace

Caller::Caller(std::filesystem::path config_file) : config_file_(std::move(config_file)) {}
Caller::~Caller() = default;

std::expected<admin::Response, StartFailure> Caller::call(admin::Request request) {
    auto response = answer(std::move(request));
    if (response && std::exchange(has_named_source_, has_named_source_ || !response->read_from.empty()))
        response->read_from.clear();
    return response;
}

std::expected<admin::Response, StartFailure> Caller::answer(admin::Request request) {
    if (!in_process_ && !reader_) {
        if (const auto socket = config::find_admin_socket(config_file_)) {
            auto answer = admin::call(*socket, request, max_wait);
            if (!answer) return std::unexpected(StartFailure{exit_failed, answer.error().message});
            if (*answer) return std::move(**answer);
        }
        if (request.method == "GET" && has_read_server(config_file_)) {
            reader_ = std::make_unique<ReportReader>(config_file_);
        } else {
            auto built = build(config_file_, Purpose::request);
            if (!built) return std::unexpected(built.error());
            in_process_ = std::make_unique<InProcess>(std::move(*built));
        }
    }
    name_caller(request);
    return reader_ ? reader_->answer(request, std::nullopt) : in_process_->answer(std::move(request));
}

std::expected<admin::Response, StartFailure> call(const std::filesystem::path& config_file,
                                                  const admin::Request& request) {
    return Caller(config_file).call(request);
}

}  // namespace drawbridge::app
