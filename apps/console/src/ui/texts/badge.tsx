import type { ReactNode } from "react";

export function Badge({
  look = "plain",
  children,
}: {
  look?: "plain" | "success" | "warning" | "danger";
  children: ReactNode;
}) {
  return <span className={`badge badge-${look}`}>{children}</span>;
}
