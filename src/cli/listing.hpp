// Prints a list of the operators' API of any length: requests it page by page and prints each page as it arrives.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "commands.hpp"
#include "drawbridge/api/list_csv.hpp"

namespace drawbridge::cli {

struct Listing {
    std::string path;                                 // "/draws"
    std::vector<std::string> parameters = {};         // "state=held"
    std::string rows;                                 // the JSON member with the list: "draws"
    std::function<void(const nlohmann::json&)> show;  // prints the whole answer as text, with the rows that fit
    const api::CsvList* csv = nullptr;                // for --csv
    std::int64_t shown = 1000;                        // rows in text output without --limit
    bool has_total = true;                            // whether the daemon counts the rows of the whole list
};

// JSON and CSV output contains every row, or up to --limit. Text output contains `shown` rows and the number of further
// rows. Returns the exit code. After a failure midway, the JSON output is incomplete.
[[nodiscard]] int print_listing(const Options& options, const Listing& listing);

}  // namespace drawbridge::cli
