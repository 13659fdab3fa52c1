#include "delivery_targets.hpp"

#include <set>
#include <string_view>

#include "drawbridge/text/show.hpp"

namespace drawbridge::app {
namespace {

using text::Diagnostics;
using text::Severity;

struct Named {
    std::string_view section;
    pipeline::DeliveryTarget target;
};

std::vector<Named> targets(const config::Config& config) {
    return {{"delivery", delivery_target(config.delivery.ach)},
            {"delivery.checks", delivery_target(config.delivery.checks)}};
}

void add(Diagnostics& problems, const config::Config& config, std::string message) {
    problems.push_back({config.file.string(), 0, 0, std::move(message), "", Severity::error});
}

}  // namespace

pipeline::DeliveryTarget delivery_target(const config::DeliveryTarget& target) {
    pipeline::DeliveryTarget made;
    if (target.sftp) {
        const auto& from = *target.sftp;
        delivery::SftpOptions sftp;
        sftp.host = from.host;
        sftp.port = from.port;
        sftp.user = from.user;
        sftp.private_key = from.private_key;
        sftp.passphrase = from.passphrase;
        sftp.host_key = from.host_key;
        sftp.known_hosts_file = from.known_hosts_file;
        sftp.folder = from.folder;
        sftp.timeout = from.timeout;
        made.sftp = std::move(sftp);
    }
    if (target.openpgp) {
        delivery::OpenPgpOptions openpgp;
        openpgp.public_key_file = target.openpgp->public_key_file;
        openpgp.fingerprint = target.openpgp->fingerprint;
        openpgp.armor = target.openpgp->armor;
        openpgp.name_suffix = target.openpgp->name_suffix;
        made.openpgp = std::move(openpgp);
    }
    return made;
}

Diagnostics check_delivery(const config::Config& config, std::vector<std::string>& lines) {
    Diagnostics problems;
    std::set<std::string> said;
    for (const auto& [section, target] : targets(config)) {
        if (target.sftp && said.insert(address(*target.sftp)).second) {
            if (const auto good = check_keys(*target.sftp); !good) {
                add(problems, config, std::string(section) + ".sftp: " + good.error().message);
            } else {
                lines.push_back("delivery  " + address(*target.sftp) + ": the keys are readable");
            }
        }
        if (target.openpgp && said.insert(target.openpgp->fingerprint).second) {
            if (const auto good = check_key(*target.openpgp); !good) {
                add(problems, config, std::string(section) + ".openpgp: " + good.error().message);
            } else {
                lines.push_back("openpgp   " + target.openpgp->fingerprint + ": can be encrypted to");
            }
        }
    }
    return problems;
}

Diagnostics try_delivery(const config::Config& config, std::vector<std::string>& lines) {
    Diagnostics problems;
    std::set<std::string> said;
    for (const auto& [section, target] : targets(config)) {
        if (!target.sftp || !said.insert(address(*target.sftp)).second) continue;
        delivery::SftpSession session(*target.sftp);
        const auto opened = session.open();
        if (!opened) {
            add(problems, config, std::string(section) + ".sftp: " + opened.error().message);
            continue;
        }
        const auto entries = session.list_names();
        if (!entries && entries.error().code == ErrorCode::forbidden) {
            lines.push_back("delivery  " + address(*target.sftp) + ": login ok; it does not let us list the folder");
            continue;
        }
        if (!entries) {
            add(problems, config, std::string(section) + ".sftp: " + entries.error().message);
            continue;
        }
        lines.push_back("delivery  " + address(*target.sftp) + ": login ok, " +
                        text::counted(static_cast<std::int64_t>(entries->size()), "file") + " in the folder");
    }
    return problems;
}

}  // namespace drawbridge::app
