"""From frames to a table profile: fit it, judge its quality, keep it, watch it drift."""

from calibration.fit import Refusal, average_frames, doubts, fit_table, strays
from calibration.profile import Camera, ProfileError, TableProfile, load_profile, save_profile

__all__ = [
    "Camera",
    "ProfileError",
    "Refusal",
    "TableProfile",
    "average_frames",
    "doubts",
    "fit_table",
    "load_profile",
    "save_profile",
    "strays",
]
