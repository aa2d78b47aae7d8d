"""The referee: rules, positions, legal moves, the bank, the record, and the judging of what was seen."""
