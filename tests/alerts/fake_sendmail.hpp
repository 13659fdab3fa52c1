// A fake sendmail: a script that saves each message, its arguments and its environment.
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "drawbridge/alerts/mail.hpp"
#include "support/temporary_folder.hpp"

namespace drawbridge::alerts::testing {

class FakeSendmail {
  public:
    // `before` is shell code that runs before the message is saved.
    explicit FakeSendmail(const std::string& before = {}) { behave(before); }

    void behave(const std::string& before) const {
        // Renamed into place: a script that is open for writing cannot be executed (ETXTBSY).
        const auto fresh = folder_.path() / "fresh";
        std::ofstream(fresh) << "#!/bin/sh\n"
                             << before << "\nd=" << folder_.path().string()
                             << "\nn=$(ls $d | grep -c '^mail')\necho \"$@\" > $d/arguments\nenv > $d/environment\n"
                                "cat > $d/partial && mv $d/partial $d/mail$n\n";
        std::filesystem::permissions(fresh, std::filesystem::perms::owner_all);
        std::filesystem::rename(fresh, program());
    }
    [[nodiscard]] std::filesystem::path program() const { return folder_.path() / "sendmail"; }
    [[nodiscard]] MailOptions options() const {
        return {.sendmail = program(),
                .from = "drawbridge@example.gov",
                .to = {"finance@example.gov", "ops@example.gov"},
                .deadline = std::chrono::seconds(10)};
    }
    // In order of arrival.
    [[nodiscard]] std::vector<std::string> mails() const {
        std::vector<std::string> all;
        while (std::filesystem::exists(folder_.path() / ("mail" + std::to_string(all.size()))))
            all.push_back(read("mail" + std::to_string(all.size())));
        return all;
    }
    [[nodiscard]] std::string read(const std::string& name) const {
        std::ostringstream text;
        text << std::ifstream(folder_.path() / name, std::ios::binary).rdbuf();
        return std::move(text).str();
    }

  private:
    test::TemporaryFolder folder_;
};

}  // namespace drawbridge::alerts::testing
