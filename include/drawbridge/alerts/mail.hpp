// One plain-text message handed to the machine's sendmail, as a child process with a time limit. It reads nothing but
// what the child says of its failure, and gives it none of this program's environment.
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
    std::string from;  // checked: no blanks, no control characters
    std::vector<std::string> to;
    std::chrono::milliseconds deadline{60'000};
};

struct Mail {
    std::string message_id;  // without angle brackets; the same for each repetition
    Instant date;
    std::string subject;  // UTF-8
    std::string text;     // UTF-8, lines end with \n
};

// Headers and text as sendmail reads them.
[[nodiscard]] std::string render_mail(const MailOptions& options, const Mail& mail);

// On return without an error sendmail has taken it: what becomes of it then is the mail system's. Cancelling kills the
// child.
[[nodiscard]] boost::asio::awaitable<Result<void>> send_mail(boost::asio::any_io_executor executor, MailOptions options,
                                                             Mail mail);

}  // namespace drawbridge::alerts
