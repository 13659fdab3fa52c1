#include "server_listing.hpp"

#include "drawbridge/ledger/facts/deliveries.hpp"
#include "drawbridge/ledger/facts/restorations.hpp"

namespace drawbridge::pipeline {
namespace {

using delivery::SftpSession;
using Names = Result<std::vector<std::string>>;

bool is_unknown(Context& context, std::string_view name) {
    const auto& openpgp = context.settings.ach_delivery.openpgp;
    std::string_view plain = name;
    if (openpgp && name.ends_with(openpgp->name_suffix)) plain.remove_suffix(openpgp->name_suffix.size());
    // Another instance may share the folder; its file id modifiers or file numbers differ from ours.
    const auto& plan = context.settings.plan;
    if (!plan.ach_file_name.may_have_produced(plain, plan.numbers)) return false;
    return !ledger::knows_file_name(context.ledger, name) && !ledger::knows_file_name(context.ledger, plain);
}

void begin_restoration(ServerSession& session, const std::string& name) {
    Context& context = session.context;
    const std::string detail =
        session.server + " has " + name + ", a name that only this office makes and that this ledger did not write";
    context.ledger.transaction([&] {
        ledger::begin_restoration(context.ledger, ledger::RestoredHow::older, detail, context.stamp());
        ledger::record_sent_file(context.ledger, *ledger::open_restoration(context.ledger),
                                 {name, "", std::nullopt, "", std::nullopt, ""});
    });
    raise_delivery(context, "sent_file_unknown", name, detail + ": ask the bank who sent it and whom it paid");
    session.runner.failed(detail);
}

}  // namespace

asio::awaitable<Result<bool>> has_unknown_file(ServerSession& session) {
    std::function<Names(SftpSession&)> request = [](SftpSession& sftp) { return sftp.list_names(); };
    const auto names = co_await run_on_server(session, std::move(request));
    // A drop box that only takes files, and a folder that does not exist: the upload will tell.
    if (!names && (names.error().code == ErrorCode::forbidden || names.error().code == ErrorCode::not_found)) {
        session.unlisted = names.error().message;
        if (ledger::listing_denied(session.context.ledger, session.server).empty())
            session.runner.problem(session.unlisted + ": files are sent without looking for those of a newer ledger");
        co_return false;
    }
    if (!names) co_return std::unexpected(names.error());
    bool found = false;
    for (const auto& name : *names) {
        if (!is_unknown(session.context, name)) continue;
        begin_restoration(session, name);
        found = true;
    }
    co_return found;
}

}  // namespace drawbridge::pipeline
