// The keys of `delivery`, which stand twice: for all files, and for check files in their place.
#include "payment_keys.hpp"

namespace drawbridge::config {
namespace {

using enum KeyKind;

#define KEYS_OF_A_TARGET(at)                                                                                  \
    {.path = at ".sftp",                                                                                      \
     .kind = section,                                                                                         \
     .meaning =                                                                                               \
         "Released files are uploaded under a temporary name, checked, and renamed. The server must let the " \
         "user stat and rename there; nobody may take files named tmp-*.part."},                              \
        {.path = at ".sftp.host", .sample = "sftp.bank.example", .required = true, .meaning = "The server."}, \
        {.path = at ".sftp.port", .kind = integer, .fallback = "22", .meaning = "Its port."},                 \
        {.path = at ".sftp.user",                                                                             \
         .sample = "payer",                                                                                   \
         .required = true,                                                                                    \
         .meaning = "The user that the bank gave the office."},                                               \
        {.path = at ".sftp.key_file",                                                                         \
         .kind = secret_file,                                                                                 \
         .sample = "bank_sftp_key",                                                                           \
         .required = true,                                                                                    \
         .meaning =                                                                                           \
             "The private key (OpenSSH or PEM) whose public half the bank registered. There are no "          \
             "passwords."},                                                                                   \
        {.path = at ".sftp.key_passphrase_file",                                                              \
         .kind = secret_file,                                                                                 \
         .sample = "bank_sftp_passphrase",                                                                    \
         .meaning = "The file that holds the private key's passphrase, where it has one."},                   \
        {.path = at ".sftp.host_key",                                                                         \
         .sample = "\"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBFzvhLkOYXK0nVYT3kV+4lMRqcnzTM2PA3Aey7HOAe2\"",    \
         .meaning =                                                                                           \
             "The server's public key, as the bank gave it: no other server is spoken to. This or "           \
             "known_hosts_file must be there; where both are, this counts."},                                 \
        {.path = at ".sftp.known_hosts_file",                                                                 \
         .kind = file,                                                                                        \
         .sample = "bank_known_hosts",                                                                        \
         .meaning =                                                                                           \
             "In place of host_key: a file in the form of OpenSSH's known_hosts. Nothing is ever added to "   \
             "it."},                                                                                          \
        {.path = at ".sftp.folder",                                                                           \
         .sample = "/inbox",                                                                                  \
         .meaning = "Where files go. Without it: where the login begins."},                                   \
        {.path = at ".sftp.timeout",                                                                          \
         .kind = duration,                                                                                    \
         .fallback = "30s",                                                                                   \
         .meaning = "For each step: the login, an answer, a chunk of a file."},                               \
        {.path = at ".openpgp",                                                                               \
         .kind = section,                                                                                     \
         .meaning = "Released files are encrypted to the bank's key, for the folder as for SFTP."},           \
        {.path = at ".openpgp.public_key_file",                                                               \
         .kind = file,                                                                                        \
         .sample = "bank.asc",                                                                                \
         .required = true,                                                                                    \
         .meaning = "The bank's public key, armored or binary."},                                             \
        {.path = at ".openpgp.fingerprint",                                                                   \
         .sample = "\"0123456789ABCDEF0123456789ABCDEF01234567\"",                                            \
         .required = true,                                                                                    \
         .meaning = "All 40 digits, in quotes; ask the bank for it by another way than the key came."},       \
        {.path = at ".openpgp.name_suffix",                                                                   \
         .fallback = ".pgp",                                                                                  \
         .meaning = "Stands after the name of an encrypted file."},                                           \
        {.path = at ".openpgp.armor", .kind = switch_, .fallback = "false", .meaning = "ASCII instead of binary."}

constexpr Key all[] = {
    {.path = "delivery",
     .kind = section,
     .meaning =
         "How released files get to the bank. Without it they are in spool/outgoing/, where the bank's side takes "
         "them. It holds for files that are released from then on."},
    KEYS_OF_A_TARGET("delivery"),
    {.path = "delivery.checks",
     .kind = section,
     .meaning =
         "For the files of checks (issued, voided, stopped) in place of all of the above: another server, another "
         "key. Empty, {}: these files stay in spool/outgoing/ as they are."},
    KEYS_OF_A_TARGET("delivery.checks"),
};

}  // namespace

std::span<const Key> delivery_keys() {
    return all;
}

}  // namespace drawbridge::config
