// The game as it goes: whose turn, what was thrown, what was ruled, and what people can say to it.

import { html, useState } from "./preact.js";
import { Board, Die } from "./board.js";
import { Live } from "./picture.js";
import { Mend } from "./mend.js";
import { Button, Player, Told } from "./parts.js";
import { store } from "./store.js";
import { language, said, signed, t } from "./words.js";

function marksOf(match) {
  const marks = {};
  for (const square of match.differs) marks[square] = "differing";
  for (const square of match.unclear) marks[square] = "unclear";
  if (match.wrong) {
    for (const square of match.wrong.squares) marks[square] = "differing";
    if (match.wrong.to) marks[match.wrong.to] = "wrong";
  }
  return marks;
}

export function Turn({ match }) {
  const player = match.players.find((one) => one.seat === (match.winner ?? match.to_move));
  const attention = match.wrong || match.question || match.differs.length ? "attention" : "";
  return html`
    <section class="turn ${attention}" aria-labelledby="turn-heading">
      <h2 id="turn-heading" class="sr">${t("turn-heading")}</h2>
      <div class="who"><${Player} player=${player} /></div>
      ${match.die && html`<${Die} value=${match.die} />`}
      <p class="prompt" role="status" aria-live="polite">${said(match.prompt)}</p>
      ${match.throws_due > 1 && html`<p class="due">${t("throws-due", { count: match.throws_due })}</p>`}
    </section>
  `;
}

