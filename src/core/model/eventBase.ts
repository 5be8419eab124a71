/** What every event has. */
export interface EventBase {
  /** ms since the epoch, stamped by the session when the event happens */
  readonly at: number;
  /** The wire's `_meta`, kept for the journal; the reducer does not read it. */
  readonly meta?: unknown;
  /** Root fields of the wire message that we do not know, kept for the journal. */
  readonly extra?: Readonly<Record<string, unknown>>;
}
