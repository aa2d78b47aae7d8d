// The page's voice: the phone's own, and its vibration.

import { store } from "./store.js";
import { language, said } from "./words.js";

const RULING = 2;
let last = null;

export function voices() {
  return (globalThis.speechSynthesis?.getVoices() ?? []).filter((voice) =>
    voice.lang.toLowerCase().startsWith(language()),
  );
}

export function say(text) {
  const speech = globalThis.speechSynthesis;
  if (!speech || !text) return;
  const words = new SpeechSynthesisUtterance(text);
  words.lang = language();
  words.voice = voices().find((voice) => voice.name === store.preferences.voice) ?? null;
  speech.cancel(); // what is newer matters more
  speech.speak(words);
}

// Tells what is new since this was called last; nothing of what was told before the page opened.
export function announce(told) {
  const newest = told.at(-1);
  const before = last;
  last = newest?.number ?? 0;
  if (before === null || last <= before) return;
  const fresh = told.filter((one) => one.number > before);
  // A browser lets no page vibrate that nobody has touched yet, and complains.
  const touched = navigator.userActivation?.hasBeenActive ?? true;
  if (touched && store.preferences.vibrate && newest.weight >= RULING) {
    navigator.vibrate?.([120, 60, 120]);
  }
  if (store.preferences.speak) say(fresh.map((one) => said(one, "spoken")).join(" "));
}
