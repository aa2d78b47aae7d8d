// The logged games: listed, watched again, counted, and had as files.

import { html, useEffect, useState } from "./preact.js";
import { Board, Checker, Die } from "./board.js";
import { get } from "./connection.js";
import { store } from "./store.js";
import { day, language, said, signed, t, time } from "./words.js";

const PACE_MS = 1600;
const NAMELESS = /^(Player \d|D[1-4])$/; // what stands in a log where nobody gave a name

function useFound(address) {
  const [found, setFound] = useState(null);
  const [wrong, setWrong] = useState("");
  const again = wrong !== "" && store.connection === "connected";
  useEffect(() => {
    let here = true;
    setFound(null);
    get(address).then(
      (answer) => here && (setFound(answer), setWrong("")),
      () => here && setWrong(t(store.connection === "connected" ? "not-there" : "lost")),
    );
    return () => (here = false);
  }, [address, again]);
  return [found, wrong];
}

function Waiting({ wrong }) {
  return html`<p class="idle" role="status">${wrong || t("loading")}</p>`;
}

function byColour(colour) {
  const word = t(`colour-${colour}`);
  return word[0].toUpperCase() + word.slice(1);
}

function seatsOf(game) {
  return Object.entries(game.seats ?? {}).map(([seat, colour]) => ({
    seat,
    colour,
    name: NAMELESS.test(game.names?.[seat] ?? seat) ? byColour(colour) : game.names[seat],
  }));
}

function List() {
  const [games, wrong] = useFound("/api/games");
  if (!games) return html`<${Waiting} wrong=${wrong} />`;
  if (!games.length) return html`<p class="idle">${t("no-games")}</p>`;
  return html`
    <ul class="games">
      ${games.map(
        (game) => html`<li key=${game.id} class="card">
          <a href="#/games/${game.id}">${game.started_at ? day(game.started_at) : game.id}</a>
          <span class="buttons">
            ${seatsOf(game).map(
              (player) => html`<span class="player">
                <${Checker} colour=${player.colour} /> ${player.name}
                ${game.winner === player.seat && html`<strong>${t("won")}</strong>`}
              </span>`,
            )}
          </span>
          <span class="soft">${t(`state-${game.state}`)}</span>
        </li>`,
      )}
    </ul>
  `;
}

// Homes and start squares by seat; a game's rules may turn the seats round the board.
const CORNERS = ["a1", "h1", "h8", "a8"];
const HOMES = {
  a1: ["a1", "b2", "c3", "d4"],
  h1: ["h1", "g2", "f3", "e4"],
  h8: ["h8", "g7", "f6", "e5"],
  a8: ["a8", "b7", "c6", "d5"],
};
const STARTS = { a1: "b1", h1: "h2", h8: "g8", a8: "a7" };

function playersOf(game) {
  return seatsOf(game).map((player) => {
    const number = ["D4", "D3", "D2", "D1"].indexOf(player.seat) + (game.rules?.rotation ?? 0);
    const corner = CORNERS[number % 4];
    return { ...player, home: HOMES[corner], start: STARTS[corner] };
  });
}

// A board that stands as it should is told to nobody who did not hear otherwise.
function saidOf(step) {
  return said(step.said) || t("board-agrees");
}

function Jumps({ steps, number, go }) {
  const ways = [
    ["knock_out", -1, "knock-out-back", "◀⚔"],
    ["knock_out", 1, "knock-out-on", "⚔▶"],
    ["refused", -1, "refused-back", "◀✗"],
    ["refused", 1, "refused-on", "✗▶"],
  ];
  const find = (flag, way) => {
    for (let at = number + way; steps[at]; at += way) if (steps[at][flag]) return at;
    return null;
  };
  return html`
    <div class="buttons">
      ${ways.map(([flag, way, name, sign]) => {
        const to = find(flag, way);
        return html`<button
          type="button"
          key=${name}
          aria-label=${t(name)}
          title=${t(name)}
          disabled=${to === null}
          onClick=${() => go(to)}
        >
          ${sign}
        </button>`;
      })}
    </div>
  `;
}

function Sums({ step, players }) {
  return html`
    <dl class="sums">
      <div>
        <dt>${t("bank")}</dt>
        <dd>${step.bank[language()]}</dd>
      </div>
      ${players.map(
        (player) => html`<div key=${player.seat} class=${player.seat === step.to_move ? "turn" : ""}>
          <dt><${Checker} colour=${player.colour} /> ${player.name}</dt>
          <dd>${t("paid", { amount: step.paid[player.seat] })}</dd>
        </div>`,
      )}
    </dl>
  `;
}

