// The set-up of a table, step by step: aim, empty board, checkers at home, die, terms.

import { html, useState } from "./preact.js";
import { Aimed } from "./aimed.js";
import { Checker, Die, Disc } from "./board.js";
import { post } from "./connection.js";
import { change, prefer, store, toast } from "./store.js";
import { CALLED, inWords, LANGUAGES, loadWords, percent, t } from "./words.js";

const STEPS = ["aim", "empty", "homes", "die", "terms"];
const CORNERS = ["a1", "h1", "h8", "a8"];
const UNITS = ["points", "chips", "cents", "euros", "dollars", "pence", "pounds", "kopecks", "roubles"];
const COLOURS = ["red", "orange", "yellow", "green", "blue", "purple", "white", "black", "brown"];

// Two taps at once on what leads to another step are one.
let stepping = false;

async function step(form) {
  if (stepping) return false;
  stepping = true;
  const done = await ask(form);
  stepping = false;
  return done;
}

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
          return html`<li key=${fault.text}>${known === name ? inWords(fault.text) : known}</li>`;
        })}
      </ul>`}
    </div>
  `;
}

// Which colour was found at whose corner; a tap goes to where it is corrected.
function Found({ seat, colour, corner: [x, y], wide }) {
  const correct = () => document.getElementById(`colour-${seat}`)?.focus();
  return html`<g
    class="found"
    aria-hidden="true"
    transform="translate(${x} ${y}) scale(${wide / 18})"
    onClick=${correct}
  >
    <${Disc} colour=${colour} x="0" y="0" />
  </g>`;
}

// The camera's picture, and what can be moved on it in this step.
function Picture({ setUp, change }) {
  const { stage, size, grid, zone } = setUp;
  const [wide, high] = size ?? [16, 9];
  const [drawing, setDrawing] = useState(false);
  const set = (what) => (points) => ask({ do: what, corners: points });
  const aiming = change && stage === "aim";
  const zoning = change && stage === "die";
  const draw = zoning && (drawing || Boolean(zone));
  const points = aiming ? setUp.corners : draw ? zone : null;
  const inside = (left, bottom, right, top) =>
    [[left, bottom], [right, bottom], [right, top], [left, top]].map(([x, y]) => [wide * x, high * y]);
  // Beside the board, where there is more room.
  const beside = () => {
    const across = (setUp.corners ?? [[wide / 2]]).map(([x]) => x / wide);
    const [left, right] = [Math.min(...across), 1 - Math.max(...across)];
    // The board's rim is up to two thirds of a square wide.
    const rim = (1 - left - right) / 12;
    const broad = Math.max(0.1, Math.max(left, right) - rim - 0.03);
    return left > right ? inside(0.02, 0.9, 0.02 + broad, 0.1) : inside(0.98 - broad, 0.9, 0.98, 0.1);
  };
  const clear = () => {
    setDrawing(false);
    set("zone")(null);
  };
  return html`
    <${Aimed}
      key=${stage}
      size=${size}
      grid=${grid}
      zone=${zone}
      points=${points}
      draw=${draw}
      name=${t(zoning ? "zone" : "corners")}
      label=${(number) => (zoning ? t("zone-corner", { number: number + 1 }) : t("corner", { name: CORNERS[number] }))}
      settle=${set(zoning ? "zone" : "corners")}
    >
      ${stage === "homes" && setUp.seats.map((one) => html`<${Found} key=${one.seat} ...${one} wide=${wide} />`)}
    <//>
    ${aiming &&
    html`<div class="buttons">
      ${!setUp.corners &&
      html`<button type="button" onClick=${() => set("corners")(inside(0.25, 0.8, 0.75, 0.2))}>${t("set-corners")}</button>`}
      <button type="button" onClick=${() => set("corners")(null)}>${t("find-again")}</button>
    </div>`}
    ${zoning &&
    html`${draw && html`<p>${t("zone-how")}</p>`}
      <div class="buttons">
        ${draw
          ? html`<button type="button" onClick=${clear}>${t("zone-clear")}</button>`
          : html`<button type="button" onClick=${() => (setDrawing(true), set("zone")(beside()))}>
              ${t("zone-draw")}
            </button>`}
      </div>`}
  `;
}

