// Which of the bank's lines stop the next payment of a draw until a person resolves them. Private to this module.
#pragma once

// Of `confirmation_line l`: it says that a payment of the draw was paid, or the banks dispute that it came back.
#define MAY_BE_PAID "l.kind IN ('paid', 'disputed')"
