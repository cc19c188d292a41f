import { useCallback } from "react";
import { useSearchParams } from "wouter";

/** A part of the address, so that it survives reloading and can be sent to others. */
export function useSearchParameter(name: string): [value: string, set: (value: string) => void] {
  const [parameters, setParameters] = useSearchParams();
  const set = useCallback(
    (value: string) =>
      setParameters(
        (previous) => {
          const next = new URLSearchParams(previous);
          if (value === "") next.delete(name);
          else next.set(name, value);
          return next;
        },
        { replace: true },
      ),
    [name, setParameters],
  );
  return [parameters.get(name) ?? "", set];
}
