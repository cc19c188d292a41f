import { errorCodes, problem } from "../errors/errors";
import { operations } from "../operation-list";
import { eventStreamOperation } from "../operations/events/event-stream";
import { liveEvent } from "../resources/live-event";
import { Components } from "./components";
import { headers } from "./headers";
import { describeOperation } from "./operation";
import type { OpenApiDocument, OperationObject } from "./shape";
import { tags } from "./tags";

const anyProblem = problem(errorCodes).meta({
  id: "Problem",
  description: "An error response: problem details (RFC 9457). `code` is one of the documented codes.",
});

let made: OpenApiDocument | undefined;

/** The contract and the stream of events as an OpenAPI 3.1 document. It is made once: that takes longer than starting a server. */
export function openApiDocument(): OpenApiDocument {
  made ??= makeDocument();
  return made;
}

function makeDocument(): OpenApiDocument {
  const components = new Components();
  components.schema(anyProblem);
  const paths: Record<string, Record<string, OperationObject>> = {};
  for (const operation of [...operations, eventStreamOperation]) {
    const path = operation.route.path.replace(/:(\w+)/g, "{$1}");
    paths[path] ??= {};
    paths[path][operation.route.method.toLowerCase()] = describeOperation(operation, components);
  }
  components.schema(liveEvent);
  return {
    openapi: "3.1.1",
    info: {
      title: "Madang",
      version: "1",
      summary: "A chat backend that an application calls server to server.",
      description:
        "Users, group channels with participants and managers, messages, bulk export, and sub keys. Every timestamp is in milliseconds since the Unix epoch, UTC. Requests with unknown fields or parameters are rejected. Responses may contain additional fields in the future.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/", description: "The server that serves this document." }],
    security: [{ apiKey: [] }],
    tags: Object.values(tags),
    paths,
    components: {
      schemas: components.schemas,
      responses: components.responses,
      headers,
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          description:
            "The master key or a sub key, as `Authorization: Bearer <key>`. Operations with `x-madang-access: master_key` accept only the master key. A token of a user, or a sub key with `user_id`, acts as a user: `x-madang-user` says who may call an operation so.",
        },
      },
    },
  };
}
