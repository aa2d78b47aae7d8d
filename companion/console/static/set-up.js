// The set-up of a table, step by step: aim, empty board, checkers at home, die, terms.

import { html, useRef, useState } from "./preact.js";
import { Checker, Die } from "./board.js";
import { post } from "./connection.js";
import { Stream } from "./picture.js";
import { store, toast } from "./store.js";
import { percent, t } from "./words.js";

const STEPS = ["aim", "empty", "homes", "die", "terms"];
const CORNERS = ["a1", "h1", "h8", "a8"];
const COLOURS = ["red", "orange", "yellow", "green", "blue", "purple", "white", "black", "brown"];
const LENS = 140; // the magnifier's side on the page, and how many pixels of the picture it shows
const LENS_SEES = 36;

async function ask(form) {
  const { refused } = await post("/api/set-up", { ask: form });
  if (refused) toast(refused, { wrong: true });
  return !refused;
}

function Steps({ stage }) {
  return html`
    <ol class="steps-done" aria-label=${t("steps")}>
      ${STEPS.map(
        (step) => html`<li key=${step} aria-current=${step === stage ? "step" : undefined}
          class=${STEPS.indexOf(step) < STEPS.indexOf(stage) ? "over" : ""}>
          ${t(`step-${step}`)}
        </li>`,
      )}
    </ol>
  `;
}

function Faults({ faults }) {
  return html`
    <div role="status" aria-live="polite">
      ${faults.length > 0 &&
      html`<ul class="faults">
        ${faults.map((fault) => {
          const name = `fault-${fault.name}`;
          const known = t(name, { squares: fault.squares.join(", ") });
          return html`<li key=${fault.text}>${known === name ? fault.text : known}</li>`;
        })}
      </ul>`}
    </div>
  `;
}

// The camera's picture with the grid over it; the corners can be dragged, or moved with the arrows.
function Aimed({ setUp, change }) {
  const { size, grid } = setUp;
  const [moved, setMoved] = useState(null);
  const [lens, setLens] = useState(null);
  const frame = useRef(null);
  const glass = useRef(null);
  const corners = moved ?? setUp.corners;
  const around = size ?? [16, 9];

  function magnify([x, y]) {
    const context = glass.current?.getContext("2d");
    const picture = frame.current.querySelector("img");
    if (!context || !picture?.naturalWidth) return;
    const scale = picture.naturalWidth / around[0];
    const half = (LENS_SEES * scale) / 2;
    context.fillRect(0, 0, LENS, LENS);
    context.drawImage(picture, x * scale - half, y * scale - half, 2 * half, 2 * half, 0, 0, LENS, LENS);
  }

  function put(number, place) {
    const now = corners.map((corner, at) => (at === number ? place : corner));
    setMoved(now);
    magnify(place);
    return now;
  }

  async function settle(now) {
    setLens(null);
    await ask({ do: "corners", corners: now });
    setMoved(null);
  }

  function drag(event, number) {
    const svg = event.currentTarget.ownerSVGElement;
    const target = event.currentTarget;
    target.setPointerCapture(event.pointerId);
    setLens(number);
    let now = corners;
    const place = (pointer) => {
      const point = new DOMPoint(pointer.clientX, pointer.clientY);
      const { x, y } = point.matrixTransform(svg.getScreenCTM().inverse());
      return [Math.round(x * 10) / 10, Math.round(y * 10) / 10];
    };
    target.onpointermove = (pointer) => (now = put(number, place(pointer)));
    target.onpointerup = target.onpointercancel = () => {
      target.onpointermove = target.onpointerup = target.onpointercancel = null;
      settle(now);
    };
  }

  function key(event, number) {
    const far = event.shiftKey ? 10 : 1;
    const step = { ArrowLeft: [-far, 0], ArrowRight: [far, 0], ArrowUp: [0, -far], ArrowDown: [0, far] };
    if (!(event.key in step)) return;
    event.preventDefault();
    const [dx, dy] = step[event.key];
    const [x, y] = corners[number];
    settle(put(number, [x + dx, y + dy]));
  }

  function begin() {
    const [wide, high] = around;
    settle([
      [wide * 0.25, high * 0.8],
      [wide * 0.75, high * 0.8],
      [wide * 0.75, high * 0.2],
      [wide * 0.25, high * 0.2],
    ]);
  }

  return html`
    <div class="aimed" ref=${frame}>
      <${Stream} view="camera" name=${t("camera-picture")} />
      <svg class="over-picture" viewBox="0 0 ${around[0]} ${around[1]}" role="group" aria-label=${t("corners")}>
        <g aria-hidden="true">
          ${!moved && grid?.map((line) => html`<polyline class="line" points=${line.map((at) => at.join()).join(" ")} />`)}
          ${moved && html`<polygon class="line" points=${moved.map((at) => at.join()).join(" ")} />`}
        </g>
        ${change &&
        setUp.stage === "aim" &&
        corners?.map(
          ([x, y], number) => html`
            <g
              key=${number}
              class="handle"
              role="button"
              tabindex="0"
              aria-label=${t("corner", { name: CORNERS[number] })}
              transform="translate(${x} ${y})"
              onPointerDown=${(event) => drag(event, number)}
              onKeyDown=${(event) => key(event, number)}
            >
              <circle class="reach" r=${around[0] / 28} />
              <circle class="ring" r=${around[0] / 90} />
              <path class="cross" d="M-${around[0] / 50} 0H${around[0] / 50}M0 -${around[0] / 50}V${around[0] / 50}" />
            </g>
          `,
        )}
      </svg>
      <canvas
        ref=${glass}
        class="lens ${lens === null ? "away" : ""}"
        width=${LENS}
        height=${LENS}
        aria-hidden="true"
      />
    </div>
    ${change &&
    setUp.stage === "aim" &&
    html`<div class="buttons">
      ${!corners && html`<button type="button" onClick=${begin}>${t("set-corners")}</button>`}
      <button type="button" onClick=${() => ask({ do: "corners", corners: null })}>${t("find-again")}</button>
    </div>`}
  `;
}