// What the referee cannot settle alone, with the answers that people may give.
export function Asked({ match, table, change }) {
  if (!change) return null;
  if (table?.board === "unnamed") {
    return html`
      <section class="asked" aria-label=${t("question")}>
        <h2>${t("question")}</h2>
        <p>${t("which-corner")}</p>
        <div class="buttons">
          <${Button} class="primary" undo=${false} form=${{ do: "name_corner", turned: false }}>${t("corner-same")}<//>
          <${Button} class="primary" undo=${false} form=${{ do: "name_corner", turned: true }}>${t("corner-other")}<//>
        </div>
      </section>
    `;
  }
  if (match.question) {
    return html`
      <section class="asked" aria-label=${t("question")}>
        <h2>${t("question")}</h2>
        <div class="buttons">
          ${match.question.choices.map(
            (one) => html`<${Button} key=${one.choice} class="primary" form=${{ do: "choose", choice: one.choice }}>
              ${one[language()]}
            <//>`,
          )}
        </div>
      </section>
    `;
  }
  if (match.wrong || match.differs.length) {
    return html`
      <section class="asked wrong" aria-label=${t("mend-now")}>
        <h2>${t("mend-now")}</h2>
        <p>${t("mend-how")}</p>
        <div class="buttons">
          <${Button} form=${{ do: "board_is_right" }}>${t("board-is-right")}<//>
          <${Button} form=${{ do: "log_is_right" }}>${t("log-is-right")}<//>
          <${Button} form=${{ do: "take_back", throws: 1 }} disabled=${!match.acts_count}>${t("take-back")}<//>
        </div>
      </section>
    `;
  }
  return null;
}

function ThrowPad({ match }) {
  const opens = match.phase !== "over";
  return html`
    <section aria-labelledby="throw-heading">
      <h2 id="throw-heading">${match.phase === "move" ? t("throw-was") : t("say-throw")}</h2>
      <div class="pad">
        ${[1, 2, 3, 4, 5, 6].map(
          (value) => html`<${Button}
            key=${value}
            form=${{ do: "say_throw", value }}
            disabled=${!opens || match.paused}
            aria-label=${t("thrown-value", { value })}
          >
            <${Die} value=${value} hidden=${true} />
          <//>`,
        )}
      </div>
      ${match.may_pass && html`<${Button} form=${{ do: "leave_throw" }}>${t("leave-throw")}<//>`}
    </section>
  `;
}

export function Players({ match, children }) {
  return html`
    <section aria-labelledby="players-heading">
      <h2 id="players-heading">${t("players")}</h2>
      <div class="scroll" tabindex="0" role="group" aria-label=${t("players")}>
        <table class="players">
          <thead>
            <tr>
              <th scope="col">${t("player")}</th>
              <th scope="col">${t("waiting")}</th>
              <th scope="col">${t("home")}</th>
              <th scope="col">${t("knocked-out")}</th>
              <th scope="col">${t("balance")}</th>
            </tr>
          </thead>
          <tbody>
            ${match.players.map(
              (player) => html`<tr
                key=${player.seat}
                class="${player.left ? "left" : ""} ${player.seat === match.to_move ? "active" : ""}"
              >
                <th scope="row"><${Player} player=${player} /></th>
                <td>${player.reserve}</td>
                <td>${player.at_home}</td>
                <td>${player.knocked_out}</td>
                <td>${signed(player.balance)}</td>
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
      <div class="bank">
        <span>${t("bank")}: <strong>${match.bank[language()]}</strong></span>
        ${children}
      </div>
    </section>
  `;
}

function Record({ match }) {
  return html`
    <details class="record">
      <summary>${t("record")}</summary>
      <ol>
        ${match.record.map(
          (turn) => html`<li key=${turn.number} value=${turn.number}>
            <b>${turn.seat}</b> ${turn.text}
          </li>`,
        )}
      </ol>
    </details>
  `;
}

export function Game({ state }) {
  const { match, told = [] } = state;
  const [moves, setMoves] = useState(false);
  const change = store.visitor?.change && store.connection === "connected";
  const latest = told.at(-1);
  return html`
    <div class="game">
      <div class="column">
        <${Turn} match=${match} />
        <${Asked} match=${match} table=${state.table} change=${change} />
        <${Board}
          board=${match.board}
          players=${match.players}
          marks=${marksOf(match)}
          moves=${moves ? match.legal : []}
        />
        <div class="buttons">
          <button
            type="button"
            aria-pressed=${moves}
            disabled=${!match.legal.length}
            onClick=${() => setMoves(!moves)}
          >
            ${t("show-moves")}
          </button>
          ${change && html`<${Button} form=${{ do: "say_again" }} undo=${false}>${t("say-again")}<//>`}
          ${change &&
          (match.paused
            ? html`<${Button} form=${{ do: "resume" }} undo=${{ do: "pause" }}>${t("resume")}<//>`
            : html`<${Button} form=${{ do: "pause" }} undo=${{ do: "resume" }} disabled=${match.phase === "over"}>
                ${t("pause")}
              <//>`)}
        </div>
        ${moves &&
        html`<ul class="legal" aria-label=${t("legal-moves")}>
          ${match.legal.map((one) => html`<li key=${one.move}>${one.move}</li>`)}
          ${match.may_pass && html`<li>${t("leave-throw")}</li>`}
        </ul>`}
      </div>
      <div class="column">
        ${store.preferences.picture && html`<${Live} seen=${state.seen} board=${match.board} />`}
        ${change && match.phase !== "over" && html`<${ThrowPad} match=${match} />`}
      </div>
      <div class="column">
        <${Players} match=${match} />
        <section aria-labelledby="told-heading">
          <h2 id="told-heading">${t("rulings")}</h2>
          <ol class="told" reversed tabindex="0" aria-labelledby="told-heading">
            ${[...told].reverse().map(
              (one) => html`<${Told} key=${one.number} one=${one} game=${state.game} latest=${one === latest} />`,
            )}
          </ol>
        </section>
        <${Record} match=${match} />
        ${change && html`<${Mend} match=${match} />`}
      </div>
      <p class="sr" aria-live="assertive">${latest ? said(latest) : ""}</p>
    </div>
  `;
}

// What can be read from across the table.
export function Scoreboard({ state }) {
  const { match, told = [] } = state;
  const { prompt } = match;
  const latest = said(told.at(-1)).replace(said(prompt), ""); // that stands above already
  return html`
    <div class="scoreboard">
      <${Turn} match=${match} />
      <${Board} board=${match.board} players=${match.players} marks=${marksOf(match)} />
      <div class="side">
        <p class="last">${latest}</p>
        <${Players} match=${match}>
          <a class="leave" href="#/">${t("leave-scoreboard")}</a>
        <//>
      </div>
    </div>
  `;
}
