"""The log of games: writing it, proving it, and all that people do with it afterwards."""
