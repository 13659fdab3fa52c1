#!/usr/bin/env python3
"""An independent reader of NACHA files, for a test that compares it with Drawbridge's.

Written from the Nacha record layouts alone. For each file on the command line it prints one JSON line: every field of
every record, and the totals that it computed itself. It exits with 1 at the first total of a file that is wrong.
"""
import json
import sys


class Wrong(Exception):
    pass


def expect(what, found, computed):
    if found != computed:
        raise Wrong(f"{what}: the file says {found}, the entries give {computed}")


def credit(transaction_code):
    """Savings and checking, GL and loan credits end in 1 to 4; debits in 6 to 9."""
    return transaction_code % 10 <= 4


def addenda(record):
    kind = record[1:3]
    if kind == "05":
        return ["05", record[3:83].rstrip(), int(record[83:87]), int(record[87:94])]
    if kind == "98":
        return ["98", record[3:6], record[6:21], record[27:35], record[35:64].rstrip(), record[79:94]]
    if kind == "99":
        return ["99", record[3:6], record[6:21], record[21:27].strip(), record[27:35], record[35:79].rstrip(),
                record[79:94]]
    return ["other", record]


def entry(record, sec_code):
    ctx = sec_code == "CTX"
    return {
        "code": int(record[1:3]),
        "rdfi": record[3:11],
        "check_digit": record[11],
        "account": record[12:29].rstrip(),
        "cents": int(record[29:39]),
        "id": record[39:54].rstrip(),
        "name": (record[58:74] if ctx else record[54:76]).rstrip(),
        "discretionary": (record[76:78]).rstrip(),
        "trace": record[79:94],
        "addenda": [],
    }


def read(text):
    lines = text.split("\n")
    if lines[-1] != "":
        raise Wrong("the last line does not end")
    lines = [line[:-1] if line.endswith("\r") else line for line in lines[:-1]]
    for number, line in enumerate(lines, 1):
        if len(line) != 94:
            raise Wrong(f"line {number}: {len(line)} characters")
    if len(lines) % 10 != 0:
        raise Wrong(f"{len(lines)} lines do not fill blocks of ten")
    header = lines[0]
    expect("record size, blocking factor, format", header[34:40], "094101")
    file = {
        "destination": header[3:13].strip(),
        "origin": header[13:23].strip(),
        "created": header[23:33],
        "modifier": header[33],
        "destination_name": header[40:63].rstrip(),
        "origin_name": header[63:86].rstrip(),
        "reference": header[86:94].rstrip(),
        "batches": [],
    }
    totals = {"batches": 0, "entries": 0, "hash": 0, "debit": 0, "credit": 0}
    at = 1
    while lines[at][0] == "5":
        record = lines[at]
        batch = {
            "service_class": int(record[1:4]),
            "company": record[4:20].rstrip(),
            "discretionary": record[20:40].rstrip(),
            "company_id": record[40:50].rstrip(),
            "sec": record[50:53],
            "description": record[53:63].rstrip(),
            "descriptive_date": record[63:69].rstrip(),
            "effective": record[69:75].strip(),
            "odfi": record[79:87],
            "number": int(record[87:94]),
            "entries": [],
        }
        count = hash_sum = debit = credits = 0
        at += 1
        while lines[at][0] in "67":
            record = lines[at]
            count += 1
            if record[0] == "6":
                batch["entries"].append(entry(record, batch["sec"]))
                hash_sum += int(record[3:11])
                if credit(int(record[1:3])):
                    credits += int(record[29:39])
                else:
                    debit += int(record[29:39])
                has_addenda = record[78] == "1"
                if has_addenda != (lines[at + 1][0] == "7"):
                    raise Wrong(f"line {at + 1}: the addenda indicator is wrong")
            else:
                batch["entries"][-1]["addenda"].append(addenda(record))
            at += 1
        control = lines[at]
        name = f"batch {batch['number']}"
        expect(name + " control record", control[0], "8")
        expect(name + " service class", int(control[1:4]), batch["service_class"])
        expect(name + " entry/addenda count", int(control[4:10]), count)
        expect(name + " entry hash", int(control[10:20]), hash_sum % 10**10)
        expect(name + " debits", int(control[20:32]), debit)
        expect(name + " credits", int(control[32:44]), credits)
        expect(name + " ODFI", control[79:87], batch["odfi"])
        expect(name + " number", int(control[87:94]), batch["number"])
        file["batches"].append(batch)
        totals["batches"] += 1
        totals["entries"] += count
        totals["hash"] += hash_sum % 10**10
        totals["debit"] += debit
        totals["credit"] += credits
        at += 1
    control = lines[at]
    expect("file control record", control[0], "9")
    expect("batch count", int(control[1:7]), totals["batches"])
    expect("block count", int(control[7:13]), len(lines) // 10)
    expect("file entry/addenda count", int(control[13:21]), totals["entries"])
    expect("file entry hash", int(control[21:31]), totals["hash"] % 10**10)
    expect("file debits", int(control[31:43]), totals["debit"])
    expect("file credits", int(control[43:55]), totals["credit"])
    for rest in lines[at + 1:]:
        expect("padding", rest, "9" * 94)
    return file


def main():
    for path in sys.argv[1:]:
        with open(path, encoding="ascii", newline="") as source:
            text = source.read()
        try:
            print(json.dumps(read(text), sort_keys=True))
        except Wrong as wrong:
            print(f"{path}: {wrong}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
