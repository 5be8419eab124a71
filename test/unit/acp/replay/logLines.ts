/** Lines of exported logs, to be replayed. */
import assert from 'node:assert/strict';
import type { SessionEvent } from '../../../../src/core/model/event';
import { reduce } from '../../../../src/core/reduce/reduce';
import { EMPTY_STATE, type SessionState } from '../../../../src/core/model/state';
import { toMarkdown } from '../../../../src/text/transcript/transcript';
import type { Recording } from '../../../../src/acp/replay/recording';
import type { LoggedVersions } from '../../../../src/acp/clientFrames';
import { LOGGED_V1 } from '../../../../src/acp/v1/clientFrames';
import { LogReplay } from '../../../../src/acp/replay/replay';

export const START = Date.UTC(2026, 10, 21, 9);

export const ours = (message: object, t = 0): object => ({ t, dir: 'c2a', msg: message });

export const theirs = (message: object, t = 0): object => ({ t, dir: 'a2c', msg: message });

export const told = (update: object, sessionId = 'S'): object => ({ method: 'session/update', params: { sessionId, update } });

export const said = (text: string, sessionId = 'S'): object =>
  told({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }, sessionId);

/** The beginning of most logs. */
export const OPENED: readonly object[] = [
  ours({ id: 1, method: 'initialize', params: { protocolVersion: 1 } }),
  theirs({ id: 1, result: { protocolVersion: 1, agentInfo: { name: 'a', title: 'Agent A' } } }),
  ours({ id: 2, method: 'session/new', params: { cwd: '/w', mcpServers: [] } }),
  theirs({ id: 2, result: { sessionId: 'S' } }),
];

export const PROMPT = ours({ id: 3, method: 'session/prompt', params: { sessionId: 'S', prompt: [{ type: 'text', text: 'Do it' }] } });

export function replay(
  lines: readonly (object | string)[],
  startedAt = START,
  versions: LoggedVersions = [LOGGED_V1],
): { sessions: readonly Recording[]; damaged: number; cut: number } {
  const log = new LogReplay({ startedAt, agentName: 'log.ndjson', versions });
  lines.forEach((line) => log.push(typeof line === 'string' ? line : JSON.stringify(line)));
  const sessions = log.end();
  return { sessions, damaged: log.damaged, cut: log.cut };
}

/** The events of the log's only session. */
export function events(lines: readonly (object | string)[]): readonly SessionEvent[] {
  const { sessions } = replay(lines);
  assert.equal(sessions.length, 1);
  return sessions[0]!.events;
}

export const stateOf = (of: readonly SessionEvent[]): SessionState => of.reduce(reduce, EMPTY_STATE);

export const markdown = (lines: readonly (object | string)[]): string => toMarkdown(stateOf(events(lines)));

export const only = <T extends SessionEvent['type']>(of: readonly SessionEvent[], type: T): Extract<SessionEvent, { type: T }>[] =>
  of.filter((event): event is Extract<SessionEvent, { type: T }> => event.type === type);
