// The console's certificate and key, and the versions and ciphers of TLS that it speaks. Private to this module.
#pragma once

#include <boost/asio/ssl/context.hpp>

#include "drawbridge/console/settings.hpp"
#include "drawbridge/console/web.hpp"

namespace drawbridge::console {

// Errors: the certificate or key cannot be used, or is not that of the other.
[[nodiscard]] Result<void> use_certificate(asio::ssl::context& context, const Settings& settings);

}  // namespace drawbridge::console
