import { createApiError } from "./api-error";
import { Attempts } from "./attempt";
import { AbortError, ParseError } from "./errors";
import { createRequest } from "./request";
import { linkSignal, raceSignal } from "./signals";

/**
 * What the code for streams shares with that of calls. It gets these as an argument: bundlers move what both import into
 * a third file, which costs every program 0.2 KB.
 */
export const streamTools = {
  AbortError,
  Attempts,
  ParseError,
  createApiError,
  createRequest,
  linkSignal,
  raceSignal,
};

export type StreamTools = typeof streamTools;
