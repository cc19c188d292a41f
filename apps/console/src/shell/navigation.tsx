import { Link, useLocation } from "wouter";
import { useSession } from "../session/current-session";
import { closePages, notifyOtherTabs } from "../session/other-tabs";
import { signOut } from "../session/session";
import type { Texts } from "../text/en";
import { useTexts } from "../text/language";
import { Button } from "../ui/button";
import { Icon, type IconName } from "../ui/icon";
import { showNotice } from "../ui/notice";
import { LanguageSelect, ThemeSelect } from "./preferences";

export interface Section {
  readonly path: string;
  readonly icon: IconName;
  readonly label: keyof Texts;
  /** The letter after `g` that opens it. */
  readonly letter: string;
}

export const sections = [
  { path: "/", icon: "overview", label: "overview", letter: "o" },
  { path: "/users", icon: "users", label: "users", letter: "u" },
  { path: "/channels", icon: "channels", label: "channels", letter: "c" },
  { path: "/search", icon: "search", label: "search", letter: "s" },
  { path: "/reports", icon: "reports", label: "reports", letter: "r" },
  { path: "/events", icon: "events", label: "events", letter: "e" },
  { path: "/webhooks", icon: "webhooks", label: "webhooks", letter: "w" },
  { path: "/keys", icon: "keys", label: "keys", letter: "k" },
  { path: "/audit", icon: "audit", label: "audit", letter: "a" },
  { path: "/privacy", icon: "privacy", label: "privacy", letter: "p" },
] as const satisfies readonly Section[];

export function Navigation() {
  const t = useTexts();
  const [path] = useLocation();
  const { actor, kind, key_id: keyId, label } = useSession();

  async function leave() {
    try {
      await signOut();
    } catch {
      showNotice(t.signOutFailed);
      return;
    }
    notifyOtherTabs();
    await closePages();
  }

  const isCurrent = (section: string) => (section === "/" ? path === "/" : path.startsWith(section));
  return (
    <>
      <span className="brand">
        <span className="brand-mark" aria-hidden="true" /> Madang
      </span>
      <nav aria-label={t.sections}>
        <ul className="sections">
          {sections.map(({ path: to, icon, label }) => (
            <li key={to}>
              <Link href={to} className="section" aria-current={isCurrent(to) ? "page" : undefined}>
                <Icon name={icon} />
                {t[label]}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="sidebar-footer">
        <div className="preferences">
          <ThemeSelect />
          <LanguageSelect />
        </div>
        <div className="signed-in">
          <span className="signed-in-name">
            <span className="user-text">{actor}</span>
            <small className="user-text" title={keyId}>
              {kind === "master" ? t.masterKey : (label ?? keyId)}
            </small>
          </span>
          <Button look="quiet" onClick={leave}>
            {t.signOut}
          </Button>
        </div>
      </div>
    </>
  );
}
