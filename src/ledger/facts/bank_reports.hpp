// Which of the bank's lines stop the next payment of a draw until a person resolves them. Private to this module.
#pragma once

// Of `confirmation_line l` and its `exception e`: the line says that a payment of the draw was paid, or the banks
// dispute that it came back; or the bank knows a payment whose file has not gone out, so it may have that file.
#define MAY_BE_PAID "(l.kind IN ('paid', 'disputed') OR e.reason_code = 'payment_not_released')"
