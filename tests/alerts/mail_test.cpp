// Mail sent through a real child process.
#include "drawbridge/alerts/mail.hpp"

#include <gmock/gmock.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <cstdlib>

#include "alerts/fake_sendmail.hpp"
#include "support/samples.hpp"

namespace drawbridge::alerts {
namespace {

using testing::FakeSendmail;
using ::testing::HasSubstr;
using ::testing::Not;

Mail sample() {
    return {"ledger-7", test::at("2026-11-21T08:00:00"), "2 exceptions need a person", "one\ntwo\n"};
}

Result<void> send(const MailOptions& options, const Mail& mail) {
    boost::asio::io_context io;
    Result<void> outcome = fail(ErrorCode::cancelled, "never ended");
    boost::asio::co_spawn(io, send_mail(io.get_executor(), options, mail),
                          [&](const std::exception_ptr& failure, Result<void> result) {
                              if (failure) std::rethrow_exception(failure);
                              outcome = std::move(result);
                          });
    io.run();
    return outcome;
}

TEST(Mail, renders_as_a_standard_internet_message) {
    const FakeSendmail sendmail;
    EXPECT_EQ(render_mail(sendmail.options(), sample()),
              "From: drawbridge@example.gov\n"
              "To: finance@example.gov,\n ops@example.gov\n"
              "Subject: 2 exceptions need a person\n"
              "Date: Sat, 21 Nov 2026 08:00:00 +0000\n"
              "Message-ID: <ledger-7>\n"
              "Auto-Submitted: auto-generated\n"
              "MIME-Version: 1.0\n"
              "Content-Type: text/plain; charset=UTF-8\n"
              "Content-Transfer-Encoding: quoted-printable\n"
              "\n"
              "one\ntwo\n");
}

TEST(Mail, a_text_has_lines_of_at_most_76_characters) {
    const FakeSendmail sendmail;
    struct Case {
        std::string text, sent;
    };
    const Case cases[] = {
        {"a = b \n", "a =3D b=20\n"},
        {"Größe\n", "Gr=C3=B6=C3=9Fe\n"},
        {"From me\n.\n", "=46rom me\n=2E\n"},
        {std::string(80, 'x') + "\n", std::string(75, 'x') + "=\nxxxxx\n"},
    };
    for (const auto& [text, sent] : cases) {
        Mail mail = sample();
        mail.text = text;
        EXPECT_THAT(render_mail(sendmail.options(), mail), ::testing::EndsWith("\n\n" + sent));
    }
}

TEST(Mail, a_subject_cannot_inject_a_header_and_keeps_non_ascii_letters) {
    const FakeSendmail sendmail;
    Mail mail = sample();
    mail.subject = "payee\nBcc: everybody@example.org";
    EXPECT_THAT(render_mail(sendmail.options(), mail), Not(HasSubstr("\nBcc:")));
    mail.subject = "Größe";
    EXPECT_THAT(render_mail(sendmail.options(), mail), HasSubstr("Subject: =?UTF-8?B?R3LDtsOfZQ==?=\n"));
}

TEST(Mail, sendmail_does_not_inherit_the_environment) {
    const FakeSendmail sendmail;
    ::setenv("SECRET_OF_THE_TEST", "hidden", 1);
    const auto sent = send(sendmail.options(), sample());
    ASSERT_TRUE(sent) << sent.error().message;
    ASSERT_EQ(sendmail.mails().size(), 1U);
    EXPECT_EQ(sendmail.mails()[0], render_mail(sendmail.options(), sample()));
    EXPECT_EQ(sendmail.read("arguments"), "-t -i -f drawbridge@example.gov\n");
    EXPECT_THAT(sendmail.read("environment"), Not(HasSubstr("SECRET_OF_THE_TEST")));
}

TEST(Mail, every_sendmail_failure_is_reported) {
    struct Case {
        std::string before;
        const char* says;
    };
    const Case cases[] = {
        {"echo 'no such host' >&2; exit 75", "exit code 75: no such host"},
        {"echo 'cannot send mail' >&2; echo 'no such host' >&2; exit 75", "cannot send mail no such host"},
        {"exit 1", "exit code 1"},
        {"kill -9 $$", "exit code 137"},
        {"head -c 100000 /dev/zero | tr '\\0' x >&2; exit 2", "exit code 2: xxx"},
    };
    for (const auto& one : cases) {
        const FakeSendmail sendmail(one.before);
        const auto sent = send(sendmail.options(), sample());
        ASSERT_FALSE(sent) << one.before;
        EXPECT_THAT(sent.error().message, HasSubstr(one.says));
    }
    auto options = FakeSendmail().options();
    options.sendmail = "/no/such/sendmail";
    EXPECT_THAT(send(options, sample()).error().message, HasSubstr("/no/such/sendmail: cannot be started"));
}

TEST(Mail, a_hung_sendmail_is_killed_with_its_child_processes) {
    const FakeSendmail sendmail("sleep 600 & sleep 600");
    auto options = sendmail.options();
    options.deadline = std::chrono::milliseconds(200);
    const auto began = std::chrono::steady_clock::now();
    const auto sent = send(options, sample());
    ASSERT_FALSE(sent);
    EXPECT_THAT(sent.error().message, HasSubstr("was stopped"));
    EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(30));
}

}  // namespace
}  // namespace drawbridge::alerts
