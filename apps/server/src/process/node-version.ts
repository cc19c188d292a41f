/** `engines` of the package has it too. It is not imported from there, so that `main.js` shares no module with the command. */
export const neededNode = "22.15";

/** Which Node the program needs, if the running one is older. */
export const explainOldNode = (running: string): string | undefined =>
  rank(running) < rank(neededNode)
    ? `madang-server needs Node ${neededNode} or later, and this is Node ${running}.`
    : undefined;

function rank(version: string): number {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major * 1_000 + minor;
}
