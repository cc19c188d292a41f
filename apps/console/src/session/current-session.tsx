import type { Operation } from "@madang/client";
import { createContext, use } from "react";
import { useTexts } from "../text/language";
import type { Session } from "./session";

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = use(SessionContext);
  if (session === undefined) throw new Error("Nobody is signed in.");
  return session;
}

/** Whether the key of the session may call an operation. */
export function usePermission(): (operation: Operation) => boolean {
  const { operations } = useSession();
  return (operation) => operations[operation] === "permitted";
}

/** Why the key of the session may not call an operation. Undefined if it may. */
export function useForbidden(operation: Operation | undefined): string | undefined {
  const t = useTexts();
  const { operations } = useSession();
  if (operation === undefined || operations[operation] === "permitted") return undefined;
  return operations[operation] === "master_key_required" ? t.needsMasterKey : t.needsScope(operation);
}
