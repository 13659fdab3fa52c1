#include "inbox_watch.hpp"

#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <system_error>
#include <utility>

namespace drawbridge::daemon {

namespace asio = boost::asio;

Result<InboxWatch> InboxWatch::open(const asio::any_io_executor& executor, const std::filesystem::path& folder) {
    const int fd = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (fd < 0 || ::inotify_add_watch(fd, folder.c_str(), IN_CLOSE_WRITE | IN_MOVED_TO | IN_ONLYDIR) < 0) {
        const std::string why = std::generic_category().message(errno);
        if (fd >= 0) ::close(fd);
        return fail(ErrorCode::unavailable,
                    folder.string() + ": cannot be watched (" + why + "): the next poll finds files dropped there");
    }
    return InboxWatch(asio::posix::stream_descriptor(executor, fd));
}

asio::awaitable<void> InboxWatch::watch(std::function<void()> dropped) {
    std::array<char, 4096> buffer{};
    boost::system::error_code error;  // set when the watch stops
    while (!error) {
        const std::size_t size =
            co_await events_.async_read_some(asio::buffer(buffer), asio::redirect_error(asio::use_awaitable, error));
        if (size > 0) dropped();
    }
}

void InboxWatch::stop() {
    boost::system::error_code ignored;
    events_.close(ignored);
}

}  // namespace drawbridge::daemon
