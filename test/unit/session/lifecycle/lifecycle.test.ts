/** The state machine of a session's life: every state × every event, then the effects of the conversation and the agent on it. */
import assert from 'node:assert/strict';
import type { Dialect } from '../../../../src/acp/dialect';
import type { AuthMethod } from '../../../../src/core/model/content';
import type { Failure } from '../../../../src/core/model/failure';
import {
  initialState,
  type LifecycleEvent,
  type LifecycleFacts,
  type LifecycleState,
  type Target,
  transition,
} from '../../../../src/session/lifecycle/lifecycle';
import type { OpenedSession, OpenMethod } from '../../../../src/session/lifecycle/sessionOpener';
import type { Adoption } from '../../../../src/session/lifecycle/adoption';
import { SessionRoots } from '../../../../src/session/lifecycle/sessionRoots';

const GONE: Failure = { code: 'agent.exited' };
const REFUSED: Failure = { code: 'request.failed', detail: 'gone' };
const UNTRUSTED: Failure = { code: 'session.folder_untrusted', params: { folder: '/w' } };
const SIGN_IN: Failure = { code: 'auth.required' };
const KEY: AuthMethod = { methodId: 'key', name: 'Key', type: 'env_var', vars: [] };
const ANY: Target = { requireExisting: false, isUnrecorded: false };
const OLD: Target = { requireExisting: true, isUnrecorded: true };
const roots = new SessionRoots({ cwd: '/w', additionalDirectories: ['/x'] });
const dialect = {} as Dialect;
const adoption = {} as Adoption;
const opened: OpenedSession = { session: { sessionId: 'S', events: [] } };

const FACTS: LifecycleFacts = {
  sessionId: undefined,
  isSpoken: false,
  canLoad: false,
  canResume: false,
  canFork: false,
  isOpenElsewhere: false,
  canSignIn: true,
  isHeld: false,
};

const STATES = {
  disconnected: { name: 'disconnected', target: ANY },
  starting: { name: 'starting', target: ANY },
  opening: { name: 'opening', target: ANY, method: 'new', others: [] },
  waitingForSignIn: { name: 'waitingForSignIn', target: ANY },
  lost: { name: 'lost', target: ANY, failure: GONE, wasReady: false },
  ready: { name: 'ready' },
  changingFolders: { name: 'changingFolders', method: 'resume', roots },
  closing: { name: 'closing' },
  ended: { name: 'ended', target: ANY },
  disposed: { name: 'disposed' },
} as const satisfies { [Name in LifecycleState['name']]: LifecycleState & { readonly name: Name } };

const EVENTS = {
  open: { type: 'open' },
  adopt: { type: 'adopt', adoption },
  resume: { type: 'resume' },
  start_refused: { type: 'start_refused', failure: UNTRUSTED },
  agent_ready: { type: 'agent_ready', dialect, authenticatedBy: new Set<string>() },
  agent_ended: { type: 'agent_ended', failure: GONE },
  session_opened: { type: 'session_opened', opened },
  session_refused: { type: 'session_refused', failure: REFUSED },
  signed_in: { type: 'signed_in' },
  restart_signed_in: { type: 'restart_signed_in' },
  restart_agent: { type: 'restart_agent', byUser: true },
  sign_in_given_up: { type: 'sign_in_given_up', failure: SIGN_IN },
  change_folders: { type: 'change_folders', roots },
  cancel_start: { type: 'cancel_start' },
  end: { type: 'end' },
  closed: { type: 'closed' },
  dispose: { type: 'dispose' },
} as const satisfies { [Type in LifecycleEvent['type']]: LifecycleEvent & { readonly type: Type } };

