// The order of two recorded moments, although a clock may be set back. Private to this module.
#pragma once

// True in SQL: time `a` was not after time `b`, or the audit trail shows that the clock was set back between the two.
#define NOT_AFTER(a, b)                                                 \
    "(" a " <= " b " OR EXISTS (SELECT 1 FROM audit x WHERE x.at >= " a \
    " AND x.seq < "                                                     \
    "(SELECT max(y.seq) FROM audit y WHERE y.at <= " b ")))"
