import type { Interaction, Interactions } from "../interaction";
import { valueCases } from "./value-cases";

/** A text has 1 to `max` code points: an emoji counts as one character, although UTF-16 stores it as two units. */
export function textCases(
  accepted: Interaction,
  location: "query" | "body",
  path: string,
  max: number,
): Interactions {
  const rejects = {
    "set to an empty string": "",
    ...longTexts(max),
    ...(location === "body" && invalidTexts),
  };
  return valueCases(accepted, location, path, { accepts: validTexts(max), rejects });
}

/** An empty URL is valid and means none. */
export function profileUrlCases(accepted: Interaction): Interactions {
  const { given, request, response } = accepted;
  const { profile_url, ...bodyWithoutUrl } = Object(response.body);
  return {
    ...valueCases(accepted, "body", "profile_url", {
      accepts: validTexts(2_048),
      rejects: { ...longTexts(2_048), ...invalidTexts },
    }),
    "accepts profile_url set to an empty string": {
      given,
      request: { ...request, body: { ...Object(request?.body), profile_url: "" } },
      response: { ...response, body: bodyWithoutUrl },
    },
  };
}

function validTexts(max: number) {
  return {
    "of 1 character": "김",
    [`of ${max} letters`]: "n".repeat(max),
    [`of ${max} emoji`]: "😀".repeat(max),
    "of spaces only": "  ",
    "that looks like markup, SQL and escapes": `<b>'; DROP TABLE users; --\\u0000"\t\n%00`,
  };
}

function longTexts(max: number) {
  return {
    [`of ${max + 1} letters`]: "n".repeat(max + 1),
    [`of ${max + 1} emoji`]: "😀".repeat(max + 1),
    // PostgreSQL cannot store it.
    "with a NUL": "Kim\0",
  };
}

/** Only JSON can express these. */
const invalidTexts = {
  "with a lone high surrogate": "Kim\ud83d",
  "with a lone low surrogate": "\ude00Kim",
  "set to a number": 1,
  "set to null": null,
  "set to an array": ["Kim"],
  "set to an object": {},
};
