// Releases a payment file: a person or the schedule orders it, its draws are read again, every check of planning is
// repeated, and only then is the file moved. An order waits for the service and for encryption; it lapses when the
// file's date is missed. A moved file is never moved or written again. Private to this module.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "drawbridge/ledger/facts/deliveries.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/pipeline/context.hpp"

namespace drawbridge::pipeline {

// Records the order if the ledger shows nothing against it. Errors: as ledger::make_release_order; a release fault,
// which is also raised as an exception.
[[nodiscard]] boost::asio::awaitable<Result<void>> order_release(Context& context, std::string name, std::string reason,
                                                                 ledger::Stamp stamp);

// Carries out an order as far as possible now. Does nothing if no order is open or movement is paused. Error: the
// release was refused and its order has ended; or a record that must precede the release cannot be written.
[[nodiscard]] boost::asio::awaitable<Result<void>> execute_order(Context& context, std::string name);

// True: every check passes, on fresh readings; call it again after any wait. False: the order waits, or there is none.
// Error: the release was refused.
[[nodiscard]] boost::asio::awaitable<Result<bool>> prepare_release(Context& context, std::string name);
// Call it right after prepare_release. Moves the file out, in its encrypted form if it has one.
[[nodiscard]] boost::asio::awaitable<Result<void>> move_out(Context& context, std::string name,
                                                            std::optional<ledger::Encryption> encryption);
// What an order waits for.
inline constexpr std::string_view waits_for_service = "the service";
inline constexpr std::string_view waits_for_encryption = "encryption";
// Records what the order waits for from now on.
void delay_order(Context& context, const ledger::FileRow& file, std::string_view what, const std::string& detail);
// Whether an order that had to wait is not tried again yet. The backoff grows with the wait, so that a draw at which
// the service keeps failing does not keep the circuit open for every other call.
[[nodiscard]] bool is_order_backing_off(const Context& context, const ledger::FileRow& file);

// The same checks, before each upload of a released file. Errors: `unavailable`: the service cannot be asked; any
// other: the file must not be uploaded, and an exception says why.
[[nodiscard]] boost::asio::awaitable<Result<void>> check_before_upload(Context& context, std::string name);

// Its bytes are still here, out of reach of anyone outside.
[[nodiscard]] bool is_still_here(Context& context, const ledger::FileRow& file);
// For people, where it is not.
[[nodiscard]] std::string what_to_do_if_gone(const ledger::FileRow& file);

// Raises an exception for what is wrong with the file.
[[nodiscard]] std::unexpected<Error> refuse_file(Context& context, const ledger::FileRow& file, std::string_view reason,
                                                 const std::string& detail);

}  // namespace drawbridge::pipeline
