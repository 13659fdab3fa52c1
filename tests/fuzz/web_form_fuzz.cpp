// A form as a browser sends it, or not.
#include <string>

#include "drawbridge/console/forms.hpp"
#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    namespace console = drawbridge::console;
    namespace fuzz = drawbridge::fuzz;
    namespace pages = drawbridge::pages;
    const std::string bytes(fuzz::as_text(data, size));
    for (const char* type : {"application/x-www-form-urlencoded", "multipart/form-data; boundary=b"}) {
        const auto form = console::read_form(type, bytes);
        if (!form) {
            fuzz::expect(!form.error().message.empty(), "a refusal says why");
            continue;
        }
        if (form->file) fuzz::expect(form->file->name.find('/') == std::string::npos, "a file's name has no folder");
        static_cast<void>(pages::act_from_form(form->fields));
    }
    return 0;
}
