// The page's own words, in the language of this device or the one that was chosen.

import { store } from "./store.js";

export const LANGUAGES = ["en", "ru"];

let words = {};

export function language() {
  const own = navigator.language?.slice(0, 2);
  return (
    store.preferences.language ??
    (LANGUAGES.includes(own) ? own : (store.visitor?.language ?? "en"))
  );
}

export async function loadWords() {
  const answer = await fetch(`/static/${language()}.json`);
  words = await answer.json();
  document.documentElement.lang = language();
}

// Returns a phrase with its {places} filled.
export function t(name, places = {}) {
  const phrase = words[name] ?? name;
  return phrase.replace(/\{(\w+)\}/g, (_, place) => String(places[place] ?? ""));
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
