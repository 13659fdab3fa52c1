#include "drawbridge/pipeline/deliver.hpp"
#include "drawbridge/pipeline/steps.hpp"

namespace drawbridge::pipeline {

asio::awaitable<StepReport> run_step(Step step, Context& context) {
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

}  // namespace drawbridge::pipeline
