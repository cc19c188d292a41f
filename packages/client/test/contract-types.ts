// Checked only by the compiler: the generated types equal those that the contract infers, for every operation.
import type { ErrorCode as ContractErrorCode, contract } from "@madang/contract";
import type { Operations } from "../src/generated/operations";
import type { ErrorCode, ErrorCodes } from "../src/index";

type Contract = typeof contract;
type RouteOf<Router, Id> = Id extends `${infer Name}.${infer Rest}`
  ? Name extends keyof Router
    ? RouteOf<Router[Name], Rest>
    : never
  : Id extends keyof Router
    ? Router[Id]
    : never;
/** The statuses of a response without an error. */
type Success = 200 | 201 | 202;
type Output<Schema> = Schema extends { _zod: { output: infer Value } } ? Value : undefined;
type Input<Schema> = Schema extends { _zod: { input: infer Value } } ? Value : undefined;
type Responses<Id> = RouteOf<Contract, Id> extends { responses: infer All } ? All : never;
/** An operation with 201 and 200 has the same body in both, whose types do not merge. */
type StatusOf<Id> = 201 extends keyof Responses<Id> ? 201 : Extract<keyof Responses<Id>, Success>;
type Response<Id> = Output<Responses<Id>[StatusOf<Id>]>;
type Body<Id> = RouteOf<Contract, Id> extends { body: infer Schema } ? Input<Schema> : undefined;
type Query<Id> = RouteOf<Contract, Id> extends { query: infer Schema } ? Input<Schema> : undefined;
type Path<Id> = RouteOf<Contract, Id> extends { pathParams: infer Schema } ? Input<Schema> : undefined;
type Codes<Id> = {
  [Status in Exclude<keyof Responses<Id>, Success>]: Output<Responses<Id>[Status]> extends {
    code: infer Code;
  }
    ? Code
    : never;
}[Exclude<keyof Responses<Id>, Success>];

/** Without the differences that are intended: `undefined` in an optional field, and read-only arrays. */
type Plain<T> = T extends readonly (infer Entry)[]
  ? Plain<Entry>[]
  : T extends object
    ? { [Key in keyof T]: Plain<Exclude<T[Key], undefined>> }
    : T;
type Same<A, B> =
  (<G>() => G extends Plain<A> ? 1 : 2) extends <G>() => G extends Plain<B> ? 1 : 2
    ? true
    : { sdk: A; contract: B };
type Part<Id extends keyof Operations, Name extends string> = Name extends keyof Operations[Id]
  ? Exclude<Operations[Id][Name], undefined>
  : undefined;

/** A body or query without fields is none. */
type Declared<T> = [Exclude<T, undefined>] extends [Record<string, never>]
  ? undefined
  : Exclude<T, undefined>;
/** Numbers and booleans are digits and words in a query, and commas separate several values. */
type AsText<T> = {
  [Key in keyof T]: Exclude<T[Key], undefined> extends number | boolean | readonly string[] ? string : T[Key];
};

type Holds<Claim extends Record<string, true>> = Claim;
type Id = keyof Operations;

export type Claims = [
  Holds<{ [Name in Id]: Same<Operations[Name]["response"], Response<Name>> }>,
  Holds<{ [Name in Id]: Same<Part<Name, "body">, Declared<Body<Name>>> }>,
  Holds<{ [Name in Id]: Same<AsText<Part<Name, "query">>, Declared<Query<Name>>> }>,
  Holds<{ [Name in Id]: Same<Part<Name, "path">, Declared<Path<Name>>> }>,
  Holds<{ [Name in Exclude<keyof ErrorCodes, "events.listen">]: Same<ErrorCodes[Name], Codes<Name>> }>,
  Holds<{ codes: Same<ErrorCode, ContractErrorCode> }>,
];
