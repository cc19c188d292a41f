import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { ChatStore, type ChatStoreOptions } from "./store/chat-store";

const Context = createContext<ChatStore | undefined>(undefined);

/** The properties of `ChatProvider`. */
export interface ChatProviderProps extends ChatStoreOptions {
  readonly children?: ReactNode;
}

/**
 * Connects everything inside as one user. With another `url` it connects anew. For another user, give it another `key`.
 *
 * @example <ChatProvider url="https://chat.example.com" token={getToken}>…</ChatProvider>
 */
export function ChatProvider({ url, token, children }: ChatProviderProps) {
  const current = useRef(token);
  useEffect(() => {
    current.current = token;
  }, [token]);
  const [{ store, of }, setStore] = useState(() => open(url, current));
  if (of !== url) setStore(open(url, current));
  useEffect(() => store.connect(), [store]);
  return <Context.Provider value={store}>{children}</Context.Provider>;
}

/** A token function that is made anew with each render does not change the connection. */
function open(url: string, token: { readonly current: ChatStoreOptions["token"] }) {
  const getToken = async () => (typeof token.current === "function" ? token.current() : token.current);
  return { of: url, store: new ChatStore({ url, token: getToken }) };
}

/** The stores of the nearest `ChatProvider`. */
export function useChatStore(): ChatStore {
  const store = useContext(Context);
  if (store === undefined) throw new Error("There is no <ChatProvider> around this component.");
  return store;
}
