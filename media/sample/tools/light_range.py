"""How far away a Merrow light can be seen, when it is overdue for a visit, and how it blinks.

The list of lights gives each light's elevation and nominal range.
What is printed on charts is the published range, which this file works out.
"""

import math
import re
from dataclasses import dataclass
from datetime import date

# The eye of a person on the bridge of the tender Petrel, in metres above the water.
EYE_HEIGHT_M = 4.0

# Nautical miles to the horizon for the square root of one metre, with ordinary refraction.
HORIZON_FACTOR = 2.08

# The handbook promises every rock light a visit in this many days.
VISIT_EVERY_DAYS = 90


@dataclass(frozen=True)
class Character:
    """The rhythm of a light, for example Fl(3) W 15s."""

    rhythm: str
    flashes: int
    colours: str
    period_s: float


def geographic_range(elevation_m: float, eye_height_m: float = EYE_HEIGHT_M) -> float:
    """Nautical miles at which the curve of the sea hides the light."""
    return HORIZON_FACTOR * (math.sqrt(elevation_m) + math.sqrt(eye_height_m))


def published_range(elevation_m: float, nominal_range_nm: float) -> int:
    """The smaller of the two ranges, rounded down: a chart must never promise too much."""
    return math.floor(min(geographic_range(elevation_m), nominal_range_nm))


def parse_character(text: str) -> Character:
    """Reads one rhythm. A composite one, such as Q(6)+LFl, raises a ValueError."""
    match = re.fullmatch(r"(F|Fl|Oc|Iso)(?:\((\d+)\))? ([WRG]+)(?: ([\d.]+)s)?", text)
    if match is None:
        raise ValueError(f"not a simple light character: {text}")
    rhythm, flashes, colours, period = match.groups()
    return Character(rhythm, int(flashes or 1), colours, float(period or 0))


def overdue_days(last_visit: date, today: date) -> int:
    """Days by which a visit is late; 0 when it is not."""
    return max(0, (today - last_visit).days - VISIT_EVERY_DAYS)


if __name__ == "__main__":
    for name, elevation, nominal in [
        ("Old Harbour Light", 12, 8),
        ("Skerra Head Light", 61, 18),
        ("Gannet Rock Light", 41, 21),
        ("Hallin Point Light", 27, 14),
        ("Pell Reef Light", 16, 10),
        ("Widow's Teeth Light", 22, 12),
    ]:
        print(f"{name:20} {published_range(elevation, nominal):3} nautical miles")
