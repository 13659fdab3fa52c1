// Replaces the ledger by an older copy after files were released.
#pragma once

#include <filesystem>
#include <fstream>

#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/ledger/facts/restorations.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/pipeline/payment_files.hpp"
#include "pipeline/pipeline_fixture.hpp"

namespace drawbridge::pipeline {

class AfterRestore : public Pipeline {
  protected:
    explicit AfterRestore(std::shared_ptr<Surroundings> around = nullptr) : Pipeline(std::move(around)) {
        context_->settings.full_sweep_interval = std::chrono::hours(24);
    }

    void close() {
        context_.reset();
        ledger_.reset();
    }
    void open() {
        spool_.emplace(state_);
        ledger_.emplace(ledger::Ledger::open(state_, clock_.now()).value());
        const bool automatic = release_automatically_;
        connect();
        use_rules("version: 1\napprover_id: 1201\nrules:\n  - name: all\n    when: always\n    approve: {}\n");
        context_->payees = test::sample_directory();
        context_->settings.full_sweep_interval = std::chrono::hours(24);
        config_.pay.release = automatic ? config::Release::automatic : config::Release::manual;
        configure();
    }
    // Further settings of a test, applied whenever the ledger is opened.
    virtual void configure() {}
    void release_by_hand() {
        release_automatically_ = false;
        config_.pay.release = config::Release::manual;
    }
    // Copies the ledger's file, and later copies it back over the same inode.
    void back_up_ledger() {
        close();
        std::filesystem::copy_file(state_ / "ledger.db", folder_.path() / "old.db",
                                   std::filesystem::copy_options::overwrite_existing);
        open();
    }
    void restore_ledger() {
        close();
        std::filesystem::copy_file(folder_.path() / "old.db", state_ / "ledger.db",
                                   std::filesystem::copy_options::overwrite_existing);
        open();
    }
    // A copy of the state folder, taken as a host does it: the ledger is open, with its write-ahead log.
    void take_snapshot() {
        std::filesystem::remove_all(snapshot_);
        std::filesystem::copy(state_, snapshot_, std::filesystem::copy_options::recursive);
    }
    // The ledger is closed. Every file has its old content and its old inode, as after a block-level rollback.
    // `kept`: a folder of the state folder that is on another disk.
    void put_back_snapshot(const std::filesystem::path& kept = {}) {
        const auto is_kept = [&](const std::filesystem::path& path) {
            return !kept.empty() && path.string().starts_with(kept.string());
        };
        for (const auto& entry : std::filesystem::recursive_directory_iterator(state_)) {
            const auto path = std::filesystem::relative(entry.path(), state_);
            if (entry.is_regular_file() && !is_kept(path) && !std::filesystem::exists(snapshot_ / path))
                std::filesystem::remove(entry.path());
        }
        for (const auto& entry : std::filesystem::recursive_directory_iterator(snapshot_)) {
            const auto path = std::filesystem::relative(entry.path(), snapshot_);
            if (!entry.is_regular_file() || is_kept(path)) continue;
            std::filesystem::create_directories((state_ / path).parent_path());
            std::ifstream from(entry.path(), std::ios::binary);
            std::ofstream(state_ / path, std::ios::binary | std::ios::trunc) << from.rdbuf();
        }
    }
    void release_all() {
        for (const auto& file : ledger::payment_files(*ledger_, /*unreleased_only=*/true)) {
            const auto released = release_now(file.name, "agreed", {clock_.now(), "uid 7 (bo)", 7});
            EXPECT_TRUE(released) << released.error().message;
        }
    }
    Result<void> end_restoration(bool nothing_else_sent = false) {
        const auto ended = ledger_->transaction([&] {
            const ledger::Stamp by{clock_.now(), "uid 12 (cy)", 12};
            auto done = ledger::resolve_restoration(*ledger_, nothing_else_sent, "looked at it", by);
            if (done) ledger::set_paused(*ledger_, /*paused=*/false, "looked at it", by);
            return done;
        });
        if (ended) ledger::write_high_water_mark(*ledger_);
        return ended;
    }
    bool bank_has_nothing_else() {
        return ledger_->transaction([&] {
            return ledger::record_nothing_else_sent(*ledger_, "the bank's list", {clock_.now(), "uid 8 (cy)", 8});
        });
    }
    using Pipeline::resolve_all;
    void resolve_all(std::string_view reason_code) { resolve_all(reason_code, {clock_.now(), "uid 12 (cy)", 12}); }
    std::vector<std::string> outgoing() {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(state_ / "spool/outgoing"))
            names.push_back(entry.path().filename().string());
        return names;
    }
    void bank_takes_files() {
        for (const auto& name : outgoing())
            std::filesystem::rename(state_ / "spool/outgoing" / name, folder_.path() / name);
    }
    [[nodiscard]] std::filesystem::path staged(const std::string& name) const { return state_ / "spool/staged" / name; }
    [[nodiscard]] std::filesystem::path out(const std::string& name) const { return state_ / "spool/outgoing" / name; }

    void delete_manifests() {
        for (const auto& entry : std::filesystem::directory_iterator(state_ / "spool/manifests"))
            std::filesystem::remove(entry.path());
    }
    // Nothing outside the older ledger tells what left since.
    void restore_without_traces() {
        delete_manifests();
        restore_ledger();
        std::filesystem::remove(state_ / "ledger.mark");
        run_well({poll});
    }

    std::filesystem::path state_ = folder_.path() / "state", snapshot_ = folder_.path() / "snapshot";
    bool release_automatically_ = true;
};

}  // namespace drawbridge::pipeline
