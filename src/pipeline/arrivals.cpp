#include "arrivals.hpp"

#include <utility>

#include "drawbridge/domain/crash_point.hpp"
#include "drawbridge/ledger/facts/arrivals.hpp"
#include "drawbridge/ledger/facts/confirmations.hpp"
#include "drawbridge/ledger/store/engine.hpp"
#include "drawbridge/pipeline/ingest.hpp"
#include "drawbridge/pipeline/let_others_run.hpp"

namespace drawbridge::pipeline {

namespace asio = boost::asio;

Hand hand_of(const Context& context, std::int64_t owner_uid) {
    if (context.uid) return {*context.uid, context.actor};
    return {owner_uid,
            "uid " + std::to_string(owner_uid) + (owner_uid == 0 ? " (root, or others could write it)" : "")};
}

asio::awaitable<void> keep_arrival(Context& context, const spool::Snapshot& bytes, std::string name,
                                   std::string profile, Hand hand) {
    auto& ledger = context.ledger;
    if (!ledger::is_in_postgresql(ledger) || ledger::is_applied(ledger, bytes.sha256()) ||
        ledger::open_arrival(ledger, bytes.sha256()))
        co_return;
    for (std::size_t at = 0; at < bytes.bytes().size(); at += ledger::piece_size) {
        // The commit of the arrival, below, waits for all of them.
        ledger.transaction_deferred_sync([&] {
            ledger::store_piece(ledger, bytes.sha256(), at / ledger::piece_size,
                                bytes.bytes().substr(at, ledger::piece_size));
        });
        co_await let_others_run(ledger);
    }
    const ledger::Arrival arrival{bytes.sha256(), std::move(name), std::move(profile), hand.uid, std::move(hand.by)};
    ledger.transaction([&] { ledger::record_arrival(ledger, arrival, context.stamp()); });
    crash_point("takeover.arrival_kept");
}

asio::awaitable<void> keep_inbox_file(Context& context, std::string name) {
    if (!ledger::is_in_postgresql(context.ledger)) co_return;
    const auto file = context.spool.read_inbox(name, context.config.confirmations.max_file_bytes);
    if (!file) co_return;
    auto hand = hand_of(context, file->owner_uid);
    std::string recognized;
    co_await keep_arrival(context, file->bytes, std::move(name), std::move(recognized), std::move(hand));
}

void withdraw_unclaimed(Context& context) {
    if (!ledger::is_in_postgresql(context.ledger)) return;
    auto open = ledger::open_arrivals(context.ledger);
    if (open.empty()) return;
    for (const auto& hash : claimed_hashes(context))
        std::erase_if(open, [&](const auto& arrival) { return arrival.sha256 == hash; });
    if (open.empty()) return;
    context.ledger.transaction([&] {
        for (const auto& arrival : open)
            ledger::withdraw_arrival(context.ledger, arrival, context.stamp());
    });
}

std::vector<std::string> claimed_hashes(const Context& context) {
    std::vector<std::string> hashes;
    for (const auto& file : context.spool.claimed()) {
        const auto snapshot = context.spool.open_snapshot(file, context.config.confirmations.max_file_bytes);
        if (snapshot) hashes.push_back(snapshot->sha256());
    }
    return hashes;
}

}  // namespace drawbridge::pipeline
