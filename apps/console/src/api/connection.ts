import { createStore } from "./store";

/** Whether the service can be reached. */
export const connection = createStore<"connected" | "lost">("connected");
