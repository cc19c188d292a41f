import { usePush } from "@madang/react/push";
import { useEffect, useState } from "react";

const worker = navigator.serviceWorker?.register("/service-worker.js", { type: "module" });

/** Turns notifications on and off. Nothing where the browser or the service has none. */
export function Notifications() {
  const [registration, setRegistration] = useState<ServiceWorkerRegistration>();
  useEffect(() => void worker?.then(setRegistration), []);
  const { state, subscribe, unsubscribe } = usePush(registration);
  if (state === "denied") return <small>Notifications are blocked in the browser.</small>;
  if (state !== "on" && state !== "off") return null;
  return (
    <button type="button" onClick={state === "on" ? unsubscribe : subscribe}>
      {state === "on" ? "Stop notifications" : "Notify me"}
    </button>
  );
}
