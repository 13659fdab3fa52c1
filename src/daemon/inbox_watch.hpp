// Wakes the daemon when a file is dropped into a folder (inotify). Only a hint: the next regular scan finds what it
// misses (a network file system, a full queue).
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <filesystem>
#include <functional>
#include <optional>

#include "drawbridge/domain/error.hpp"

namespace drawbridge::daemon {

class InboxWatch {
  public:
    [[nodiscard]] static Result<InboxWatch> open(const boost::asio::any_io_executor& executor,
                                                 const std::filesystem::path& folder);
    // Calls `dropped` for every file that is closed after writing or renamed into the folder, until stop().
    [[nodiscard]] boost::asio::awaitable<void> watch(std::function<void()> dropped);
    void stop();

  private:
    explicit InboxWatch(boost::asio::posix::stream_descriptor events) : events_(std::move(events)) {}
    boost::asio::posix::stream_descriptor events_;
};

}  // namespace drawbridge::daemon
