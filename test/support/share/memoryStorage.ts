/** VS Code's secret storage and the state of a workspace in memory, for the record of a sharing. */
import type { SharingRecordDependencies } from '../../../src/share/sharingRecord';

export class MemoryStorage {
  readonly secrets = new Map<string, string>();
  readonly state = new Map<string, unknown>();
  /** ms without a window. Undefined for `never`. */
  limit: number | undefined = 60_000;
  /** Thrown by the secret storage. */
  failure: Error | undefined;

  constructor(readonly folder: string) {}

  get deps(): Omit<SharingRecordDependencies, 'clock' | 'log'> {
    const { folder, secrets, state } = this;
    const use = async <T>(act: () => T): Promise<T> => {
      if (this.failure) {
        throw this.failure;
      }
      return act();
    };
    return {
      secrets: {
        get: (key) => use(() => secrets.get(key)),
        store: (key, value) => use(() => void secrets.set(key, value)),
        delete: (key) => use(() => void secrets.delete(key)),
      },
      state: {
        get: (key) => state.get(key),
        update: async (key, value) => void (value === undefined ? state.delete(key) : state.set(key, value)),
      },
      stateKey: 'sharing',
      folder,
      limit: () => this.limit,
    };
  }

  /** The whole storage as text. */
  get text(): string {
    return JSON.stringify([[...this.secrets], [...this.state]]);
  }
}
