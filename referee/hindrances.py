"""What keeps the table from being seen: no picture, no board in it, something over the board."""

from typing import Final, TypeAlias

from referee.events import (
    BoardFound,
    BoardLost,
    CameraFound,
    CameraLost,
    Event,
    Obscured,
    Visible,
)

Hindrance: TypeAlias = CameraLost | BoardLost | Obscured

_ENDED_BY: Final[dict[type[Event], type[Event]]] = {
    CameraFound: CameraLost,
    BoardFound: BoardLost,
    Visible: Obscured,
}


def hindrances_after(hindrances: tuple[Hindrance, ...], event: Event) -> tuple[Hindrance, ...]:
    """Return what hinders after *event*, the newest last."""
    kind = _ENDED_BY.get(type(event), type(event))
    others = tuple(one for one in hindrances if type(one) is not kind)
    return (*others, event) if isinstance(event, Hindrance) else others
