#include <algorithm>
#include <iterator>
#include <optional>

#include "fuzz/mutation/mutation.hpp"

namespace drawbridge::fuzz {
namespace {

// A tag, comment or instruction with its angle brackets, or the text between two of them.
using Pieces = std::vector<std::string>;

Pieces split(std::string_view bytes) {
    Pieces pieces;
    while (!bytes.empty()) {
        std::size_t end = bytes.find(bytes.front() == '<' ? '>' : '<', 1);
        if (end != std::string_view::npos && bytes.front() == '<') ++end;
        end = std::min(end, bytes.size());
        pieces.emplace_back(bytes.substr(0, end));
        bytes.remove_prefix(end);
    }
    return pieces;
}

std::string join(const Pieces& pieces) {
    std::string bytes;
    for (const auto& piece : pieces)
        bytes += piece;
    return bytes;
}

bool is_text(const std::string& piece) {
    return !piece.starts_with('<');
}
bool is_open(const std::string& piece) {
    return piece.size() > 2 && piece.front() == '<' && piece[1] != '/' && piece[1] != '?' && piece[1] != '!' &&
           piece[piece.size() - 2] != '/';
}
bool is_close(const std::string& piece) {
    return piece.starts_with("</");
}
std::string name_of(const std::string& tag) {
    const std::size_t begin = is_close(tag) ? 2 : 1;
    return tag.substr(begin, tag.find_first_of(" \t\r\n/>", begin) - begin);
}

// An element: from its first tag to its last.
struct Range {
    std::size_t begin = 0, end = 0;
};

std::optional<Range> element_at(const Pieces& pieces, std::size_t begin) {
    std::size_t depth = 0;
    for (std::size_t at = begin; at < pieces.size(); ++at) {
        if (is_open(pieces[at])) ++depth;
        if (is_close(pieces[at]) && --depth == 0) return Range{begin, at + 1};
        if (depth == 0) return std::nullopt;
    }
    return std::nullopt;
}

std::optional<Range> any_element(const Pieces& pieces, Random& random) {
    for (int tries = 0; tries < 8; ++tries) {
        const std::size_t at = random.below(pieces.size());
        if (at < pieces.size() && is_open(pieces[at])) return element_at(pieces, at);
    }
    return std::nullopt;
}

auto iterator_at(Pieces& pieces, std::size_t at) {
    return pieces.begin() + static_cast<std::ptrdiff_t>(std::min(at, pieces.size()));
}

void move_element(Pieces& pieces, Random& random) {
    const auto range = any_element(pieces, random);
    if (!range || range->begin == 0) return;
    const Pieces element(iterator_at(pieces, range->begin), iterator_at(pieces, range->end));
    const std::size_t how = random.below(4);
    if (how <= 1) pieces.erase(iterator_at(pieces, range->begin), iterator_at(pieces, range->end));
    if (how == 0) return;
    std::size_t to = range->end;
    if (how <= 2) {
        // Before another element of the same name, or before a last tag.
        to = random.below(pieces.size());
        const bool beside = random.one_in(2);
        while (to < pieces.size() && !(beside ? is_open(pieces[to]) && name_of(pieces[to]) == name_of(element.front())
                                              : is_close(pieces[to])))
            ++to;
        if (to == pieces.size()) return;
    }
    pieces.insert(iterator_at(pieces, to), element.begin(), element.end());
}

std::string_view good_name(Random& random) {
    return random.of({"Document",
                      "BkToCstmrStmt",
                      "BkToCstmrDbtCdtNtfctn",
                      "CstmrPmtStsRpt",
                      "GrpHdr",
                      "MsgId",
                      "CreDtTm",
                      "Stmt",
                      "Ntfctn",
                      "Acct",
                      "Id",
                      "IBAN",
                      "Othr",
                      "Ntry",
                      "NtryDtls",
                      "TxDtls",
                      "Btch",
                      "NbOfTxs",
                      "Amt",
                      "AmtDtls",
                      "TxAmt",
                      "InstdAmt",
                      "CdtDbtInd",
                      "RvslInd",
                      "Sts",
                      "Cd",
                      "BookgDt",
                      "ValDt",
                      "Dt",
                      "DtTm",
                      "Refs",
                      "ChqNb",
                      "EndToEndId",
                      "InstrId",
                      "TxId",
                      "RmtInf",
                      "Ustrd",
                      "RtrInf",
                      "Rsn",
                      "Prtry",
                      "AddtlInf",
                      "AddtlNtryInf",
                      "RltdPties",
                      "Cdtr",
                      "Pty",
                      "Nm",
                      "BkTxCd",
                      "Domn",
                      "Fmly",
                      "SubFmlyCd",
                      "TxsSummry",
                      "TtlNtries",
                      "TtlCdtNtries",
                      "TtlDbtNtries",
                      "NbOfNtries",
                      "Sum",
                      "Bal",
                      "OrgnlGrpInfAndSts",
                      "OrgnlMsgId",
                      "GrpSts",
                      "OrgnlPmtInfAndSts",
                      "OrgnlPmtInfId",
                      "PmtInfSts",
                      "TxInfAndSts",
                      "TxSts",
                      "StsRsnInf",
                      "OrgnlEndToEndId",
                      "OrgnlInstrId",
                      "OrgnlTxRef",
                      "AccptncDtTm",
                      "x:Ntry",
                      "AppHdr"});
}

std::string_view good_text(Random& random) {
    return random.of({"",
                      "0",
                      "1",
                      "2",
                      "100.00",
                      "0.00",
                      "-1.00",
                      "1.005",
                      "99999999999999.99",
                      "123456789012345678901234.00",
                      "1e3",
                      "2026-11-23",
                      "2026-11-23T10:00:00",
                      "2026-11-23Z",
                      "2026-02-30",
                      "CRDT",
                      "DBIT",
                      "true",
                      "false",
                      "BOOK",
                      "PDNG",
                      "INFO",
                      "RJCT",
                      "CANC",
                      "ACSC",
                      "ACCC",
                      "ACTC",
                      "PART",
                      "RRTN",
                      "AC04",
                      "NARR",
                      "NOTPROVIDED",
                      "NONREF",
                      "P0000000001",
                      "091000010000001",
                      "021000020000001",
                      "12345",
                      "99887766",
                      "USD",
                      "CAD",
                      "P0000000001 P0000000002",
                      "&lt;&amp;&gt;",
                      "&#65;",
                      "&#x1F600;",
                      "&nope;",
                      "&",
                      "<![CDATA[ P0000000001 ]]>",
                      "<!-- 1 -->",
                      "\xC3\x89",
                      "\xFF",
                      " \n ",
                      "a]]>b",
                      "&#0;"});
}

std::string with_tags(std::string_view name, std::string_view text) {
    return "<" + std::string(name) + ">" + std::string(text) + "</" + std::string(name) + ">";
}

void change_text(Pieces& pieces, Chance& chance) {
    Random& random = chance.random;
    std::size_t at = random.below(pieces.size());
    while (at < pieces.size() && !(is_text(pieces[at]) && pieces[at].find_first_not_of(" \t\r\n") != std::string::npos))
        ++at;
    if (at == pieces.size()) return;
    std::string& text = pieces[at];
    const std::string& other = pieces[random.below(pieces.size())];
    switch (random.below(4)) {
        case 0: text = chance.bytes(text); break;
        case 1: text = is_text(other) ? other : text; break;
        default: text = good_text(random);
    }
}

void change_attribute(Pieces& pieces, Chance& chance) {
    Random& random = chance.random;
    const auto range = any_element(pieces, random);
    if (!range) return;
    std::string& tag = pieces[range->begin];
    const std::size_t quote = tag.find('"');
    const std::size_t close = quote == std::string::npos ? quote : tag.find('"', quote + 1);
    if (close == std::string::npos || random.one_in(4)) {
        tag.insert(tag.size() - 1, random.of({" Ccy=\"USD\"", " Ccy='CAD'", " x:Ccy=\"USD\"", " a=\"<\"", " a='\"'",
                                              " a=\">\"", " a"}));
        return;
    }
    const std::string value = random.one_in(2) ? chance.bytes(tag.substr(quote + 1, close - quote - 1))
                                               : std::string(random.of({"USD", "CAD", "", "usd", "&amp;", "US\"D"}));
    tag.replace(quote + 1, close - quote - 1, value);
}

void rename(Pieces& pieces, Random& random) {
    const auto range = any_element(pieces, random);
    if (!range) return;
    const std::string old = name_of(pieces[range->begin]);
    const std::string name(random.one_in(4) ? "n:" + old : std::string(good_name(random)));
    pieces[range->begin].replace(1, old.size(), name);
    pieces[range->end - 1].replace(2, old.size(), name);
}

void add_element(Pieces& pieces, Random& random) {
    const auto range = any_element(pieces, random);
    if (!range) return;
    std::string element = with_tags(good_name(random), good_text(random));
    while (random.one_in(3))
        element = with_tags(good_name(random), element);
    const Pieces added = split(element);
    const std::size_t to = random.one_in(2) ? range->begin + 1 : range->end - 1;
    pieces.insert(iterator_at(pieces, to), added.begin(), added.end());
}

void wrap(Pieces& pieces, Random& random) {
    const auto range = any_element(pieces, random);
    if (!range) return;
    const std::string name(good_name(random));
    for (std::size_t layers = random.one_in(8) ? random.below(80) : 1; layers > 0; --layers) {
        pieces.insert(iterator_at(pieces, range->end), "</" + name + ">");
        pieces.insert(iterator_at(pieces, range->begin), "<" + name + ">");
    }
}

void insert_markup(Pieces& pieces, Random& random) {
    pieces.insert(iterator_at(pieces, random.below(pieces.size() + 1)),
                  std::string(random.of({"<!-- - -->", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
                                         "<?xml encoding='ISO-8859-1'?>", "<x/>", "<Ntry/>", "<![CDATA[<Ntry>]]>",
                                         "<!DOCTYPE a [<!ENTITY b \"c\">]>", "<?p?>", "</x>", "<", "\n"})));
}

void change(Pieces& pieces, Chance& chance) {
    Random& random = chance.random;
    switch (random.below(16)) {
        case 0:
        case 1:
        case 2:
        case 3: return move_element(pieces, random);
        case 4: return rename(pieces, random);
        case 5:
        case 6: return add_element(pieces, random);
        case 7: return wrap(pieces, random);
        case 8: return insert_markup(pieces, random);
        case 9: return change_attribute(pieces, chance);
        case 10: {
            std::string& piece = pieces[random.below(pieces.size())];
            piece = chance.bytes(piece);
            return;
        }
        default: return change_text(pieces, chance);
    }
}

}  // namespace

std::string mutate_xml(std::string_view bytes, Chance& chance) {
    Pieces pieces = split(bytes);
    for (std::size_t left = 1 + chance.random.below(3); left > 0 && !pieces.empty(); --left)
        change(pieces, chance);
    return join(pieces);
}

}  // namespace drawbridge::fuzz
