import { isChatError } from "@madang/client";
import { QueryClient } from "@tanstack/react-query";

export const queryClient = new QueryClient({
  defaultOptions: {
    // The SDK retries what can be retried. What is shown is refreshed when the reader comes back.
    queries: { retry: false, staleTime: 5_000 },
    mutations: { retry: false },
  },
});

/** Whether what a page shows does not exist any more, whatever was fetched before. */
export const isGone = (error: unknown) => isChatError(error) && error.status === 404;
