"""The referee: rules, positions, moves, the bank, the record, the judging of what is seen."""
