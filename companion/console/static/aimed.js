// The camera's picture with what is known of it drawn over: the board's lines, and points that can
// be dragged under a magnifier or moved with the arrow keys.

import { html, useEffect, useRef, useState } from "./preact.js";
import { Stream } from "./picture.js";
import { t } from "./words.js";

const LENS = 140; // the magnifier's side on the page, and how many pixels of the picture it shows
const LENS_SEES = 36;
const REST_MS = 250; // a key that is held down moves a point on and on, and is told of at the end
const LEAST_DRAWN = 0.03; // of the picture's width; less is a tap

function within(value, least, most) {
  return Math.min(Math.max(value, least), most);
}

function joined(points) {
  return points.map((at) => at.join()).join(" ");
}

// Shows the pixels around a point, the point itself in the middle of a cross.
function magnify(canvas, picture, [x, y], wide) {
  const context = canvas?.getContext("2d");
  if (!context || !picture?.naturalWidth) return;
  const scale = picture.naturalWidth / wide;
  const half = (LENS_SEES * scale) / 2;
  context.fillRect(0, 0, LENS, LENS);
  context.drawImage(picture, x * scale - half, y * scale - half, 2 * half, 2 * half, 0, 0, LENS, LENS);
  context.strokeStyle = "#ffd23f";
  context.beginPath();
  context.moveTo(LENS / 2, 0);
  context.lineTo(LENS / 2, LENS);
  context.moveTo(0, LENS / 2);
  context.lineTo(LENS, LENS / 2);
  context.stroke();
}

// points: what can be moved, in pixels of the picture; null for none. settle: called with all of
// them when one was moved. draw: a rectangle can be drawn across the picture in their stead.
export function Aimed({ size, grid, zone, points, label, name, settle, draw = false, children }) {
  const [moved, setMoved] = useState(null);
  const [held, setHeld] = useState(null);
  const svg = useRef(null);
  const glass = useRef(null);
  const resting = useRef(0);
  const [wide, high] = size ?? [16, 9];
  const shown = moved ?? points;
  const ring = wide / 50;
  // A point at the edge of the picture, or beyond it, can still be seen and pulled back.
  const inside = ([x, y]) => [within(x, ring, wide - ring), within(y, ring, high - ring)];

  useEffect(() => {
    if (held === null || !moved) return;
    magnify(glass.current, svg.current.parentElement.querySelector("img"), moved[held], wide);
  }, [held, moved]);

  function placeOf(pointer) {
    const point = new DOMPoint(pointer.clientX, pointer.clientY);
    const { x, y } = point.matrixTransform(svg.current.getScreenCTM().inverse());
    return [x, y].map((one) => Math.round(one * 10) / 10);
  }

  async function done(now) {
    setHeld(null);
    if (now) await settle(now);
    if (!resting.current) setMoved(null);
  }

  // Follows the pointer until it is lifted; one that is taken away changes nothing.
  function follow(target, event, change, finish) {
    target.setPointerCapture(event.pointerId);
    let now = null;
    target.onpointermove = (pointer) => {
      now = change(placeOf(pointer));
      setMoved(now);
    };
    const end = (kept) => () => {
      target.onpointermove = target.onpointerup = target.onpointercancel = null;
      done(kept && now && finish(now));
    };
    target.onpointerup = end(true);
    target.onpointercancel = end(false);
  }

  function drag(event, number) {
    event.stopPropagation();
    setHeld(number);
    const from = points;
    const put = (place) => from.map((point, at) => (at === number ? place : point));
    follow(event.currentTarget, event, put, (now) => now);
  }

  function outline(event) {
    if (!draw) return;
    const [x, y] = inside(placeOf(event));
    const box = (place) => {
      const [u, v] = inside(place);
      return [[x, v], [u, v], [u, y], [x, y]];
    };
    const enough = (now) => Math.abs(now[1][0] - x) > LEAST_DRAWN * wide && now;
    follow(svg.current, event, box, enough);
  }

  function key(event, number) {
    const far = event.shiftKey ? 10 : 1;
    const step = { ArrowLeft: [-far, 0], ArrowRight: [far, 0], ArrowUp: [0, -far], ArrowDown: [0, far] };
    if (!(event.key in step)) return;
    event.preventDefault();
    const [dx, dy] = step[event.key];
    const now = shown.map(([x, y], at) => (at === number ? [x + dx, y + dy] : [x, y]));
    setMoved(now);
    clearTimeout(resting.current);
    resting.current = setTimeout(() => {
      resting.current = 0;
      done(now);
    }, REST_MS);
  }

  const left = held !== null && shown?.[held]?.[0] > wide / 2;
  return html`
    <div class="aimed">
      <${Stream} view="camera" name=${t("camera-picture")} />
      <svg
        ref=${svg}
        class="over-picture ${draw ? "drawing" : ""}"
        viewBox="0 0 ${wide} ${high}"
        role="group"
        aria-label=${name}
        onPointerDown=${outline}
      >
        <g aria-hidden="true">
          ${!(moved && grid) && grid?.map((line) => html`<polyline class="line" points=${joined(line)} />`)}
          ${zone && !draw && html`<polygon class="zone" points=${joined(zone)} />`}
          ${shown && (moved || draw || !grid) && html`<polygon class=${draw ? "zone" : "line"} points=${joined(shown)} />`}
        </g>
        ${children}
        ${shown?.map(inside).map(
          ([x, y], number) => html`
            <g
              key=${number}
              class="handle"
              role="button"
              tabindex="0"
              aria-label=${label(number)}
              transform="translate(${x} ${y})"
              onPointerDown=${(event) => drag(event, number)}
              onKeyDown=${(event) => key(event, number)}
            >
              <circle class="reach" r=${wide / 18} />
              <circle class="halo" r=${ring} />
              <circle class="ring" r=${ring} />
              <path class="cross" d="M-${ring} 0H${ring}M0 -${ring}V${ring}" />
            </g>
          `,
        )}
      </svg>
      <canvas
        ref=${glass}
        class="lens ${held === null ? "away" : ""} ${left ? "left" : ""}"
        width=${LENS}
        height=${LENS}
        aria-hidden="true"
      />
    </div>
  `;
}
