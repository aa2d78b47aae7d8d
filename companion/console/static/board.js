// The board, drawn from the referee's state. Every square has its name for those who do not see it.

import { html, useRef, useState } from "./preact.js";
import { store } from "./store.js";
import { t } from "./words.js";

const FILES = "abcdefgh";
const EDGE = 0.45;
export const SQUARES = [...FILES].flatMap((file) =>
  [...Array(8).keys()].map((rank) => file + (rank + 1)),
);

// Where a square is drawn: columns and rows from the top left, the board turned by quarters.
export function placeOf(square, turn) {
  const [file, rank] = [FILES.indexOf(square[0]), Number(square[1]) - 1];
  return [
    [file, 7 - rank],
    [rank, file],
    [7 - file, rank],
    [7 - rank, 7 - file],
  ][turn];
}

export function squareAt(column, row, turn) {
  return SQUARES.find((one) => {
    const [x, y] = placeOf(one, turn);
    return x === column && y === row;
  });
}

function isDark(square) {
  return (FILES.indexOf(square[0]) + Number(square[1])) % 2 === 1;
}

function isRim(square) {
  return "ah".includes(square[0]) || "18".includes(square[1]);
}

export function Disc({ colour, x = 0.5, y = 0.5, r = 0.36 }) {
  return html`
    <g class="disc ${colour}" transform="translate(${x} ${y})">
      <circle r=${r} class="body" />
      <circle r=${r * 0.68} class="ring" />
    </g>
  `;
}

function Stack({ colours, letters }) {
  const counted = new Map();
  for (const colour of colours) counted.set(colour, (counted.get(colour) ?? 0) + 1);
  const kinds = [...counted.entries()];
  if (kinds.length > 1) {
    return kinds.map(
      ([colour], number) => html`<${Disc} colour=${colour} x=${0.3 + 0.4 * number} r="0.26" />`,
    );
  }
  const [[colour, count]] = kinds;
  const text = count > 1 ? String(count) : letters ? t(`colour-${colour}`)[0].toUpperCase() : "";
  return html`
    ${count > 1 && html`<${Disc} colour=${colour} x="0.54" y="0.54" />`}
    <${Disc} colour=${colour} x=${count > 1 ? 0.46 : 0.5} y=${count > 1 ? 0.46 : 0.5} />
    ${text &&
    html`<text class="count on-${colour}" x=${count > 1 ? 0.46 : 0.5} y=${count > 1 ? 0.6 : 0.64}>
      ${text}
    </text>`}
  `;
}

export function label(square, colours, players) {
  const parts = [square];
  for (const player of players) {
    const who = t(`colour-${player.colour}`);
    if (player.start === square) parts.push(t("start-of", { who }));
    if (player.home.includes(square)) parts.push(t("home-of", { who }));
  }
  const counted = new Map();
  for (const colour of colours) counted.set(colour, (counted.get(colour) ?? 0) + 1);
  const there = [...counted].map(([colour, count]) => `${count} ${t(`colour-${colour}`)}`);
  return `${parts.join(", ")}: ${there.join(", ") || t("empty")}`;
}

function Arrow({ move, turn, players, mover }) {
  const to = placeOf(move.to, turn);
  const from = move.from ? placeOf(move.from, turn) : null;
  const mark = html`<circle class="landing" cx=${to[0] + 0.5} cy=${to[1] + 0.5} r="0.42" />`;
  if (!from) return mark;
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  return html`
    ${mark}
    <line
      class="move"
      marker-end="url(#head)"
      x1=${from[0] + 0.5 + 0.3 * ux}
      y1=${from[1] + 0.5 + 0.3 * uy}
      x2=${to[0] + 0.5 - 0.42 * ux}
      y2=${to[1] + 0.5 - 0.42 * uy}
    />
  `;
}

