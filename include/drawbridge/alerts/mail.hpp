// Sends one plain-text message through the machine's sendmail, as a child process with a deadline. Drawbridge reads
// only the child's standard error, and the child inherits no environment but HOME.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/domain/time.hpp"

namespace drawbridge::alerts {

struct MailOptions {
    std::filesystem::path sendmail;
    std::string from;  // validated: no spaces, no control characters
    std::vector<std::string> to;
    std::chrono::milliseconds deadline{60'000};
};

struct Mail {
    std::string message_id;  // without angle brackets; the same for every attempt
    Instant date;
    std::string subject;  // UTF-8
    std::string text;     // UTF-8, lines end with \n
};

// The headers and text that sendmail reads.
[[nodiscard]] std::string render_mail(const MailOptions& options, const Mail& mail);

// Success means that sendmail accepted the message; delivery from there is up to the mail system. Error
// (invalid_input): it refuses the message or a recipient for good (sysexits.h 65-68). Cancellation kills the child.
[[nodiscard]] boost::asio::awaitable<Result<void>> send_mail(boost::asio::any_io_executor executor, MailOptions options,
                                                             Mail mail);

}  // namespace drawbridge::alerts
