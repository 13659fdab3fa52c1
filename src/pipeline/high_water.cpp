#include "drawbridge/pipeline/high_water.hpp"

namespace drawbridge::pipeline {

asio::awaitable<Result<void>> record_high_water_mark(Context& context) {
    ledger::write_mark(context.ledger);
    co_return Result<void>();
}

}  // namespace drawbridge::pipeline