/** The next state and the effects, as text. An event without a cell is ignored. */
const TABLE: { readonly [Name in LifecycleState['name']]: { readonly [Type in LifecycleEvent['type']]?: string } } = {
  disconnected: {
    restart_agent: 'starting: start',
    adopt: 'starting: join_kept',
    open: 'starting: start',
    resume: 'starting: start',
    restart_signed_in: 'starting: start automatic',
    end: 'ended: record_end, detach',
    dispose: 'disposed: detach',
  },
  starting: {
    start_refused: 'disconnected: fail session_failed session.folder_untrusted, detach',
    restart_agent: 'starting: fail session_failed agent.restarted, detach, start',
    agent_ready: 'opening: record_agent, request_session new',
    agent_ended: 'disconnected: fail session_failed agent.exited, detach',
    restart_signed_in: 'starting: detach, start automatic',
    cancel_start: 'disconnected: fail session_failed agent.start_cancelled, detach',
    end: 'ended: record_end, detach',
    dispose: 'disposed: detach',
  },
  opening: {
    restart_agent: 'starting: fail session_failed agent.restarted, detach, start',
    agent_ended: 'disconnected: fail session_failed agent.exited, detach',
    session_opened: 'ready: accept_session, send_pending',
    session_refused: 'disconnected: fail session_failed request.failed, detach',
    restart_signed_in: 'starting: detach, start automatic',
    cancel_start: 'disconnected: fail session_failed agent.start_cancelled, detach',
    end: 'ended: record_end, detach',
    dispose: 'disposed: detach',
  },
  waitingForSignIn: {
    restart_agent: 'starting: fail session_failed agent.restarted, detach, start',
    agent_ended: 'lost: detach',
    signed_in: 'opening: request_session new',
    restart_signed_in: 'starting: detach, start automatic',
    sign_in_given_up: 'disconnected: fail session_failed auth.required, detach',
    cancel_start: 'disconnected: fail session_failed agent.start_cancelled, detach',
    end: 'ended: record_end, detach',
    dispose: 'disposed: detach',
  },
  lost: {
    restart_agent: 'starting: fail session_failed agent.restarted, detach, start',
    open: 'starting: start',
    resume: 'starting: start',
    restart_signed_in: 'starting: start automatic',
    sign_in_given_up: 'disconnected: fail session_failed auth.required, detach',
    cancel_start: 'disconnected: fail session_failed agent.start_cancelled, detach',
    end: 'ended: record_end, detach',
    dispose: 'disposed: detach',
  },
  ready: {
    restart_agent: 'starting: fail disconnected agent.restarted, detach, start',
    agent_ended: 'disconnected: fail disconnected agent.exited, detach',
    restart_signed_in: 'starting: detach, start automatic',
    change_folders: 'changingFolders: request_session load',
    end: 'closing: record_end, close_session',
    dispose: 'disposed: detach',
  },
  changingFolders: {
    restart_agent: 'starting: fail disconnected agent.restarted, detach, start',
    agent_ended: 'disconnected: fail session_failed agent.exited, detach',
    session_opened: 'ready: accept_folders, send_pending',
    session_refused: 'ready: keep_folders request.failed, send_pending',
    restart_signed_in: 'starting: detach, start automatic',
    cancel_start: 'disconnected: fail session_failed agent.start_cancelled, detach',
    end: 'ended: record_end, detach',
    dispose: 'disposed: detach',
  },
  closing: {
    agent_ended: 'closing: detach',
    closed: 'ended: detach',
    dispose: 'disposed: detach',
  },
  ended: {
    resume: 'starting: start',
    dispose: 'disposed: detach',
  },
  disposed: {},
};

/** The next state and the effects, in the table's format. */
function outline(state: LifecycleState, event: LifecycleEvent, facts: Partial<LifecycleFacts> = {}): string {
  const after = transition(state, event, { ...FACTS, ...facts });
  if (after.state === state) {
    assert.deepEqual(after.effects, []);
    return 'ignored';
  }
  const effects = after.effects.map((effect) =>
    [
      effect.type,
      ...(effect.type === 'request_session' ? [effect.method] : []),
      ...(effect.type === 'start' && !effect.byUser ? ['automatic'] : []),
      ...(effect.type === 'fail' ? [effect.event] : []),
      ...('failure' in effect ? [effect.failure.code] : []),
    ].join(' '),
  );
  return `${after.state.name}: ${effects.join(', ')}`;
}

