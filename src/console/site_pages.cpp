// Pages: one table entry each, and those that need more than a table can say.
#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "downloads.hpp"
#include "drawbridge/api/list_csv.hpp"
#include "drawbridge/api/report_slice.hpp"
#include "drawbridge/console/site.hpp"
#include "drawbridge/domain/web_address.hpp"
#include "drawbridge/pages/filter_words.hpp"
#include "drawbridge/pages/html.hpp"
#include "drawbridge/pages/screens.hpp"
#include "drawbridge/reconciliation/oldest_lines.hpp"
#include "screens.hpp"
#include "site_parts.hpp"

namespace drawbridge::console {
namespace {

constexpr std::size_t max_remembered = 64;
constexpr std::chrono::minutes max_remembered_time{2};  // a restart of the daemon
constexpr std::size_t report_lines_of_class = 500;

// The report's slices, one question after the other.
class Slices {
  public:
    explicit Slices(const WebRequest& request) {
        for (const auto* name : {"from", "to"}) {
            const auto value = request.parameter(name);
            if (!value.empty()) period_ += "&" + std::string(name) + "=" + percent_encoded(value);
        }
    }
    [[nodiscard]] std::string target() const {
        return "/reconcile?overdue_after=10" + period_ + (next_.empty() ? "" : "&after=" + percent_encoded(next_));
    }
    // What comes next is of the same period and the same instant.
    void advance(const api::ReportSlice& slice) {
        const auto& period = slice.head.period;
        period_ = "&from=" + format_date(period.from) + "&to=" + format_date(period.to) +
                  "&as_of=" + percent_encoded(format_instant(period.as_of));
        next_ = slice.next.value_or("");
        is_last_ = slice.counted.has_value();
    }
    [[nodiscard]] bool is_last() const { return is_last_; }

  private:
    std::string period_, next_;
    bool is_last_ = false;
};

// The report as CSV, sent while it is made.
class ReportCsv final : public BodyStream {
  public:
    ReportCsv(DaemonClient& daemon, std::string token, Slices slices, api::ReportSlice first)
        : daemon_(daemon), token_(std::move(token)), slices_(std::move(slices)), slice_(std::move(first)) {}

    [[nodiscard]] asio::awaitable<Result<std::optional<std::string>>> next() override {
        std::optional<std::string> rows;
        if (is_done_) co_return rows;
        if (is_begun_) {
            DaemonRequest request{token_, "GET", slices_.target()};
            const auto answer = co_await daemon_.ask(std::move(request));
            if (!answer) co_return std::unexpected(answer.error());
            auto slice = api::slice_from_json(answer->json());
            if (!slice) co_return std::unexpected(slice.error());
            slice_ = std::move(*slice);
        }
        rows = is_begun_ ? std::string() : reconciliation::csv_header();
        for (const auto& line : slice_.lines)
            *rows += reconciliation::csv_row(line);
        slices_.advance(slice_);
        is_begun_ = true;
        is_done_ = slices_.is_last();
        co_return rows;
    }

