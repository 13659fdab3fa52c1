// Delivers released files to the bank by SFTP: encrypts, uploads, renames, and archives the copy. Runs between `pay`
// and `confirm`, and whenever something is due. A file is never uploaded again while an earlier upload may be at the
// bank: the server is asked, and if it cannot tell, a person decides.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string_view>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/ledger/facts/deliveries.hpp"
#include "drawbridge/pipeline/context.hpp"

namespace drawbridge::pipeline {

namespace asio = boost::asio;

// How a file of this rail is delivered, from the configuration.
[[nodiscard]] ledger::DeliveryMethod delivery_method(const Settings& settings, disbursement::Rail rail);

// True if deliver() has something to do. Also after a failed run whose cause a person has resolved: one more run, which
// finds nothing to do, clears the failure.
[[nodiscard]] bool delivery_due(Context& context);
// While the ledger is paused, it finishes the operation in progress and starts no other.
[[nodiscard]] asio::awaitable<StepReport> deliver(Context& context);

enum class DeliveryResolution {
    by_hand,  // a person took it to the bank or knows that the bank has it; also for files that go by outgoing/
    again,    // a person knows that the bank does not have it: upload it again
};
// Errors: no such file, not released, known to be at the bank, its upload is in progress; `again` for a file not sent
// by SFTP, of which no upload began, whose upload may soon be renamed, or of which the bank settled a payment.
[[nodiscard]] Result<ledger::FileRow> resolve_delivery(Context& context, std::string_view name, DeliveryResolution how,
                                                       std::string_view reason, const ledger::Stamp& stamp);

}  // namespace drawbridge::pipeline
