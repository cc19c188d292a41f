import { createStore } from "@madang/react/store";

/** Whether the service can be reached. */
export const connection = createStore<"connected" | "lost">("connected");