  private:
    DaemonClient& daemon_;
    std::string token_;
    Slices slices_;
    api::ReportSlice slice_;
    bool is_begun_ = false, is_done_ = false;
};

Result<api::ReportSlice> read_slice(const Json& answer) {
    return api::slice_from_json(answer);
}

std::string text_of_key(const Json& from, const char* key) {
    const auto found = from.find(key);
    return found != from.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// A page of this console that shows what the API has at `path`; empty: none does.
std::string page_of_match(const Json& match) {
    const std::string kind = text_of_key(match, "kind"), id = text_of_key(match, "id");
    if (kind == "confirmation") return "/bank-files/" + percent_encoded(id);
    if (kind == "check") return "/checks/" + percent_encoded(id);
    const std::string path = text_of_key(match, "path");
    return pages::Link::local(path) ? path : std::string();
}

}  // namespace

asio::awaitable<Reply> Site::show(Visit visit, const Screen* screen) {
    std::vector<Json> answers;
    while (const auto wanted = screen->next(visit.page, visit.request, answers)) {
        const std::string body = wanted->body.is_null() ? std::string() : dump(wanted->body);
        const auto answer = co_await ask(visit, wanted->method, wanted->target, body);
        auto json = json_of(visit, answer);
        if (!json && answers.empty()) co_return std::move(json.error());
        answers.push_back(json ? std::move(*json) : Json(nullptr));
    }
    if (screen->pattern == "/") remember(visit, answers);
    co_return html(screen->draw(visit.page, visit.request, answers), 200);
}

void Site::remember(const Visit& visit, const std::vector<Json>& answers) {
    if (remembered_.size() >= max_remembered && !remembered_.contains(visit.token)) {
        const auto oldest =
            std::ranges::min_element(remembered_, {}, [](const auto& entry) { return entry.second.at; });
        remembered_.erase(oldest);
    }
    remembered_.insert_or_assign(visit.token, Remembered{visit.page.now, visit.page.me, visit.page.pulse, answers});
}

// A session may see its own last page again for a short time. Only the daemon could say whether it has ended meanwhile.
std::optional<Reply> Site::remembered(const Visit& visit) const {
    const auto found = remembered_.find(visit.token);
    if (found == remembered_.end() || !visit.request.segments.empty()) return std::nullopt;
    const auto& known = found->second;
    if (visit.page.now - known.at > max_remembered_time) return std::nullopt;
    pages::PageContext page = visit.page;
    pages::set_reader(page, known.me);
    page.pulse = known.pulse;
    page.known_at = known.at;
    const auto* screen = find_screen({});
    return html(screen->draw(page, visit.request, known.answers), 503);
}

// A number that is one thing opens it at once.
asio::awaitable<Reply> Site::find(Visit visit) {
    if (const auto list = pages::list_of_words(visit.request.parameter("q"))) co_return redirect(list->text());
    const auto answer = co_await ask(visit, "GET", "/find?q=" + percent_encoded(visit.request.parameter("q")));
    const auto found = json_of(visit, answer);
    if (!found) co_return found.error();
    const auto matches = found->find("matches");
    std::set<std::string> pages_found;
    if (matches != found->end()) {
        for (const Json& match : *matches)
            pages_found.insert(page_of_match(match));
    }
    if (pages_found.size() == 1 && !pages_found.begin()->empty()) co_return redirect(*pages_found.begin());
    co_return html(pages::find_page(visit.page, visit.request.parameter("q"), *found), 200);
}

asio::awaitable<Reply> Site::reconciliation(Visit visit) {
    Slices slices(visit.request);
    reconciliation::Report report;
    reconciliation::OldestLines oldest(report_lines_of_class);
    std::optional<reconciliation::Counted> counted;
    while (!slices.is_last()) {
        const auto answer = co_await ask(visit, "GET", slices.target());
        const auto json = json_of(visit, answer);
        if (!json) co_return json.error();
        auto slice = read_slice(*json);
        if (!slice) co_return error_reply(visit, 502, slice.error().message);
        slices.advance(*slice);
        report.head = slice->head;
        report.totals += slice->totals;
        std::ranges::move(slice->files, std::back_inserter(report.files));
        for (auto& line : slice->lines)
            oldest.add(std::move(line));
        counted = slice->counted;
    }
    report.controls = reconciliation::controls(report.totals, *counted);
    report.lines = oldest.take();
    co_return html(pages::reconciliation_page(visit.page, report), 200);
}

// For the script that has them read from the service again, a few at a time.
asio::awaitable<Reply> Site::draws_in_question(Visit visit) {
    Slices slices(visit.request);
    std::set<DrawId> ids;
    while (!slices.is_last()) {
        const auto answer = co_await ask(visit, "GET", slices.target());
        const auto json = json_of(visit, answer);
        if (!json) co_return json.error();
        const auto slice = read_slice(*json);
        if (!slice) co_return error_reply(visit, 502, slice.error().message);
        if (auto few = api::add_draws_in_question(*slice, ids); !few)
            co_return error_reply(visit, 409, few.error().message);
        slices.advance(*slice);
    }
    co_return json_reply(dump({{"ids", ids}}), 200);
}

asio::awaitable<Reply> Site::reconciliation_csv(Visit visit) {
    Slices slices(visit.request);
    const auto answer = co_await ask(visit, "GET", slices.target());
    const auto json = json_of(visit, answer);
    if (!json) co_return json.error();
    auto slice = read_slice(*json);
    if (!slice) co_return error_reply(visit, 502, slice.error().message);
    const auto& period = slice->head.period;
    Reply reply;
    reply.content_type = "text/csv; charset=utf-8";
    reply.fields.emplace_back(
        "Content-Disposition",
        "attachment; filename=\"reconciliation-" + format_date(period.from) + "-" + format_date(period.to) + ".csv\"");
    reply.stream = std::make_shared<ReportCsv>(daemon_, visit.token, std::move(slices), std::move(*slice));
    co_return reply;
}

// The first page is asked for before the answer begins, so that a refusal is one.
asio::awaitable<Reply> Site::save(Visit visit, const Download& download) {
    const std::string target = download.target(visit.request);
    const auto answer = co_await ask(visit, "GET", target);
    auto first = json_of(visit, answer);
    if (!first) co_return std::move(first.error());
    const std::string day = format_date(visit.page.zone.date_of(visit.page.now));
    Reply reply;
    reply.content_type = download.content_type;
    reply.fields.emplace_back("Content-Disposition", "attachment; filename=\"" + std::string(download.name) + "-" +
                                                         day + "." + std::string(download.extension) + "\"");
    reply.stream = stream_of(daemon_, visit.token, download, target, std::move(*first));
    co_return reply;
}

// What taking an upload would do, as a file. The upload stays.
asio::awaitable<Reply> Site::preview_report(Visit visit) {
    constexpr int max_preview_lines = 20'000;
    const Json body = {{"name", visit.request.parameter("name")},
                       {"profile", visit.request.parameter("profile")},
                       {"limit", max_preview_lines},
                       {"keep", true}};
    const std::string upload = percent_encoded(visit.request.parameter("upload"));
    const auto answer = co_await ask(visit, "POST", "/ingest/" + upload + "/preview", dump(body));
    const auto preview = json_of(visit, answer);
    if (!preview) co_return preview.error();
    Reply reply;
    reply.content_type = "text/csv; charset=utf-8";
    reply.fields.emplace_back("Content-Disposition", "attachment; filename=\"bank-file-preview.csv\"");
    reply.body = api::csv_begin(api::bank_file_csv, *preview);
    for (const auto& line : preview->value("lines", Json::array()))
        reply.body += api::csv_row(api::bank_file_csv.cells(line));
    co_return reply;
}

asio::awaitable<Reply> Site::events(Visit visit) {
    Reply reply;
    reply.content_type = "text/event-stream";
    reply.body = "event: over\ndata: {}\n\n";
    if (visit.token.empty()) co_return reply;
    const auto answer = co_await ask(visit, "GET", "/pulse");
    if (answer && answer->status == 401) co_return reply;
    // The browser asks again by itself.
    reply.body = answer ? "" : "retry: 5000\nevent: away\ndata: {}\n\n";
    if (!answer) co_return reply;
    // The page asks again after a while.
    if (!answer->ok()) {
        reply.status = answer->status;
        co_return reply;
    }
    reply.stream = pulses_.listen(visit.token);
    if (!reply.stream) reply.status = 429;
    co_return reply;
}

}  // namespace drawbridge::console
