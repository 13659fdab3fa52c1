// The bytes of a payment file, payment by payment: written, and read back by a parser that shares nothing with the
// encoder. For an ACH file the memory does not grow with its payments.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/disbursement/profile.hpp"
#include "drawbridge/domain/error.hpp"

namespace drawbridge::disbursement {

// render() in pieces. The file, whose own payments are not used, and the profile must outlive this object.
class Rendering {
  public:
    // Discard everything received if finish() returns an error.
    using Sink = std::function<void(std::string_view)>;

    Rendering(const PlannedFile& file, const FileProfile& profile, Sink sink);
    ~Rendering();
    Rendering(const Rendering&) = delete;
    Rendering& operator=(const Rendering&) = delete;

    void add(const PlannedPayment& payment);  // in file order
    [[nodiscard]] Result<void> finish();

  private:
    class Ach;
    class Checks;
    const PlannedFile& file_;
    std::unique_ptr<Ach> ach_;
    std::unique_ptr<Checks> checks_;
};

// The most entries and addenda that the bank accepts in an ACH file and in a batch of it.
struct EntryLimits {
    std::int64_t file = 0;
    std::int64_t batch = 0;
};

// verify_rendered() in pieces, likewise.
class RenderedCheck {
  public:
    // Absent limits: the file may be older than the configured ones.
    RenderedCheck(const PlannedFile& file, const FileProfile& profile, std::optional<EntryLimits> limits = {});
    ~RenderedCheck();
    RenderedCheck(const RenderedCheck&) = delete;
    RenderedCheck& operator=(const RenderedCheck&) = delete;

    // In file order, before its bytes are fed.
    void expect(const PlannedPayment& payment);
    void feed(std::string_view bytes);
    [[nodiscard]] Result<void> finish();

  private:
    class Ach;
    class Checks;
    const PlannedFile& file_;
    std::unique_ptr<Ach> ach_;
    std::unique_ptr<Checks> checks_;
};

}  // namespace drawbridge::disbursement
