import { Link } from "wouter";

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly { readonly path: string; readonly label: string; readonly isCurrent: boolean }[];
}

/** Each tab has an address. */
export function Tabs({ label, tabs }: TabsProps) {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <Link
          key={tab.path}
          href={tab.path}
          className="tab"
          aria-current={tab.isCurrent ? "page" : undefined}
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  );
}
