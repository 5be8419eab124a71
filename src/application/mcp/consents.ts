/**
 * The user's consent to servers that a workspace names, for their exact text. Only salted hashes are stored: a definition may contain a token, and
 * VS Code's storage is a file.
 */
import { createHash, randomUUID } from 'node:crypto';
import { canonical, isPlainObject, type Plain } from '../../mcp/config/plainJson';

export interface ConsentStorage {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void> | Promise<void>;
}

/** A server as the user sees it in the question. */
export interface ConsentSubject {
  readonly sourceId: string;
  readonly name: string;
  /** See `exactText`. */
  readonly text: string;
  /** The server as it is written. */
  readonly raw: Plain;
  /** The content of its environment file. */
  readonly envFile?: string;
}

export type Consent =
  | { readonly type: 'agreed' | 'denied' | 'new' }
  /** The user agreed to another text. `members`: those that differ, such as `env.PATH`. */
  | { readonly type: 'changed'; readonly members: readonly string[] };

interface Stored {
  readonly salt: string;
  readonly text: string;
  readonly members: Readonly<Record<string, string>>;
  readonly isDenied?: true;
}

const KEY = 'mcpConsents';
const MAX_STORED = 500;

export class Consents {
  /** @param key the name under which the answers are stored */
  constructor(
    private readonly storage: ConsentStorage,
    private readonly key = KEY,
  ) {}

  of(subject: ConsentSubject): Consent {
    const stored = this.stored()[idOf(subject)];
    if (!stored) {
      return { type: 'new' };
    }
    if (hashed(stored.salt, wholeText(subject)) === stored.text) {
      return { type: stored.isDenied ? 'denied' : 'agreed' };
    }
    if (stored.isDenied) {
      return { type: 'new' };
    }
    const members = membersOf(subject);
    const names = new Set([...Object.keys(members), ...Object.keys(stored.members)]);
    const isOther = (name: string): boolean =>
      !Object.hasOwn(members, name) || !Object.hasOwn(stored.members, name) || hashed(stored.salt, members[name]!) !== stored.members[name];
    return { type: 'changed', members: [...names].filter(isOther).sort() };
  }

  /** Records the user's answer to exactly these texts. */
  async record(answers: readonly { readonly subject: ConsentSubject; readonly isAgreed: boolean }[]): Promise<void> {
    const all = new Map(Object.entries(this.stored()));
    for (const { subject, isAgreed } of answers) {
      const salt = randomUUID();
      const members = Object.entries(membersOf(subject)).map(([name, text]) => [name, hashed(salt, text)]);
      const id = idOf(subject);
      all.delete(id);
      all.set(id, {
        salt,
        text: hashed(salt, wholeText(subject)),
        members: Object.fromEntries(members) as Record<string, string>,
        ...(!isAgreed && { isDenied: true }),
      });
    }
    await this.storage.update(this.key, Object.fromEntries([...all].slice(-MAX_STORED)));
  }

  private stored(): Readonly<Record<string, Stored>> {
    const stored = this.storage.get(this.key);
    return typeof stored === 'object' && stored !== null ? (stored as Record<string, Stored>) : {};
  }
}

/** A hash, because a name or a path may be any text. */
function idOf({ sourceId, name }: ConsentSubject): string {
  return createHash('sha256')
    .update(JSON.stringify([sourceId, name]))
    .digest('hex')
    .slice(0, 32);
}

function wholeText({ text, envFile }: ConsentSubject): string {
  return JSON.stringify([text, envFile ?? null]);
}

function hashed(salt: string, text: string): string {
  return createHash('sha256').update(salt).update('\0').update(text).digest('hex');
}

/** The members by name, those of `env` and `headers` each. */
function membersOf({ raw, text, envFile }: ConsentSubject): Record<string, string> {
  const members: Record<string, string> = {};
  for (const [name, value] of isPlainObject(raw) ? Object.entries(raw) : []) {
    if ((name === 'env' || name === 'headers') && isPlainObject(value)) {
      Object.entries(value).forEach(([inner, item]) => (members[`${name}.${inner}`] = canonical(item)));
    } else {
      members[name] = canonical(value);
    }
  }
  const [, inputs] = text.split(',inputs:');
  return { ...members, ...(inputs !== undefined && { inputs }), ...(envFile !== undefined && { 'content of envFile': envFile }) };
}
