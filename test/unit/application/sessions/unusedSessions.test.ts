/** A chat without a message, closed by the user. */
import assert from 'node:assert/strict';
import type { EventInput } from '../../../../src/core/model/event';
import type { UnsentPrompt } from '../../../../src/core/protocol/view';
import type { SessionMarks } from '../../../../src/session/journal/sessionMarks';
import type { Session } from '../../../../src/session/session';
import { SessionStore } from '../../../../src/session/state/store';
import { Listeners } from '../../../../src/core/platform/listeners';
import { discardUnused } from '../../../../src/application/sessions/unusedSessions';
import { message } from '../../../support/events';
import { FakeClock } from '../../session/permission/fakes';
import { settled } from '../sessionsView/fakes';

function stage(...events: EventInput[]) {
  const clock = new FakeClock();
  const store = new SessionStore(clock);
  store.append({ type: 'session_opened', agentName: 'A', cwd: '/w' }, ...events);
  const done: string[] = [];
  const session = { key: 'k', isRecorded: false, store, end: () => Promise.resolve(void done.push('end')) } as unknown as Session;
  const hidden = new Listeners<[string]>();
  const facts: { shown: boolean; draft?: UnsentPrompt; marks: SessionMarks; comments?: string; unreadable?: true; held?: true } = {
    shown: false,
    marks: {},
  };
  const handle = discardUnused({
    clock,
    sessions: { all: [session], get: () => session, remove: (key) => Promise.resolve(void done.push(`remove ${key}`)) },
    panels: { hidden, isShown: () => facts.shown, forget: (key) => void done.push(`forget ${key}`) },
    drafts: { get: () => facts.draft, load: () => Promise.resolve(), forget: () => undefined },
    isHeld: () => facts.held === true,
    files: {
      readMarks: () => (facts.unreadable ? Promise.reject(new Error('EIO')) : Promise.resolve(facts.marks)),
      readComments: () => Promise.resolve(facts.comments),
    },
  });
  const close = async () => {
    hidden.call('k');
    clock.pass(5000);
    await settled();
    return done;
  };
  return { clock, close, done, facts, handle, hidden, session, store };
}

describe('a closed chat without a message', () => {
  const DISCARDED = ['forget k', 'end', 'remove k'];

  it('ends its session and deletes it, whether running, failed, or with a banner of the agent', async () => {
    for (const events of [
      [{ type: 'session_ready', sessionId: 's' }],
      [{ type: 'session_failed', failure: { code: 'agent.not_found' } }],
      [{ type: 'session_ready', sessionId: 's' }, message('Welcome', 'b')],
    ] satisfies EventInput[][]) {
      assert.deepEqual(await stage(...events).close(), DISCARDED);
    }
  });

  const kept: readonly (readonly [what: string, change: (of: ReturnType<typeof stage>) => void])[] = [
    ['a message was sent', ({ store }) => store.append({ type: 'turn_started', turnId: 't' }, message('Hi', 't', 'user'))],
    ['a message waits for the agent', ({ store }) => store.append({ type: 'message_queued', queueId: 'q', content: [], size: 1 })],
    ['text is typed', ({ facts }) => (facts.draft = { at: 1, content: [{ type: 'text', text: 'Hi' }] })],
    ['a line has a comment', ({ facts }) => (facts.comments = '[]')],
    ['the user has named it', ({ facts }) => (facts.marks = { name: 'Mine' })],
    ['the user has pinned it', ({ facts }) => (facts.marks = { pinned: true })],
    ['its files cannot be read', ({ facts }) => (facts.unreadable = true)],
    ['another extension has begun it', ({ facts }) => (facts.held = true)],
    ['it appears elsewhere', ({ facts }) => (facts.shown = true)],
    ['it was read in Restricted Mode', ({ store }) => store.append({ type: 'disconnected', failure: { code: 'session.restricted_mode' } })],
    ['another window has it', ({ store }) => store.append({ type: 'disconnected', failure: { code: 'session.live_elsewhere' } })],
  ];
  for (const [what, change] of kept) {
    it(`leaves the session unchanged when ${what}`, async () => {
      const scene = stage();
      change(scene);
      assert.deepEqual(await scene.close(), []);
    });
  }

  it('leaves a session for which the agent may have an earlier conversation', async () => {
    const scene = stage();
    const store = new SessionStore(scene.clock);
    store.append({ type: 'session_opened', agentName: 'A', cwd: '/w', sessionId: 'old' }, { type: 'session_ready', sessionId: 'old' });
    (scene.session as { store: SessionStore }).store = store;
    assert.deepEqual(await scene.close(), []);
  });

  it('ends a session whose chat was closed before this code was loaded', async () => {
    const { clock, done } = stage({ type: 'session_ready', sessionId: 's' });
    clock.pass(5000);
    await settled();
    assert.deepEqual(done, DISCARDED);
  });

  it('discards an emptied draft too, and nothing after the window has closed', async () => {
    const scene = stage();
    scene.facts.draft = { at: 1, content: [] };
    assert.deepEqual(await scene.close(), DISCARDED);
    const other = stage();
    other.hidden.call('k');
    other.handle.dispose();
    other.clock.pass(5000);
    await settled();
    assert.deepEqual(other.done, []);
  });
});
