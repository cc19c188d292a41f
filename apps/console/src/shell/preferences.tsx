import { useStore } from "@madang/react";
import { createStore } from "@madang/react/store";
import { type Language, language, setLanguage, useTexts } from "../text/language";
import { Select } from "../ui/fields/select";

export type Theme = "system" | "light" | "dark";

const storageKey = "madang-console-theme";
const stored = localStorage.getItem(storageKey);
export const theme = createStore<Theme>(stored === "light" || stored === "dark" ? stored : "system");
document.documentElement.dataset.theme = theme.get();

function setTheme(chosen: Theme): void {
  localStorage.setItem(storageKey, chosen);
  document.documentElement.dataset.theme = chosen;
  theme.set(chosen);
}

export function LanguageSelect() {
  const t = useTexts();
  const options: { value: Language; label: string }[] = [
    { value: "en", label: "English" },
    { value: "ko", label: "한국어" },
  ];
  return <Select label={t.language} value={useStore(language)} options={options} onChange={setLanguage} />;
}

export function ThemeSelect() {
  const t = useTexts();
  const options: { value: Theme; label: string }[] = [
    { value: "system", label: t.themeSystem },
    { value: "light", label: t.themeLight },
    { value: "dark", label: t.themeDark },
  ];
  return <Select label={t.theme} value={useStore(theme)} options={options} onChange={setTheme} />;
}
