/** The debug sessions of the window, followed by the messages of their debug adapters (DAP). */
import type { Disposable } from '../../../core/platform/disposable';

/** The reason why a program is stopped, from the adapter's `stopped` event. */
export interface DebugStop {
  readonly reason: string;
  readonly text: string | undefined;
  readonly threadId: number | undefined;
  /** Counts all changes of all sessions. */
  readonly revision: number;
}

/** `unknown`: the session began before it was followed. */
export type DebugState = 'unknown' | 'running' | 'stopped' | 'ended';

export interface DebugSessionInfo {
  /** VS Code's id. */
  readonly key: string;
  /** The id for the model. */
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** VS Code's id of the parent, when another session has started this one. */
  readonly parent: string | undefined;
  readonly startedAt: number;
  readonly state: DebugState;
  readonly stop: DebugStop | undefined;
  readonly exitCode: number | undefined;
  /** The end of the output of the program and of the adapter. */
  readonly output: string;
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };
type Session = Mutable<DebugSessionInfo> & { stopBefore?: DebugStop | undefined };

/** A result of {@link DebugSessions.next}: the session that stopped, or `ended` when all have ended. */
export type Outcome = DebugSessionInfo | 'ended' | undefined;

const MAX_OUTPUT = 64 * 1024;
const MAX_SESSIONS = 50;
/** The time in ms in which a session may follow one that has ended, such as the second program of a compound. */
const FOLLOW_MS = 400;
const RUNNING = new Set(['continue', 'next', 'stepIn', 'stepOut', 'stepBack', 'reverseContinue', 'restartFrame', 'goto']);

export class DebugSessions {
  private readonly sessions = new Map<string, Session>();
  private readonly listeners = new Set<() => void>();
  private count = 0;
  private changes = 0;

  /** Oldest first. */
  get all(): readonly DebugSessionInfo[] {
    return [...this.sessions.values()];
  }

  /** Increases with each change. */
  get revision(): number {
    return this.changes;
  }

  add(key: string, name: string, type: string, parent: string | undefined, state: 'unknown' | 'running'): void {
    if (this.sessions.has(key)) {
      return;
    }
    const id = `debug-${++this.count}`;
    const startedAt = ++this.changes;
    this.sessions.set(key, { key, id, name, type, parent, startedAt, state, stop: undefined, exitCode: undefined, output: '' });
    const ended = [...this.sessions.values()].filter((each) => each.state === 'ended');
    ended.slice(0, Math.max(0, this.sessions.size - MAX_SESSIONS)).forEach((each) => this.sessions.delete(each.key));
    this.notify();
  }

  end(key: string): void {
    const session = this.sessions.get(key);
    if (session) {
      this.changes++;
      session.state = 'ended';
      session.stop = undefined;
      this.notify();
    }
  }

  /** A message from the adapter. Adapters are foreign code, so any member may be missing. */
  received(key: string, message: unknown): void {
    const session = this.sessions.get(key);
    const { type, event, command, success, body } = recordOf(message);
    if (!session || session.state === 'ended') {
      return;
    }
    const { reason, description, text, threadId, category, output, exitCode } = recordOf(body);
    if (type === 'response' && success === false && RUNNING.has(String(command)) && session.state === 'running' && session.stopBefore) {
      this.stopped(session, session.stopBefore);
    } else if (type !== 'event') {
      return;
    } else if (event === 'stopped') {
      const words = [description, text].filter((each) => typeof each === 'string' && each !== '');
      this.stopped(session, {
        reason: typeof reason === 'string' ? reason : 'unknown',
        text: words.length === 0 ? undefined : words.join(': '),
        threadId: typeof threadId === 'number' ? threadId : undefined,
      });
    } else if (event === 'continued') {
      this.running(session);
    } else if (event === 'exited' && typeof exitCode === 'number') {
      session.exitCode = exitCode;
    } else if (event === 'output' && typeof output === 'string' && category !== 'telemetry') {
      session.output = (session.output + output).slice(-MAX_OUTPUT);
    }
  }

  /** A message to the adapter. Some adapters do not report that a program continues after a request for it. */
  sent(key: string, message: unknown): void {
    const session = this.sessions.get(key);
    const { type, command } = recordOf(message);
    if (session?.state === 'stopped' && type === 'request' && RUNNING.has(String(command))) {
      this.running(session);
    }
  }

  /** Returns the session and those that belong to it by their parents. */
  familyOf(key: string): readonly DebugSessionInfo[] {
    const root = this.rootOf(key);
    return this.all.filter((each) => this.rootOf(each.key) === root);
  }

  /**
   * Resolves to the session of `family` that stops after `since`, to `ended` when all sessions of a non-empty family have ended, and to undefined when
   * the signal aborts.
   */
  next(family: () => readonly DebugSessionInfo[], since: number, signal: AbortSignal): Promise<Outcome> {
    return new Promise((resolve) => {
      let ending: NodeJS.Timeout | undefined;
      const done = (outcome: Outcome): void => {
        clearTimeout(ending);
        ending = undefined;
        signal.removeEventListener('abort', abort);
        this.listeners.delete(check);
        resolve(outcome);
      };
      const abort = (): void => done(undefined);
      const check = (): void => {
        const members = family();
        const stopped = members.find(({ state, stop }) => state === 'stopped' && (stop?.revision ?? 0) > since);
        clearTimeout(ending);
        if (stopped) {
          done(stopped);
        } else if (members.length > 0 && members.every(({ state }) => state === 'ended')) {
          ending = setTimeout(() => done('ended'), FOLLOW_MS);
        }
      };
      this.listeners.add(check);
      signal.addEventListener('abort', abort, { once: true });
      check();
      if (signal.aborted) {
        abort();
      }
    });
  }

  onDidChange(listener: () => void): Disposable {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  private rootOf(key: string): string {
    const seen = new Set<string>();
    for (let at = key; ; ) {
      const parent = this.sessions.get(at)?.parent;
      if (parent === undefined || seen.has(parent) || !this.sessions.has(parent)) {
        return at;
      }
      seen.add(at);
      at = parent;
    }
  }

  private stopped(session: Session, stop: Omit<DebugStop, 'revision'>): void {
    session.state = 'stopped';
    session.stop = { ...stop, revision: ++this.changes };
    session.stopBefore = undefined;
    this.notify();
  }

  private running(session: Session): void {
    this.changes++;
    session.state = 'running';
    session.stopBefore = session.stop;
    session.stop = undefined;
    this.notify();
  }

  private notify(): void {
    [...this.listeners].forEach((listener) => listener());
  }
}

/** Returns the members of a foreign value. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
