// A list of the operators' API, however long: it is asked for page by page, and what comes is put out as it comes.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "commands.hpp"

namespace drawbridge::cli {

struct Listing {
    std::string path;                                 // "/draws"
    std::vector<std::string> parameters = {};         // "state=held"
    std::string rows;                                 // the member that holds the list: "draws"
    std::function<void(const nlohmann::json&)> show;  // the whole answer with the rows that fit, for people
    // With --csv: the header, and the cells of a row.
    std::vector<std::string> csv_header = {};
    std::function<std::vector<std::string>(const nlohmann::json&)> csv_cells = {};
    std::int64_t shown = 1000;  // for people, without --limit
};

// JSON and CSV hold every row, or as many as --limit says; people see `shown` of them, and how many more there are.
// Returns the exit code. When it fails in the middle, what was put out is no whole JSON.
[[nodiscard]] int print_listing(const Options& options, const Listing& listing);

}  // namespace drawbridge::cli
