"""Stands in for pykms, which picamera2 imports for its preview on a screen alone."""


class _Anything(type):
    def __getattr__(cls, name: str) -> str:
        if name.startswith("__"):
            raise AttributeError(name)
        return name


class PixelFormat(metaclass=_Anything):
    """Has every format by its name."""
