// The page: which view is shown, and the frame around it.

import { html, render, useEffect, useState } from "./preact.js";
import { connect, visitor } from "./connection.js";
import { Game, Scoreboard } from "./game.js";
import { Pairing } from "./pairing.js";
import { Preferences, States, Toasts } from "./parts.js";
import { announce } from "./speech.js";
import { store, useStore } from "./store.js";
import { loadWords, t } from "./words.js";

// When the dark colours are worn.
const NIGHT = { auto: "(prefers-color-scheme: dark)", dark: "all", light: "not all" };

const FORESEE_MS = 4000;
const LATER = {
  games: () => import("./games.js"),
  "set-up": () => import("./set-up.js"),
};

function useRoute() {
  const [route, setRoute] = useState(location.hash.slice(2));
  useEffect(() => {
    const follow = () => setRoute(location.hash.slice(2));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return route;
}

// A view whose module is fetched when it is first wanted.
function Later({ name, ...rest }) {
  const [View, setView] = useState(null);
  useEffect(() => {
    LATER[name]().then((module) => setView(() => module.default));
  }, [name]);
  return View ? html`<${View} ...${rest} />` : html`<p class="idle" role="status">${t("loading")}</p>`;
}

function Tab({ to, route, children }) {
  const here = route === to || (to && route.startsWith(`${to}/`));
  return html`<a href="#/${to}" aria-current=${here ? "page" : undefined}>${children}</a>`;
}

function Shown({ state, route }) {
  const [view, ...rest] = route.split("/");
  if (view === "games") return html`<${Later} name="games" path=${rest} />`;
  if (state?.mode === "set-up") return html`<${Later} name="set-up" state=${state} />`;
  if (!state?.match) return html`<p class="idle" role="status">${t(state ? "no-game" : "connecting")}</p>`;
  return html`<${Game} state=${state} />`;
}

function Page() {
  const { state, visitor: known, preferences } = useStore();
  const route = useRoute();
  const [choosing, setChoosing] = useState(false);
  useEffect(() => {
    if (state) announce(state.told ?? []);
  }, [Boolean(state), state?.told]);
  useEffect(() => {
    document.getElementById("dark").media = NIGHT[preferences.theme];
  }, [preferences.theme]);
  if (known && !known.look) return html`<${Pairing} />`;
  if (route === "scoreboard" && state?.match) {
    return html`
      <main class="across">
        <h1 class="sr">Pachisi</h1>
        <${Scoreboard} state=${state} />
      </main>
    `;
  }
  return html`
    <header class="top">
      <h1>Pachisi</h1>
      <nav aria-label=${t("views")}>
        <${Tab} to="" route=${route}>${t(state?.mode === "set-up" ? "set-up" : "game")}<//>
        <${Tab} to="games" route=${route}>${t("games")}<//>
        ${state?.match && html`<${Tab} to="scoreboard" route=${route}>${t("scoreboard")}<//>`}
      </nav>
      <${States} table=${state?.table} />
      <button type="button" onClick=${() => setChoosing(true)}>${t("preferences")}</button>
    </header>
    <main><${Shown} state=${state} route=${route} /></main>
    <${Toasts} />
    <${Preferences} open=${choosing} onClose=${() => setChoosing(false)} />
  `;
}

// What is shown later is fetched before the connection can be lost.
function foresee() {
  for (const load of Object.values(LATER)) load().catch(() => {});
}

async function begin() {
  const found = await visitor().catch(() => null);
  await loadWords();
  render(html`<${Page} />`, document.getElementById("page"));
  if (found?.look) connect();
  setTimeout(foresee, FORESEE_MS);
}

begin();
