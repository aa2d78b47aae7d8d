// What people do when something went wrong: take back, correct, set a position, end the game.

import { html, useState } from "./preact.js";
import { Board, Checker } from "./board.js";
import { command } from "./connection.js";
import { Button, Dialog, Player } from "./parts.js";
import { store } from "./store.js";
import { language, t } from "./words.js";

const SEATS = ["D4", "D3", "D2", "D1"];

export function Mend({ match }) {
  const [open, setOpen] = useState(null);
  const over = match.phase === "over";
  const close = () => setOpen(null);
  const kinds = [
    ["take-back", !match.acts_count, TakeBack],
    ["correct", !match.acts.some(Boolean), Correct],
    ["out-of-turn", over || !match.acts[0], OutOfTurn],
    ["set-position", over, SetPosition],
    ["other-corner", over, OtherCorner],
    ["names", false, Names],
    ["end", over, End],
  ];
  const [, , View] = kinds.find(([kind]) => kind === open) ?? [];
  return html`
    <section aria-labelledby="mend-heading">
      <h2 id="mend-heading">${t("mend")}</h2>
      <div class="buttons">
        ${kinds.map(
          ([kind, off]) => html`<button key=${kind} type="button" disabled=${off} onClick=${() => setOpen(kind)}>
            ${t(kind)}
          </button>`,
        )}
      </div>
      <${Dialog} title=${open ? t(open) : ""} open=${open !== null} onClose=${close}>
        ${View && html`<${View} match=${match} close=${close} />`}
      <//>
    </section>
  `;
}

// A command that closes the dialog when it was obeyed.
function Act({ form, undo, close, children, ...rest }) {
  const act = async () => (await command(form, undo)) && close();
  return html`<button type="button" onClick=${act} ...${rest}>${children}</button>`;
}

function called(act) {
  return act === null ? t("act-setting") : t("act-throw", { value: act });
}

