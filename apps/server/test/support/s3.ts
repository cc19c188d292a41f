import { createHash, createHmac } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "s3rver";
import { bind } from "../../src/http/listen/bind";

export interface TestS3 {
  /** The settings of a server that stores files here. */
  readonly settings: Readonly<Record<string, string>>;
  /** The folder with the objects. */
  readonly folder: string;
  close(): Promise<void>;
}

const secret = "S3RVER";

/** Starts a server that speaks the protocol of S3. S3rver does not check signatures of version 4, and no conditions. */
export async function startS3(): Promise<TestS3> {
  const directory = await mkdtemp(join(tmpdir(), "madang-s3-"));
  const s3 = new S3rver({ silent: true, directory, configureBuckets: [{ name: "files", configs: [] }] });
  await s3.configureBuckets();
  const handle: (request: IncomingMessage, response: ServerResponse) => void = s3.callback();
  const stored = new Set<string>();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "", "http://s3");
    const fault = findFault(request) ?? (isConflict(request, stored.has(pathname)) ? 412 : undefined);
    if (fault !== undefined) return void response.writeHead(fault, { connection: "close" }).end();
    response.once("finish", () => {
      if (request.method === "PUT" && response.statusCode === 200) stored.add(pathname);
      if (request.method === "DELETE") stored.delete(pathname);
    });
    return handle(request, response);
  });
  const url = await bind(server, { PORT: 0, HOST: "127.0.0.1" });
  return {
    settings: {
      MADANG_FILES: "s3://files/chat",
      AWS_ENDPOINT_URL_S3: url,
      AWS_ACCESS_KEY_ID: "S3RVER",
      AWS_SECRET_ACCESS_KEY: secret,
    },
    folder: directory,
    async close() {
      server.closeAllConnections();
      server.close();
      await rm(directory, { recursive: true });
    },
  };
}

const isConflict = ({ method, headers }: IncomingMessage, isStored: boolean) =>
  method === "PUT" && headers["if-none-match"] === "*" && isStored;

/** The status with which S3 rejects a request, by its documentation of presigned URLs. */
function findFault({ method, url = "", headers }: IncomingMessage): number | undefined {
  const [path = "", search = ""] = url.split("?");
  const parameters = search.split("&").map((pair) => pair.split("=") as [string, string]);
  const { searchParams } = new URL(url, "http://s3");
  const read = (name: string) => searchParams.get(`X-Amz-${name}`) ?? "";
  const [, date = "", region = "", service = ""] = read("Credential").split("/");
  const time = read("Date").replace(/^(....)(..)(..T..)(..)(..Z)$/, "$1-$2-$3:$4:$5");
  if (Date.now() > Date.parse(time) + Number(read("Expires")) * 1_000) return 403;
  const signedHeaders = read("SignedHeaders").split(";");
  const canonical = [
    method,
    path,
    parameters
      .filter(([name]) => name !== "X-Amz-Signature")
      .map((pair) => pair.join("="))
      .sort()
      .join("&"),
    ...signedHeaders.map((name) => `${name}:${headers[name]}`),
    "",
    signedHeaders.join(";"),
    "UNSIGNED-PAYLOAD",
  ].join("\n");
  const scope = `${date}/${region}/${service}/aws4_request`;
  const text = [
    "AWS4-HMAC-SHA256",
    read("Date"),
    scope,
    createHash("sha256").update(canonical).digest("hex"),
  ];
  const sign = (key: string | Buffer, value: string) => createHmac("sha256", key).update(value).digest();
  const key = sign(sign(sign(sign(`AWS4${secret}`, date), region), service), "aws4_request");
  return sign(key, text.join("\n")).toString("hex") === read("Signature") ? undefined : 403;
}
