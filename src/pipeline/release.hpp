// How a payment file leaves: a person or the schedule orders it, its draws are read afresh, every question of planning
// is asked again, and only then is it moved. An order waits for the service and for encryption; it lapses when the
// file's date is missed. A file that was moved is never moved or written again. Private to this module.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "drawbridge/ledger/deliveries.hpp"
#include "drawbridge/ledger/payments.hpp"
#include "drawbridge/pipeline/context.hpp"

namespace drawbridge::pipeline {

// The order, when nothing that the ledger knows speaks against it. Errors: as ledger::make_release_order; a fault,
// which is then an exception too.
[[nodiscard]] Result<void> order_release(Context& context, const ledger::FileRow& file, std::string_view reason,
                                         const ledger::Stamp& stamp);

// Takes an ordered file as far as it goes now. Nothing happens where no order is open or movement is paused. Error: it
// was refused, and its order has ended; or what must be written before it leaves cannot be.
[[nodiscard]] boost::asio::awaitable<Result<void>> carry_out(Context& context, std::string name);

// True: every question is answered, on fresh readings; ask again after any wait. False: it waits, or nothing is
// ordered. Error: it was refused.
[[nodiscard]] boost::asio::awaitable<Result<bool>> make_ready(Context& context, std::string name);
// Right after make_ready, or with what was made since: moves the file, in its encrypted form where there is one.
[[nodiscard]] boost::asio::awaitable<Result<void>> let_go(Context& context, std::string name,
                                                          std::optional<ledger::Encryption> encryption);
// The order waits from now on for this.
void wait_for(Context& context, const ledger::FileRow& file, std::string_view what, const std::string& detail);

// Before the first upload of a released file: the same questions. Errors: `unavailable`, the service cannot be asked;
// another: it must not be uploaded, and an exception says so.
[[nodiscard]] boost::asio::awaitable<Result<void>> check_before_upload(Context& context, std::string name);

// Its bytes are still here, where nobody outside can take them.
[[nodiscard]] bool is_still_here(Context& context, const ledger::FileRow& file);

// Records what is wrong with the file as an exception.
[[nodiscard]] std::unexpected<Error> refuse_file(Context& context, const ledger::FileRow& file, std::string_view reason,
                                                 const std::string& detail);

}  // namespace drawbridge::pipeline
