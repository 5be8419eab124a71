/**
 * Runs an agent's regular expressions in a worker thread, which is ended when one takes too long. JavaScript's backtracking can run forever on a
 * pattern of twenty characters, and `pattern` comes from the agent.
 */
import { Worker } from 'node:worker_threads';

export interface PatternCheck {
  readonly pattern: string;
  readonly value: string;
}

/** `undecided`: it took too long, or is not a valid pattern of this dialect. */
export type PatternVerdict = 'match' | 'no_match' | 'undecided';

/** Time limit of one pattern, in ms. */
const LIMIT_MS = 100;
/** Time limit for the start of a thread on a busy machine, in ms. */
const START_MS = 5000;
/** UTF-16 units. Longer patterns and values are not checked. */
const MAX_PATTERN = 4096;
const MAX_VALUE = 1024 * 1024;
/** More slow patterns than this are an attack, so the user does not wait for the rest. */
const MAX_SLOW = 5;

/** Matches like JSON Schema: anywhere in the value, in Unicode mode, and without it only where that makes the pattern valid. */
const SCRIPT = `
const { parentPort } = require('node:worker_threads');
parentPort.on('message', ({ pattern, value, flags }) => {
  parentPort.postMessage('begun');
  let verdict = 'undecided';
  for (const each of flags) {
    try {
      verdict = new RegExp(pattern, each).test(value) ? 'match' : 'no_match';
      break;
    } catch {}
  }
  parentPort.postMessage(verdict);
});
parentPort.postMessage('ready');
`;

/** Returns the verdict on each check, in order. Never rejects; takes a second or two at worst. */
export async function checkPatterns(checks: readonly PatternCheck[]): Promise<PatternVerdict[]> {
  const verdicts: PatternVerdict[] = [];
  let thread: PatternThread | undefined;
  let slow = 0;
  for (const check of checks) {
    if (slow === MAX_SLOW || check.pattern.length > MAX_PATTERN || check.value.length > MAX_VALUE) {
      verdicts.push('undecided');
      continue;
    }
    thread ??= new PatternThread();
    const verdict = await thread.run(check);
    verdicts.push(verdict ?? 'undecided');
    if (verdict === undefined) {
      slow++;
      thread.end();
      thread = undefined;
    }
  }
  thread?.end();
  return verdicts;
}

/** One worker. It cannot be used again after a check without a verdict. */
class PatternThread {
  private readonly worker = new Worker(SCRIPT, { eval: true, env: {}, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 64 } });
  private readonly ready: Promise<boolean>;
  private onReply: (word: string | undefined) => void = () => undefined;

  constructor() {
    this.worker.on('message', (word: string) => this.onReply(word));
    // The worker ran out of memory, or was ended from outside.
    this.worker.on('error', () => this.onReply(undefined));
    this.worker.on('exit', () => this.onReply(undefined));
    this.ready = new Promise((resolve) => {
      const limit = setTimeout(() => resolve(false), START_MS);
      this.onReply = (word) => {
        clearTimeout(limit);
        resolve(word === 'ready');
      };
    });
  }

  /** Returns undefined when the check did not end in time. */
  async run({ pattern, value }: PatternCheck): Promise<PatternVerdict | undefined> {
    if (!(await this.ready)) {
      return undefined;
    }
    return new Promise((resolve) => {
      let limit = setTimeout(() => resolve(undefined), START_MS);
      this.onReply = (word) => {
        clearTimeout(limit);
        if (word === 'begun') {
          // A verdict that arrived while this thread was busy is handled before the timeout.
          limit = setTimeout(() => setImmediate(() => resolve(undefined)), LIMIT_MS);
        } else {
          resolve(word as PatternVerdict | undefined);
        }
      };
      this.worker.postMessage({ pattern, value, flags: isOtherDialect(pattern) ? ['u'] : ['u', ''] });
    });
  }

  end(): void {
    void this.worker.terminate();
  }
}

/**
 * True for a pattern that JavaScript would silently read differently without Unicode mode: `\A`, `\Z` and the like would be letters, `[[:alpha:]]` a
 * list of them. Wrong verdicts are worse than none.
 */
function isOtherDialect(pattern: string): boolean {
  for (const [, escaped] of pattern.matchAll(/\\([\s\S])/g)) {
    if (/[a-z]/i.test(escaped!) && !/[bBcdDfnrsStuvwWx]/.test(escaped!)) {
      return true;
    }
  }
  return pattern.includes('[[:');
}