describe('the life of a session', () => {
  for (const state of Object.values(STATES)) {
    describe(`when ${state.name}`, () => {
      for (const event of Object.values(EVENTS)) {
        const expected = TABLE[state.name][event.type] ?? 'ignored';
        it(`${event.type} → ${expected}`, () => assert.equal(outline(state, event), expected));
      }
    });
  }

  it('reaches every state from the first', () => {
    const facts: Partial<LifecycleFacts>[] = [{}, { isHeld: true }];
    const reached = new Map<string, LifecycleState>();
    const open = [initialState(undefined)];
    for (let state = open.shift(); state; state = open.shift()) {
      if (!reached.has(state.name)) {
        reached.set(state.name, state);
        for (const event of [...Object.values(EVENTS), { type: 'session_refused', failure: SIGN_IN } as const]) {
          open.push(...facts.map((each) => transition(state, event, { ...FACTS, ...each }).state));
        }
      }
    }
    assert.deepEqual([...reached.keys()].sort(), Object.keys(STATES).sort());
  });
});

describe('the session that is requested', () => {
  const starting: LifecycleState = { name: 'starting', target: ANY };
  const existing: LifecycleState = { name: 'starting', target: OLD };

  it('belongs to the conversation, and is loaded when no entry is shown', () => {
    const all = { sessionId: 'S', canLoad: true, canResume: true };
    assert.equal(outline(starting, EVENTS.agent_ready, all), 'opening: record_agent, request_session load');
    assert.equal(outline(starting, EVENTS.agent_ready, { ...all, isSpoken: true }), 'opening: record_agent, request_session resume');
    assert.equal(outline(starting, EVENTS.agent_ready, { ...all, canLoad: false }), 'opening: record_agent, request_session resume');
    assert.equal(outline(starting, EVENTS.agent_ready, { sessionId: 'S' }), 'opening: record_agent, request_session new');
  });

  it('is never another one when that one is required', () => {
    const failed = (code: string): string => `disconnected: record_agent, fail session_failed ${code}, detach`;
    assert.equal(outline(existing, EVENTS.agent_ready), failed('session.not_loaded'));
    assert.equal(outline(existing, EVENTS.agent_ready, { sessionId: 'S' }), failed('session.not_loaded'));
    const elsewhere = { sessionId: 'S', canLoad: true, isOpenElsewhere: true };
    assert.equal(outline(existing, EVENTS.agent_ready, elsewhere), failed('session.open_elsewhere'));
    assert.equal(outline(starting, EVENTS.agent_ready, elsewhere), failed('session.open_elsewhere'));
  });

  it('is a fork of another one, and never that one itself', () => {
    const fork = { sessionId: 'S', fork: [] };
    const asked = transition(initialState(fork), EVENTS.open, FACTS);
    assert.deepEqual(asked.effects, [{ type: 'start', byUser: true }], 'the conversation is not of the session that is forked');
    assert.equal(outline(asked.state, EVENTS.agent_ready, { canFork: true, canLoad: true }), 'opening: record_agent, request_session fork');
    const none = 'disconnected: record_agent, fail session_failed session.not_forked, detach';
    assert.equal(outline(asked.state, EVENTS.agent_ready, { canLoad: true }), none);
    const { state } = transition(asked.state, EVENTS.agent_ready, { ...FACTS, canFork: true });
    const refused = transition(state, EVENTS.session_refused, FACTS);
    assert.equal(outline(state, EVENTS.session_refused), 'disconnected: fail session_failed request.failed, detach');
    const again = transition(refused.state, EVENTS.open, FACTS).state;
    assert.equal(outline(again, EVENTS.agent_ready, { canFork: true }), 'opening: record_agent, request_session fork');
    assert.equal(outline(state, EVENTS.session_opened), 'ready: accept_session, send_pending');
  });

  it('is requested with the next method when the agent refuses one', () => {
    const opening = (target: Target, method: OpenMethod, ...others: OpenMethod[]): LifecycleState => ({
      name: 'opening',
      target,
      method,
      others,
    });
    const facts = { sessionId: 'S', canLoad: true, canResume: true };
    assert.equal(outline(opening(OLD, 'resume', 'load'), EVENTS.session_refused, facts), 'opening: request_session load');
    assert.equal(outline(opening(OLD, 'load'), EVENTS.session_refused, facts), 'disconnected: fail session_failed request.failed, detach');
    assert.equal(outline(opening(ANY, 'load'), EVENTS.session_refused, facts), 'opening: request_session new');
    const signIn = { type: 'session_refused', failure: SIGN_IN } as const;
    assert.equal(outline(opening(ANY, 'resume', 'load'), signIn, facts), 'waitingForSignIn: require_sign_in auth.required');
    assert.equal(outline(opening(ANY, 'new'), signIn, facts), 'waitingForSignIn: require_sign_in auth.required');
    assert.equal(
      outline(opening(ANY, 'load'), signIn, { ...facts, canSignIn: false }),
      'disconnected: fail session_failed auth.required, detach',
    );
  });

  it('has a reason when it is a new one', () => {
    const { state } = transition({ name: 'opening', target: ANY, method: 'load', others: [] }, EVENTS.session_refused, FACTS);
    const { effects } = transition(state, EVENTS.session_opened, FACTS);
    assert.deepEqual(effects[0], { type: 'accept_session', opened, method: 'new', isUnrecorded: false, refusal: REFUSED });
  });

  it('is the requested one until it exists, and then any', () => {
    const reference = { sessionId: 'OLD' };
    const start = transition(initialState(reference), EVENTS.open, FACTS);
    assert.deepEqual(start, { state: existing, effects: [{ type: 'start', byUser: true, reference }] });
    const failed = transition(start.state, EVENTS.agent_ended, FACTS);
    assert.deepEqual(failed.state, { name: 'disconnected', target: OLD });
    assert.deepEqual(
      transition(failed.state, EVENTS.open, FACTS).effects,
      [{ type: 'start', byUser: true }],
      'it stands in the conversation now',
    );
    const ready = transition({ name: 'opening', target: OLD, method: 'load', others: [] }, EVENTS.session_opened, FACTS);
    assert.deepEqual(transition(ready.state, EVENTS.agent_ended, FACTS).state, { name: 'disconnected', target: ANY });
  });

  it('is not a new one when the user resumes, even one that ended in another window', () => {
    for (const state of [initialState(undefined), initialState(undefined, true), STATES.lost]) {
      assert.deepEqual(transition(state, EVENTS.resume, FACTS).state, { name: 'starting', target: { ...ANY, requireExisting: true } });
    }
  });

  it('is resumed rather than loaded to change its folders', () => {
    assert.equal(
      outline(STATES.ready, EVENTS.change_folders, { canLoad: true, canResume: true }),
      'changingFolders: request_session resume',
    );
  });
});

