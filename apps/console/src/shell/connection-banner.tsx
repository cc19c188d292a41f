import { useStore } from "@madang/react";
import { useEffect, useRef } from "react";
import { connection } from "../api/connection";
import { queryClient } from "../api/query-client";
import { fetchSession, sessionKey } from "../session/session";
import { useTexts } from "../text/language";

const pauseMs = 1_500;

/** Announces a lost connection, tries until it is back, and then refreshes what is shown. */
export function ConnectionBanner() {
  const t = useTexts();
  const state = useStore(connection);
  const wasLost = useRef(false);
  useEffect(() => {
    if (state === "connected") {
      if (wasLost.current) void queryClient.invalidateQueries();
      wasLost.current = false;
      return;
    }
    wasLost.current = true;
    const timer = setInterval(() => {
      fetchSession().then(
        (session) => queryClient.setQueryData(sessionKey, session),
        () => undefined,
      );
    }, pauseMs);
    return () => clearInterval(timer);
  }, [state]);
  return (
    <div role="status" className="banner-region">
      {state === "lost" && <p className="banner">{t.connectionLost}</p>}
    </div>
  );
}
