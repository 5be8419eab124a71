/** The notices that a session adds to its own conversation. */
import type { Failure } from '../../core/model/failure';
import type { SessionState } from '../../core/model/state';
import { namesOf, optionRefusal } from '../../core/preferences/optionRefusal';
import type { SessionStore } from './store';

/** UTF-16 units of an agent's line that a notice quotes. */
const MAX_LINE = 1000;

export class SessionNotices {
  private count = 0;

  constructor(private readonly store: SessionStore) {}

  /** Adds a notice about how the session continues. @param noticeId a notice with the same id is replaced */
  inform(failure: Failure, noticeId = `session-${this.store.seq}`): void {
    this.store.append({ type: 'notice', noticeId, severity: 'info', title: '', failure });
  }

  /** Adds a notice that an operation of the user failed. `title`: the subject. */
  warn(title: string, failure: Failure): void {
    this.store.append({ type: 'notice', noticeId: `notice-${this.store.seq}-${++this.count}`, severity: 'error', title, failure });
  }

  /** Adds a notice that an MCP server has failed at the agent. A later one of the same server replaces it. */
  warnOfServer(name: string, line: string): void {
    const failure = { code: 'mcp.failed', params: { servers: name }, detail: line.slice(0, MAX_LINE) } as const;
    this.store.append({ type: 'notice', noticeId: `server-${name}`, severity: 'warning', title: '', failure });
  }

  /** Reports why an option keeps its value. @param value the value that the user wanted */
  warnOfConfig(configId: string, value: string | boolean, failure: Failure): void {
    this.warn('', optionRefusal(namesOf(this.store.state.config, configId, value), failure));
  }
}

/** The reason why a session does not accept a prompt. */
export function notReady({ turn, status, capabilities }: SessionState): Failure {
  if (capabilities.readOnly) {
    return { code: 'session.read_only' };
  }
  return { code: turn ? 'turn.busy' : status === 'ended' ? 'session.ended' : 'session.not_ready' };
}
