// Every screen with sample answers, served by the console's own listener: its headers, its style sheets, its scripts.
#pragma once

#include <boost/asio/io_context.hpp>
#include <memory>
#include <string>
#include <thread>

#include "drawbridge/console/listener.hpp"
#include "drawbridge/pages/context.hpp"

namespace drawbridge::browser {

class SampleSite {
  public:
    SampleSite();
    SampleSite(const SampleSite&) = delete;
    SampleSite& operator=(const SampleSite&) = delete;
    ~SampleSite();
    [[nodiscard]] std::string url(const std::string& screen, pages::Theme theme = pages::Theme::light) const;

  private:
    [[nodiscard]] console::asio::awaitable<console::Reply> answer(console::WebRequest request) const;

    console::Settings settings_;
    boost::asio::io_context io_;
    std::unique_ptr<console::Listener> listener_;
    std::thread thread_;
};

}  // namespace drawbridge::browser
