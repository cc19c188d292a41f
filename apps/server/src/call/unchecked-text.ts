declare const unchecked: unique symbol;

/**
 * The text of a message as a request has it. A handler can only pass it to the checks (chat/checks), or say that its operation
 * is exempt from them: a store takes a string. So no operation stores a text without naming its check.
 */
export interface UncheckedText {
  readonly [unchecked]: true;
}

/** A body of which every `content` is such a text, also those of a list in it. */
export type UncheckedBody<Body> = Body extends object
  ? string extends keyof Body
    ? Body
    : {
        [Name in keyof Body]: Name extends "content"
          ? UncheckedContent<Body[Name]>
          : Body[Name] extends readonly (infer Item)[]
            ? UncheckedItem<Item>[]
            : UncheckedItem<Body[Name]>;
      }
  : Body;

type UncheckedItem<Item> = Item extends { readonly content?: unknown }
  ? { [Name in keyof Item]: Name extends "content" ? UncheckedContent<Item[Name]> : Item[Name] }
  : Item;

type UncheckedContent<Content> = Content extends string ? UncheckedText : Content;
