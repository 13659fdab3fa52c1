// From the configured delivery to that of the pipeline, and what can be known of it before a file goes out.
#pragma once

#include <string>
#include <vector>

#include "drawbridge/config/config.hpp"
#include "drawbridge/pipeline/context.hpp"
#include "drawbridge/text/diagnostic.hpp"

namespace drawbridge::daemon {

[[nodiscard]] pipeline::DeliveryTarget delivery_target(const config::DeliveryTarget& target);

// What is wrong with the keys, without asking a server. `lines`: what was found good.
[[nodiscard]] text::Diagnostics check_delivery(const config::Config& config, std::vector<std::string>& lines);
// Logs in and lists the folder of each server; writes nothing.
[[nodiscard]] text::Diagnostics try_delivery(const config::Config& config, std::vector<std::string>& lines);

}  // namespace drawbridge::daemon
