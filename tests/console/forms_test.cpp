#include "drawbridge/console/forms.hpp"

#include <gtest/gtest.h>

namespace drawbridge::console {
namespace {

constexpr std::string_view url_encoded = "application/x-www-form-urlencoded";
constexpr std::string_view multipart = "multipart/form-data; boundary=----b1";

TEST(Forms, fields_are_decoded_in_order) {
    const auto form = read_form(url_encoded, "act.path=%2Ffiles%2FA&reason=a+b%26c%0D%0Ad&reason=second&empty=");
    ASSERT_TRUE(form) << form.error().message;
    ASSERT_EQ(form->fields.size(), 4U);
    EXPECT_EQ(form->value("act.path"), "/files/A");
    EXPECT_EQ(form->value("reason"), "a b&c\r\nd");
    EXPECT_EQ(form->fields[2].value, "second");
    EXPECT_EQ(form->value("nobody"), "");
    EXPECT_FALSE(form->file);
}

TEST(Forms, an_empty_form_has_no_fields) {
    const auto form = read_form(url_encoded, "");
    ASSERT_TRUE(form);
    EXPECT_TRUE(form->fields.empty());
}

TEST(Forms, a_file_comes_with_its_bytes_and_without_folders) {
    const std::string body =
        "------b1\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nhello\r\n"
        "------b1\r\nContent-Disposition: form-data; name=\"file\"; filename=\"C:\\bank\\paid.csv\"\r\n"
        "Content-Type: text/csv\r\n\r\na,b\r\n\r\n1,2\r\n\r\n------b1--\r\n";
    const auto form = read_form(multipart, body);
    ASSERT_TRUE(form) << form.error().message;
    EXPECT_EQ(form->value("note"), "hello");
    ASSERT_TRUE(form->file);
    EXPECT_EQ(form->file->field, "file");
    EXPECT_EQ(form->file->name, "paid.csv");
    EXPECT_EQ(form->file->bytes, "a,b\r\n\r\n1,2\r\n");
}

TEST(Forms, what_breaks_off_or_is_no_form_is_refused) {
    const std::string part = "------b1\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n";
    for (const std::string& body : {std::string(), std::string("------b1"), part, part + "------b1",
                                    std::string("------b2\r\n"), std::string("------b1\r\nno head\r\n------b1--"),
                                    std::string("------b1\r\nContent-Type: a\r\n\r\nx\r\n------b1--")}) {
        EXPECT_FALSE(read_form(multipart, body)) << body;
    }
    EXPECT_FALSE(read_form("multipart/form-data", part));
    EXPECT_FALSE(read_form("text/plain", "a=b"));
    EXPECT_FALSE(read_form("application/json", "{}"));
    EXPECT_FALSE(read_form(url_encoded, "a=%zz"));
    EXPECT_FALSE(read_form(url_encoded, "a=%ff"));
    EXPECT_FALSE(read_form(url_encoded, "a=%00"));
}

TEST(Forms, more_than_a_thousand_fields_or_one_file_are_refused) {
    std::string many = "a=1";
    for (int i = 0; i < 1000; ++i)
        many += "&a=1";
    EXPECT_FALSE(read_form(url_encoded, many));
    const std::string file = "------b1\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f\"\r\n\r\nx\r\n";
    EXPECT_TRUE(read_form(multipart, file + "------b1--\r\n"));
    EXPECT_FALSE(read_form(multipart, file + file + "------b1--\r\n"));
}

}  // namespace
}  // namespace drawbridge::console
