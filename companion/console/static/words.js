// The page's own words, in the language of this device or the one that was chosen.

import { store } from "./store.js";

export const LANGUAGES = ["en", "ru"];
export const CALLED = { en: "English", ru: "Русский" };

const WHERE = /^\w+(\.\w+)+: /; // the field of a form in which something else was expected

let words = {};
let refusals = []; // what the program says in English alone: patterns, and what to say instead

export function language() {
  const own = navigator.language?.slice(0, 2);
  return (
    store.preferences.language ??
    (LANGUAGES.includes(own) ? own : (store.visitor?.language ?? "en"))
  );
}

// Fetches the words of the language that is wanted now; without them those there are stay.
export async function loadWords() {
  const wanted = language();
  try {
    const found = await fetched(`${wanted}.json`);
    const refused = wanted === "en" ? [] : patterns(await fetched(`${wanted}-refused.json`));
    if (wanted !== language()) return; // another was chosen in the meantime
    [words, refusals] = [found, refused];
    document.documentElement.lang = wanted;
  } catch {
    // Told already: the connection is lost.
  }
}

async function fetched(name) {
  const answer = await fetch(`/static/${name}`);
  if (!answer.ok) throw new Error(answer.statusText);
  return answer.json();
}

function patterns(refused) {
  return Object.entries(refused).map(([said, instead]) => {
    const plain = said.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    const names = [...said.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    return { pattern: new RegExp(`^${plain.join("(.+)")}$`), names, instead };
  });
}

// Returns what the program refuses, said in English, in the language of the page.
export function inWords(refused) {
  if (WHERE.test(refused)) return t("form-wrong");
  if (!refused || language() === "en") return refused;
  return translated(refused) ?? t("refused-other", { what: refused });
}

function translated(refused) {
  for (const { pattern, names, instead } of refusals) {
    const found = refused.match(pattern);
    if (!found) continue;
    const places = names.map((name, number) => {
      const part = found[number + 1]; // a reason may be part of another
      return [name, words[`colour-${part}`] ?? translated(part) ?? part];
    });
    return filled(instead, Object.fromEntries(places));
  }
  return null;
}

function filled(phrase, places) {
  return phrase.replace(/\{(\w+)\}/g, (_, place) => String(places[place] ?? ""));
}

// Returns a phrase with its {places} filled.
export function t(name, places = {}) {
  return filled(words[name] ?? name, places);
}

// Returns what the referee said, in the language of the page.
export function said(sentence, how = "text") {
  return sentence?.[language()]?.[how] ?? "";
}

export function percent(share) {
  return new Intl.NumberFormat(language(), { style: "percent" }).format(share);
}

export function time(text) {
  return new Date(text).toLocaleTimeString(language(), { hour: "2-digit", minute: "2-digit" });
}

export function day(text) {
  return new Date(text).toLocaleString(language(), { dateStyle: "medium", timeStyle: "short" });
}

export function signed(number) {
  return number > 0 ? `+${number}` : number < 0 ? `−${-number}` : "0";
}
