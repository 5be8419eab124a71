/** The types of the compliance table, which lists what this client does with the stable schema, and helpers that build its rows. */

/** A text for the reader. `none`: it does not apply, or the client does not do it, with the reason when it differs from the area's. */
export type Cell = string | { readonly none: string };

export interface Row {
  readonly name: string;
  /** Defaults to the area's. */
  readonly sent?: Cell;
  readonly handled?: Cell;
  readonly shown?: Cell;
  /** `file below test/: title of the test`. Defaults to the area's. */
  readonly tests?: readonly string[];
}

export interface Area {
  /** The area, as in `identitiesOf`. */
  readonly area: string;
  /** The noun for a name of this area in a sentence, written before the name. */
  readonly label: string;
  readonly section: string;
  readonly title: string;
  readonly intro: string;
  readonly sent: Cell;
  readonly handled: Cell;
  readonly shown: Cell;
  readonly tests?: readonly string[];
  readonly rows: readonly Row[];
}

/** A cell that does not apply. */
export const no = (why = ''): Cell => ({ none: why });
/** Rows that differ only in where the user sees them. */
export const rows = (shown: Readonly<Record<string, string>>): Row[] =>
  Object.entries(shown).map(([name, words]) => ({ name, shown: words }));

// Test files that many rows refer to.
export const V1 = 'unit/acp/v1/v1.test.ts: ';
export const CLIENT = 'unit/acp/v1/client.test.ts: ';
export const UPDATES = 'unit/acp/v1/updates.test.ts: ';
export const MESSAGE_UPDATES = 'unit/acp/v1/messageUpdates.test.ts: ';
export const TOOL_CALL_UPDATES = 'unit/acp/v1/toolCallUpdates.test.ts: ';
export const BLOCKS = 'unit/acp/v1/content.test.ts: ';
export const MALFORMED = 'unit/acp/jsonrpc/malformedMessages.test.ts: ';
export const OUTGOING = 'unit/acp/jsonrpc/outgoing.test.ts: ';
export const INCOMING = 'unit/acp/jsonrpc/incoming.test.ts: ';
export const SESSION = 'unit/session/session.test.ts: ';
export const ROOMS = 'agent/scenarios/services.test.ts: ';
export const TALK = 'agent/scenarios/conversation.test.ts: ';
export const AGAIN = 'agent/scenarios/earlier.test.ts: ';
export const UPDATED = 'agent/scenarios/updates.test.ts: ';
export const SIGNED = 'agent/scenarios/signIn.test.ts: ';
export const ASKED = 'agent/scenarios/elicitation.test.ts: ';
export const VIEW = 'browser/view.test.ts: ';
export const PERMISSION_CARD = 'browser/permissionCard.test.ts: ';
export const SHOWN = 'browser/compliance.test.ts: ';
export const COMPOSER = 'browser/composer.test.ts: ';
export const EARLIER = 'unit/session/earlier.test.ts: ';
export const RESUMED = 'unit/session/resumedSession.test.ts: ';
export const RESTORED = 'unit/session/restoredSession.test.ts: ';
export const SIGN_IN = 'unit/session/signIn.test.ts: ';
export const SIGNED_OUT = 'unit/session/signedOut.test.ts: ';
export const SIGN_IN_PROCESS = 'unit/session/signInProcess.test.ts: ';
export const FORMS = 'unit/session/questions/elicitations.test.ts: ';
export const CARDS = 'browser/elicitation.test.ts: ';
export const SIGN_IN_CARD = 'browser/signIn.test.ts: ';
export const RULES = 'unit/core/elicitation/rules.test.ts: ';
/** Covers, in the real view, each text of each form and web page that the schema allows. */
export const SEEN = `${SHOWN}shows every text of every form and web page, and of refused ones as they came`;
