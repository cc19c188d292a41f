import { errorHelp } from "../errors/error-help";
import { type ErrorCode, type ErrorStatus, errors } from "../errors/errors";
import { text } from "../examples/data";
import type { Example } from "../operation-metadata";
import { headersOfProblem } from "./headers";
import type { ResponseObject, Schema } from "./shape";

/** The name of the component for these codes, e.g. `UserNotFoundOrChannelNotFound`. */
export function problemResponseName(codes: readonly ErrorCode[]): string {
  return codes.map((code) => code.split("_").map(capital).join("")).join("Or");
}

/** The error response for codes of one status, each with an example. `members` are those that not every error response has. */
export function problemResponse(codes: readonly ErrorCode[], members: Schema): ResponseObject {
  const [first] = codes;
  if (first === undefined) throw new Error("An error response needs at least one code.");
  return {
    description: codes.map((code) => `\`${code}\`: ${errorHelp[code].happened}`).join("\n\n"),
    headers: headersOfProblem(codes),
    content: {
      "application/problem+json": {
        schema: {
          allOf: [
            { $ref: "#/components/schemas/Problem" },
            {
              type: "object",
              properties: { code: { type: "string", enum: [...codes] }, ...members.properties },
              required: ["code"],
            },
          ],
        },
        examples: Object.fromEntries(codes.map((code) => [code, exampleOf(code)])),
      },
    },
  };
}

function exampleOf(code: ErrorCode): Example {
  const { status, title }: { status: ErrorStatus; title: string } = errors[code];
  const rule = { in: "query", path: "limit", message: "Must be a whole number from 5 to 30." };
  return {
    summary: title,
    value: {
      type: `/docs#${code}`,
      title,
      status,
      detail: errorHelp[code].detail,
      code,
      request_id: "5f0c1d1e-2b7a-4c55-9d0e-8a1f6f3c2b10",
      ...(code === "invalid_request" ? { errors: [rule] } : {}),
      ...(code === "message_changed" ? { current: text } : {}),
      ...(code === "append_out_of_order" ? { append_count: 12 } : {}),
      ...(code === "external_id_exists" ? { message_id: text.message_id } : {}),
    },
  };
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
