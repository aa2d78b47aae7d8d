// The live picture, and over it what the referee sees and how surely.

import { html, useEffect, useRef, useState } from "./preact.js";
import { SQUARES, placeOf } from "./board.js";
import { store } from "./store.js";
import { percent, t } from "./words.js";

const MARGIN = 0.75; // squares around the board, as the server cuts it out
const SIDE = 8 + 2 * MARGIN;
const SURE = 0.9;

let asked = 0; // an address that was asked for before may be answered by the browser itself

function Flowing({ view, name, onSize }) {
  const [number, setNumber] = useState(() => ++asked);
  const picture = useRef(null);
  useEffect(() => {
    const shown = picture.current;
    return () => shown.removeAttribute("src"); // else the browser loads on what nobody sees
  }, []);
  return html`
    <img
      ref=${picture}
      class="stream"
      alt=${name}
      src="/api/pictures?view=${view}&again=${number}"
      onLoad=${(event) => onSize?.(event.target.naturalWidth, event.target.naturalHeight)}
      onError=${() => setTimeout(() => setNumber(++asked), 2000)}
    />
  `;
}

// A picture that goes on by itself; it is asked for anew when the connection was lost.
export function Stream(props) {
  if (store.connection === "connected") return html`<${Flowing} ...${props} />`;
  return html`<div class="stream none">${t("no-picture")}</div>`;
}

function differs(seen, due) {
  return [...(seen ?? [])].sort().join() !== [...(due ?? [])].sort().join();
}

function Seen({ square, found, due }) {
  const [column, row] = placeOf(square, 0);
  const at = `translate(${column + MARGIN} ${row + MARGIN})`;
  if (found.hidden) {
    return html`<g transform=${at}><rect class="hidden" width="1" height="1" /></g>`;
  }
  const doubtful = found.confidence < SURE;
  const classes = `found ${doubtful ? "doubtful" : ""} ${differs(found.seen, due) ? "differs" : ""}`;
  return html`
    <g transform=${at} class=${classes}>
      <rect x=".05" y=".05" width=".9" height=".9" rx=".12" class="outline" />
      ${found.seen.map(
        (colour, number) =>
          html`<circle class="dot ${colour}" cx=${0.2 + 0.2 * number} cy=".82" r=".09" />`,
      )}
      ${doubtful && html`<text x=".94" y=".3">${Math.round(100 * found.confidence)}</text>`}
    </g>
  `;
}

export function Live({ seen, board }) {
  const turn = store.preferences.turn;
  const found = seen?.squares ?? {};
  const dice = seen?.dice ?? [];
  return html`
    <figure class="live">
      <div class="picture turned-${turn}">
        <${Stream} view="board" name=${t("live-picture")} />
        ${seen &&
        html`<svg class="overlay" viewBox="0 0 ${SIDE} ${SIDE}" aria-hidden="true">
          ${SQUARES.filter((square) => found[square]).map(
            (square) =>
              html`<${Seen} key=${square} square=${square} found=${found[square]} due=${board[square]} />`,
          )}
        </svg>`}
      </div>
      <figcaption>
        ${dice.length === 1 && dice[0].value && t("die-seen", { value: dice[0].value, share: percent(dice[0].confidence) })}
        ${dice.length === 1 && !dice[0].value && t("die-unsure")}
        ${seen?.obscured && html` ${t("covered")}`}
        <details>
          <summary>${t("what-is-seen")}</summary>
          <ul class="seen">
            ${Object.entries(found).map(([square, one]) => html`<li key=${square}>
              ${square}: ${one.hidden
                ? t("hidden")
                : `${one.seen.map((colour) => t(`colour-${colour}`)).join(", ") || t("empty")} ${percent(one.confidence)}`}
            </li>`)}
          </ul>
        </details>
      </figcaption>
    </figure>
  `;
}