function Aim({ setUp }) {
  return html`
    <div class="field">
      <label for="fitness">${t("fitness")}: ${percent(setUp.fitness)}</label>
      <meter id="fitness" min="0" max="1" low="0.5" high="0.9" optimum="1" value=${setUp.fitness} />
    </div>
    ${setUp.same &&
    html`<p>${t("same-how")}</p>
      <button type="button" class="primary" onClick=${() => ask({ do: "same_table" })}>${t("same-table")}</button>`}
  `;
}

function Homes({ setUp }) {
  const seats = Object.fromEntries(setUp.seats.map((one) => [one.seat, one.colour]));
  const recolour = (seat, colour) => {
    // Who had that colour gets the other's: two colours are most often mistaken for each other.
    const other = Object.keys(seats).find((one) => seats[one] === colour);
    const now = { ...seats, [seat]: colour };
    if (other && other !== seat) now[other] = seats[seat];
    ask({ do: "seats", seats: now });
  };
  return html`
    <ul class="found-seats">
      ${setUp.seats.map(
        ({ seat, colour }) => html`<li key=${seat}>
          <${Checker} colour=${colour} />
          <label for="colour-${seat}">${t("seat", { seat })}</label>
          <select id="colour-${seat}" value=${colour} onChange=${(event) => recolour(seat, event.target.value)}>
            ${COLOURS.map((one) => html`<option value=${one} selected=${one === colour}>${t(`colour-${one}`)}</option>`)}
          </select>
        </li>`,
      )}
    </ul>
    ${setUp.seats.length > 0 && html`<p>${t("homes-right")}</p>`}
  `;
}

function Throws({ setUp }) {
  return html`
    <div class="buttons" role="status" aria-live="polite">
      ${setUp.throws.map((value, number) => html`<${Die} key=${number} value=${value} />`)}
    </div>
    ${setUp.doubts.map((doubt) => html`<p key=${doubt}>${doubt}</p>`)}
  `;
}

