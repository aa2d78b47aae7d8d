// The talk with the referee: the newest state comes in, commands go out and are answered.

import { change, dropUndos, store, toast } from "./store.js";
import { inWords, language, loadWords, t } from "./words.js";

const RETRY_MS = [500, 1000, 2000, 4000];
const ANSWER_MS = 15000;
const QUIET_MS = 15000; // after so long without news it is asked whether the program is still there
const THERE_MS = 5000;

let socket = null;
let tries = 0;
let heard = 0;
let ticket = 0;
const waiting = new Map();

export async function visitor() {
  const answer = await fetch("/api/visitor");
  const found = await answer.json();
  change({ visitor: found });
  return found;
}

export function connect() {
  if (socket) return;
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  socket = new WebSocket(`${scheme}://${location.host}/api/live`);
  heard = Date.now();
  const mine = socket;
  socket.onmessage = ({ data }) => mine === socket && hear(JSON.parse(data));
  socket.onclose = () => mine === socket && lose();
}

// A phone that slept, or left the network, may hold a socket on which nothing will ever come.
async function probe() {
  const mine = socket;
  if (mine?.readyState !== WebSocket.OPEN) return;
  heard = Date.now();
  try {
    await fetch("/api/visitor", { signal: AbortSignal.timeout(THERE_MS) });
  } catch {
    if (mine !== socket) return;
    mine.close();
    lose(); // to be told of the close itself may take minutes
  }
}

function hear(message) {
  heard = Date.now();
  if ("state" in message) {
    tries = 0;
    socket.send(JSON.stringify({ got: message.number }));
    change({ state: message.state, connection: "connected" });
    return;
  }
  waiting.get(message.ticket)?.(inWords(message.refused));
  waiting.delete(message.ticket);
}

function lose() {
  socket = null;
  for (const answer of waiting.values()) answer(t("lost"));
  waiting.clear();
  change({ connection: "lost" });
  setTimeout(retry, RETRY_MS[Math.min(tries++, RETRY_MS.length - 1)]);
}

async function retry() {
  try {
    // The program may have been started anew, and know this device no more.
    if ((await visitor()).look) connect();
    if (document.documentElement.lang !== language()) loadWords().then(() => change({}));
  } catch {
    lose();
  }
}

addEventListener("online", () => {
  tries = 0;
  probe();
});
addEventListener("offline", probe);
addEventListener("visibilitychange", () => document.hidden || probe());
setInterval(() => document.hidden || Date.now() - heard < QUIET_MS || probe(), THERE_MS);
addEventListener("pagehide", () => socket?.close());
addEventListener("pageshow", (event) => event.persisted && retry());

export async function post(address, form) {
  try {
    const answer = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(form),
    });
    const found = await answer.json();
    if (answer.status === 403) await visitor(); // this device may be known no more
    return answer.ok ? found : { refused: inWords(found.refused ?? answer.statusText) };
  } catch {
    return { refused: t("lost") };
  }
}

export async function get(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(answer.statusText);
  return answer.json();
}

// Tells the referee to do something; resolves to null, or to why it was refused.
export function ask(command, after = store.state?.match?.sequence ?? null) {
  return new Promise((resolve) => {
    if (socket?.readyState !== WebSocket.OPEN) {
      resolve(t("lost"));
      return;
    }
    ticket += 1;
    waiting.set(ticket, resolve);
    const mine = ticket;
    setTimeout(() => {
      if (waiting.delete(mine)) resolve(t("no-answer"));
    }, ANSWER_MS);
    socket.send(JSON.stringify({ ticket, ask: { command, after } }));
  });
}

// The same, telling the person how it went, with a way back.
export async function command(form, undo = null) {
  const before = store.state?.match?.sequence ?? null;
  dropUndos();
  const refused = await ask(form, before);
  if (refused !== null) {
    toast(refused, { wrong: true });
    return false;
  }
  const back = undo ?? (before && { do: "restore", sequence: before });
  const undoing = back && (() => ask(back, null).then((no) => no && toast(no, { wrong: true })));
  toast(t("done"), { undo: undoing || null });
  return true;
}
