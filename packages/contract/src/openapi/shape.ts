import type * as z from "zod";
import type { Access, Example, UserRight } from "../operation-metadata";

/** The parts of OpenAPI 3.1 that the document uses. */
export type Schema = z.core.JSONSchema.JSONSchema;

export interface Reference {
  readonly $ref: string;
}

export interface MediaType {
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, Example>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface Header {
  readonly description: string;
  readonly required: boolean;
  readonly schema: Schema;
}

export interface RequestBody {
  readonly required: boolean;
  readonly content: { readonly "application/json": MediaType };
}

export interface ResponseObject {
  readonly description: string;
  readonly headers: Readonly<Record<string, Header | Reference>>;
  readonly content?: Readonly<Record<string, MediaType>>;
}

export interface OperationObject {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly "x-madang-access": Access;
  readonly "x-madang-user": UserRight;
  readonly "x-madang-extension"?: true;
  readonly "x-madang-variant-of"?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: RequestBody;
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>;
  /** What a reference page shows besides requests, which it makes itself. */
  readonly "x-codeSamples": readonly [CodeSample];
}

/** A registered extension of OpenAPI, which the common reference pages read. */
export interface CodeSample {
  readonly lang: "TypeScript";
  readonly label: "SDK";
  readonly source: string;
}

export type Method = "get" | "post" | "put" | "patch" | "delete";
export type PathItem = { readonly [method in Method]?: OperationObject };

export interface SecurityScheme {
  readonly type: "http";
  readonly scheme: "bearer";
  readonly description: string;
}

export interface OpenApiDocument {
  readonly openapi: "3.1.1";
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary: string;
    readonly description: string;
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, ResponseObject>>;
    readonly headers: Readonly<Record<string, Header>>;
    readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
  };
}
