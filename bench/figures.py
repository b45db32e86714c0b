"""Small charts as SVG, by hand: bars in groups, lines over a growing number."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

COLORS = ("#2563eb", "#9ca3af", "#d97706", "#059669", "#7c3aed", "#dc2626")
WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 720, 360, 56, 48, 48


def bars(title: str, groups: Mapping[str, Mapping[str, float]]) -> str:
    """A group of bars for each name, one bar a method, from 0 to 1."""
    methods = list(dict.fromkeys(method for group in groups.values() for method in group))
    width = (WIDTH - LEFT - 16) / max(len(groups), 1)
    bar = width * 0.8 / max(len(methods), 1)
    parts = [_frame(title, [share / 5 for share in range(6)], 1.0)]
    for number, (name, group) in enumerate(groups.items()):
        left = LEFT + number * width + width * 0.1
        for place, method in enumerate(methods):
            value = group.get(method, 0.0)
            x, y = left + place * bar, _y(value, 1.0)
            parts.append(_rect(x, y, bar - 2, _y(0, 1.0) - y, place))
            parts.append(_text(x + bar / 2 - 1, y - 4, f"{value:.2f}", size=11))
        parts.append(_text(left + width * 0.4, HEIGHT - BOTTOM + 18, name))
    return _svg([*parts, _legend(methods)])


def lines(title: str, curves: Mapping[str, Sequence[tuple[float, float]]], *, across: str, up: str) -> str:
    """A line for each name over a number that grows by factors."""
    points = [point for curve in curves.values() for point in curve]
    highest = max(value for _, value in points) * 1.1
    low, high = (math.log10(edge) for edge in (min(x for x, _ in points), max(x for x, _ in points)))

    def x_of(number: float) -> float:
        return LEFT + (math.log10(number) - low) / max(high - low, 1e-9) * (WIDTH - LEFT - 40)

    parts = [_frame(f"{title} ({up})", [highest * share / 5 for share in range(6)], highest)]
    for place, curve in enumerate(curves.values()):
        path = " ".join(f"{x_of(x):.1f},{_y(value, highest):.1f}" for x, value in curve)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{_color(place)}" stroke-width="2"/>')
        parts += [
            f'<circle cx="{x_of(x):.1f}" cy="{_y(value, highest):.1f}" r="3" fill="{_color(place)}"/>'
            for x, value in curve
        ]
    parts += [_text(x_of(x), HEIGHT - BOTTOM + 18, f"{x:,.0f}") for x in sorted({x for x, _ in points})]
    parts.append(_text(WIDTH / 2, HEIGHT - 8, across))
    return _svg([*parts, _legend(list(curves))])


def _rect(x: float, y: float, width: float, height: float, place: int) -> str:
    size = f'width="{width:.1f}" height="{height:.1f}"'
    return f'<rect x="{x:.1f}" y="{y:.1f}" {size} fill="{_color(place)}"/>'


def _svg(parts: Sequence[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">'
    return "\n".join([head, f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>', *parts, "</svg>", ""])


def _frame(title: str, ticks: Sequence[float], highest: float) -> str:
    rows = [_text(LEFT, 18, title, size=14, anchor="start")]
    for tick in ticks:
        y = _y(tick, highest)
        rows.append(f'<line x1="{LEFT}" x2="{WIDTH - 16}" y1="{y:.1f}" y2="{y:.1f}" stroke="#e5e7eb"/>')
        rows.append(_text(LEFT - 6, y + 4, f"{tick:.3g}", size=11, anchor="end"))
    return "\n".join(rows)


def _legend(names: Sequence[str]) -> str:
    parts = []
    for place, name in enumerate(names):
        x = LEFT + place * 150
        parts.append(f'<rect x="{x}" y="26" width="10" height="10" fill="{_color(place)}"/>')
        parts.append(_text(x + 14, 35, name, anchor="start"))
    return "\n".join(parts)


def _text(x: float, y: float, text: str, *, size: int = 12, anchor: str = "middle") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="#111827">{escape(text)}</text>'
    )


def _y(value: float, highest: float) -> float:
    return HEIGHT - BOTTOM - value / highest * (HEIGHT - TOP - BOTTOM)


def _color(place: int) -> str:
    return COLORS[place % len(COLORS)]
