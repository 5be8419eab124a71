/**
 * The rules for making the connection to a remote agent again: after which failures, after which pause, and how often. Pure. Host and page use them.
 */
import { boolean, type Fields, number, object, optional, string } from '../schema/schema';

/** The most attempts after one break. With the pauses below they take about a quarter of an hour. */
export const MAX_ATTEMPTS = 20;
/** ms before the first attempt, and at most before any. */
const FIRST_PAUSE = 1000;
const MAX_PAUSE = 60_000;
/** A server may ask for a longer pause, but for no longer one than this, in ms. */
const MAX_REQUESTED = 10 * 60_000;

/** A failure, as far as these rules read it. The model imports this file, so its type cannot be imported here. */
interface Coded {
  readonly code: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** An attempt that waits for its time, or that runs. */
export interface Reconnect {
  /** The attempts since the break, this one included. */
  readonly attempt: number;
  /** ms since the epoch */
  readonly at: number;
  /** The name and port of the server. */
  readonly host: string;
  /** True when a turn ran when the connection broke, so that the agent may have sent more of it. */
  readonly wasBusy: boolean;
}

/** The event of a reconnect. @param base the fields of every event */
export const reconnectEvents = <const B extends Fields>(base: B) => ({
  /** The connection is made again at `reconnect.at`. Without it, only the user does that. Not journaled, because a later window starts afresh. */
  reconnect_scheduled: object({
    ...base,
    reconnect: optional(object({ attempt: number(), at: number(), host: string(), wasBusy: boolean() })),
  }),
});

/** Failures that may go away by themselves. The others need the user: a wrong token, another address, a message over the limit. */
const TEMPORARY: ReadonlySet<string> = new Set([
  'remote.closed',
  'remote.unreachable',
  'remote.busy',
  'remote.error',
  'remote.conflict',
  // Another user may have taken the port for a moment.
  'remote.other_user',
]);

/** Failures of an attempt that a server or the proxy before it gives while the agent's part of it starts. */
const WHILE_STARTING: ReadonlySet<string> = new Set(['remote.not_found', 'remote.not_acp']);

/**
 * True when a later attempt may succeed without a change by the user.
 *
 * @param isAttempt true for the failure of a reconnect: an agent was at this address before
 */
export function isTemporary(failure: Coded | undefined, isAttempt = false): boolean {
  return failure !== undefined && (TEMPORARY.has(failure.code) || (isAttempt && WHILE_STARTING.has(failure.code)));
}

/**
 * Returns the ms before this attempt, counted from 1. They double, with up to a quarter more or less, so that many windows do not return at once.
 *
 * @param failure may carry the pause that the server asks for
 * @param random from 0 to 1
 */
export function pauseBefore(attempt: number, failure: Coded | undefined, random: number): number {
  const pause = Math.min(FIRST_PAUSE * 2 ** (attempt - 1), MAX_PAUSE) * (0.75 + random / 2);
  const requested = failure?.code === 'remote.busy' ? (Number(failure.params?.['seconds']) || 0) * 1000 : 0;
  return Math.round(Math.max(Math.min(pause, MAX_PAUSE), Math.min(requested, MAX_REQUESTED)));
}
