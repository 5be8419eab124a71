/** The fields that our sharing adds to messages of the protocol, in `_meta`, for our own client. Other clients ignore them. Pure. */
import { MAX_CLIENT_NAME, type ShareRight } from './share';

/** The name of our fields in `_meta`. */
const NAME = 'acp-host';

/** The close of a WebSocket whose client the user has disconnected, so that it does not connect again by itself. The code is one of an application. */
export const DISCONNECTED = { code: 4001, reason: 'Disconnected by the user' } as const;

/** The reason for the cancellation of a question that another client has answered. */
export class AnsweredElsewhere extends Error {
  override readonly name = 'AbortError';

  /** @param client the name of the client that answered. Untrusted text. */
  constructor(readonly client: string) {
    super('Another client has answered.');
  }
}

/** Returns `_meta` for the cancellation of a request whose question this client has answered. */
export function answeredMeta(client: string): object {
  return { [NAME]: { answeredFrom: client } };
}

/** Returns the reason that a cancellation has in `_meta`. Undefined without one. */
export function answeredReason(meta: unknown): AnsweredElsewhere | undefined {
  const client = fieldsIn(meta)['answeredFrom'];
  return typeof client === 'string' && client.trim() !== '' ? new AnsweredElsewhere(client.trim().slice(0, MAX_CLIENT_NAME)) : undefined;
}

/** Returns `_meta` for the answer to `initialize` of a client with this right. {@link turnMeta} reports turns to it. */
export function rightMeta(right: ShareRight): object {
  return { [NAME]: { readOnly: right === 'read', turns: true } };
}

/** True for `_meta` of an answer to `initialize` that says: the turns of other clients are reported. */
export function hasTurnsMeta(meta: unknown): boolean {
  return fieldsIn(meta)['turns'] === true;
}

/** A turn that another client has started. Version 1 knows only the turns of the client itself. */
export type OtherTurn = { readonly type: 'started' } | { readonly type: 'ended'; readonly stopReason: string };

/** Returns `_meta` for a `session_info_update` about a turn. */
export function turnMeta(turn: OtherTurn): object {
  return { [NAME]: { turn } };
}

/** Returns the turn that an update is about. Undefined for an update with content of its own, which must not be lost. */
export function turnOfUpdate(update: unknown): OtherTurn | undefined {
  if (!isRecord(update) || update['sessionUpdate'] !== 'session_info_update' || Object.keys(update).length !== 2) {
    return undefined;
  }
  const { turn } = fieldsIn(update['_meta']);
  const { type, stopReason } = isRecord(turn) ? turn : {};
  return type === 'started' ? { type } : type === 'ended' && typeof stopReason === 'string' ? { type, stopReason } : undefined;
}

/** True for `_meta` of an answer to `initialize` that says: this client may only read. */
export function isReadOnlyMeta(meta: unknown): boolean {
  return fieldsIn(meta)['readOnly'] === true;
}

/** The data of the error for `session/new`. */
export const ONLY_SHARED: object = { [NAME]: { onlyShared: true } };

/** True for the data of an error that says: this server has shared sessions and starts no others. */
export function isOnlyShared(data: unknown): boolean {
  return fieldsIn(data)['onlyShared'] === true;
}

function fieldsIn(meta: unknown): Readonly<Record<string, unknown>> {
  const own = isRecord(meta) ? meta[NAME] : undefined;
  return isRecord(own) ? own : {};
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
