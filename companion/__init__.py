"""The application: composition, loop, journal, phrases, terminal, command line."""
