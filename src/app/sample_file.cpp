// `drawbridge files sample`: a payment file with the bank profile and made-up payees. It does not open the ledger.
#include "drawbridge/app/programs.hpp"
#include "drawbridge/config/inputs.hpp"
#include "drawbridge/daemon/system_clock.hpp"

namespace drawbridge::app {

std::expected<disbursement::SampleFile, StartFailure> sample_file(const std::filesystem::path& config_file) {
    const auto config = config::load_config(config_file);
    if (!config) return std::unexpected(StartFailure{exit_configuration, text::to_string(config.error())});
    auto sample = disbursement::sample_file(config::plan_settings(*config), daemon::SystemClock().now());
    if (!sample) return std::unexpected(StartFailure{exit_configuration, sample.error().message});
    return std::move(*sample);
}

}  // namespace drawbridge::app
