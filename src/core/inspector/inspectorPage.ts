/**
 * The messages between the extension host and the page of the inspector, which shows the messages of one agent. The host sends a row per message in
 * portions, and the whole message when the user opens it. The page keeps a limited number of rows.
 */
import { type Infer, integer, object, string, variant } from '../schema/schema';

/** The most rows that a page keeps. The oldest are dropped. */
export const MAX_ROWS = 8000;
/** The most rows of one message to the page. */
export const ROWS_PER_MESSAGE = 200;
/** The most UTF-16 units of a search. */
export const MAX_QUERY = 200;

export type RowKind = 'request' | 'notification' | 'answer' | 'error' | 'stderr' | 'noise' | 'skipped' | 'note';

/** A message or a line. All texts are on one line, safe to display, and without secrets. */
export interface FrameRow {
  /** Grows with each row of an agent. */
  readonly id: number;
  /** The index of the program in {@link InspectorAgent.hops}; absent for the connection of ACP Host itself. */
  readonly hop?: number;
  /** ms since the epoch */
  readonly at: number;
  readonly kind: RowKind;
  /** True for a message to the agent or the program. */
  readonly isSent: boolean;
  /** The method of the message, or of the request that an answer belongs to. */
  readonly method?: string;
  /** The kind of an update. */
  readonly about?: string;
  readonly rpcId?: string;
  readonly sessionId?: string;
  readonly bytes: number;
  readonly text: string;
  /** An answer's request and the ms since then. */
  readonly request?: number;
  readonly ms?: number;
  /** True when the whole message contains the text that the user searches. */
  readonly isMatch?: boolean;
}

export interface InspectorAgent {
  readonly key: string;
  readonly name: string;
  /** When it was started, and whether it still runs. */
  readonly status: string;
  /** The programs of its chain, the agent last. Empty without proxies. */
  readonly hops: readonly string[];
}

/** A place of a message that is wrong against the schema. */
export interface FrameMark {
  /** Counted from 0. */
  readonly line: number;
  readonly text: string;
  /** True for a member that the schema does not have, which the protocol allows readers to ignore. */
  readonly isHint?: boolean;
}

export interface OpenedFrame {
  readonly type: 'frame';
  readonly id: number;
  /** Indented JSON, or the text of a line. */
  readonly text: string;
  readonly marks: readonly FrameMark[];
  /** The result of the comparison with the schema in one sentence. */
  readonly verdict: string;
  /** Says that only a part is shown. */
  readonly note?: string;
}

export type ToInspectorPage =
  /** Replaces the list of agents. */
  | { readonly type: 'agents'; readonly agents: readonly InspectorAgent[]; readonly selected: string | undefined }
  /** The rows of the selected agent follow from the beginning. `limit`: the sentence about what is kept. */
  | { readonly type: 'reset'; readonly limit: string }
  /** `dropped`: messages before or between these rows that are not there. */
  | { readonly type: 'rows'; readonly rows: readonly FrameRow[]; readonly dropped: number }
  /** The rows that a search has found, of those that were sent so far. */
  | { readonly type: 'matches'; readonly query: string; readonly ids: readonly number[] }
  | OpenedFrame
  /** Announces a sentence to screen readers. */
  | { readonly type: 'say'; readonly text: string }
  /** Confirms a ping. */
  | { readonly type: 'pong' };

export const fromInspectorPage = variant('type', {
  /** The page listens. */
  ready: object({}),
  /** Asks the panel for a pong, which shows that the extension host is alive. */
  ping: object({}),
  /** The last rows are on the page. The next ones are not sent before. */
  drawn: object({}),
  select: object({ key: string({ min: 1, max: 200 }) }),
  open: object({ id: integer() }),
  search: object({ query: string({ max: MAX_QUERY }) }),
  replay: object({}),
  export: object({}),
  copy: object({ id: integer() }),
});
export type FromInspectorPage = Infer<typeof fromInspectorPage>;
