"""How the small networks of `vision` were taught: drawn pictures in, weights out."""
