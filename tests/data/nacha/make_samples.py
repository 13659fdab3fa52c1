#!/usr/bin/env python3
"""Makes the NACHA files beside it, from the tables of the rules and nothing of Drawbridge: python3 make_samples.py.

Each checks the other: the encoder must write the golden files byte for byte, and the reader must find all of them valid.
"""
import os

HERE = os.path.dirname(os.path.abspath(__file__))


def record(kind, *fields):
    """Fields are (first position, last position, value): text is left-justified, an int filled with zeros."""
    line = [kind] + [" "] * 93
    for first, last, value in fields:
        width = last - first + 1
        text = str(value).zfill(width) if isinstance(value, int) else value.ljust(width)
        assert len(text) == width, (kind, first, value)
        assert all(c == " " for c in line[first - 1:last]), (kind, first)
        line[first - 1:last] = text
    return "".join(line)


def check_digit(identification):
    total = sum(int(d) * w for d, w in zip(identification, [3, 7, 1, 3, 7, 1, 3, 7]))
    return str(-total % 10)


def file_header(date="261120", time="0905", modifier="A", destination=" 091000019", origin="1123456789",
                destination_name="FIRST BANK", origin_name="CITY HOUSING OFFICE", reference=""):
    return record("1", (2, 3, "01"), (4, 13, destination), (14, 23, origin), (24, 29, date), (30, 33, time),
                  (34, 34, modifier), (35, 37, "094"), (38, 39, "10"), (40, 40, "1"), (41, 63, destination_name),
                  (64, 86, origin_name), (87, 94, reference))


class Batch:
    def __init__(self, sec, number, service=220, effective="261123", odfi="09100001", company="CITY HOUSING",
                 company_id="1123456789", description="DRAWPMT", discretionary="", descriptive="", settlement="", status="1"):
        self.sec, self.number, self.service, self.odfi, self.company_id = sec, number, service, odfi, company_id
        self.lines = [record("5", (2, 4, service), (5, 20, company), (21, 40, discretionary), (41, 50, company_id),
                             (51, 53, sec), (54, 63, description), (64, 69, descriptive), (70, 75, effective),
                             (76, 78, settlement), (79, 79, status), (80, 87, odfi), (88, 94, number))]
        self.start()

    def start(self):
        self.count = self.hash = self.debit = self.credit = 0

    def head(self, code, routing, account, cents):
        assert check_digit(routing[:8]) == routing[8], routing
        self.count += 1
        self.hash += int(routing[:8])
        if code % 10 >= 5:
            self.debit += cents
        else:
            self.credit += cents
        return [(2, 3, code), (4, 11, routing[:8]), (12, 12, routing[8]), (13, 29, account), (30, 39, cents)]

    def add(self, code, routing, account, cents, middle, trace, addenda=()):
        """middle: the fields of 40-78."""
        self.trace = trace
        self.lines.append(record("6", *self.head(code, routing, account, cents), *middle,
                                 (79, 79, 1 if addenda else 0), (80, 94, trace)))
        for make in addenda:
            self.lines.append(make(trace))
            self.count += 1
        return self

    def entry(self, code, routing, account, cents, identification, name, trace, texts=(), addenda=(), discretionary=""):
        if self.sec in ("CTX", "ATX", "TRX", "ENR"):
            middle = [(40, 54, identification), (55, 58, len(texts)), (59, 74, name), (77, 78, discretionary)]
        else:
            middle = [(40, 54, identification), (55, 76, name), (77, 78, discretionary)]
        makers = [payment(text, i + 1) for i, text in enumerate(texts)] + list(addenda)
        return self.add(code, routing, account, cents, middle, trace, makers)

    def end(self):
        return self.lines + [record("8", (2, 4, self.service), (5, 10, self.count), (11, 20, self.hash % 10**10),
                                    (21, 32, self.debit), (33, 44, self.credit), (45, 54, self.company_id),
                                    (80, 87, self.odfi), (88, 94, self.number))]


