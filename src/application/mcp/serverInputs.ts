/**
 * The values that the user entered for inputs of servers, in the secret storage. A value belongs to one source: another workspace that names an input
 * alike does not get it.
 */
import { createHash } from 'node:crypto';
import type { ConsentStorage } from './consents';

export interface InputSecrets {
  get(key: string): Thenable<string | undefined>;
  store(key: string, value: string): Thenable<void>;
  delete(key: string): Thenable<void>;
}

/** The place of a value, without the value: the secret storage cannot be listed. */
export interface InputKey {
  readonly sourceId: string;
  readonly id: string;
}

const KEY = 'mcpInputs';
const PREFIX = 'acpHost.mcp.input.';

export class ServerInputs {
  /** The values of this window: the only copy where the secret storage does not work. */
  private readonly known = new Map<string, string>();

  constructor(
    private readonly secrets: InputSecrets,
    private readonly storage: ConsentStorage,
  ) {}

  /** Undefined: not entered. Never rejects. */
  async get(input: InputKey): Promise<string | undefined> {
    const key = keyOf(input);
    try {
      const stored = await this.secrets.get(key);
      // Another window may have changed or deleted the value.
      return stored ?? (this.list().some((each) => keyOf(each) === key) ? undefined : this.known.get(key));
    } catch {
      return this.known.get(key);
    }
  }

  /** Resolves to false when the value lasts only until the window closes. */
  async keep(input: InputKey, value: string): Promise<boolean> {
    const key = keyOf(input);
    this.known.set(key, value);
    try {
      await this.secrets.store(key, value);
      await this.storage.update(KEY, [...this.list().filter((each) => keyOf(each) !== key), { sourceId: input.sourceId, id: input.id }]);
      return true;
    } catch {
      return false;
    }
  }

  list(): readonly InputKey[] {
    const stored = this.storage.get(KEY);
    return Array.isArray(stored) ? (stored as InputKey[]) : [];
  }

  async forget(inputs: readonly InputKey[]): Promise<void> {
    const keys = new Set(inputs.map(keyOf));
    for (const key of keys) {
      this.known.delete(key);
      await this.secrets.delete(key);
    }
    await this.storage.update(
      KEY,
      this.list().filter((each) => !keys.has(keyOf(each))),
    );
  }
}

function keyOf({ sourceId, id }: InputKey): string {
  return (
    PREFIX +
    createHash('sha256')
      .update(JSON.stringify([sourceId, id]))
      .digest('hex')
  );
}
