"""Pixels to readings: the board, the squares, the dice, hands, stillness."""
