#include "e2e/bank.hpp"

#include <numeric>
#include <stdexcept>
#include <utility>

#include "e2e/process.hpp"
#include "e2e/sandbox.hpp"

namespace drawbridge::e2e {
namespace {

namespace fs = std::filesystem;

// Positions count from 1, as in the NACHA format.
std::string field(const std::string& record, std::size_t first, std::size_t last) {
    return record.substr(first - 1, last - first + 1);
}

std::string trimmed(const std::string& text) {
    const auto end = text.find_last_not_of(' ');
    return end == std::string::npos ? std::string() : text.substr(0, end + 1);
}

void require(bool condition, const std::string& file, const std::string& what) {
    if (!condition) throw std::runtime_error(file + ": " + what);
}

std::vector<Instruction> read_nacha(const std::string& name, const std::string& content) {
    const auto lines = lines_of(content);
    require(lines.size() % 10 == 0, name, "not padded to a multiple of ten records");
    std::vector<Instruction> out;
    std::string created_on;
    std::int64_t cents = 0;
    std::int64_t debits = 0;
    std::size_t entries = 0;
    for (const auto& line : lines) {
        require(line.size() == 94, name, "a record of " + std::to_string(line.size()) + " characters");
        if (line[0] == '1')
            created_on = "20" + field(line, 24, 25) + "-" + field(line, 26, 27) + "-" + field(line, 28, 29);
        if (line[0] == '6') {
            const std::int64_t amount = std::stoll(field(line, 30, 39));
            const char kind = line[2];  // 2 a credit, 3 its prenote, 7 a debit
            ++entries;
            if (kind == '7') {
                debits += amount;
                continue;
            }
            require((kind == '3') == (amount == 0), name, "a prenote with money, or an entry without");
            out.push_back(
                {name, field(line, 80, 94), amount, trimmed(field(line, 55, 76)), created_on, false, kind == '3'});
            cents += amount;
        }
        if (line[0] == '9' && line != std::string(94, '9')) {
            require(std::stoll(field(line, 44, 55)) == cents, name,
                    "the file control's credits differ from the entries");
            require(std::stoull(field(line, 14, 21)) == entries, name,
                    "the file control's count differs from the entries");
            require(std::stoll(field(line, 32, 43)) == debits, name,
                    "the file control's debits differ from the entries");
            require(debits == 0 || debits == cents, name, "the debits do not balance the credits");
        }
    }
    return out;
}

// The check layout of the test office: I,account,number,MMDDYY,amount,name
std::vector<Instruction> read_checks(const std::string& name, const std::string& content) {
    std::vector<Instruction> out;
    for (const auto& line : lines_of(content)) {
        std::vector<std::string> cells(1);
        for (const char c : line) {
            if (c == ',' && cells.size() < 6) {
                cells.emplace_back();
            } else {
                cells.back() += c;
            }
        }
        require(cells.size() == 6 && cells[0] == "I", name, "not an issued check: " + line);
        const auto point = cells[4].find('.');
        require(point != std::string::npos && cells[4].size() == point + 3, name, "not an amount: " + line);
        const auto cents = std::stoll(cells[4].substr(0, point) + cells[4].substr(point + 1));
        const auto& date = cells[3];
        out.push_back({name, cells[2], cents, cells[5],
                       "20" + date.substr(4, 2) + "-" + date.substr(0, 2) + "-" + date.substr(2, 2), true});
    }
    return out;
}

}  // namespace

std::vector<Instruction> read_payment_file(const fs::path& path) {
    const std::string name = path.filename().string();
    const std::string content = read_file(path);
    if (name.starts_with("ACH-")) return read_nacha(name, content);
    if (name.starts_with("CHK-")) return read_checks(name, content);
    if (name.starts_with("CHV-")) return {};  // check orders pay nothing
    throw std::runtime_error(name + " is not a payment file");
}

Bank::Bank(fs::path folder) : folder_(std::move(folder)) {
    fs::create_directories(folder_);
}

std::vector<Instruction> Bank::collect(const fs::path& outgoing) {
    std::vector<Instruction> collected;
    for (const auto& file : files_in(outgoing)) {
        const auto taken = folder_ / file.filename();
        if (fs::exists(taken)) throw std::runtime_error(taken.filename().string() + " was released twice");
        fs::rename(file, taken);
        const auto instructions = read_payment_file(taken);
        collected.insert(collected.end(), instructions.begin(), instructions.end());
    }
    instructions_.insert(instructions_.end(), collected.begin(), collected.end());
    return collected;
}

std::map<std::int64_t, int> Bank::times_paid() const {
    std::map<std::int64_t, int> times;
    for (const auto& instruction : instructions_)
        ++times[instruction.cents];
    return times;
}

std::int64_t Bank::total_cents() const {
    return std::accumulate(instructions_.begin(), instructions_.end(), std::int64_t{0},
                           [](std::int64_t sum, const Instruction& instruction) { return sum + instruction.cents; });
}

std::set<std::string> Bank::references_used_twice() const {
    std::set<std::string> seen;
    std::set<std::string> twice;
    for (const auto& instruction : instructions_) {
        if (!seen.insert(instruction.reference).second) twice.insert(instruction.reference);
    }
    return twice;
}

std::string confirmation_line(const Instruction& instruction, std::string_view status) {
    return instruction.reference + "," + std::string(status) + "," + decimal(instruction.cents) + "," +
           instruction.created_on + "\n";
}

std::string confirmation_csv(const std::vector<Instruction>& instructions, std::string_view status) {
    std::string csv(confirmation_header);
    for (const auto& instruction : instructions)
        csv += confirmation_line(instruction, status);
    return csv;
}

}  // namespace drawbridge::e2e
