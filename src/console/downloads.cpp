#include "downloads.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "drawbridge/api/list_csv.hpp"
#include "drawbridge/domain/web_address.hpp"
#include "screens.hpp"
#include "site_parts.hpp"

namespace drawbridge::console {
namespace {

// Rows in one answer: few enough that the daemon does other things in between.
constexpr std::string_view rows_per_answer = "500";

std::string csv_target(const api::CsvList& list, const WebRequest& request,
                       std::initializer_list<std::string_view> names) {
    std::string target(list.path);
    target += "?limit=" + std::string(rows_per_answer);
    if (!list.parameters.empty()) target += "&" + std::string(list.parameters);
    return with_parameters(std::move(target), request, names);
}

template <const api::CsvList& list>
std::string csv_begin(const Json& first) {
    return api::csv_begin(list, first);
}
template <const api::CsvList& list>
std::string csv_line(const Json& row, bool /*is_first*/) {
    return api::csv_row(list.cells(row));
}

std::string draws_target(const WebRequest& request) {
    return csv_target(api::draws_csv, request,
                      {"state", "workflow", "payee", "min_amount", "max_amount", "text", "sort"});
}
std::string checks_target(const WebRequest& request) {
    return csv_target(api::checks_csv, request, {"state"});
}
std::string audit_target(const WebRequest& request) {
    return csv_target(api::audit_csv, request, {"actor", "action", "subject"});
}
std::string bank_file_target(const WebRequest& request) {
    return "/confirmations/" + percent_encoded(request.segments.at(1)) + "?limit=" + std::string(rows_per_answer);
}
std::string acts_target(const WebRequest&) {
    return "/acts?limit=" + std::string(rows_per_answer);
}

// The same as `drawbridge acts --json` prints.
std::string acts_begin(const Json& /*first*/) {
    return "{\"acts\": [\n";
}
std::string act_line(const Json& row, bool is_first) {
    return (is_first ? "" : ",\n") + dump(row);
}

constexpr std::string_view csv = "text/csv; charset=utf-8";

const Download downloads[] = {
    {"/draws.csv", "draws", "csv", csv, draws_target, api::draws_csv.rows, csv_begin<api::draws_csv>,
     csv_line<api::draws_csv>, ""},
    {"/checks.csv", "checks", "csv", csv, checks_target, api::checks_csv.rows, csv_begin<api::checks_csv>,
     csv_line<api::checks_csv>, ""},
    {"/audit.csv", "audit-trail", "csv", csv, audit_target, api::audit_csv.rows, csv_begin<api::audit_csv>,
     csv_line<api::audit_csv>, ""},
    {"/bank-files/*/report.csv", "bank-file-report", "csv", csv, bank_file_target, api::bank_file_csv.rows,
     csv_begin<api::bank_file_csv>, csv_line<api::bank_file_csv>, ""},
    {"/signed-acts.json", "signed-acts", "json", "application/json", acts_target, "acts", acts_begin, act_line,
     "\n]}\n"},
};

class ListStream final : public BodyStream {
  public:
    ListStream(DaemonClient& daemon, std::string token, const Download& download, std::string target, Json first)
        : daemon_(daemon),
          token_(std::move(token)),
          download_(download),
          target_(std::move(target)),
          page_(std::move(first)) {}

    [[nodiscard]] asio::awaitable<Result<std::optional<std::string>>> next() override {
        std::optional<std::string> piece;
        if (is_done_) co_return piece;
        if (page_.is_null()) {
            DaemonRequest request{token_, "GET", target_ + "&after=" + next_};
            const auto answer = co_await daemon_.ask(std::move(request));
            if (!answer) co_return std::unexpected(answer.error());
            page_ = answer->json();
            // Broken off, the reader sees that it is not all.
            if (!answer->ok() || !page_.is_object())
                co_return fail(ErrorCode::unavailable, "the daemon refused the rest of the list");
        }
        piece = is_begun_ ? std::string() : download_.begin(page_);
        for (const auto& row : page_.value(std::string(download_.rows), Json::array()))
            *piece += download_.row(row, !std::exchange(has_rows_, true));
        is_begun_ = true;
        const Json after = page_.value("next_after", Json(nullptr));
        is_done_ = after.is_null();
        next_ = after.dump();
        page_ = nullptr;
        if (is_done_) *piece += download_.end;
        co_return piece;
    }

  private:
    DaemonClient& daemon_;
    std::string token_;
    const Download& download_;
    std::string target_, next_;
    Json page_;
    bool is_begun_ = false, has_rows_ = false, is_done_ = false;
};

}  // namespace

const Download* find_download(const std::vector<std::string>& segments) {
    const auto found =
        std::ranges::find_if(downloads, [&](const Download& download) { return is_at(segments, download.pattern); });
    return found == std::end(downloads) ? nullptr : found;
}

std::shared_ptr<BodyStream> stream_of(DaemonClient& daemon, std::string token, const Download& download,
                                      std::string target, Json first) {
    return std::make_shared<ListStream>(daemon, std::move(token), download, std::move(target), std::move(first));
}

}  // namespace drawbridge::console
