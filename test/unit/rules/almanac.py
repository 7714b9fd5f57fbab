"""Writes almanac.txt: the sun's times at six places on a year's hardest days, by PyEphem (Debian: python3-ephem).

A line has a day of 2026, from 0, and its seconds since midnight UTC, or null: dawn, sunrise, sunset, dusk. The centre
of the sun is at 50 minutes of arc below the horizon at sunrise, as the almanac of the U.S. Naval Observatory has it.

Of the 2,190 days, the file has the hardest: those on which one of the times comes or goes, and its earliest and
latest, and those on which noon is. A wrong term of the sun's path is largest there.
"""
import json
import ephem

places = {
    "Quito": (-0.22, -78.51),
    "Cairo": (30.04, 31.24),
    "Berlin": (52.5, 13.4),
    "Helsinki": (60.17, 24.94),
    "Cape Town": (-33.92, 18.42),
    "Tromso": (69.65, 18.96),
}
epoch = ephem.Date("1970/1/1")


def moment(find, noon):
    try:
        return round((find(ephem.Sun(), start=noon, use_center=True) - epoch) * 86400)
    except ephem.CircumpolarError:
        return None


def hardest(days):
    """The days of a year that an error shows first."""
    chosen = set()
    times = [[row[at] for row in days] for at in range(4)]
    times.append([None if None in row[1:3] else row[1] + row[2] for row in days])
    for column in times:
        for day in range(1, 365):
            if (column[day] is None) != (column[day - 1] is None):
                chosen |= {day - 1, day}
        known = [day for day in range(365) if column[day] is not None]
        chosen |= {min(known, key=column.__getitem__), max(known, key=column.__getitem__)}
    return [[day, *days[day]] for day in sorted(chosen)]


table = {}
for name, (latitude, longitude) in places.items():
    rows = []
    for day in range(365):
        midnight = ephem.Date("2026/1/1") + day
        here = ephem.Observer()
        here.lat, here.lon, here.pressure = str(latitude), str(longitude), 0
        here.date = midnight + 0.5 - longitude / 360
        # The transit that is nearest to noon of the mean sun.
        before, after = here.previous_transit(ephem.Sun()), here.next_transit(ephem.Sun())
        noon = before if here.date - before < after - here.date else after
        row = []
        for horizon, is_rising in (("-6", True), ("-0:50", True), ("-0:50", False), ("-6", False)):
            here.horizon = horizon
            here.date = noon
            found = moment(here.previous_rising if is_rising else here.next_setting, noon)
            start = round((midnight - epoch) * 86400)
            row.append(None if found is None or abs(found - (noon - epoch) * 86400) > 43500 else found - start)
        rows.append(row)
    table[name] = {"latitude": latitude, "longitude": longitude, "days": hardest(rows)}
text = json.dumps(table, separators=(",", ":"))
print(text.replace("],[", "],\n[").replace('"days":', '"days":\n'))
