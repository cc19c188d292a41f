import { invalidField, ServiceError } from "../../errors/service-error";
import { createValueCounter } from "./count-values";

/** More than any request needs, also in packets of a slow network. Node takes a microsecond per chunk, however small. */
const maxChunksPerMegabyte = 4_096;
/** Many times more than a request needs. Parsing and validating 100,000 values would block the event loop. */
const maxValuesPerMegabyte = 6_000;

export const bytesPerMegabyte = 2 ** 20;

/** Checks the chunks of a body as they arrive. Returns why it is rejected, as soon as it is too large or takes too long to read. */
export function createBodyLimit(maxBytes: number): (chunk: Buffer) => ServiceError | undefined {
  const megabytes = Math.ceil(maxBytes / bytesPerMegabyte);
  const [maxValues, maxChunks] = [maxValuesPerMegabyte * megabytes, maxChunksPerMegabyte * megabytes];
  const countValues = createValueCounter();
  let length = 0;
  let chunks = 0;
  return (chunk) => {
    length += chunk.length;
    chunks += 1;
    if (length > maxBytes) return tooLarge(maxBytes);
    if (chunks > maxChunks) return tooManyChunks(maxChunks);
    if (countValues(chunk) >= maxValues)
      return invalidField("body", "", `The body has more than ${maxValues} values.`);
    return undefined;
  };
}

const formatBytes = (bytes: number) => `${bytes.toLocaleString("en-US")} bytes`;

export const tooLarge = (maxBytes: number) =>
  new ServiceError(
    "payload_too_large",
    maxBytes < bytesPerMegabyte
      ? `The body is larger than ${formatBytes(maxBytes)}.`
      : `The body is larger than ${maxBytes / bytesPerMegabyte} MB (${formatBytes(maxBytes)}).`,
  );

const tooManyChunks = (maxChunks: number) =>
  new ServiceError(
    "payload_too_large",
    `The body arrived in more than ${maxChunks.toLocaleString("en-US")} chunks. Send larger ones.`,
  );
