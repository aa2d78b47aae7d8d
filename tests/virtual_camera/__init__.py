"""The real picamera2 on the real libcamera with its virtual camera, in a Debian root of its own.

`run` builds the root once (root rights, 2 GB and the Debian archive needed) and runs
`real_picamera2.py` and `real_game.py` in it; pytest leaves them alone elsewhere.
"""
