import type { Operation } from "@madang/client";
import { useMemo } from "react";
import { Link, useLocation } from "wouter";
import { useOpenReports } from "../pages/reports/open-reports";
import { useSession } from "../session/current-session";
import { closePages, notifyOtherTabs } from "../session/other-tabs";
import { signOut } from "../session/session";
import type { Texts } from "../text/en";
import { useTexts } from "../text/language";
import { Button } from "../ui/button";
import { showNotice } from "../ui/notice";
import { Icon, type IconName } from "../ui/texts/icon";
import { LanguageSelect, ThemeSelect } from "./preferences";

export interface Section {
  readonly path: string;
  readonly icon: IconName;
  readonly label: keyof Texts;
  /** The letter after `g` that opens it. */
  readonly letter: string;
  /** What the page needs: it is offered to those who may read it. */
  readonly operation: Operation;
}

const sections = [
  { path: "/", icon: "overview", label: "overview", letter: "o", operation: "usage.daily" },
  { path: "/users", icon: "users", label: "users", letter: "u", operation: "users.list" },
  { path: "/channels", icon: "channels", label: "channels", letter: "c", operation: "channels.list" },
  { path: "/search", icon: "search", label: "search", letter: "s", operation: "messages.searchAll" },
  { path: "/reports", icon: "reports", label: "reports", letter: "r", operation: "reports.list" },
  { path: "/filters", icon: "filters", label: "filters", letter: "f", operation: "filters.list" },
  { path: "/hooks", icon: "hooks", label: "hooks", letter: "h", operation: "hooks.list" },
  { path: "/events", icon: "events", label: "events", letter: "e", operation: "events.list" },
  { path: "/webhooks", icon: "webhooks", label: "webhooks", letter: "w", operation: "webhooks.list" },
  { path: "/keys", icon: "keys", label: "keys", letter: "k", operation: "keys.list" },
  { path: "/audit", icon: "audit", label: "audit", letter: "a", operation: "audit.list" },
  { path: "/privacy", icon: "privacy", label: "privacy", letter: "p", operation: "privacy.list" },
] as const satisfies readonly Section[];

/** The sections that the key of the session may open. */
export function useSections(): readonly (typeof sections)[number][] {
  const { operations } = useSession();
  return useMemo(
    () => sections.filter(({ operation }) => operations[operation] === "permitted"),
    [operations],
  );
}

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

  const openReports = useOpenReports();
  const isCurrent = (section: string) => (section === "/" ? path === "/" : path.startsWith(section));
  return (
    <>
      <span className="brand">
        <span className="brand-mark" aria-hidden="true" /> Madang
      </span>
      <nav aria-label={t.sections}>
        <ul className="sections">
          {useSections().map(({ path: to, icon, label }) => (
            <li key={to}>
              <Link href={to} className="section" aria-current={isCurrent(to) ? "page" : undefined}>
                <Icon name={icon} />
                {t[label]}
                {to === "/reports" && openReports !== undefined && (
                  <span className="section-count" title={t.openReports}>
                    {openReports}
                  </span>
                )}
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
