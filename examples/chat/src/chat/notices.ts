import { useConnection } from "@madang/react";
import { createContext, useCallback, useContext, useEffect, useState } from "react";
import { useTexts } from "./texts";

export const NoticeContext = createContext<(text: string) => void>(() => undefined);

/** Shows a text for some seconds. */
export const useNotice = () => useContext(NoticeContext);

/** The text that is shown, and what shows another one. */
export function useNoticeText() {
  const [notice, setNotice] = useState("");
  useEffect(() => {
    if (notice === "") return;
    const timer = setTimeout(() => setNotice(""), 5_000);
    return () => clearTimeout(timer);
  }, [notice]);
  return [notice, setNotice] as const;
}

/** Shows why an action failed. */
export function useReport(): (error: unknown) => void {
  const texts = useTexts();
  const show = useNotice();
  return useCallback((error) => show(texts.reasons[codeOf(error)] ?? texts.failed), [show, texts]);
}

/** The code of an error of the service, such as `channel_frozen`. */
export const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";

/** What a person should know of the connection. A short interruption is not worth a word, unless the device says that it is offline. */
export function useConnectionNote(isOnline = true) {
  const texts = useTexts();
  const { isConnected, state, retry } = useConnection();
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (isConnected) return setLong(false);
    const timer = setTimeout(() => setLong(true), state === "failed" ? 0 : 1_500);
    return () => clearTimeout(timer);
  }, [isConnected, state]);
  if (isOnline && (isConnected || !isLong)) return undefined;
  if (state === "failed") return { text: texts.signedOut, retry };
  return { text: state === "disconnected" || !isOnline ? texts.offline : texts.connecting };
}