function Option({ name, option }) {
  const id = `rule-${name}`;
  return html`
    <div class="field">
      <label for=${id}>${t(id)}</label>
      <select id=${id} name=${id}>
        ${option.values.map((value) => {
          const key = `${id}-${value}`;
          const text = t(key) === key ? t(`value-${value}`) : t(key);
          return html`<option value=${JSON.stringify(value)} selected=${value === option.default}>
            ${text === `value-${value}` ? String(value) : text}
          </option>`;
        })}
      </select>
    </div>
  `;
}

function Terms({ setUp }) {
  const begin = (event) => {
    event.preventDefault();
    const given = new FormData(event.target);
    const names = {};
    const rules = {};
    for (const { seat } of setUp.seats) {
      const name = given.get(`name-${seat}`).trim();
      if (name) names[seat] = name;
    }
    for (const [name, option] of Object.entries(setUp.options)) {
      const value = JSON.parse(given.get(`rule-${name}`));
      if (value !== option.default) rules[name] = value;
    }
    ask({
      do: "begin",
      names,
      rules,
      stake: Number(given.get("stake")),
      fine: Number(given.get("fine")),
      unit: given.get("unit"),
      first: given.get("first") || null,
    });
  };
  return html`
    <form onSubmit=${begin}>
      ${setUp.seats.map(
        ({ seat, colour }) => html`<div class="field" key=${seat}>
          <label for="name-${seat}"><span class="player"><${Checker} colour=${colour} /> ${t("name-of", { who: t(`colour-${colour}`) })}</span></label>
          <input id="name-${seat}" name="name-${seat}" maxlength="40" autocomplete="off" />
        </div>`,
      )}
      <div class="field">
        <label for="first">${t("who-begins")}</label>
        <select id="first" name="first">
          <option value="">${t("by-throw")}</option>
          ${setUp.seats.map(({ seat, colour }) => html`<option value=${seat}>${t(`colour-${colour}`)}</option>`)}
        </select>
      </div>
      ${[
        ["stake", 10],
        ["fine", 1],
      ].map(
        ([name, usual]) => html`<div class="field" key=${name}>
          <label for=${name}>${t(name)}</label>
          <input id=${name} name=${name} type="number" min="0" max="1000000" required value=${usual} />
        </div>`,
      )}
      <div class="field">
        <label for="unit">${t("unit")}</label>
        <input id="unit" name="unit" required maxlength="20" value="points" list="units" />
        <datalist id="units">
          ${["points", "chips", "cents", "euros", "roubles"].map((unit) => html`<option value=${unit} />`)}
        </datalist>
      </div>
      <details>
        <summary>${t("rules")}</summary>
        ${Object.entries(setUp.options).map(
          ([name, option]) => html`<${Option} key=${name} name=${name} option=${option} />`,
        )}
      </details>
      <button class="primary">${t("begin")}</button>
    </form>
  `;
}

const VIEWS = { aim: Aim, homes: Homes, die: Throws, terms: Terms };

export default function SetUp({ state }) {
  const setUp = state.set_up;
  if (!setUp) return html`<p class="idle" role="status">${t("connecting")}</p>`;
  const { stage } = setUp;
  const change = store.visitor?.change;
  const View = VIEWS[stage];
  const may = (stage === "aim" && setUp.corners) || (stage === "homes" && setUp.seats.length) || stage === "die";
  return html`
    <div class="set-up">
      <${Steps} stage=${stage} />
      <div class="column">
        <${Aimed} setUp=${setUp} change=${change} />
      </div>
      <section class="column" aria-labelledby="step-heading">
        <h2 id="step-heading">${t(`step-${stage}`)}</h2>
        <p role="status" aria-live="polite">${setUp.working ? t("working") : t(`say-${stage}`)}</p>
        <${Faults} faults=${setUp.faults} />
        ${View && change && html`<${View} setUp=${setUp} />`}
        ${change &&
        !setUp.working &&
        html`<div class="buttons">
          ${may && html`<button type="button" class="primary" onClick=${() => ask({ do: "next" })}>
            ${stage === "die" && setUp.throws.length < 3 ? t("skip") : t("next")}
          </button>`}
          ${stage !== "aim" && html`<button type="button" onClick=${() => ask({ do: "back" })}>${t("back")}</button>`}
        </div>`}
      </section>
    </div>
  `;
}