function TakeBack({ match, close }) {
  return html`
    <p>${t("take-back-how")}</p>
    <div class="buttons stacked">
      ${match.acts.map(
        (act, number) => html`<${Act} key=${number} close=${close} form=${{ do: "take_back", throws: number + 1 }}>
          ${number === 0 ? t("the-last", { what: called(act) }) : t("back-to", { what: called(act), count: number + 1 })}
        <//>`,
      )}
    </div>
  `;
}

function Correct({ match, close }) {
  const throws = match.acts.map((value, number) => [value, number + 1]).filter(([value]) => value);
  const [back, setBack] = useState(throws[0]?.[1] ?? 1);
  return html`
    <fieldset>
      <legend>${t("which-throw")}</legend>
      ${throws.map(
        ([value, number]) => html`<label key=${number} class="row">
          <input type="radio" name="back" checked=${back === number} onChange=${() => setBack(number)} />
          ${number === 1 ? t("the-last", { what: called(value) }) : t("ago", { what: called(value), count: number })}
        </label>`,
      )}
    </fieldset>
    <p>${t("showed-really")}</p>
    <div class="buttons">
      ${[1, 2, 3, 4, 5, 6].map(
        (value) => html`<${Act} key=${value} close=${close} form=${{ do: "correct_throw", value, back }}>${value}<//>`,
      )}
    </div>
  `;
}

function OutOfTurn({ match, close }) {
  return html`
    <p>${t("who-threw")}</p>
    <div class="buttons">
      ${match.players
        .filter((player) => !player.left)
        .map(
          (player) => html`<${Act} key=${player.seat} close=${close} form=${{ do: "out_of_turn", seat: player.seat }}>
            <${Player} player=${player} />
          <//>`,
        )}
    </div>
  `;
}

// Said unasked; who was wrong says it once more.
function OtherCorner({ close }) {
  const form = { do: "name_corner", turned: true, unasked: true };
  return html`
    <p>${t("corner-turn-how")}</p>
    <${Act} class="primary" close=${close} form=${form} undo=${form}>${t("corner-turn")}<//>
  `;
}

function Names({ match, close }) {
  return match.players.map(
    (player) => html`
      <form
        key=${player.seat}
        class="name"
        onSubmit=${async (event) => {
          event.preventDefault();
          const name = new FormData(event.target).get("name");
          const undo = { do: "rename", seat: player.seat, name: player.name };
          (await command({ do: "rename", seat: player.seat, name }, undo)) && close();
        }}
      >
        <label for="name-${player.seat}"><${Player} player=${player} /></label>
        <input id="name-${player.seat}" name="name" maxlength="40" required defaultValue=${player.name} autocomplete="off" />
        <button>${t("save")}</button>
      </form>
    `,
  );
}

function End({ match, close }) {
  return html`
    <h3>${t("resign")}</h3>
    <p>${t("resign-how")}</p>
    <div class="buttons">
      ${match.players
        .filter((player) => !player.left)
        .map(
          (player) => html`<${Act} key=${player.seat} close=${close} form=${{ do: "leave", seat: player.seat }}>
            ${t("resigns", { who: player.called[language()] })}
          <//>`,
        )}
    </div>
    <h3>${t("abandon")}</h3>
    <p>${t("abandon-how")}</p>
    <${Act} class="danger" close=${close} form=${{ do: "abandon" }}>${t("abandon")}<//>
  `;
}

// The checkers of each player as the position's text has them: four places each, "R" the reserve.
function parsed(text) {
  const [places, mover] = text.split(" ");
  const own = {};
  places.split("/").forEach((part, number) => {
    if (part === "~") return;
    own[SEATS[number]] = part.split(",").flatMap((one) => {
      const [at, count] = one.split("*");
      return Array(Number(count ?? 1)).fill(at);
    });
  });
  return { own, mover };
}

function written(own, mover) {
  const part = (seat) => {
    if (!own[seat]) return "~";
    const counted = new Map();
    for (const at of own[seat]) counted.set(at, (counted.get(at) ?? 0) + 1);
    return [...counted].map(([at, count]) => (count > 1 ? `${at}*${count}` : at)).join(",");
  };
  return `${SEATS.map(part).join("/")} ${mover} 1`;
}

function SetPosition({ match, close }) {
  const [start] = useState(() => parsed(match.position));
  const [own, setOwn] = useState(start.own);
  const [mover, setMover] = useState(start.mover);
  const [picked, setPicked] = useState(null);
  const playing = match.players.filter((player) => own[player.seat]);
  const colour = Object.fromEntries(playing.map((player) => [player.seat, player.colour]));
  const board = {};
  for (const [seat, places] of Object.entries(own)) {
    for (const at of places) if (at !== "R") (board[at] ??= []).push(colour[seat]);
  }

  // Carries a checker: from a square, or of the player picked from beside the board.
  function carry(from, to) {
    const seat = from ? Object.keys(own).find((one) => own[one].includes(from)) : picked;
    if (!seat) return;
    const places = [...own[seat]];
    const number = places.indexOf(from ?? "R");
    if (number < 0) return;
    places[number] = to ?? "R";
    setOwn({ ...own, [seat]: places });
    if (!places.includes("R")) setPicked(null);
  }

  return html`
    <p>${t("set-position-how")}</p>
    <${Board} board=${board} players=${match.players} edit=${carry} name=${t("board-to-set")} />
    <div class="buttons" role="group" aria-label=${t("beside")}>
      ${playing.map((player) => {
        const waits = own[player.seat].filter((at) => at === "R").length;
        return html`<button
          key=${player.seat}
          type="button"
          aria-pressed=${picked === player.seat}
          disabled=${!waits}
          onClick=${() => setPicked(picked === player.seat ? null : player.seat)}
        >
          <${Checker} colour=${player.colour} /> ${t("waits", { count: waits })}
        </button>`;
      })}
    </div>
    <div class="field">
      <label for="mover">${t("who-throws")}</label>
      <select id="mover" value=${mover} onChange=${(event) => setMover(event.target.value)}>
        ${playing.map(
          (player) => html`<option value=${player.seat} selected=${player.seat === mover}>
            ${player.called[language()]}
          </option>`,
        )}
      </select>
    </div>
    <div class="buttons">
      <${Act} class="primary" close=${close} form=${{ do: "set_position", position: written(own, mover) }}>
        ${t("go-on-from-here")}
      <//>
      <button type="button" onClick=${() => setOwn(start.own)}>${t("as-it-was")}</button>
    </div>
    ${store.connection !== "connected" && html`<p>${t("connection-lost")}</p>`}
  `;
}
