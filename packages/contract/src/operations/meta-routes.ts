import * as z from "zod";
import { bodyErrors, problems } from "../errors/errors";
import { kim, lunch } from "../examples/data";
import { example, metadata } from "../operation-metadata";
import { channel } from "../resources/channel";
import { user } from "../resources/user";
import { c, nothing } from "../router";
import { channelPathParams, userPathParams } from "../rules/fields";
import { changeHeaders } from "../rules/idempotency";
import { metaInput, metaKey } from "../rules/meta-fields";
import { text } from "../rules/text";

const metaChange = z
  .strictObject({ meta: metaInput.optional() })
  .meta({ id: "MetaChange", description: "The metadata pairs to add or change." });

const metaDeletion = z
  .strictObject({ keys: z.array(text()).meta({ description: "The keys to delete." }) })
  .meta({ id: "MetaDeletion", description: "The metadata keys to delete." });

/** The operations on the metadata of a user or channel. */
const metaOf = <
  Noun extends "user" | "channel",
  Path extends string,
  Params extends z.ZodRawShape,
  Schema extends z.ZodType,
>(resource: {
  readonly noun: Noun;
  readonly path: Path;
  readonly pathParams: z.ZodObject<Params>;
  readonly schema: Schema;
  readonly updated: object;
  readonly extension: boolean;
}) => {
  const { noun, path, pathParams, schema, updated, extension } = resource;
  const notFound = `${noun}_not_found` as const;
  return {
    merge: {
      method: "PUT",
      path,
      summary: `Add or change metadata of a ${noun}`,
      description: `Merges the pairs into the ${noun}'s metadata, all or nothing: the result may hold at most 10 pairs.`,
      pathParams,
      headers: changeHeaders,
      query: nothing,
      body: metaChange.optional(),
      responses: { 200: schema, ...problems([...bodyErrors, notFound, "meta_limit_exceeded"]) },
      metadata: metadata({
        sdk: { requires: "body" },
        access: "any_key",
        user: "no",
        extension,
        examples: {
          requests: example("One pair", { meta: { team: "blue" } }),
          responses: example(`The updated ${noun}`, updated),
        },
      }),
    },
    delete: {
      method: "DELETE",
      path,
      summary: `Delete metadata of a ${noun}`,
      description: "Deletes the named keys. Keys that do not exist are ignored.",
      pathParams,
      headers: changeHeaders,
      query: nothing,
      body: metaDeletion,
      responses: { 200: schema, ...problems([...bodyErrors, notFound]) },
      metadata: metadata({
        access: "any_key",
        user: "no",
        extension,
        examples: {
          requests: example("Two keys; the second does not exist", { keys: ["team", "floor"] }),
          responses: example(`The updated ${noun}`, { ...updated, meta: {} }),
        },
      }),
    },
    deleteKey: {
      method: "DELETE",
      path: `${path}/:key`,
      summary: `Delete one metadata key of a ${noun}, without a body`,
      description:
        "Does the same as deleting metadata with one key, for clients behind a proxy that drops the body of a DELETE. A key that does not exist is ignored.",
      pathParams: pathParams.extend({ key: metaKey }),
      headers: changeHeaders,
      query: nothing,
      body: nothing.optional(),
      responses: { 200: schema, ...problems([...bodyErrors, notFound]) },
      metadata: metadata({
        access: "any_key",
        user: "no",
        variantOf: `${noun}s.meta.delete`,
        examples: { responses: example(`The updated ${noun}`, { ...updated, meta: {} }) },
      }),
    },
  } as const;
};

export const userMeta = c.router(
  metaOf({
    noun: "user",
    path: "/users/:user_id/meta",
    pathParams: userPathParams,
    schema: user,
    updated: kim,
    extension: false,
  }),
);

export const channelMeta = c.router(
  metaOf({
    noun: "channel",
    path: "/group/channels/:channel_id/meta",
    pathParams: channelPathParams,
    schema: channel,
    updated: lunch,
    extension: true,
  }),
);
