"""Scripts for the simulated table: games as people play them, with what must be ruled."""
