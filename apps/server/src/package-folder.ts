import { fileURLToPath } from "node:url";

/** The folder of this package: both the sources and the built files are one level below it. */
export const packageFolder = fileURLToPath(new URL("..", import.meta.url));