// The language of the table, and whether its voice and lamps can be had.
function Heard({ setUp, tried }) {
  const speak = async (chosen) => {
    prefer({ language: chosen });
    await loadWords();
    change({});
    ask({ do: "language", language: chosen });
  };
  const attempt = async (what) => (await ask({ do: "try", what })) && toast(t("trial-tried"));
  return html`
    <div class="field">
      <label for="table-language">${t("language")}</label>
      <select
        id="table-language"
        value=${setUp.language}
        aria-describedby="table-language-how"
        onChange=${(event) => speak(event.target.value)}
      >
        ${LANGUAGES.map((one) => html`<option value=${one} selected=${one === setUp.language}>${CALLED[one]}</option>`)}
      </select>
      <small id="table-language-how">${t("language-how")}</small>
    </div>
    ${tried &&
    html`<div class="buttons">
      <button type="button" onClick=${() => attempt("voice")}>${t("trial-voice")}</button>
      <button type="button" onClick=${() => attempt("lamps")}>${t("trial-lamps")}</button>
    </div>`}
  `;
}

function Aim({ setUp }) {
  return html`
    <div class="field">
      <label for="fitness">${t("fitness")}: ${percent(setUp.fitness)}</label>
      <meter id="fitness" min="0" max="1" low="0.5" high="0.9" optimum="1" value=${setUp.fitness} />
    </div>
    <${Heard} setUp=${setUp} />
    ${setUp.same &&
    html`<p>${t("same-how")}</p>
      <button type="button" class="primary" onClick=${() => step({ do: "same_table", at: "aim" })}>${t("same-table")}</button>`}
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
    ${setUp.doubts.map((doubt) => html`<p key=${doubt}>${inWords(doubt)}</p>`)}
  `;
}

function Option({ name, option, chosen }) {
  const id = `rule-${name}`;
  return html`
    <div class="field">
      <label for=${id}>${t(id)}</label>
      <small id="${id}-how">${t(`rule-${name}-how`)}</small>
      <select id=${id} name=${id} aria-describedby="${id}-how">
        ${option.values.map((value) => {
          const key = `${id}-${value}`;
          const text = t(key) === key ? t(`value-${value}`) : t(key);
          return html`<option value=${JSON.stringify(value)} selected=${value === chosen}>
            ${text === `value-${value}` ? String(value) : text}
          </option>`;
        })}
      </select>
    </div>
  `;
}

// A unit that is known is shown in the language of the page, and sent by its name.
function unitCalled(unit) {
  return UNITS.includes(unit) ? t(`unit-${unit}`) : unit;
}

function unitNamed(typed) {
  return UNITS.find((unit) => unitCalled(unit) === typed.trim().toLowerCase()) ?? typed;
}

// What was typed outlasts going back and a reload, until the game begins.
const DRAFT = "pachisi-terms";

function draft() {
  try {
    return JSON.parse(sessionStorage.getItem(DRAFT));
  } catch {
    return null;
  }
}

function keepDraft(terms) {
  try {
    sessionStorage.setItem(DRAFT, JSON.stringify(terms));
  } catch {
    // A browser that keeps nothing.
  }
}

