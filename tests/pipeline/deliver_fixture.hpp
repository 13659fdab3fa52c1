// Deliveries to a real OpenSSH server, through a proxy that can cut the connection.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "delivery/openpgp_keys.hpp"
#include "delivery/sftp_server.hpp"
#include "drawbridge/domain/digest.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/pipeline/deliver.hpp"
#include "drawbridge/pipeline/transfer_worker.hpp"
#include "pipeline/pipeline_fixture.hpp"

namespace drawbridge::pipeline {

// Every step reads the time before it is recorded: a test can act at that moment.
class HookedClock : public Clock {
  public:
    explicit HookedClock(const Clock& clock) : clock_(clock) {}
    [[nodiscard]] Instant now() const override {
        if (hook) hook();
        return clock_.now();
    }
    std::function<void()> hook;

  private:
    const Clock& clock_;
};

class Delivering : public Pipeline {
  protected:
    Delivering() : hooked_(clock_), bank_(folder_.path() / "bank"), proxy_(bank_.port()) {
        open_after_midnight_if_late();
        auto settings = context_->settings;
        auto rules = context_->rules;
        auto payees = context_->payees;
        shared_.emplace(Shared{*ledger_, *service_, *spool_, hooked_, config_, std::move(settings), std::move(rules),
                               std::move(payees)});
        context_.emplace(*shared_);
        context_->transfer_worker = &transfer_worker_;
        use_server(proxy_.port());
    }

    void use_server(int port) {
        delivery::SftpOptions sftp;
        sftp.host = "127.0.0.1";
        sftp.port = port;
        sftp.user = bank_.user();
        sftp.private_key = Secret(e2e::read_file(bank_.client_key()));
        sftp.host_key = bank_.host_key();
        sftp.folder = bank_.inbox();
        context_->settings.ach_delivery.sftp = sftp;
        context_->settings.check_delivery.sftp = sftp;
    }
    void use_key(const test::OpenPgpKey& key) {
        delivery::OpenPgpOptions openpgp;
        openpgp.public_key_file = key.public_key_file();
        openpgp.fingerprint = key.fingerprint();
        context_->settings.ach_delivery.openpgp = openpgp;
    }

    // Pays one more draw and returns the name of the file released for it.
    std::string release_a_file(const std::string& payee = "PAYEE-1") {
        add(++last_draw_, 4, payee);
        run_well({poll, pay});
        return files().back().name;
    }
    // The bank says that it paid the first payment of the newest file.
    void confirm_newest_payment() {
        bank_says(ledger::load_file(*ledger_, files().back().file_id).file.payments.front(), "paid");
    }
    // Cuts the connection later and later, until an upload has begun. The bank has no other file.
    std::string file_with_failed_upload() {
        const auto delivered = release_a_file();
        run_well({deliver});
        std::filesystem::remove(bank_.inbox() / delivered);
        const auto all = proxy_.sent();
        auto name = release_a_file();
        for (int cut = 1; cut < 32 && !steps(name).contains("intent failed"); ++cut) {
            proxy_.cut_after(all * cut / 32, test::TcpProxy::unlimited);
            run(deliver);
            proxy_.restore();
        }
        return name;
    }
    [[nodiscard]] std::filesystem::path outgoing(const std::string& name) {
        return folder_.path() / "state" / "spool" / "outgoing" / name;
    }
    // The steps of a file's delivery: "intent uploaded delivered".
    std::string steps(const std::string& name) {
        std::string all;
        const auto file = ledger::find_file(*ledger_, name);
        for (const auto& fact : ledger::delivery_steps(*ledger_, file->file_id))
            all += (all.empty() ? "" : " ") + std::string(disbursement::to_string(fact.step));
        return all;
    }
    ledger::DeliveryRow delivery(const std::string& name) {
        return ledger::find_delivery(*ledger_, ledger::find_file(*ledger_, name)->file_id).value();
    }
    // Calls `then` once, after the complete upload is at the server under its temporary name and before that is
    // recorded.
    void after_upload_of(const std::string& name, std::function<void()> then) {
        const auto size = std::filesystem::file_size(outgoing(name));
        hooked_.hook = [this, size, name, then = std::move(then)] {
            const auto temporary = bank_.inbox() / ("tmp-1-" + name + ".part");
            std::error_code error;
            if (std::filesystem::file_size(temporary, error) != size || error) return;
            const auto act = then;
            hooked_.hook = nullptr;  // this destroys the function itself; only `act` is left
            act();
        };
    }
    void set_paused(bool paused) {
        ledger_->transaction([&] { ledger::set_paused(*ledger_, paused, "test", eva()); });
    }
    Result<ledger::FileRow> resolve(const std::string& name, DeliveryResolution how) {
        return resolve_delivery(*context_, name, how, "asked the bank", eva());
    }
    void expect_delivered(const std::string& name) {
        EXPECT_THAT(bank_.names(), ::testing::ElementsAre(name));
        EXPECT_EQ(sha256_hex(bank_.content(name)), delivery(name).sha256);
        EXPECT_TRUE(delivery(name).delivered_at.has_value());
        EXPECT_FALSE(std::filesystem::exists(outgoing(name)));
        EXPECT_EQ(e2e::read_file(folder_.path() / "state" / delivery(name).archived_as), bank_.content(name));
        EXPECT_FALSE(delivery_due(*context_));
        EXPECT_THAT(reasons(), ::testing::IsEmpty());
        expect_clean_ledger();
    }

    DrawId last_draw_ = 0;
    HookedClock hooked_;
    test::SftpServer bank_;
    test::TcpProxy proxy_;
    TransferWorker transfer_worker_;
};

}  // namespace drawbridge::pipeline
