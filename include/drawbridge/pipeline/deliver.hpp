// Carries released files to the bank where that is more than a rename into outgoing/: encrypts, uploads, renames, and
// archives the copy. Between the steps `pay` and `confirm`, and whenever something is due. A file is never uploaded
// again while an earlier upload may be at the bank: the server is asked, and where it cannot tell a person is.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string_view>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/ledger/deliveries.hpp"
#include "drawbridge/pipeline/context.hpp"

namespace drawbridge::pipeline {

namespace asio = boost::asio;

// How a file of this rail is to go, from what is configured.
[[nodiscard]] ledger::DeliveryWay delivery_way(const Settings& settings, disbursement::Rail rail);

// Is there anything that deliver() would do now? Also after a run that failed, once a person has settled what it failed
// at: one more run, which finds nothing to do, ends the failure.
[[nodiscard]] bool delivery_due(Context& context);
// Where the ledger is paused nothing goes on beyond the step in hand.
[[nodiscard]] asio::awaitable<StepReport> deliver(Context& context);

enum class Settlement {
    by_hand,  // a person has brought it to the bank, or knows that the bank has it; also a file that goes by outgoing/
    again,    // a person knows that the bank does not have it: it is uploaded again
};
// Errors: no such file, not released, known to be at the bank already, its upload is under way; `again` of a file that
// is not in doubt or does not go by SFTP.
[[nodiscard]] Result<ledger::FileRow> settle_delivery(Context& context, std::string_view name, Settlement how,
                                                      std::string_view reason, const ledger::Stamp& stamp);

}  // namespace drawbridge::pipeline