function Replay({ id }) {
  const [game, wrong] = useFound(`/api/games/${encodeURIComponent(id)}`);
  const [number, setNumber] = useState(0);
  const [playing, setPlaying] = useState(false);
  const last = (game?.steps.length ?? 1) - 1;
  useEffect(() => {
    if (!playing) return undefined;
    if (number >= last) {
      setPlaying(false);
      return undefined;
    }
    const timer = setTimeout(() => setNumber(number + 1), PACE_MS);
    return () => clearTimeout(timer);
  }, [playing, number, last]);
  if (!game) return html`<${Waiting} wrong=${wrong} />`;
  const step = game.steps[number];
  const go = (to) => setNumber(Math.max(0, Math.min(last, to)));
  const players = playersOf(game);
  const base = `/api/games/${encodeURIComponent(id)}`;
  return html`
    <div class="game">
      <div class="column">
        <p><a href="#/games">${t("all-games")}</a></p>
        <section aria-label=${t("replay")}>
          <h2>${day(game.started_at)}</h2>
          <p class="prompt" role="status" aria-live="polite">${saidOf(step)}</p>
        </section>
        <${Board}
          board=${step.board}
          players=${players}
          marks=${Object.fromEntries(step.wrong.map((square) => [square, "differing"]))}
        />
      </div>
      <div class="column">
        <section aria-label=${t("going-through")}>
          <div class="buttons">
            <button type="button" aria-label=${t("first-step")} onClick=${() => go(0)}>|◀</button>
            <button type="button" aria-label=${t("step-back")} onClick=${() => go(number - 1)}>◀</button>
            <button type="button" class="primary" onClick=${() => setPlaying(!playing)}>
              ${playing ? t("pause") : t("play")}
            </button>
            <button type="button" aria-label=${t("step-on")} onClick=${() => go(number + 1)}>▶</button>
            <button type="button" aria-label=${t("last-step")} onClick=${() => go(last)}>▶|</button>
          </div>
          <${Jumps} steps=${game.steps} number=${number} go=${go} />
          <div class="field">
            <label for="step">${t("step-of", { number: number + 1, count: last + 1 })}</label>
            <input
              id="step"
              type="range"
              min="0"
              max=${last}
              value=${number}
              onInput=${(event) => go(Number(event.target.value))}
            />
          </div>
          <p class="soft">${time(step.at)}</p>
          ${step.die && html`<${Die} value=${step.die} />`}
          <${Sums} step=${step} players=${players} />
          <div class="evidence">
            ${step.pictures.map(
              (picture) => html`<img
                class="kept"
                key=${picture}
                alt=${t(picture.includes("die") ? "picture-of-die" : "picture-of", { number: step.sequence })}
                src="${base}/pictures/${picture}"
              />`,
            )}
          </div>
        </section>
      </div>
      <div class="column">
        <section aria-labelledby="files">
          <h2 id="files">${t("files")}</h2>
          <ul>
            ${["html", "record", "csv", "jsonl"].map(
              (form) => html`<li key=${form}>
                <a href="${base}/export/${form}?language=${language()}" download>${t(`file-${form}`)}</a>
              </li>`,
            )}
          </ul>
        </section>
        <section aria-labelledby="all-steps">
          <h2 id="all-steps">${t("steps")}</h2>
          <ol class="told steps">
            ${game.steps.map(
              (one, at) => html`<li key=${at} aria-current=${at === number ? "step" : undefined}>
                <span class="number">${one.sequence}</span>
                <button type="button" class="plain" onClick=${() => go(at)}>${saidOf(one)}</button>
              </li>`,
            )}
          </ol>
        </section>
      </div>
    </div>
  `;
}

function Statistics() {
  const [players, wrong] = useFound("/api/statistics");
  if (!players) return html`<${Waiting} wrong=${wrong} />`;
  const columns = ["games", "wins", "knock_outs_dealt", "knock_outs_suffered", "illegal_moves"];
  return html`
    <section aria-labelledby="statistics">
      <h2 id="statistics">${t("statistics")}</h2>
      <div class="scroll" tabindex="0" role="group" aria-label=${t("statistics")}>
        <table>
          <thead>
            <tr>
              <th scope="col">${t("player")}</th>
              ${columns.map((column) => html`<th scope="col" key=${column}>${t(`sum-${column}`)}</th>`)}
              <th scope="col">${t("balance")}</th>
              ${[1, 2, 3, 4, 5, 6].map(
                (value) => html`<th scope="col" key=${value}>${t("thrown", { value })}</th>`,
              )}
            </tr>
          </thead>
          <tbody>
            ${players.map(
              (player) => html`<tr key=${player.name}>
                <th scope="row">${player.name}</th>
                ${columns.map((column) => html`<td key=${column}>${player[column]}</td>`)}
                <td>${signed(player.balance)}</td>
                ${[1, 2, 3, 4, 5, 6].map((value) => html`<td key=${value}>${player.throws[value]}</td>`)}
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </section>
  `;
}

export default function Games({ path }) {
  if (path[0]) return html`<${Replay} key=${path[0]} id=${path[0]} />`;
  return html`
    <div class="column">
      <h2>${t("games")}</h2>
      <${List} />
      <${Statistics} />
    </div>
  `;
}
