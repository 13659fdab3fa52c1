#include "browser/sample_site.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <stdexcept>

#include "drawbridge/pages/assets.hpp"
#include "pages/screen_list.hpp"
#include "support/free_port.hpp"

namespace drawbridge::browser {

SampleSite::SampleSite() {
    const std::string port = std::to_string(free_port());
    settings_.listen = "127.0.0.1:" + port;
    settings_.origin = "http://localhost:" + port;
    auto opened = console::Listener::open(io_.get_executor(), settings_,
                                          [this](console::WebRequest request) { return answer(std::move(request)); });
    if (!opened) throw std::runtime_error(opened.error().message);
    listener_ = std::move(*opened);
    boost::asio::co_spawn(io_, listener_->serve(), [](const std::exception_ptr& failure) {
        if (failure) std::rethrow_exception(failure);
    });
    thread_ = std::thread([this] { io_.run(); });
}

SampleSite::~SampleSite() {
    boost::asio::post(io_, [this] { listener_->stop(); });
    thread_.join();
}

std::string SampleSite::url(const std::string& screen, pages::Theme theme) const {
    return settings_.origin + "/screens/" + screen + (theme == pages::Theme::dark ? "?dark" : "");
}

console::asio::awaitable<console::Reply> SampleSite::answer(console::WebRequest request) const {
    console::Reply reply;
    if (const auto* asset = pages::find_asset(request.path())) {
        reply.is_asset = true;
        reply.content_type = asset->content_type;
        reply.body = asset->bytes;
        co_return reply;
    }
    // A stream that has nothing to say: the browser doesn't ask again.
    reply.status = 204;
    for (const auto& screen : pages::samples::screens()) {
        if (request.path() != "/screens/" + screen.name) continue;
        reply.status = 200;
        reply.body = screen.make(request.query.empty() ? pages::Theme::light : pages::Theme::dark, {});
    }
    co_return reply;
}

}  // namespace drawbridge::browser
