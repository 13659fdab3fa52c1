// The keys of `delivery`. They occur twice: for all files, and under `delivery.checks` for check files.
#include "payment_keys.hpp"

namespace drawbridge::config {
namespace {

using enum KeyKind;

#define KEYS_OF_A_TARGET(at)                                                                                           \
    {.path = at ".sftp",                                                                                               \
     .kind = section,                                                                                                  \
     .meaning =                                                                                                        \
         "Drawbridge uploads a released file under a temporary name, checks it and renames it. The server must allow " \
         "stat and rename, and nothing there may pick up files named tmp-*.part."},                                    \
        {.path = at ".sftp.host",                                                                                      \
         .sample = "sftp.bank.example",                                                                                \
         .required = true,                                                                                             \
         .meaning = "The server's host name."},                                                                        \
        {.path = at ".sftp.port",                                                                                      \
         .kind = integer,                                                                                              \
         .low = "1",                                                                                                   \
         .high = "65535",                                                                                              \
         .fallback = "22",                                                                                             \
         .meaning = "The server's port."},                                                                             \
        {.path = at ".sftp.user",                                                                                      \
         .sample = "payer",                                                                                            \
         .required = true,                                                                                             \
         .meaning = "The user name that the bank assigned to the office."},                                            \
        {.path = at ".sftp.key_file",                                                                                  \
         .kind = secret_file,                                                                                          \
         .sample = "bank_sftp_key",                                                                                    \
         .required = true,                                                                                             \
         .meaning =                                                                                                    \
             "The private key (OpenSSH or PEM) whose public key the bank registered. Passwords are not supported."},   \
        {.path = at ".sftp.key_passphrase_file",                                                                       \
         .kind = secret_file,                                                                                          \
         .sample = "bank_sftp_passphrase",                                                                             \
         .meaning = "The file that contains the private key's passphrase, if it has one."},                            \
        {.path = at ".sftp.host_key",                                                                                  \
         .sample = "\"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBFzvhLkOYXK0nVYT3kV+4lMRqcnzTM2PA3Aey7HOAe2\"",             \
         .meaning =                                                                                                    \
             "The server's public key, as the bank gave it. Drawbridge connects to no other server. Either this key "  \
             "or known_hosts_file is required; if both are set, this key is used."},                                   \
        {.path = at ".sftp.known_hosts_file",                                                                          \
         .kind = file,                                                                                                 \
         .sample = "bank_known_hosts",                                                                                 \
         .meaning =                                                                                                    \
             "A file in OpenSSH's known_hosts format, instead of host_key. Drawbridge never adds to it, and refuses "  \
             "it "                                                                                                     \
             "if a line has a marker (@revoked, @cert-authority)."},                                                   \
        {.path = at ".sftp.folder",                                                                                    \
         .sample = "/inbox",                                                                                           \
         .meaning = "The target folder on the server. Default: the folder after login."},                              \
        {.path = at ".sftp.timeout",                                                                                   \
         .kind = duration,                                                                                             \
         .low = "100ms",                                                                                               \
         .high = "1h",                                                                                                 \
         .fallback = "30s",                                                                                            \
         .meaning =                                                                                                    \
             "Time limit for each response: the login, a lookup, a chunk of a file. A whole upload, a read-back or "   \
             "a listing may take four times as long, an upload or read-back also one second more for each "            \
             "64 KB. Meanwhile the other steps wait."},                                                                \
        {.path = at ".openpgp",                                                                                        \
         .kind = section,                                                                                              \
         .meaning = "Drawbridge encrypts released files to the bank's key, for spool/outgoing/ and for SFTP alike."},  \
        {.path = at ".openpgp.public_key_file",                                                                        \
         .kind = file,                                                                                                 \
         .sample = "bank.asc",                                                                                         \
         .required = true,                                                                                             \
         .meaning = "The bank's public key, armored or binary."},                                                      \
        {.path = at ".openpgp.fingerprint",                                                                            \
         .sample = "\"0123456789ABCDEF0123456789ABCDEF01234567\"",                                                     \
         .required = true,                                                                                             \
         .meaning = "All 40 digits, in quotes. Get it from the bank over a different channel than the key."},          \
        {.path = at ".openpgp.name_suffix",                                                                            \
         .fallback = ".pgp",                                                                                           \
         .meaning = "Appended to the name of an encrypted file."},                                                     \
        {.path = at ".openpgp.armor",                                                                                  \
         .kind = switch_,                                                                                              \
         .fallback = "false",                                                                                          \
         .meaning = "ASCII armor instead of binary."}

constexpr Key all[] = {
    {.path = "delivery",
     .kind = section,
     .meaning = "How released files reach the bank. Without this section they stay in spool/outgoing/, where the bank "
                "picks them up. A change applies to the files that are released after it."},
    KEYS_OF_A_TARGET("delivery"),
    {.path = "delivery.checks",
     .kind = section,
     .meaning = "For check files (issued, voided, stopped), instead of all of the above: another server or another "
                "key. Empty ({}): check files stay in spool/outgoing/ as they are."},
    KEYS_OF_A_TARGET("delivery.checks"),
};

}  // namespace

std::span<const Key> delivery_keys() {
    return all;
}

}  // namespace drawbridge::config
