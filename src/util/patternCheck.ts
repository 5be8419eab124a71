/**
 * An agent's regular expressions, run where they can be stopped: in a worker thread that is ended when one takes too long. JavaScript's
 * backtracking can take forever on a pattern of twenty characters, and `pattern` comes from the agent.
 */
import { Worker } from 'node:worker_threads';

export interface PatternCheck {
  readonly pattern: string;
  readonly value: string;
}

/** undecided: it took too long, or is no pattern of this dialect. */
export type PatternVerdict = 'match' | 'no_match' | 'undecided';

/** ms that one pattern gets. */
const LIMIT_MS = 100;
/** ms that a thread gets to start on a busy machine. */
const START_MS = 5000;
/** UTF-16 units; longer ones are not tried. */
const MAX_PATTERN = 4096;
const MAX_VALUE = 1024 * 1024;
/** Whoever sends more than this many slow patterns does it on purpose: the user is not kept waiting for the rest. */
const MAX_SLOW = 5;

/** As JSON Schema has it: found anywhere in the value, in Unicode mode, and without it where only that makes the pattern valid. */
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

/** The verdict on each, in order. Never rejects; takes a second or two at worst. */
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

/** One worker; of no more use once a check got no verdict. */
class PatternThread {
  private readonly worker = new Worker(SCRIPT, { eval: true, env: {}, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 64 } });
  private readonly ready: Promise<boolean>;
  private heard: (word: string | undefined) => void = () => undefined;

  constructor() {
    this.worker.on('message', (word: string) => this.heard(word));
    // Out of memory, or ended from outside.
    this.worker.on('error', () => this.heard(undefined));
    this.worker.on('exit', () => this.heard(undefined));
    this.ready = new Promise((resolve) => {
      const limit = setTimeout(() => resolve(false), START_MS);
      this.heard = (word) => {
        clearTimeout(limit);
        resolve(word === 'ready');
      };
    });
  }

  /** Undefined when it did not come to an end in time. */
  async run({ pattern, value }: PatternCheck): Promise<PatternVerdict | undefined> {
    if (!(await this.ready)) {
      return undefined;
    }
    return new Promise((resolve) => {
      let limit = setTimeout(() => resolve(undefined), START_MS);
      this.heard = (word) => {
        clearTimeout(limit);
        if (word === 'begun') {
          // A verdict that came while this thread was busy is heard before the time is up.
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
 * True for what JavaScript would read as something else without Unicode mode, and not complain: `\A`, `\Z` and the like would be letters,
 * `[[:alpha:]]` a list of them. Wrong verdicts are worse than none.
 */
function isOtherDialect(pattern: string): boolean {
  for (const [, escaped] of pattern.matchAll(/\\([\s\S])/g)) {
    if (/[a-z]/i.test(escaped!) && !/[bBcdDfnrsStuvwWx]/.test(escaped!)) {
      return true;
    }
  }
  return pattern.includes('[[:');
}
