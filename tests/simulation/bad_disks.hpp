// Worlds (world.hpp, hostile_world.hpp) on a machine whose disk fails or whose power goes off, on top of everything
// else. Whoever was told that a file was released or voided before must find it so afterwards.
#pragma once

#include <cerrno>
#include <map>
#include <random>
#include <string>

#include "disk/disk_log.hpp"
#include "disk/failing_disk.hpp"
#include "drawbridge/domain/digest.hpp"
#include "drawbridge/ledger/facts/confirmations.hpp"
#include "simulation/world.hpp"

namespace drawbridge::pipeline {

template <class W>
class OnFailingDisks : public W {
  public:
    using W::W;

  protected:
    using W::attempt, W::below, W::close, W::count, W::open, W::state_;

    std::string step() override { return below(6) == 0 ? (disk_fails(), "disk fails") : W::step(); }

    // One act of the program on a disk that fails: from some call on, or once. The program ends, and is started again
    // when the disk is well.
    void disk_fails() {
        const long call = 1 + static_cast<long>(below(60));
        const bool for_good = below(2) == 0;
        const int error = below(3) == 0 ? ENOSPC : EIO;
        const auto act = below(7);
        disk::fail_disk(state_, call, for_good, error);
        try {
            constexpr typename W::StepFunction all[] = {poll, decide, approve, pay, confirm, report};
            act < std::size(all) ? attempt({all[act]}) : this->release_some();
        } catch (const std::exception&) {
            // It says that the disk failed.
        }
        close();
        const auto failed = disk::mend_disk();
        open();
        count("the disk failed", failed > 0);
        attempt({poll});
    }
};

template <class W>
class LosingPower : public OnFailingDisks<W> {
  public:
    using OnFailingDisks<W>::OnFailingDisks;

  protected:
    using W::attempt, W::below, W::close, W::count, W::dropped_, W::ledger_, W::open, W::out, W::state_;
    using FileStates = std::map<std::string, ledger::FileState>;

    std::string step() override { return below(8) == 0 ? (power_fails(), "power fails") : OnFailingDisks<W>::step(); }

    // The power goes off before one of the calls that change the disk in the next acts, or after them. Of what was not
    // synced any part may be lost. The service and the bank have seen what came before.
    void power_fails() {
        const auto lines = this->what_bank_says();
        if (!lines.empty()) this->hand_in(lines);
        close();
        disk::DiskLog log(state_);
        const auto loss = disk::all_losses[below(std::size(disk::all_losses))];
        disk::cut_power(this->folder_.path(), state_, 1 + static_cast<long>(below(150)));
        told_.clear();
        try {
            open();
            for (auto acts = 1 + below(3); acts > 0; --acts) {
                do_something();
                remember();
            }
        } catch (const std::exception&) {
            // It says that the disk failed; with the power off nobody hears it.
        }
        const bool was_within_act = disk::power_is_off();
        disk::cut_power_now();
        close();
        log.read_text(disk::restore_power());
        std::mt19937_64 random(this->random_());
        log.lose_power(loss, random);
        // Fetched files may be in outgoing/ again: the bank refuses them.
        for (const auto& name : this->outgoing()) {
            if (this->taken_.contains(name)) fs::remove(out(name));
        }
        open();
        const auto found = final_states();
        for (const auto& [name, state] : told_) {
            EXPECT_TRUE(found.contains(name) && found.at(name) == state)
                << name << " was " << to_string(state) << " before the power failed";
        }
        attempt({poll, confirm});
        if (!lines.empty()) {
            EXPECT_TRUE(ledger::is_applied(*ledger_, sha256_hex(dropped_.back()))) << "a file of the bank is lost";
        }
        count("the power failed", true);
        count("the power failed within an act", was_within_act);
    }
    void do_something() {
        switch (below(8)) {
            case 0: return attempt({poll, decide, approve});
            case 1: return attempt({pay});
            case 2:
            case 3:
                for (const auto& file : this->unreleased()) {
                    static_cast<void>(this->release(file));
                    remember();
                }
                return;
            case 4: return attempt({confirm});
            case 5: return attempt({poll, report});
            case 6: return this->void_file_of_some();
            default: return this->void_payment_of_some();
        }
    }
    FileStates final_states() {
        FileStates states;
        for (const auto& file : this->files()) {
            if (file.state == ledger::FileState::released || file.state == ledger::FileState::voided)
                states[file.name] = file.state;
        }
        return states;
    }
    // What people have seen.
    void remember() {
        const auto states = final_states();
        if (!disk::power_is_off()) told_ = states;
    }

    FileStates told_;
};

}  // namespace drawbridge::pipeline
