// Lists that a browser saves as a file. They are requested page by page while they are sent, so that no list is too
// long for the daemon. Private to this module.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/console/daemon_client.hpp"
#include "drawbridge/console/web.hpp"

namespace drawbridge::console {

struct Download {
    std::string_view pattern;                          // "/draws.csv"
    std::string_view name, extension, content_type;    // of the file
    std::string (*target)(const WebRequest& request);  // the first page's, with the screen's filters
    std::string_view rows;                             // the member of the answer that has the rows
    std::string (*begin)(const nlohmann::json& first);
    std::string (*row)(const nlohmann::json& row, bool is_first);
    std::string_view end;
};

// nullptr: there is none.
[[nodiscard]] const Download* find_download(const std::vector<std::string>& segments);

// `first` is the answer to `target`.
[[nodiscard]] std::shared_ptr<BodyStream> stream_of(DaemonClient& daemon, std::string token, const Download& download,
                                                    std::string target, nlohmann::json first);

}  // namespace drawbridge::console