// board: colours by square. marks: classes by square. moves: arrows. edit: called with (from, to)
// as checkers are carried; null stands for beside the board.
export function Board({ board, players, marks = {}, moves = [], edit = null, turn = null, name }) {
  turn = turn ?? store.preferences.turn;
  const letters = store.preferences.letters;
  const svg = useRef(null);
  const [focus, setFocus] = useState("a1");
  const [held, setHeld] = useState(null);
  const [drag, setDrag] = useState(null);
  const owner = Object.fromEntries(
    players.flatMap((player) => player.home.map((at) => [at, player.colour])),
  );
  const starts = Object.fromEntries(players.map((player) => [player.start, player.colour]));

  function underPointer(event) {
    const point = new DOMPoint(event.clientX, event.clientY);
    return point.matrixTransform(svg.current.getScreenCTM().inverse());
  }

  function squareUnder(event) {
    const { x, y } = underPointer(event);
    return squareAt(Math.floor(x), Math.floor(y), turn) ?? null;
  }

  function carry(from, to) {
    setHeld(null);
    if (from !== to) edit(from, to);
  }

  function act(square) {
    if (held !== null) carry(held, square);
    else if (board[square]?.length) setHeld(square);
    else edit(null, square);
  }

  function down(event, square) {
    if (!edit || !board[square]?.length) return;
    event.preventDefault();
    svg.current.setPointerCapture(event.pointerId);
    const { x, y } = underPointer(event);
    setDrag({ from: square, x, y, moved: false });
  }

  function move(event) {
    if (!drag) return;
    const { x, y } = underPointer(event);
    setDrag({ ...drag, x, y, moved: drag.moved || Math.hypot(x - drag.x, y - drag.y) > 0.15 });
  }

  function up(event) {
    if (!drag) return;
    setDrag(null);
    if (drag.moved) carry(drag.from, squareUnder(event));
    else act(drag.from);
    setFocus(drag.from);
  }

  function key(event) {
    const [column, row] = placeOf(focus, turn);
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.key in step) {
      const [dx, dy] = step[event.key];
      const there = squareAt(column + dx, row + dy, turn);
      if (there) {
        setFocus(there);
        svg.current.querySelector(`[data-square=${there}]`).focus();
      }
    } else if (edit && (event.key === "Enter" || event.key === " ")) {
      act(focus);
    } else if (edit && (event.key === "Delete" || event.key === "Backspace")) {
      if (board[focus]?.length) carry(focus, null);
    } else if (event.key === "Escape" && held) {
      setHeld(null);
    } else {
      return;
    }
    event.preventDefault();
  }

  const rows = [...Array(8).keys()].map((row) =>
    [...Array(8).keys()].map((column) => squareAt(column, row, turn)),
  );
  return html`
    <svg
      ref=${svg}
      class="board ${edit ? "editing" : ""}"
      viewBox="${-EDGE} ${-EDGE} ${8 + 2 * EDGE} ${8 + 2 * EDGE}"
      role="grid"
      aria-label=${name ?? t("board")}
      onKeyDown=${key}
      onPointerMove=${move}
      onPointerUp=${up}
      onPointerCancel=${() => setDrag(null)}
    >
      <defs>
        <marker id="head" viewBox="0 0 4 4" refX="2.4" refY="2" markerWidth="3.4" markerHeight="3.4"
          orient="auto-start-reverse">
          <path d="M0 0L4 2L0 4Z" class="head" />
        </marker>
      </defs>
      <rect class="frame" x=${-EDGE} y=${-EDGE} width=${8 + 2 * EDGE} height=${8 + 2 * EDGE} rx=".2" />
      ${rows.map(
        (squares, row) => html`
          <g role="row" key=${row}>
            ${squares.map((square, column) => {
              const there = board[square] ?? [];
              const classes = [
                "square",
                isDark(square) ? "dark" : "light",
                isRim(square) || owner[square] ? "" : "unused",
                marks[square] ?? "",
                held === square ? "held" : "",
              ];
              const shown = drag?.moved && drag.from === square ? there.slice(1) : there;
              return html`
                <g
                  role="gridcell"
                  key=${square}
                  class=${classes.join(" ")}
                  data-square=${square}
                  transform="translate(${column} ${row})"
                  tabindex=${square === focus ? 0 : -1}
                  aria-label=${label(square, there, players)}
                  aria-selected=${edit ? held === square : undefined}
                  onFocus=${() => setFocus(square)}
                  onPointerDown=${(event) => down(event, square)}
                  onClick=${() => edit && !there.length && act(square)}
                >
                  <rect class="ground" width="1" height="1" />
                  ${owner[square] && html`<rect class="home ${owner[square]}" width="1" height="1" />`}
                  ${starts[square] &&
                  html`<path class="start ${starts[square]}" d="M.5 .34L.66 .5L.5 .66L.34 .5Z" />`}
                  <rect class="mark" x=".04" y=".04" width=".92" height=".92" rx=".06" />
                  ${shown.length > 0 && html`<${Stack} colours=${shown} letters=${letters} />`}
                </g>
              `;
            })}
          </g>
        `,
      )}
      <g class="names" aria-hidden="true">
        ${[...Array(8).keys()].map((number) => {
          const below = squareAt(number, 7, turn);
          const beside = squareAt(0, number, turn);
          const part = turn % 2 ? 1 : 0;
          return html`
            <text x=${number + 0.5} y="8.32">${below[part]}</text>
            <text x="-0.22" y=${number + 0.6}>${beside[1 - part]}</text>
          `;
        })}
      </g>
      <g class="moves" aria-hidden="true">
        ${moves.map((one) => html`<${Arrow} key=${one.move} move=${one} turn=${turn} />`)}
      </g>
      ${drag?.moved &&
      html`<g aria-hidden="true" class="dragged" transform="translate(${drag.x - 0.5} ${drag.y - 0.5})">
        <${Disc} colour=${board[drag.from][0]} />
      </g>`}
    </svg>
  `;
}

const PIPS = {
  1: [[1, 1]],
  2: [[0, 0], [2, 2]],
  3: [[0, 0], [1, 1], [2, 2]],
  4: [[0, 0], [0, 2], [2, 0], [2, 2]],
  5: [[0, 0], [0, 2], [1, 1], [2, 0], [2, 2]],
  6: [[0, 0], [0, 1], [0, 2], [2, 0], [2, 1], [2, 2]],
};

export function Die({ value, hidden = false }) {
  const pips = PIPS[value] ?? [];
  const heard = hidden ? { "aria-hidden": "true" } : { role: "img", "aria-label": t("die-shows", { value }) };
  return html`
    <svg class="die" viewBox="0 0 10 10" ...${heard}>
      <rect class="face" x=".4" y=".4" width="9.2" height="9.2" rx="2" />
      ${pips.map(([x, y]) => html`<circle class="pip" cx=${2.5 + 2.5 * x} cy=${2.5 + 2.5 * y} r=".95" />`)}
    </svg>
  `;
}

export function Checker({ colour }) {
  return html`<svg class="checker" viewBox="0 0 1 1" aria-hidden="true">
    <${Disc} colour=${colour} r="0.46" />
  </svg>`;
}
