// Converts the configured delivery for the pipeline, and checks it before a file is delivered.
#pragma once

#include <string>
#include <vector>

#include "drawbridge/config/config.hpp"
#include "drawbridge/pipeline/context.hpp"
#include "drawbridge/text/diagnostic.hpp"

namespace drawbridge::app {

[[nodiscard]] pipeline::DeliveryTarget delivery_target(const config::DeliveryTarget& target);

// Checks the keys without contacting a server. Adds what is in order to `lines`.
[[nodiscard]] text::Diagnostics check_delivery(const config::Config& config, std::vector<std::string>& lines);
// Logs in to each server and lists its folder. Writes nothing.
[[nodiscard]] text::Diagnostics try_delivery(const config::Config& config, std::vector<std::string>& lines);

}  // namespace drawbridge::app
