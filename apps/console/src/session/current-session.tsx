import { createContext, use } from "react";
import { isPermitted, type UsedOperation } from "./permissions";
import type { Session } from "./session";

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = use(SessionContext);
  if (session === undefined) throw new Error("Nobody is signed in.");
  return session;
}

/** Whether the key of the session may call an operation. */
export function usePermission(): (operation: UsedOperation) => boolean {
  const session = useSession();
  return (operation) => isPermitted(session, operation);
}
