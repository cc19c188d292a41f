import { isChatError } from "@madang/client";
import { QueryClient } from "@tanstack/react-query";

export const queryClient = new QueryClient({
  defaultOptions: {
    // The SDK retries what can be retried. What is shown is refreshed when the reader comes back.
    queries: { retry: false, staleTime: 5_000 },
    mutations: { retry: false },
  },
});

export function hasCode(error: unknown, code: string): boolean {
  return isChatError(error) && error.code === code;
}
