import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { usePermission } from "../session/current-session";
import { useTexts } from "../text/language";
import { Dialog } from "../ui/dialogs/dialog";
import { focusNextSearchField } from "../ui/fields/search-field";
import { useSections } from "./navigation";

/** The keys that work on every page. Fields keep their keys. */
export function Shortcuts() {
  const t = useTexts();
  const [, navigate] = useLocation();
  const can = usePermission();
  const sections = useSections();
  const searchPage = can("messages.searchAll") ? "/search" : "/users";
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    let isAfterG = false;
    function press(event: KeyboardEvent) {
      const isField = event.target instanceof HTMLElement && event.target.matches("input, textarea, select");
      if (event.ctrlKey || event.metaKey || event.altKey || isField || event.isComposing) return;
      if (document.querySelector("[role=dialog]") !== null) return;
      const section = isAfterG ? sections.find(({ letter }) => letter === event.key) : undefined;
      isAfterG = event.key === "g";
      if (section) navigate(section.path);
      else if (event.key === "?") setOpen(true);
      else if (event.key === "/") focusSearch(() => navigate(searchPage));
      else if (!moveBetweenRows(event)) return;
      event.preventDefault();
    }
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [navigate, searchPage, sections]);
  if (!isOpen) return null;
  const keys: [string, string][] = [
    ["/", t.shortcutSearch],
    ["?", t.shortcuts],
    ["↑ ↓", t.shortcutRows],
    ["Enter", t.shortcutSend],
    ["Esc", t.shortcutClose],
    ...sections.map(({ letter, label }): [string, string] => [`g ${letter}`, t[label]]),
  ];
  return (
    <Dialog title={t.shortcuts} onClose={() => setOpen(false)}>
      <dl className="shortcuts">
        {keys.map(([key, action]) => (
          <div key={key}>
            <dt>
              {key.split(" ").map((one) => (
                <kbd key={one}>{one}</kbd>
              ))}
            </dt>
            <dd>{action}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

/** The field of the page, otherwise that of the page that searches everything, or of the users. */
function focusSearch(openSearchPage: () => void): void {
  const field = document.querySelector<HTMLInputElement>("main input[type=search]");
  if (field === null) {
    focusNextSearchField();
    openSearchPage();
  }
  field?.focus();
  field?.select();
}

/** The arrow keys move between the links of a table. Returns false where there is nothing to move to. */
function moveBetweenRows({ key, target }: KeyboardEvent): boolean {
  if (key !== "ArrowDown" && key !== "ArrowUp") return false;
  const row = target instanceof Element ? target.closest("tr") : null;
  const next = key === "ArrowDown" ? row?.nextElementSibling : row?.previousElementSibling;
  const link = next?.querySelector<HTMLElement>("a, button");
  link?.focus();
  return link !== null && link !== undefined;
}
