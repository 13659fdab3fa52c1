// What people do with payment files: pay now, release, deliver, acknowledge, void. Private to this module.
#pragma once

#include "call.hpp"

namespace drawbridge::admin {

// POST /pay
[[nodiscard]] asio::awaitable<Answer> pay(AdminContext& context, Call call);
// POST /files/NAME/release
[[nodiscard]] asio::awaitable<Answer> release(AdminContext& context, Call call);
// POST /files/NAME/deliver and /exceptions/ID/deliver
[[nodiscard]] Answer deliver(AdminContext& context, const Call& call);
// POST /files/NAME/acknowledge
[[nodiscard]] Answer acknowledge_file(AdminContext& context, const Call& call);
// POST /files/NAME/void
[[nodiscard]] Answer void_file(AdminContext& context, const Call& call);
// POST /payments/ID/void
[[nodiscard]] Answer void_payment(AdminContext& context, const Call& call);

}  // namespace drawbridge::admin
