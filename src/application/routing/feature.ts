/** The host's part of a feature that has traffic with the page: a handler for each message of its channel. */
import type { Channel, Message, Sent } from '../../core/protocol/messages/channel';
import type { Disposable } from '../../core/platform/disposable';
import type { FromView, ToView } from '../../core/protocol/view';
import type { Session } from '../../session/session';

/** One showing of a session in a page. */
export interface Showing<Out = ToView> {
  /** True when the page shows something else by now. */
  readonly disposed: boolean;
  /** Disposes `owned` with the showing. */
  add<T extends Disposable>(owned: T): T;
  /** Sends a message to the page. It is lost while the page is hidden. */
  send(message: Out): void;
  /** Calls `listener` when the page is hidden, which destroys it. */
  onHide(listener: () => void): void;
}

/** The origin of a message. */
export interface Source {
  /** The session in which the user acted. Undefined for a page that shows none. */
  readonly session: Session | undefined;
  /** Set while the page still shows that session. */
  readonly showing: Showing | undefined;
  /** Posts to the page of the session, now or when it exists. */
  post(message: ToView): void;
}

/** The origin of a message as its handler gets it. The rules of the message say whether there is a session, and a showing. */
interface SourceOf<Rules, Out> {
  readonly session: Rules extends { readonly withoutSession: true } ? Session | undefined : Session;
  readonly showing: Rules extends { readonly aboutShowing: true } ? Showing<Out> : undefined;
  post(message: Out): void;
}

/** The handlers of a channel, by the names of its messages. */
export type Handlers<C extends Channel> = {
  readonly [Name in keyof C['takes']]: C['takes'][Name] extends Message<infer Fields, infer Rules>
    ? (message: Fields, source: SourceOf<Rules, Sent<C>>) => unknown
    : never;
};

/** A handler whose message the router has checked. */
export type Handler = (message: object, source: Source) => unknown;

/** Creates the handlers of a feature by the names of their messages. Called once per window. */
export type Feature<Services> = (services: Services) => Readonly<Record<string, Handler>>;

/** The way of a page's messages to their handlers. */
export interface Router {
  /** Never rejects. */
  act(message: FromView, source: Source): Promise<void>;
}
