#!/usr/bin/env python3
"""The weekdays on which the Federal Reserve Banks are closed, computed in another way than Drawbridge does.

Walks through every day of FIRST..LAST and asks what day it is, from the text of 5 U.S.C. 6103 and the Reserve Banks'
rule: a holiday on a Sunday closes the Monday after it; one on a Saturday closes nothing else.
"""
import datetime
import sys

MONDAY, THURSDAY, SATURDAY, SUNDAY = 0, 3, 5, 6


def is_holiday(day):
    week = (day.day - 1) // 7 + 1
    last_week = (day + datetime.timedelta(days=7)).month != day.month
    fixed = (day.month, day.day)
    if fixed in ((1, 1), (7, 4), (11, 11), (12, 25)):
        return True
    if fixed == (6, 19):
        return day.year >= 2022
    if day.weekday() == MONDAY:
        return (day.month, week) in ((1, 3), (2, 3), (9, 1), (10, 2)) or (day.month == 5 and last_week)
    return day.weekday() == THURSDAY and (day.month, week) == (11, 4)


def is_closed(day):
    yesterday = day - datetime.timedelta(days=1)
    return is_holiday(day) or (day.weekday() == MONDAY and is_holiday(yesterday))


def main():
    first, last = (datetime.date(int(sys.argv[i]), *ends) for i, ends in ((1, (1, 1)), (2, (12, 31))))
    for ordinal in range(first.toordinal(), last.toordinal() + 1):
        day = datetime.date.fromordinal(ordinal)
        if day.weekday() not in (SATURDAY, SUNDAY) and is_closed(day):
            print(day.isoformat())


if __name__ == "__main__":
    main()
