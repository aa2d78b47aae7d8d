"""Draw how the referee bears up when the reader errs more, as docs/noise.svg.

Reads the table in docs/noise.md, so that the curve and the figures are the same.
"""

import re
from pathlib import Path
from typing import Final

DOCS: Final = Path(__file__).parents[1] / "docs"
CURVES: Final = {
    "questions a move": "#2266aa",
    "false alarms a move": "#cc3322",
    "not flagged": "#228833",
}
WIDE, HIGH, MARGIN = 480, 260, 48


def main() -> None:
    """Write the curve."""
    (DOCS / "noise.svg").write_text(svg((DOCS / "noise.md").read_text("utf-8")), "utf-8")


def svg(document: str) -> str:
    """Return the curve of the table in *document*."""
    lines = [line for line in document.splitlines() if re.match(r"\| (Noise|x) ", line)]
    head = _cells(lines[0])
    rows = [_cells(line) for line in lines if re.match(r"\| x [\d.]+ ", line)]
    factors = [float(row[0].removeprefix("x ")) for row in rows]
    curves = {name: [_percent(row, head, name) for row in rows] for name in CURVES}
    top = max(0.1, *(value for values in curves.values() for value in values))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDE}" height="{HIGH}" fill="white"/>',
    ]
    for share in (0.0, 0.5, 1.0):
        y = _y(share)
        parts.append(f'<path d="M{MARGIN} {y:g}H{WIDE - MARGIN}" stroke="#ddd"/>')
        parts.append(f'<text x="4" y="{y + 4:g}">{share * top:.2f} %</text>')
    for factor in factors:
        x = _x(factor, factors)
        parts.append(f'<text x="{x:g}" y="{HIGH - 28}" text-anchor="middle">x {factor:g}</text>')
    for number, (name, colour) in enumerate(CURVES.items()):
        points = [
            (_x(factor, factors), _y(value / top))
            for factor, value in zip(factors, curves[name], strict=True)
        ]
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:g}" cy="{y:g}" r="3" fill="{colour}"/>' for x, y in points]
        x = MARGIN + number * 140
        parts.append(f'<text x="{x}" y="{HIGH - 8}" fill="{colour}">{name}</text>')
    return "\n".join([*parts, "</svg>", ""])


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def _percent(row: list[str], head: list[str], name: str) -> float:
    """Return a cell in per cent; a count of wrong acts as the share of all of them."""
    cell = row[head.index(name)]
    if cell.endswith("%"):
        return float(cell.rstrip("%"))
    return 100.0 * float(cell) / float(row[head.index("Wrong acts")])


def _x(factor: float, factors: list[float]) -> float:
    return MARGIN + 20 + factor / max(factors) * (WIDE - 2 * MARGIN - 40)


def _y(share: float) -> float:
    return 16 + (1.0 - share) * (HIGH - 76)


if __name__ == "__main__":
    main()
