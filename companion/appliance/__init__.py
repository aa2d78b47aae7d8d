"""The computer at the table: its devices, what people set of them, and how they fare."""
