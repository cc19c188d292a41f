import { Dialog } from "@base-ui/react/dialog";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { useTexts } from "../text/language";
import { IconButton } from "../ui/button";
import { ConnectionBanner } from "./connection-banner";
import { Navigation } from "./navigation";
import { Shortcuts } from "./shortcuts";

export function Shell({ children }: { children: ReactNode }) {
  const t = useTexts();
  const [path] = useLocation();
  const main = useRef<HTMLElement>(null);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const lastPath = useRef(path);
  // Screen readers and the Tab key go on at the new page.
  useEffect(() => {
    if (lastPath.current === path) return;
    lastPath.current = path;
    setMenuOpen(false);
    if (!main.current?.contains(document.activeElement)) main.current?.focus();
  }, [path]);

  return (
    <div className="shell">
      <a className="skip-link" href="#main">
        {t.skipToContent}
      </a>
      <aside className="sidebar">
        <Navigation />
      </aside>
      <header className="topbar">
        <Dialog.Root open={isMenuOpen} onOpenChange={setMenuOpen}>
          <Dialog.Trigger render={<IconButton label={t.menu} icon="menu" />} />
          <Dialog.Portal>
            <Dialog.Backdrop className="backdrop" />
            <Dialog.Popup className="drawer" aria-label={t.menu}>
              <Navigation />
            </Dialog.Popup>
          </Dialog.Portal>
        </Dialog.Root>
        <span className="brand">
          <span className="brand-mark" aria-hidden="true" /> Madang
        </span>
      </header>
      <main id="main" className="main" ref={main} tabIndex={-1}>
        <ConnectionBanner />
        {children}
      </main>
      <Shortcuts />
    </div>
  );
}