function Terms({ setUp }) {
  const [before] = useState(() => draft() ?? setUp.terms ?? { names: {}, rules: {} });
  const [unit, setUnit] = useState(before.unit ?? "points");
  const typed = (form) => {
    const given = new FormData(form);
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
    return {
      names,
      rules,
      stake: Number(given.get("stake")),
      fine: Number(given.get("fine")),
      unit: unitNamed(given.get("unit")),
      first: given.get("first") || null,
    };
  };
  const begin = async (event) => {
    event.preventDefault();
    if (await step({ do: "begin", ...typed(event.target) })) keepDraft(null);
  };
  return html`
    <form onSubmit=${begin} onInput=${(event) => keepDraft(typed(event.currentTarget))}>
      ${setUp.seats.map(
        ({ seat, colour }) => html`<div class="field" key=${seat}>
          <label for="name-${seat}"><span class="player"><${Checker} colour=${colour} /> ${t("name-of", { who: t(`colour-${colour}`) })}</span></label>
          <input id="name-${seat}" name="name-${seat}" maxlength="40" autocomplete="off" defaultValue=${before.names[seat] ?? ""} />
        </div>`,
      )}
      <div class="field">
        <label for="first">${t("who-begins")}</label>
        <select id="first" name="first">
          <option value="">${t("by-throw")}</option>
          ${setUp.seats.map(({ seat, colour }) => html`<option value=${seat} selected=${seat === before.first}>${t(`colour-${colour}`)}</option>`)}
        </select>
      </div>
      ${[
        ["stake", 10],
        ["fine", 1],
      ].map(
        ([name, usual]) => html`<div class="field" key=${name}>
          <label for=${name}>${t(name)}</label>
          <input id=${name} name=${name} type="number" min="0" max="1000000" required defaultValue=${before[name] ?? usual} />
        </div>`,
      )}
      <div class="field">
        <label for="unit">${t("unit")}</label>
        <input
          id="unit"
          name="unit"
          required
          pattern='[^"]*[^"\\s][^"]*'
          maxlength="20"
          value=${unitCalled(unit)}
          list="units"
          onChange=${(event) => setUnit(unitNamed(event.target.value))}
        />
        <datalist id="units">
          ${UNITS.map((one) => html`<option key=${one} value=${unitCalled(one)} />`)}
        </datalist>
      </div>
      <details>
        <summary>${t("rules")}</summary>
        ${Object.entries(setUp.options).map(
          ([name, option]) => html`<${Option} key=${name} name=${name} option=${option} chosen=${before.rules[name] ?? option.default} />`,
        )}
      </details>
      <${Heard} setUp=${setUp} tried=${true} />
      <button class="primary">${t("begin")}</button>
    </form>
  `;
}

const VIEWS = { aim: Aim, homes: Homes, die: Throws, terms: Terms };

export default function SetUp({ state }) {
  const setUp = state.set_up;
  if (!setUp) return html`<p class="idle" role="status">${t("connecting")}</p>`;
  const { stage } = setUp;
  const may = store.visitor?.change;
  const View = VIEWS[stage];
  const printed = stage === "empty" && setUp.faults.some((fault) => fault.name === "not-empty");
  const ready =
    (stage === "aim" && setUp.corners) || (stage === "homes" && setUp.seats.length) || stage === "die" || printed;
  return html`
    <div class="set-up">
      <${Steps} stage=${stage} />
      <div class="column">
        <${Picture} setUp=${setUp} change=${may} />
      </div>
      <section class="column" aria-labelledby="step-heading">
        <h2 id="step-heading">${t(`step-${stage}`)}</h2>
        <p role="status" aria-live="polite">${setUp.working ? t("working") : t(`say-${stage}`)}</p>
        <${Faults} faults=${setUp.faults} />
        ${View && may && html`<${View} setUp=${setUp} />`}
        ${may &&
        !setUp.working &&
        html`<div class="buttons">
          ${ready && html`<button type="button" class="primary" onClick=${() => step({ do: "next", at: stage })}>
            ${printed ? t("printed") : stage === "die" && setUp.throws.length < 3 ? t("skip") : t("next")}
          </button>`}
          ${stage !== "aim" && html`<button type="button" onClick=${() => step({ do: "back", at: stage })}>${t("back")}</button>`}
        </div>`}
      </section>
    </div>
  `;
}
