#include "listing.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "call_api.hpp"
#include "drawbridge/text/show.hpp"
#include "output.hpp"

namespace drawbridge::cli {
namespace {

using nlohmann::json;

constexpr std::int64_t rows_per_page = 1000;

class Pages {
  public:
    Pages(const Options& options, const Listing& listing, std::int64_t limit)
        : caller_(options.config), listing_(listing), left_(limit), next_(options.after) {}

    [[nodiscard]] bool at_end() const { return next_.is_null() || left_ == 0; }
    // The key of the next page, from the last answer. Null: there is no next page.
    [[nodiscard]] const json& next() const { return next_; }
    [[nodiscard]] std::int64_t rows() const { return rows_; }

    Answer read() {
        const auto wanted = std::min(rows_per_page, left_);
        std::string target = listing_.path + "?limit=" + std::to_string(wanted) + "&after=" + next_.dump();
        for (const auto& parameter : listing_.parameters)
            target += "&" + parameter;
        if (rows_ == 0 && listing_.has_total) target += "&total=true";
        auto answer = call_api(caller_, "GET", std::move(target));
        if (!answer) return answer;
        const auto count = static_cast<std::int64_t>((*answer)[listing_.rows].size());
        rows_ += count;
        left_ -= count;
        next_ = (*answer)["next_after"];
        return answer;
    }

  private:
    app::Caller caller_;
    const Listing& listing_;
    std::int64_t left_;
    json next_;
    std::int64_t rows_ = 0;
};

// "… 200 more: --limit 1200"
std::string more_words(const Options& options, const Pages& pages, const json& answer) {
    const bool from_the_first = options.after == 0;
    const auto left = from_the_first ? answer.value("total", std::int64_t{0}) - pages.rows() : 0;
    if (left <= 0) return "… more: --limit " + std::to_string(2 * pages.rows());
    return "… " + text::grouped(left) + " more: --limit " + std::to_string(pages.rows() + left);
}

// Prints the list as one array, row by row as the pages arrive. The other members follow.
int print_as_json(const Listing& listing, Pages& pages) {
    const auto indented = [](std::string text, const std::string& by) {
        for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += by.size() + 1)
            text.insert(at + 1, by);
        return text;
    };
    json rest;
    do {
        auto answer = pages.read();
        if (!answer) return answer.error();
        const bool is_first = rest.is_null();
        if (is_first) print_json_part("{\n  \"" + listing.rows + "\": [");
        std::string part;
        for (const auto& row : (*answer)[listing.rows]) {
            const bool is_first_row = is_first && part.empty();
            part += (is_first_row ? "\n    " : ",\n    ") + indented(json_text(row, 2), "    ");
        }
        print_json_part(part);
        rest.update(*answer);  // totals come with the first page
    } while (!pages.at_end());
    rest.erase(listing.rows);
    const std::string others = json_text(rest, 2);  // "{\n  … }"
    print_json_part((pages.rows() == 0 ? "]," : "\n  ],") + others.substr(1) + "\n");
    return app::exit_ok;
}

int print_as_csv(const Options& options, const Listing& listing, Pages& pages) {
    json last;
    do {
        auto answer = pages.read();
        if (!answer) return answer.error();
        if (last.is_null()) print_bytes(api::csv_begin(*listing.csv, *answer));
        for (const auto& row : (*answer)[listing.rows])
            print_csv_row(listing.csv->cells(row));
        last.update(*answer);
    } while (!pages.at_end());
    if (!pages.next().is_null()) print_error(more_words(options, pages, last));
    return app::exit_ok;
}

int print_as_text(const Options& options, const Listing& listing, Pages& pages) {
    json whole;
    do {
        auto answer = pages.read();
        if (!answer) return answer.error();
        json rows = whole.is_null() ? json::array() : std::move(whole[listing.rows]);
        for (auto& row : (*answer)[listing.rows])
            rows.push_back(std::move(row));
        whole.update(*answer);
        whole[listing.rows] = std::move(rows);
    } while (!pages.at_end());
    listing.show(whole);
    if (!pages.next().is_null()) print_line(more_words(options, pages, whole));
    return app::exit_ok;
}

}  // namespace

int print_listing(const Options& options, const Listing& listing) {
    const bool is_for_people = !options.json && !options.csv;
    const std::int64_t all = is_for_people ? listing.shown : std::numeric_limits<std::int64_t>::max();
    Pages pages(options, listing, options.limit.value_or(all));
    if (options.json) return print_as_json(listing, pages);
    return options.csv ? print_as_csv(options, listing, pages) : print_as_text(options, listing, pages);
}

}  // namespace drawbridge::cli
