// What the page knows: the referee's state, the connection, and what this device prefers.

import { useEffect, useState } from "./preact.js";

const KEPT = "pachisi";
const preferred = {
  language: null,
  theme: "auto",
  speak: false,
  voice: "",
  vibrate: true,
  picture: true,
  letters: false,
  turn: 0,
};

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) ?? {};
  } catch {
    return {}; // a browser that keeps nothing
  }
}

export const store = {
  state: null,
  connection: "connecting",
  visitor: null,
  toasts: [],
  preferences: { ...preferred, ...kept() },
};

const listeners = new Set();

export function change(parts) {
  Object.assign(store, parts);
  for (const listener of listeners) listener();
}

export function prefer(parts) {
  const preferences = { ...store.preferences, ...parts };
  try {
    localStorage.setItem(KEPT, JSON.stringify(preferences));
  } catch {
    // A browser that keeps nothing still shows everything.
  }
  change({ preferences });
}

export function useStore() {
  const [, redraw] = useState(0);
  useEffect(() => {
    const listener = () => redraw((count) => count + 1);
    listeners.add(listener);
    listener();
    return () => listeners.delete(listener);
  }, []);
  return store;
}

const TOLD_MS = 4000;
const WRONG_MS = 9000;
const UNDO_MS = 30000; // later the game has gone on, and would be taken back with it
let lastToast = 0;

export function toast(text, { wrong = false, undo = null } = {}) {
  const number = ++lastToast;
  change({ toasts: [...store.toasts.slice(-2), { number, text, wrong, undo }] });
  setTimeout(() => dropToast(number), undo ? UNDO_MS : wrong ? WRONG_MS : TOLD_MS);
}

export function dropToast(number) {
  change({ toasts: store.toasts.filter((one) => one.number !== number) });
}

// Only what was done last can be undone.
export function dropUndos() {
  change({ toasts: store.toasts.filter((one) => !one.undo) });
}
