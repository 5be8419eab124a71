/**
 * The declaration of a feature's traffic between the page and the host. A channel names the messages that the host takes from the page, each with its
 * schema and its rules, and types the messages that the host sends. The handlers are in the host, because `core` cannot know them.
 */
import { type Fields, type Flat, object, type Schema, type Shape } from '../../schema/schema';

/** The rules for one message of the page. A rule that is absent refuses. */
export interface MessageRules<T> {
  /**
   * Accepts the message for a replayed log, possibly in another form. A log is data of unknown origin, so only messages that read it may be accepted.
   */
  readonly recorded?: true | ((message: T) => T | undefined);
  /** Accepts the message in Restricted Mode, where no file of the workspace is looked up and nothing runs. */
  readonly restricted?: true | ((message: T) => boolean);
  /** Drops the message when its showing has ended. Only the page of that showing could use the answer. */
  readonly aboutShowing?: true;
  /** Accepts the message from a page that shows no session. */
  readonly withoutSession?: true;
  /** Keeps a previewed session open, as an edit does for VS Code's previewed files. */
  readonly keepsPreview?: true | ((message: T) => boolean);
}

/** A message that the host takes from the page. */
export interface Message<T extends object, R extends MessageRules<T> = MessageRules<T>> {
  readonly schema: Schema<T>;
  readonly rules: R;
}

/** The type of the messages that the host sends to the page. Has no value at run time, because the page trusts the host. */
export interface Sends<T extends { readonly type: string }> {
  readonly type?: T;
}

export interface Channel {
  /** The messages that the host takes from the page, by name. */
  readonly takes: Readonly<Record<string, { readonly schema: Schema<object>; readonly rules: object }>>;
  readonly sends?: Sends<{ readonly type: string }>;
}

export function message<const F extends Fields, const R extends MessageRules<Shape<F>> = Record<never, never>>(
  fields: F,
  rules?: R,
): Message<Shape<F>, R> {
  return { schema: object(fields), rules: rules ?? ({} as R) };
}

export function sends<T extends { readonly type: string }>(): Sends<T> {
  return {};
}

/** The union of the messages that the host takes in a channel. */
export type Taken<C> = C extends { readonly takes: infer T }
  ? {
      [Name in keyof T & string]: T[Name] extends { readonly schema: Schema<infer M> } ? Flat<{ readonly type: Name } & M> : never;
    }[keyof T & string]
  : never;

/** The union of the messages that the host sends in a channel. */
export type Sent<C> = C extends { readonly sends: Sends<infer T> } ? T : never;
