import { usePush } from "@madang/react/push";
import { useEffect, useState } from "react";
import { Icon } from "./icons";
import { useReport } from "./notices";
import { useTexts } from "./texts";

/** Whether messages are pushed to this browser, and what changes that. */
function usePushHere(address: string) {
  const [registration, setRegistration] = useState<ServiceWorkerRegistration>();
  useEffect(() => {
    const registered = navigator.serviceWorker?.register(address, { type: "module" });
    registered?.then(setRegistration, () => undefined);
  }, [address]);
  return usePush(registration);
}

/** Turns notifications on and off. Nothing where the browser or the service has none. */
export function PushSwitch({ address }: { address: string }) {
  const texts = useTexts();
  const report = useReport();
  const { state, subscribe, unsubscribe } = usePushHere(address);
  if (state === "denied")
    return (
      <span className="chat-round chat-quiet" title={texts.notificationsDenied}>
        <Icon name="mute" />
        <span className="chat-hidden">{texts.notificationsDenied}</span>
      </span>
    );
  if (state !== "on" && state !== "off") return null;
  const label = state === "on" ? texts.stopNotifying : texts.notify;
  const change = state === "on" ? unsubscribe : subscribe;
  return (
    <button
      type="button"
      className="chat-round"
      aria-label={label}
      title={label}
      onClick={() => change().catch(report)}
    >
      <Icon name={state === "on" ? "bell" : "mute"} />
    </button>
  );
}
