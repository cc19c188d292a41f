import { errorCodes, openApiDocument, problem } from "@madang/contract";
import { ContractNoBody } from "@ts-rest/core";
import type { RequestHandler, Response } from "express";
import type { Logger } from "pino";
import * as z from "zod";
import { contain } from "../../errors/contain";
import { localsOf } from "../locals";

/**
 * Validates every response against the contract: its status, headers and body, including errors and responses that do
 * not come from ts-rest. Logs each one that violates it, with the violated rule but no values: they may be secret. The response itself
 * is not changed or delayed.
 */
export function validateResponses(logger: Logger): RequestHandler {
  const requiredHeaders = readRequiredHeaders();
  let count = 0;
  return (request, response, next) => {
    const body = recordBody(response);
    const check = () => {
      const { operation, operationName, requestId } = localsOf(response);
      // Health checks, the reference page and the bytes of files are not in the contract.
      if (operation === undefined && !request.originalUrl.startsWith("/v1/")) return;
      if (operationName === "files.download") return;
      const sent = request.method === "HEAD" ? undefined : body();
      const rule = findViolation(response, sent, requiredHeaders);
      if (rule === undefined) return;
      count += 1;
      const { statusCode: status } = response;
      logger.error(
        { operation: operation?.id, status, request_id: requestId, rule, invalid_responses: count },
        "response violates the contract",
      );
    };
    response.once("finish", () =>
      contain(check, (err) => logger.error({ err }, "a response could not be validated")),
    );
    next();
  };
}

/** Records a copy of what is written. */
function recordBody(response: Response): () => string {
  const chunks: Buffer[] = [];
  const record = (chunk: unknown) => {
    // A stream of events may never end, and a file may be larger than the memory.
    const type = String(response.getHeader("Content-Type"));
    if (type.startsWith("text/event-stream") || localsOf(response).operationName === "files.download") return;
    if (typeof chunk === "string") chunks.push(Buffer.from(chunk));
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  const { write, end } = response;
  // All overloads of both begin with the chunk. The arguments are passed on unchanged.
  response.write = (...args: unknown[]) => {
    record(args[0]);
    return Reflect.apply(write, response, args);
  };
  response.end = (...args: unknown[]) => {
    record(args[0]);
    return Reflect.apply(end, response, args);
  };
  return () => Buffer.concat(chunks).toString("utf8");
}

const anyProblem = problem(errorCodes);

/** `body` is undefined for a response without a body. */
function findViolation(
  response: Response,
  body: string | undefined,
  requiredHeaders: RequiredHeaders,
): string | undefined {
  const { operation } = localsOf(response);
  const status = response.statusCode;
  if (operation === undefined) return status < 400 ? undefined : findBodyViolation(anyProblem, body);
  const declared: unknown = Object.entries(operation.route.responses).find(
    ([key]) => key === `${status}`,
  )?.[1];
  // The router can respond with these for every path; operations do not declare them.
  const isFromRouter = declared === undefined && (status === 404 || status === 405);
  if (declared === undefined && !isFromRouter) return `The contract has no response ${status}.`;
  const missing = requiredHeaders.get(`${operation.id} ${status}`)?.find((name) => !response.hasHeader(name));
  if (missing !== undefined) return `The header ${missing} is missing.`;
  return findBodyViolation(declared ?? anyProblem, body);
}

function findBodyViolation(declared: unknown, body: string | undefined): string | undefined {
  if (body === undefined) return undefined;
  if (declared === ContractNoBody) return body === "" ? undefined : "The response has a body.";
  if (!(declared instanceof z.ZodType)) return undefined;
  const result = declared.safeParse(parse(body));
  const [issue] = result.error?.issues ?? [];
  return issue === undefined ? undefined : `body ${issue.path.join(".")}: ${issue.code}`;
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** By operation and status. */
type RequiredHeaders = ReadonlyMap<string, readonly string[]>;

function readRequiredHeaders(): RequiredHeaders {
  const { paths, components } = openApiDocument();
  const isRequired = (name: string) => components.headers[name]?.required === true;
  const described = Object.values(paths).flatMap((item) => Object.values(item));
  return new Map(
    described.flatMap(({ operationId, responses }) =>
      Object.entries(responses).map(([status, response]) => {
        const own =
          "$ref" in response ? components.responses[response.$ref.split("/").at(-1) ?? ""] : response;
        const names = Object.entries(own?.headers ?? {}).filter(([name, header]) =>
          "$ref" in header ? isRequired(name) : header.required,
        );
        return [`${operationId} ${status}`, names.map(([name]) => name)];
      }),
    ),
  );
}
