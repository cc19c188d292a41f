import { createStore, useStore } from "../api/store";
import { en, type Texts } from "./en";
import { ko } from "./ko";

export type Language = "en" | "ko";

const storageKey = "madang-console-language";
const texts: Readonly<Record<Language, Texts>> = { en, ko };

export const language = createStore<Language>(findLanguage());
document.documentElement.lang = language.get();

export function setLanguage(chosen: Language): void {
  localStorage.setItem(storageKey, chosen);
  document.documentElement.lang = chosen;
  language.set(chosen);
}

/** The texts of the page in the language of its reader. */
export function useTexts(): Texts {
  return texts[useStore(language)];
}

/** The choice of the reader, otherwise the first language of the browser that there is. */
function findLanguage(): Language {
  const wanted = [localStorage.getItem(storageKey) ?? "", ...navigator.languages];
  const found = wanted.map((one) => one.slice(0, 2)).find((one) => one in texts);
  return found === "ko" ? "ko" : "en";
}
