// Held by the type checker alone: what the SDK publishes as plain interfaces is what the contract infers.
import type {
  ErrorCode as ContractErrorCode,
  InvalidField as ContractInvalidField,
  contract,
} from "@madang/contract";
import type {
  Channel,
  ChannelChange,
  ChannelWithMembers,
  ErrorCode,
  ErrorCodes,
  InvalidField,
  MemberEntry,
  Message,
  NewChannel,
  NewMessage,
  NewUser,
  Operation,
  SubKey,
  User,
  UserChange,
} from "../src/index";
import type { methodOf } from "./contract-names";

type Contract = typeof contract;
type At<Router, Path> = Path extends `${infer Name}.${infer Rest}`
  ? Name extends keyof Router
    ? At<Router[Name], Rest>
    : never
  : Path extends keyof Router
    ? Router[Path]
    : never;
type Route<Id> = At<Contract, Id>;
type Id = keyof typeof methodOf;
type Output<Schema> = Schema extends { _zod: { output: infer Value } } ? Value : never;
type Input<Schema> = Schema extends { _zod: { input: infer Value } } ? Value : never;
type Responses<Name> = Route<Name> extends { responses: infer All } ? All : never;
type Answer<Name, Status> = Status extends keyof Responses<Name> ? Output<Responses<Name>[Status]> : never;
type Body<Name> = Route<Name> extends { body: infer Schema } ? Input<Schema> : never;

/** The same fields, whether `undefined` may stand in an optional one or not, and whether an array is read-only or not. */
type Plain<T> = T extends readonly (infer Entry)[]
  ? Plain<Entry>[]
  : T extends object
    ? { [Key in keyof T]: Plain<Exclude<T[Key], undefined>> }
    : T;
type Same<A, B> =
  (<G>() => G extends Plain<A> ? 1 : 2) extends <G>() => G extends Plain<B> ? 1 : 2
    ? true
    : { sdk: A; contract: B };
type Holds<Claim extends true> = Claim;

export type Answers = [
  Holds<Same<User, Answer<"users.get", 200>>>,
  Holds<Same<User, Answer<"users.create", 201>>>,
  Holds<Same<User, Answer<"users.update", 200>>>,
  Holds<Same<User, Answer<"users.meta.merge", 200>>>,
  Holds<Same<User, Answer<"users.meta.delete", 200>>>,
  Holds<Same<{ users: User[]; next?: string } | User[], Answer<"users.list", 200>>>,
  Holds<Same<ChannelWithMembers, Answer<"channels.create", 201>>>,
  Holds<Same<Channel, Answer<"channels.update", 200>>>,
  Holds<Same<Channel, Answer<"channels.get", 200>>>,
  Holds<Same<Channel, Answer<"channels.freeze", 200>>>,
  Holds<Same<{ channels: Channel[]; next?: string }, Answer<"channels.list", 200>>>,
  Holds<Same<MemberEntry[], Answer<"channels.members.list", 200>>>,
  Holds<Same<MemberEntry[], Answer<"channels.managers.list", 200>>>,
  Holds<Same<Message, Answer<"messages.send", 201>>>,
  Holds<Same<{ messages: Message[]; timezone: string; next?: string }, Answer<"exports.messages", 200>>>,
  Holds<Same<SubKey[], Answer<"keys.list", 200>>>,
  Holds<Same<SubKey, Answer<"keys.create", 201>>>,
];

export type Bodies = [
  Holds<Same<NewUser, Body<"users.create">>>,
  Holds<Same<UserChange, Body<"users.update">>>,
  Holds<Same<NewChannel, Body<"channels.create">>>,
  Holds<Same<ChannelChange, Body<"channels.update">>>,
  Holds<Same<NewMessage, Body<"messages.send">>>,
];

/** The codes of an operation: those of each of its refusals. */
type Codes<Name> = {
  [Status in Exclude<keyof Responses<Name>, 200 | 201>]: Answer<Name, Status> extends { code: infer Code }
    ? Code
    : never;
}[Exclude<keyof Responses<Name>, 200 | 201>];

export type Refusals = [
  Holds<Same<ErrorCode, ContractErrorCode>>,
  Holds<Same<InvalidField, ContractInvalidField>>,
  Holds<Same<Operation, (typeof methodOf)[Id]>>,
  Holds<Same<ErrorCodes, { [Name in Id as (typeof methodOf)[Name]]: Codes<Name> }>>,
];
