"""How rightly and how fast the program sees and rules."""
