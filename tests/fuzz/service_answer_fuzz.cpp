// Answers of the Draws Service; the first byte chooses which. What is accepted is what the interface allows.
#include <algorithm>

#include "drawbridge/service/codec.hpp"
#include "fuzz/fuzz.hpp"

namespace {

namespace fuzz = drawbridge::fuzz;
namespace service = drawbridge::service;

void read_page(std::string_view body) {
    auto answer = service::parse_list(body);
    if (!answer) return fuzz::expect(!answer.error().message.empty(), "a refusal must have a reason");
    fuzz::expect(answer->draws.size() + answer->bad.size() == answer->ids.size(), "every record must be accounted for");
    for (const auto& bad : answer->bad)
        fuzz::expect(!bad.message.empty() && bad.message.find('\n') == std::string::npos, "a fault must be one line");
    const service::ListQuery query{.status = drawbridge::DrawStatus::pending_approval, .page_size = 3};
    const auto page = service::check_page(query, std::move(*answer));
    if (!page) return fuzz::expect(!page.error().message.empty(), "a refusal must have a reason");
    drawbridge::DrawId last = query.after_id;
    for (const auto& draw : page->draws) {
        fuzz::expect(draw.id > last, "ids must ascend");
        fuzz::expect(draw.status == query.status, "a draw must have the status that was asked for");
        last = draw.id;
    }
}

void read_approvals(std::string_view body) {
    const std::vector<service::Approval> asked = {{.id = 1, .approver_id = 7}, {.id = 2, .approver_id = 7}};
    const auto answer = service::parse_approval_answer(body, asked);
    if (!answer) return;
    fuzz::expect(answer->outcomes.size() + answer->unanswered.size() == asked.size(), "each draw has one outcome");
    for (const auto& outcome : answer->outcomes) {
        fuzz::expect(outcome.id == 1 || outcome.id == 2, "an outcome is of a draw that was asked for");
        fuzz::expect(!outcome.approved || outcome.error.empty(), "an approval has no error");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view body = fuzz::as_text(data + 1, size - 1);
    switch (data[0] % 5) {
        case 0:
        case 1: read_page(body); break;
        case 2: {
            const auto draw = service::parse_draw(body);
            fuzz::expect(draw ? draw->draw.id > 0 : !draw.error().message.empty(), "a draw has an id");
            break;
        }
        case 3: read_approvals(body); break;
        default: {
            const auto token = service::parse_token(body);
            fuzz::expect(!token || !token->value.reveal().empty(), "a token is not empty");
            fuzz::expect(service::error_text(body).find('\n') == std::string::npos, "an error must be one line");
        }
    }
    return 0;
}
