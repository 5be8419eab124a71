/** A session that the agent, or a journal, already has. */
import type { EventInput } from '../../../src/core/model/event';
import type { Failure } from '../../../src/core/model/failure';
import { isAbsent } from '../../../src/core/model/state';
import type { Session } from '../../../src/session/session';
import { Sessions } from '../../../src/session/sessions';
import { type FakeAgent, fakeDependencies, launch } from './fakes';

export const setup = { cwd: '/w', additionalDirectories: [], mcpServers: [] };

export const text = (words: string): { type: 'text'; text: string }[] => [{ type: 'text', text: words }];

export const user = (messageId: string, words: string): EventInput => ({
  type: 'message_chunk',
  role: 'user',
  messageId,
  content: { type: 'text', text: words },
});

export const agentSays = (messageId: string, words: string): EventInput => ({
  type: 'message_chunk',
  role: 'agent',
  messageId,
  content: { type: 'text', text: words },
});

export const back = (
  sessionId: string,
  events: readonly EventInput[] = [],
): { ok: true; value: { sessionId: string; events: EventInput[] } } => ({
  ok: true,
  value: { sessionId, events: [...events] },
});

export const refused = (detail: string): { ok: false; failure: Failure } => ({
  ok: false,
  failure: { code: 'request.failed', params: { code: -32603 }, detail },
});

/** The conversation, one line for each entry. */
export const lines = (session: Session): string[] =>
  [...session.store.state.entries].map((slot) => {
    if (isAbsent(slot)) {
      return 'absent';
    }
    switch (slot.kind) {
      case 'message':
        return `${slot.role}: ${slot.content.map((block) => (block.type === 'text' ? block.text : block.type)).join('')}`;
      case 'tool_call':
        return `tool ${slot.title} ${slot.status}`;
      case 'permission':
        return `permission ${slot.title} ${slot.outcome?.type ?? 'waits'}`;
      case 'turn':
        return `turn ${slot.stopReason}`;
      case 'notice':
        return `notice ${slot.failure?.code ?? slot.title}`;
      default:
        return slot.kind;
    }
  });

export interface Scene extends ReturnType<typeof fakeDependencies> {
  readonly sessions: Sessions;
  readonly session: Session;
}

/** A conversation with session S of one turn, whose agent has just died. */
export function crashed(): Scene {
  const fakes = fakeDependencies();
  const sessions = new Sessions(fakes.deps);
  const session = sessions.create(launch(), setup);
  const agent = fakes.agents[0]!;
  agent.offer('load');
  agent.open();
  session.prompt(text('question'));
  agent.client.onUpdate('S', [agentSays('a', 'answer')]);
  agent.prompts[0]!({ ok: true, value: { stopReason: 'end_turn', events: [] } });
  agent.end({ code: 'agent.exited' });
  return { ...fakes, sessions, session };
}

export const OURS = ['user: question', 'agent: answer', 'turn end_turn'];

/** Session OLD of the agent's list, from an agent that can load it. */
export function listed(...offers: readonly ('load' | 'resume')[]): Scene & { readonly agent: FakeAgent } {
  const fakes = fakeDependencies();
  const sessions = new Sessions(fakes.deps);
  const session = sessions.create(launch(), setup, { sessionId: 'OLD', title: 'Old one', updatedAt: '2026-01-02T03:04:05Z' });
  const agent = fakes.agents[0]!;
  offers.forEach((name) => agent.offer(name));
  agent.ready(agent.dialect);
  return { ...fakes, sessions, session, agent };
}

/** The agent's next process, with these capabilities. */
export function next({ agents }: Scene, ...offers: readonly ('load' | 'resume')[]): FakeAgent {
  const agent = agents.at(-1)!;
  offers.forEach((name) => agent.offer(name));
  agent.ready(agent.dialect);
  return agent;
}