describe('a session that waits for a sign-in', () => {
  it('is kept when its agent exits in any state', () => {
    for (const state of [STATES.starting, STATES.opening, STATES.ready]) {
      assert.equal(outline(state, EVENTS.agent_ended, { isHeld: true }), 'lost: detach');
    }
    assert.equal(outline(STATES.opening, EVENTS.session_refused, { isHeld: true }), 'lost: detach');
  });

  it("reports the agent's exit when only its prompt is given up", () => {
    const givenUp = { type: 'sign_in_given_up' } as const;
    const { state } = transition(STATES.ready, EVENTS.agent_ended, { ...FACTS, isHeld: true });
    assert.equal(outline(state, givenUp), 'disconnected: fail disconnected agent.exited, detach');
    assert.equal(outline(state, EVENTS.cancel_start), 'ignored', 'nothing starts');
    assert.equal(outline(STATES.lost, givenUp), 'disconnected: fail session_failed agent.exited, detach');
    assert.equal(outline(STATES.waitingForSignIn, givenUp), 'ignored', 'the session is still wanted');
  });

  it('sends the method to its next process once, before it requests the session', () => {
    const { state } = transition(STATES.lost, { type: 'restart_signed_in', authenticateFirst: KEY }, FACTS);
    assert.deepEqual(state, { name: 'starting', target: ANY, authenticateFirst: KEY });
    assert.equal(outline(state, EVENTS.agent_ready), 'waitingForSignIn: record_agent, authenticate');
    const told = { type: 'agent_ready', dialect, authenticatedBy: new Set(['key']) } as const;
    assert.equal(outline(state, told), 'opening: record_agent, request_session new');
  });
});
