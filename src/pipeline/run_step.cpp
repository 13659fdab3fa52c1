#include <boost/asio/use_awaitable.hpp>

#include "drawbridge/pipeline/deliver.hpp"
#include "drawbridge/pipeline/ingest.hpp"
#include "drawbridge/pipeline/steps.hpp"

namespace drawbridge::pipeline {

namespace {

asio::awaitable<StepReport> run(Step step, Context& context) {
    switch (step) {
        case Step::poll: return poll(context);
        case Step::decide: return decide(context);
        case Step::approve: return approve(context);
        case Step::pay: return pay(context);
        case Step::deliver: return deliver(context);
        case Step::confirm: return confirm(context);
        case Step::report: break;
    }
    return report(context);
}

}  // namespace

asio::awaitable<StepReport> run_step(Step step, Context& context) {
    context.spool.require_in_place();
    co_await finish_recording(context);
    co_return co_await run(step, context);
}

}  // namespace drawbridge::pipeline
