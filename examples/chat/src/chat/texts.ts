import { createContext, useContext } from "react";
import { en, type Texts } from "./texts-en";
import { ko } from "./texts-ko";

export type { Texts } from "./texts-en";

const all: readonly Texts[] = [en, ko];

/** The texts in the first of these languages that there is. */
export function chooseTexts(languages: readonly string[]): Texts {
  const found = languages.map((language) =>
    all.find((texts) => language.toLowerCase().startsWith(texts.language)),
  );
  return found.find((texts) => texts !== undefined) ?? en;
}

export const TextsContext = createContext<Texts>(en);
export const useTexts = (): Texts => useContext(TextsContext);