class Advices(Batch):
    """Automated accounting advices: wider amounts and totals, and no trace numbers."""

    def advice(self, code, routing, account, cents, name, sequence):
        assert check_digit(routing[:8]) == routing[8], routing
        self.count += 1
        self.hash += int(routing[:8])
        if code % 2:
            self.credit += cents
        else:
            self.debit += cents
        self.lines.append(record("6", (2, 3, code), (4, 11, routing[:8]), (12, 12, routing[8]), (13, 27, account),
                                 (28, 39, cents), (40, 48, "091000019"), (49, 53, "11131"), (55, 76, name), (79, 79, 0),
                                 (80, 87, "01100000"), (88, 90, 325), (91, 94, sequence)))
        return self

    def end(self):
        return self.lines + [record("8", (2, 4, self.service), (5, 10, self.count), (11, 20, self.hash % 10**10),
                                    (21, 40, self.debit), (41, 60, self.credit), (61, 79, "OPERATOR DATA"),
                                    (80, 87, self.odfi), (88, 94, self.number))]


class International(Batch):
    def __init__(self, number, sec="IAT", indicator="", service=220, effective="261123", odfi="09100001"):
        self.sec, self.number, self.service, self.odfi, self.company_id = sec, number, service, odfi, "1123456789"
        self.lines = [record("5", (2, 4, service), (5, 20, indicator), (21, 22, "FF"), (23, 23, "3"), (39, 40, "CA"),
                             (41, 50, self.company_id), (51, 53, sec), (54, 63, "TRADEPAY"), (64, 66, "USD"),
                             (67, 69, "CAD"), (70, 75, effective), (79, 79, "1"), (80, 87, odfi), (88, 94, number))]
        self.start()

    def entry(self, code, routing, account, cents, trace, addenda):
        self.trace = trace
        fields = self.head(code, routing, "", cents)[:3] + [(13, 16, len(addenda)), (30, 39, cents)]
        self.lines.append(record("6", *fields, (40, 74, account), (79, 79, 1), (80, 94, trace)))
        for make in addenda:
            self.lines.append(make(trace))
            self.count += 1
        return self


def payment(text, sequence, kind="05"):
    return lambda trace: record("7", (2, 3, kind), (4, 83, text), (84, 87, sequence), (88, 94, trace[8:]))


def terminal(trace):
    return record("7", (2, 3, "02"), (4, 10, "REFONEA"), (11, 13, "REF"), (14, 19, "TERM02"), (20, 25, "100049"),
                  (26, 29, "1112"), (30, 35, "123456"), (36, 62, "Target Store 0049"), (63, 77, "PHILADELPHIA"),
                  (78, 79, "PA"), (80, 94, trace))


def returned(code, original, dfi, death="", information=""):
    return lambda trace: record("7", (2, 3, "99"), (4, 6, code), (7, 21, original), (22, 27, death), (28, 35, dfi),
                                (36, 79, information), (80, 94, trace))


def dishonored(code, original, dfi):
    return lambda trace: record("7", (2, 3, "99"), (4, 6, code), (7, 21, original), (28, 35, dfi),
                                (39, 53, "021000020000007"), (54, 56, 325), (57, 58, "03"), (59, 79, "FIELD 4 WRONG"),
                                (80, 94, trace))


def contested(code, original, dfi):
    return lambda trace: record("7", (2, 3, "99"), (4, 6, code), (7, 21, original), (22, 27, "261118"), (28, 35, dfi),
                                (36, 38, 320), (39, 53, "021000020000007"), (54, 56, 325), (57, 58, "03"),
                                (59, 73, "091000010000009"), (74, 76, 327), (77, 78, "69"), (80, 94, trace))


def changed(code, original, dfi, data):
    return lambda trace: record("7", (2, 3, "98"), (4, 6, code), (7, 21, original), (28, 35, dfi), (36, 64, data),
                                (80, 94, trace))


