/**
 * Runs what only observes a request, a statement or a connection. An error in it is reported; it neither fails what is observed nor
 * ends the process, as an exception in a listener or a timer would.
 */
export function contain(work: () => void, onError: (error: unknown) => void): void {
  try {
    work();
  } catch (error) {
    try {
      onError(error);
    } catch {
      // The log does not work either.
    }
  }
}
