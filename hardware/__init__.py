"""Cameras, lamps, buttons and voices, each behind a port, each with a simulated twin."""
