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
export function ChatProvider({ children, url, ...options }: ChatProviderProps) {
  const current = useRef(options);
  useEffect(() => {
    current.current = options;
  });
  const [{ store, of }, setStore] = useState(() => open(url, current));
  if (of !== url) setStore(open(url, current));
  useEffect(() => store.connect(), [store]);
  return <Context.Provider value={store}>{children}</Context.Provider>;
}

/** Functions that are made anew with each render do not change the connection. */
function open(url: string, options: { readonly current: Omit<ChatStoreOptions, "url"> }) {
  const { user, userId, storage, fetch, send } = options.current;
  return {
    of: url,
    store: new ChatStore({
      url,
      user,
      userId,
      storage,
      async token() {
        const { token } = options.current;
        return typeof token === "function" ? token() : token;
      },
      fetch: fetch && ((...request) => (options.current.fetch ?? fetch)(...request)),
      send: send && ((...message) => (options.current.send ?? send)(...message)),
    }),
  };
}

/** The stores of the nearest `ChatProvider`. */
export function useChatStore(): ChatStore {
  const store = useContext(Context);
  if (store === undefined) throw new Error("There is no <ChatProvider> around this component.");
  return store;
}
