/** An entry of the permission audit, as one line of a file. */
import { type Infer, literal, number, object, optional, string } from '../../../core/schema/schema';

/** UTF-16 units of a title, a detail and a rule. A line must be small, because two windows append to the same file. */
const MAX_TEXT = 600;
const MAX_NAME = 200;
/** The last moment that a date can have, in ms since the epoch. */
const MAX_DATE = 8.64e15;

/** The member texts are cut and without secrets when an entry is recorded, and any length is read. */
const auditEntry = object({
  /** ms since the epoch. */
  at: number(),
  /** The host's key of the session. */
  sessionId: string(),
  /** The session's title at that time. */
  session: optional(string()),
  agent: string(),
  /** The sub-agent that asked. */
  askedBy: optional(string()),
  /** `question`: the user was asked. `answer`: the user answered, or the question ended. `automatic`: a rule or a mode answered. */
  kind: literal('question', 'answer', 'automatic', 'rule', 'mode'),
  /** The operation. For a rule: the rule in words. For a mode: the mode. */
  title: string(),
  /** The command, the files or the address of the operation. */
  detail: optional(string()),
  /** The kind of the chosen option, or `cancelled`, `withdrawn`, `lost`; for a rule `added` or `revoked`. */
  outcome: optional(string()),
  /** The name of the chosen option. */
  option: optional(string()),
  /** The client of the shared session that answered instead of the window. */
  client: optional(string()),
  ruleId: optional(string()),
  /** The code of the reason for the question or the automatic answer. */
  reason: optional(string()),
  /** The rule of the automatic answer in words. */
  rule: optional(string()),
});
export type AuditEntry = Infer<typeof auditEntry>;

/** Returns the entry of a line; undefined for a line that another window has not finished, and for damaged ones. */
export function auditEntryIn(line: string): AuditEntry | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const entry = auditEntry.validate(value) ? auditEntry.parse(value) : undefined;
    return entry && Math.abs(entry.at) <= MAX_DATE ? entry : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the entry as it is stored: cut, and each text cleaned by `clean`. */
export function storedEntry(entry: AuditEntry, clean: (text: string) => string): AuditEntry {
  const texts = (
    ['session', 'agent', 'askedBy', 'title', 'detail', 'outcome', 'option', 'client', 'ruleId', 'reason', 'rule'] as const
  ).flatMap((name) => {
    const text = entry[name];
    const max = name === 'title' || name === 'detail' || name === 'rule' ? MAX_TEXT : MAX_NAME;
    return text === undefined ? [] : [[name, cut(clean(text), max)] as const];
  });
  return { at: entry.at, sessionId: entry.sessionId, kind: entry.kind, ...Object.fromEntries(texts) } as AuditEntry;
}

function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max - 1)}…` : text;
}
