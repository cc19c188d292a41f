import { useStore } from "@madang/react";
import { createStore } from "@madang/react/store";
import { en, type Texts } from "./en";

export type Language = "en" | "ko";

const storageKey = "madang-console-language";
const texts = createStore<Texts>(en);
export const language = createStore<Language>("en");

/** Loads the texts of the reader's language, before the page is shown. */
export const loadLanguage = (): Promise<void> => show(findLanguage());

export function setLanguage(chosen: Language): void {
  localStorage.setItem(storageKey, chosen);
  void show(chosen);
}

async function show(chosen: Language): Promise<void> {
  texts.set(chosen === "ko" ? (await import("./ko")).ko : en);
  language.set(chosen);
  document.documentElement.lang = chosen;
}

/** The texts of the page in the language of its reader. */
export const useTexts = (): Texts => useStore(texts);

/** The choice of the reader, otherwise the first language of the browser that there is. */
function findLanguage(): Language {
  const wanted = [localStorage.getItem(storageKey) ?? "", ...navigator.languages];
  const found = wanted.map((one) => one.slice(0, 2)).find((one) => one === "en" || one === "ko");
  return found === "ko" ? "ko" : "en";
}
