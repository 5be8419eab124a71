/** A session whose agent requires a sign-in. */
import type { AuthMethod, ContentBlock } from '../../../src/core/model/content';
import type { Failure } from '../../../src/core/model/failure';
import type { Session } from '../../../src/session/session';
import { Sessions } from '../../../src/session/sessions';
import { type FakeAccount, type FakeAgent, fakeDependencies, launch } from './fakes';

export const setup = { cwd: '/w', additionalDirectories: [], mcpServers: [] };

const METHODS: readonly AuthMethod[] = [
  { methodId: 'browser', name: 'Browser', type: 'agent' },
  { methodId: 'login', name: 'Log in', type: 'terminal', args: ['login'] },
  { methodId: 'key', name: 'Key', type: 'env_var', vars: [{ name: 'A_KEY', secret: true, optional: false }] },
];

export const REQUIRED: Failure = { code: 'auth.required', params: { method: 'any', code: -32000 }, detail: 'Who are you?' };

export const no = { ok: false, failure: REQUIRED } as const;

export const text = (words: string): ContentBlock => ({ type: 'text', text: words });

export interface Scene extends ReturnType<typeof fakeDependencies> {
  readonly sessions: Sessions;
  readonly session: Session;
  readonly account: FakeAccount;
  readonly given: (readonly ContentBlock[])[];
  agent(index?: number): FakeAgent;
}

/** A session whose agent has answered `initialize`, and offers these sign-in methods. */
export function scene(methods = METHODS): Scene {
  const fakes = fakeDependencies();
  const sessions = new Sessions(fakes.deps);
  const session = sessions.create(launch(), setup);
  const given: (readonly ContentBlock[])[] = [];
  session.onPromptReturned((words, others) => given.push([text(words), ...others]));
  const made = {
    ...fakes,
    sessions,
    session,
    given,
    account: fakes.deps.account as FakeAccount,
    agent: (index = -1): FakeAgent => fakes.agents.at(index)!,
  };
  initialize(made.agent(), methods);
  return made;
}

export function initialize(agent: FakeAgent, methods = METHODS): void {
  agent.dialect.authMethods = methods;
  agent.ready(agent.dialect);
}

export const opened = (agent: FakeAgent, sessionId = 'S'): void => agent.newSession.at(-1)!({ ok: true, value: { sessionId, events: [] } });

export const ended = (agent: FakeAgent): void => agent.prompts.at(-1)!({ ok: true, value: { stopReason: 'end_turn', events: [] } });

export const statusOf = (session: Session): unknown => session.store.state.signIn?.status;

export const turnsOf = (session: Session): string[] =>
  [...session.store.state.entries].flatMap((slot) => (slot.kind === 'turn' && !('absent' in slot) ? slot.stopReason : []));

export const sentTo = (agent: FakeAgent): unknown[] => agent.sent.map(([what]) => what);