def refused(code, original, dfi, data, change_code, sequence):
    return lambda trace: record("7", (2, 3, "98"), (4, 6, code), (7, 21, original), (28, 35, dfi), (36, 64, data),
                                (65, 67, change_code), (68, 74, sequence), (80, 94, trace))


def iat(kind, *fields):
    return lambda trace: record("7", (2, 3, kind), *fields, (88, 94, trace[8:]))


def bank(kind, name, qualifier, identification, country):
    return iat(kind, (4, 38, name), (39, 40, qualifier), (41, 74, identification), (75, 77, country))


def seven():
    return [iat("10", (4, 6, "BUS"), (7, 24, 100000), (25, 46, "928383-23938"), (47, 81, "BEK Enterprises")),
            iat("11", (4, 38, "BEK Solutions"), (39, 73, "15 West Place Street")),
            iat("12", (4, 38, "JacobsTown*PA\\"), (39, 73, "US*19305\\")),
            bank("13", "Wells Fargo", "01", "121042882", "US"), bank("14", "Citadel Bank", "01", "231380104", "CA"),
            iat("15", (4, 18, "987465493213987"), (19, 53, "2121 Front Street")),
            iat("16", (4, 38, "LetterTown*AB\\"), (39, 73, "CA*80014\\"))]


def whole(batches, header=None, name=None, padding=True, wide=False):
    lines = [header or file_header()]
    for batch in batches:
        lines += batch.end()
    total = lambda field: sum(getattr(batch, field) for batch in batches)
    blocks = -(-(len(lines) + 1) // 10)
    sums = [(2, 7, len(batches)), (8, 13, blocks), (14, 21, total("count")), (22, 31, total("hash") % 10**10)]
    sums += [(32, 51, total("debit")), (52, 71, total("credit"))] if wide else [(32, 43, total("debit")),
                                                                               (44, 55, total("credit"))]
    lines.append(record("9", *sums))
    while padding and len(lines) % 10:
        lines.append("9" * 94)
    with open(os.path.join(HERE, name), "w", newline="") as out:
        out.write("".join(line + "\n" for line in lines))


def ppd(number=1):
    batch = Batch("PPD", number)
    batch.entry(22, "021000021", "123456789", 125000, "P0000000001", "JANE DOE", "091000010000001",
                ["RENT ASSISTANCE NOVEMBER"])
    return batch.entry(32, "011401533", "SAV0099887", 7500, "P0000000002", "JOHN ROE", "091000010000002")


def ccd(number=1):
    batch = Batch("CCD", number, description="UTILITIES", discretionary="HOUSING")
    batch.entry(22, "121042882", "44-5566", 9999999999, "P0000000003", "CITY POWER AND LIGHT", "091000010000003",
                ["ACCOUNT 12 NOVEMBER"])
    return batch.entry(22, "021000021", "00012345678901234", 1, "P0000000004", "WATER WORKS", "091000010000004")


def ctx(number=1):
    return Batch("CTX", number).entry(22, "121042882", "445566", 1234567, "P0000000005", "ACME SUPPLY HOLD",
                                      "091000010000005", ["ISA*00*          *00*          *ZZ*CITY",
                                                          "RMR*IV*2026-11-0042**12345.67", "SE*8*0001\\"])


def prenotes(number=1):
    batch = Batch("PPD", number)
    batch.entry(23, "021000021", "55500011", 0, "PRENOTE", "MARY POPPINS", "091000010000006")
    return batch.entry(33, "011401533", "55500012", 0, "PRENOTE", "BERT SWEEP", "091000010000007")


def balanced(number=1):
    batch = Batch("PPD", number, service=200)
    batch.entry(22, "021000021", "123456789", 125000, "P0000000008", "JANE DOE", "091000010000008")
    batch.entry(32, "011401533", "SAV0099887", 7500, "P0000000009", "JOHN ROE", "091000010000009")
    return batch.entry(27, "091000019", "9988776655", 132500, "OFFSET", "CITY HOUSING", "091000010000010")


def returns(number=1):
    batch = Batch("PPD", number, odfi="02100002", settlement="325", effective="261119")
    batch.entry(21, "091000019", "123456789", 125000, "P0000000001", "JANE DOE", "021000020000001",
                addenda=[returned("R03", "091000010000001", "02100002")])
    return batch.entry(31, "091000019", "SAV0099887", 7500, "P0000000002", "JOHN ROE", "021000020000002",
                       addenda=[returned("R14", "091000010000002", "02100002", "261101", "REPORTED BY FAMILY")])


def changes(number=1):
    batch = Batch("COR", number, odfi="12104288", effective="", settlement="325")
    batch.entry(21, "091000019", "445566", 0, "P0000000003", "ACME SUPPLY", "121042880000001",
                addenda=[changed("C03", "091000010000003", "12104288", "021000021   00998877")])
    batch.entry(21, "091000019", "445567", 0, "P0000000004", "WATER WORKS", "121042880000002",
                addenda=[changed("C05", "091000010000004", "12104288", "32")])
    return batch.entry(21, "091000019", "445568", 0, "P0000000005", "MARY ROE", "121042880000003",
                       addenda=[changed("C06", "091000010000005", "12104288", "99887766            32")])


def every_sec_code():
    bank_number, account = "231380104", "12345678"
    trace = lambda n: "0910000100001%02d" % n
    batches = []

    def batch(sec, number, **more):
        batches.append(Batch(sec, number, **more))
        return batches[-1]

    batch("WEB", 1, service=225).entry(27, bank_number, account, 500, "CUST-0001", "Paul Jones", trace(1), discretionary="R")
    batch("TEL", 2, service=225).entry(27, bank_number, account, 500, "CUST-0002", "Paul Jones", trace(2), discretionary="S")
    batch("POS", 3, service=225).entry(27, bank_number, account, 500, "45689033", "Paul Jones", trace(3), addenda=[terminal])
    batch("SHR", 4, service=225).add(27, bank_number, account, 500,
                                     [(40, 43, "0722"), (44, 54, "12345678910"), (55, 76, "1234567891123456789"),
                                      (77, 78, "01")], trace(4), [terminal])
    batch("ARC", 5, service=225).entry(27, bank_number, account, 2500000, "123879654", "", trace(5))
    batch("BOC", 6, service=225).entry(27, bank_number, account, 500, "123879654", "", trace(6))
    batch("POP", 7, service=225).add(27, bank_number, account, 500,
                                     [(40, 48, "123456789"), (49, 52, "PHIL"), (53, 54, "PA"), (55, 76, "Wade Arnold")],
                                     trace(7))
    batch("RCK", 8, service=225, description="REDEPCHECK").entry(27, bank_number, account, 250000, "123123123", "Wade Arnold",
                                                                 trace(8))
    batch("MTE", 9, service=225).entry(27, bank_number, account, 500, "XYZ", "Paul Jones", trace(9), addenda=[terminal])
    batch("TRC", 10, service=225).add(27, bank_number, account, 500,
                                      [(40, 54, "123879654"), (55, 60, "CHECK1"), (61, 76, "182726"), (77, 78, "01")],
                                      trace(10))
    batch("XCK", 11, service=225).add(27, bank_number, account, 500,
                                      [(40, 54, "123879654"), (55, 60, "CHECK1"), (61, 76, "182726")], trace(11))
    batch("TRX", 12, service=225).entry(27, bank_number, account, 500, "45689033", "ACME", trace(12), ["DATA 1", "DATA 2"])
    batch("CIE", 13).add(22, bank_number, account, 500, [(40, 54, "PAUL JONES"), (55, 76, "45689033"), (77, 78, "")], trace(13),
                         [payment("BILL 7", 1)])
    batch("ENR", 14, service=225, effective="", description="AUTOENROLL", company="ACME").entry(
        27, bank_number, account, 0, "45689033", "ACME", trace(14), ["22*12200004*3*123987654321*777777777*DOE*JOHN*1\\"])
    batch("DNE", 15, status="2").entry(23, bank_number, account, 0, "1", "Paul Jones", trace(15),
                           ["DATE OF DEATH*010218*CUSTOMER SSN*777777777*AMOUNT*2400.00\\"])
    batch("ACK", 16).entry(24, bank_number, account, 0, "031300010000001", "Best Co.", trace(16))
    batch("ATX", 17).entry(24, bank_number, account, 0, "031300010000001", "Best Co.", trace(17), ["ACKNOWLEDGED"])
    batch("CTX", 18).entry(34, bank_number, account, 0, "45689033", "ACME", trace(18), ["NO MONEY", "ONLY WORDS"])
    batch("CTX", 19, service=225).entry(27, bank_number, account, 700, "45689033", "ACME", trace(19))
    batch("CCD", 20, service=225).entry(47, bank_number, account, 700, "45689033", "ACME", trace(20))
    batch("PPD", 21, service=200).entry(52, bank_number, account, 700, "45689033", "loan", trace(21)).entry(
        28, bank_number, account, 0, "", "prenote of a debit", trace(22))
    batch("TEL", 22, description="REVERSAL").entry(22, bank_number, account, 500, "CUST-0002", "Paul Jones", trace(23))
    return batches


if __name__ == "__main__":
    for name, make in [("ppd.ach", ppd), ("ccd.ach", ccd), ("ctx.ach", ctx), ("prenote.ach", prenotes),
                       ("balanced.ach", balanced), ("returns.ach", returns), ("changes.ach", changes)]:
        whole([make()], name=name)
    whole([ppd(1), ccd(2), ctx(3), prenotes(4), balanced(5), returns(6), changes(7)], name="every-record.ach",
          header=file_header(reference="HOUSING1"))
    whole(every_sec_code(), name="every-sec-code.ach", header=file_header(destination="0091000019", origin=" 123456789"))
    outgoing = International(1).entry(22, "121042882", "123456789", 100000, "091000010000001",
                                      seven() + [payment("This is an international payment", 1, "17"),
                                                 lambda trace: record("7", (2, 3, "18"), (4, 38, "Bank of Germany"),
                                                                      (39, 40, "01"), (41, 74, "987987987654654"),
                                                                      (75, 77, "DE"), (84, 87, 1), (88, 94, trace[8:]))])
    whole([outgoing], name="iat.ach")
    back = International(1, odfi="12104288")
    back.entry(21, "091000019", "123456789", 100000, "121042880000009",
               [lambda trace, make=make: make("091000010000001") for make in seven()] +
               [returned("R03", "091000010000001", "12104288", "", "0000100000NO ACCOUNT")])
    corrected = International(2, sec="COR", indicator="IATCOR", odfi="12104288", effective="")
    corrected.entry(21, "091000019", "123456789", 0, "121042880000010",
                    [changed("C01", "091000010000002", "12104288", "987654321")])
    whole([back, corrected], name="iat-returns.ach")
    advices = Advices("ADV", 1, service=280, status="0")
    advices.advice(81, "231380104", "744-5678-99", 50000, "Name", 1).advice(82, "231380104", "744-5678-99", 250000, "Name", 2)
    whole([advices], name="adv.ach", wide=True)
    disputes = Batch("PPD", 1, odfi="09100001")
    disputes.entry(21, "021000021", "123456789", 125000, "P0000000001", "JANE DOE", "091000010000011",
                   addenda=[dishonored("R69", "091000010000001", "02100002")])
    answers = Batch("PPD", 2, odfi="02100002")
    answers.entry(21, "091000019", "123456789", 125000, "P0000000001", "JANE DOE", "021000020000003",
                  addenda=[contested("R73", "091000010000001", "02100002")])
    refusals = Batch("COR", 3, odfi="09100001", effective="")
    refusals.entry(21, "121042882", "445566", 0, "P0000000003", "ACME SUPPLY", "091000010000012",
                   addenda=[refused("C62", "091000010000003", "12104288", "021000021", "C02", 7)])
    whole([disputes, answers, refusals], name="disputes.ach")
