// Small things that several views are made of.

import { html, useEffect, useRef } from "./preact.js";
import { Checker } from "./board.js";
import { command } from "./connection.js";
import { change, dropToast, prefer, store } from "./store.js";
import { voices } from "./speech.js";
import { CALLED, LANGUAGES, language, loadWords, said, t } from "./words.js";

export function Button({ form, undo, children, sure, ...rest }) {
  const act = () => (!sure || confirm(sure)) && command(form, undo);
  return html`<button type="button" onClick=${act} ...${rest}>${children}</button>`;
}

export function Player({ player }) {
  return html`<span class="player">
    <${Checker} colour=${player.colour} /> <span>${player.called[language()]}</span>
  </span>`;
}

export function Toasts() {
  return html`
    <div class="toasts" role="status" aria-live="polite">
      ${store.toasts.map(
        (one) => html`
          <div key=${one.number} class="toast ${one.wrong ? "wrong" : ""}">
            <span>${one.text}</span>
            ${one.undo &&
            html`<button type="button" onClick=${() => (dropToast(one.number), one.undo())}>
              ${t("undo")}
            </button>`}
            <button type="button" class="close" aria-label=${t("close")} onClick=${() => dropToast(one.number)}>
              ×
            </button>
          </div>
        `,
      )}
    </div>
  `;
}

export function Dialog({ title, open, onClose, children }) {
  const dialog = useRef(null);
  useEffect(() => {
    if (open && !dialog.current.open) dialog.current.showModal();
    if (!open && dialog.current.open) dialog.current.close();
  }, [open]);
  return html`
    <dialog ref=${dialog} onClose=${onClose} aria-label=${title}>
      ${open &&
      html`<header>
          <h2>${title}</h2>
          <button type="button" class="close" aria-label=${t("close")} onClick=${onClose}>×</button>
        </header>
        ${children}`}
    </dialog>
  `;
}

export function Chip({ kind, children }) {
  return html`<span class="chip ${kind}">${children}</span>`;
}

export function States({ table }) {
  const { connection } = store;
  return html`
    <span class="states" role="status">
      ${connection === "lost" && html`<${Chip} kind="bad">${t("connection-lost")}<//>`}
      ${connection === "connecting" && html`<${Chip} kind="wait">${t("connecting")}<//>`}
      ${connection === "connected" &&
      html`<${Chip} kind=${table?.camera === "lost" ? "bad" : "good"}>
        ${table?.camera === "lost" ? t("camera-lost") : t("camera-sees")}
      <//>`}
      ${["lost", "unnamed"].includes(table?.board) && html`<${Chip} kind="bad">${t("board-lost")}<//>`}
      ${table?.board === "dark" && html`<${Chip} kind="bad">${t("too-dark")}<//>`}
      ${table?.board === "bright" && html`<${Chip} kind="bad">${t("too-bright")}<//>`}
      ${table?.obscured && html`<${Chip} kind="wait">${t("covered")}<//>`}
    </span>
  `;
}

function Check({ name, label, ...rest }) {
  const id = `prefer-${name}`;
  return html`<div class="row">
    <input
      id=${id}
      type="checkbox"
      checked=${store.preferences[name]}
      onChange=${(event) => prefer({ [name]: event.target.checked })}
      ...${rest}
    />
    <label for=${id}>${label}</label>
  </div>`;
}

function Choice({ id, label, value, options, onChange }) {
  return html`<div class="field">
    <label for=${id}>${label}</label>
    <select id=${id} value=${value} onChange=${(event) => onChange(event.target.value)}>
      ${options.map(([option, text]) => html`<option value=${option} selected=${option === value}>${text}</option>`)}
    </select>
  </div>`;
}

export function Preferences({ open, onClose }) {
  const { theme, voice, turn } = store.preferences;
  const speak = async (chosen) => {
    prefer({ language: chosen });
    await loadWords();
    change({});
  };
  return html`
    <${Dialog} title=${t("preferences")} open=${open} onClose=${onClose}>
      <${Choice}
        id="language"
        label=${t("language")}
        value=${language()}
        options=${LANGUAGES.map((one) => [one, CALLED[one]])}
        onChange=${speak}
      />
      <${Choice}
        id="theme"
        label=${t("theme")}
        value=${theme}
        options=${["auto", "light", "dark"].map((one) => [one, t(`theme-${one}`)])}
        onChange=${(chosen) => prefer({ theme: chosen })}
      />
      <${Choice}
        id="turn"
        label=${t("turn")}
        value=${String(turn)}
        options=${[0, 1, 2, 3].map((one) => [String(one), t(`turn-${one}`)])}
        onChange=${(chosen) => prefer({ turn: Number(chosen) })}
      />
      <${Check} name="speak" label=${t("speak")} />
      ${store.preferences.speak &&
      voices().length > 1 &&
      html`<${Choice}
        id="voice"
        label=${t("voice")}
        value=${voice}
        options=${[["", t("voice-usual")], ...voices().map((one) => [one.name, one.name])]}
        onChange=${(chosen) => prefer({ voice: chosen })}
      />`}
      <${Check} name="vibrate" label=${t("vibrate")} />
      <${Check} name="picture" label=${t("show-picture")} />
      <${Check} name="letters" label=${t("letters")} />
    <//>
  `;
}

export function Told({ one, game, latest }) {
  return html`
    <li class=${one.weight >= 2 ? "ruling" : ""} aria-current=${latest ? "true" : undefined}>
      <span class="number">${one.sequence}</span>
      <span>${said(one)}</span>
      ${one.picture &&
      html`<a href="/api/games/${game}/pictures/${one.picture}" target="_blank" rel="noopener">
        <img
          loading="lazy"
          alt=${t("picture-of", { number: one.sequence })}
          src="/api/games/${game}/pictures/${one.picture}"
        />
      </a>`}
    </li>
  `;
}
