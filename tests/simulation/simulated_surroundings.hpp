// A Draws Service in this process and a time that passes only when a story says so: the same seed is the same story.
// Between the real client and the real sandbox only HTTP is left out.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include "pipeline/surroundings.hpp"

namespace drawbridge::pipeline {

class ServiceInProcess;

class SimulatedSurroundings final : public Surroundings {
  public:
    explicit SimulatedSurroundings(Instant start);
    ~SimulatedSurroundings() override;

    [[nodiscard]] const e2e::Portal& portal() const override;
    [[nodiscard]] std::unique_ptr<service::DrawsClient> connect(const boost::asio::any_io_executor& executor) override;
    // A millisecond later with each question.
    [[nodiscard]] Instant now() const override { return now_ += std::chrono::milliseconds(1); }
    void pass(std::chrono::milliseconds time) { now_ += time; }
    void prepare(const std::filesystem::path& state_dir) override;
    void clear(const std::filesystem::path& state_dir) override;

  private:
    const Instant start_;
    mutable Instant now_;
    std::unique_ptr<ServiceInProcess> service_;
    int offices_ = 0;
};

// A file as if it had been written at this time.
void write_file_at(const std::filesystem::path& path, const std::string& bytes, Instant time);

}  // namespace drawbridge::pipeline
