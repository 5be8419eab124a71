/** The results of earlier tests of agents on this machine. */
import type { TestFindings } from './agentTest';

export interface PastTest {
  /** The agent's own word. Absent when it named none. */
  readonly version?: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly result: 'passed' | 'sign_in' | 'failed';
}

export interface PastTestsStorage {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const KEY = 'agentTests';
/** Results that are kept per agent, and agents. The oldest are dropped. */
const MAX_RESULTS = 5;
const MAX_AGENTS = 100;
const MAX_VERSION = 60;
const RESULTS: ReadonlySet<unknown> = new Set<PastTest['result']>(['passed', 'sign_in', 'failed']);

export class PastTests {
  constructor(private readonly storage: PastTestsStorage) {}

  /** The results of an agent, the newest first. */
  of(agentId: string): readonly PastTest[] {
    const stored = this.all().find(([id]) => id === agentId)?.[1];
    return Array.isArray(stored) ? stored.filter(isPastTest) : [];
  }

  /** Keeps the result of a test that has ended. A cancelled test has none. */
  async add(agentId: string, { startedAt, dialect, failure }: TestFindings): Promise<void> {
    if (failure?.code === 'agent.start_cancelled') {
      return;
    }
    const version = dialect?.agent?.version?.slice(0, MAX_VERSION);
    const result = failure === undefined ? 'passed' : failure.code === 'auth.required' ? 'sign_in' : 'failed';
    const added: PastTest = { ...(version !== undefined && { version }), at: startedAt, result };
    const others = this.all().filter(([id]) => id !== agentId);
    const own = [added, ...this.of(agentId)].slice(0, MAX_RESULTS);
    await this.storage.update(KEY, [[agentId, own], ...others].slice(0, MAX_AGENTS));
  }

  private all(): readonly [string, unknown][] {
    const stored = this.storage.get(KEY);
    return Array.isArray(stored)
      ? stored.filter((each): each is [string, unknown] => Array.isArray(each) && typeof each[0] === 'string')
      : [];
  }
}

function isPastTest(value: unknown): value is PastTest {
  const { version, at, result } = (value ?? {}) as Partial<Record<keyof PastTest, unknown>>;
  return (version === undefined || typeof version === 'string') && typeof at === 'number' && RESULTS.has(result);
}
