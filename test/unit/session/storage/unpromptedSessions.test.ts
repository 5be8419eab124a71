/** Agents' sessions that were created here and never got a message: the agent lists them, and the Sessions view does not. */
import assert from 'node:assert/strict';
import { readdirSync, utimesSync } from 'node:fs';
import path from 'node:path';
import type { ListedSession } from '../../../../src/acp/dialect';
import { unrecorded } from '../../../../src/application/sessionsView/agentLists';
import { discardSession } from '../../../../src/application/sessions/unusedSessions';
import type { Session } from '../../../../src/session/session';
import { Sessions } from '../../../../src/session/sessions';
import { UnpromptedSessions } from '../../../../src/session/storage/unpromptedSessions';
import { setup, text } from '../earlierScene';
import { type FakeAgent, fakeDependencies, launch } from '../fakes';
import { StorageScene } from './storageScene';

const FAKE = { agentId: 'Fake' };
/** The row that the agent has made of an empty session. */
const row = (sessionId: string, updatedAt = new Date().toISOString()): ListedSession => ({
  sessionId,
  cwd: '/w',
  title: 'New session - 2026-11-27T19:36:32.785Z',
  updatedAt,
});

describe('an agent’s session without a message', () => {
  let scene: StorageScene;
  beforeEach(() => (scene = new StorageScene()));
  afterEach(() => scene.end());

  /** A window over the scene's store, with agents that the test answers for. */
  const openWindow = () => {
    const storage = scene.open();
    const fakes = fakeDependencies();
    // Each window makes keys of its own.
    const deps = { ...fakes.deps, journals: storage, mintKey: () => `key-${Math.random().toString(36).slice(2)}` };
    const sessions = new Sessions(deps);
    const discard = (session: Session) =>
      discardSession(session, { sessions, panels: { forget: () => undefined }, drafts: { forget: () => undefined } });
    const begin = (sessionId: string): { readonly session: Session; readonly agent: FakeAgent } => {
      const session = sessions.create(launch(), setup);
      const agent = fakes.agents.at(-1)!;
      agent.open(sessionId, [{ type: 'session_info', title: row(sessionId).title! }]);
      agent.dialect.closeSession = (closed, settled) => {
        agent.sent.push(['close', closed]);
        settled({ ok: true, value: undefined });
        return { requestId: 99, cancel: () => undefined };
      };
      return { session, agent };
    };
    return { storage, fakes, sessions, begin, discard };
  };
  const listedIn = async (...listed: readonly ListedSession[]): Promise<string[]> =>
    (await unrecorded(scene.open(), FAKE, listed)).map(({ sessionId }) => sessionId);

  it('leaves no row in a later window, when its chat was closed', async () => {
    const { begin, discard } = openWindow();
    await discard(begin('empty').session);
    assert.deepEqual(await listedIn(row('empty'), row('of-another-client')), ['of-another-client']);
  });

  it('leaves no row after a crash, before and after its files are deleted', async () => {
    const { storage, sessions, begin } = openWindow();
    const { session } = begin('empty');
    await sessions.flush();
    assert.deepEqual(await listedIn(row('empty')), []);
    await storage.remove(session.key);
    assert.deepEqual(await listedIn(row('empty')), []);
  });

  it('leaves no row when a version that noted nothing has left it, once its files are deleted', async () => {
    const { storage, sessions, begin } = openWindow();
    begin('empty');
    await sessions.flush();
    storage.dispose();
    const index = path.join(scene.root, 'index');
    const notes = path.join(scene.root, 'unprompted');
    assert.equal(readdirSync(notes).length, 1);
    await new UnpromptedSessions(notes).remove({ agentName: 'Fake' }, 'empty');
    assert.equal(readdirSync(notes).length, 0);
    // The session is old: its times are those of the fake clock.
    const later = scene.open({ tidyMs: 1 });
    await later.list({ limit: 100 });
    for (let tries = 0; tries < 100 && readdirSync(index).length > 0; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.equal(readdirSync(index).length, 0);
    assert.deepEqual(await listedIn(row('empty')), []);
  });

  it('has a row once it got a message, also when its record here is deleted', async () => {
    const { storage, sessions, begin } = openWindow();
    const { session } = begin('used');
    await sessions.flush();
    assert.equal(session.submit(text('hello')), undefined);
    await sessions.flush();
    await session.end();
    await storage.remove(session.key);
    assert.deepEqual(await listedIn(row('used')), ['used']);
  });

  it('has a row once another client has used it', async () => {
    const { begin, discard } = openWindow();
    await discard(begin('empty').session);
    const later = new Date(Date.now() + 10 * 60_000).toISOString();
    assert.deepEqual(await listedIn(row('empty', later)), ['empty']);
  });

  it('leaves no row when the agent created it after its chat was closed, and is closed at the agent', async () => {
    const { fakes, sessions, begin, discard } = openWindow();
    const { agent } = begin('first');
    const late = sessions.create(launch(), setup);
    await discard(late);
    agent.newSession.at(-1)!({ ok: true, value: { sessionId: 'late', events: [] } });
    assert.equal(fakes.agents.length, 1, 'both sessions use one process');
    assert.deepEqual(
      agent.sent.filter(([name]) => name === 'close'),
      [['close', 'late']],
    );
    for (let tries = 0; tries < 100 && (await listedIn(row('late'))).length > 0; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    assert.deepEqual(await listedIn(row('late')), []);
  });

  it('is not closed at the agent when another conversation has it', async () => {
    const { sessions, begin, discard } = openWindow();
    const { agent } = begin('only');
    await discard(sessions.create(launch(), setup));
    agent.newSession.at(-1)!({ ok: true, value: { sessionId: 'only', events: [] } });
    assert.deepEqual(
      agent.sent.filter(([name]) => name === 'close'),
      [],
    );
  });

  it('is noted in a bounded number of files, of which the oldest go', async () => {
    const folder = path.join(scene.root, 'unprompted');
    const first = new UnpromptedSessions(folder);
    for (let index = 0; index < 1001; index++) {
      await first.add({ agentName: 'Fake' }, `s${index}`);
    }
    const old = readdirSync(folder)[0]!;
    utimesSync(path.join(folder, old), new Date(0), new Date(0));
    await new UnpromptedSessions(folder).add({ agentName: 'Fake' }, 'new');
    assert.equal(readdirSync(folder).length, 1000);
    assert.ok(!readdirSync(folder).includes(old));
    assert.ok(await first.has(FAKE, 'new'));
  });
});
