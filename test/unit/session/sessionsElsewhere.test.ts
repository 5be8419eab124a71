/** Two windows and one session: the state and the actions of each. */
import assert from 'node:assert/strict';
import { Sessions } from '../../../src/session/sessions';
import type { Session } from '../../../src/session/session';
import type { Fakes } from './messageQueueScene';
import { lines, next, back, text } from './earlierScene';
import { fakeDependencies, launch, turn } from './fakes';
import { ready, say, queue } from './messageQueueScene';

interface Window extends Fakes {
  readonly sessions: Sessions;
}

/** A window that sees the files of `other`, and requests sessions from it. */
function windowBeside(other: Fakes): Window & { readonly gives: () => Promise<boolean> } {
  const fakes = fakeDependencies();
  let give: (key: string, force: boolean) => Promise<boolean> = () => Promise.resolve(true);
  const { journals } = other.deps;
  journals.onRequested = (handler) => (give = handler);
  // The first window has already registered its handler, so the handler is called directly.
  const first = (other as unknown as { sessions: Sessions }).sessions;
  give = (key, force) => (first as unknown as { releaseSession(key: string, force: boolean): Promise<boolean> }).releaseSession(key, force);
  const ask = give;
  Object.assign(fakes.deps, {
    journals: {
      ...journals,
      onRequested: () => undefined,
      acquire: async (key: string, force: boolean) => {
        const isGiven = await ask(key, force);
        if (isGiven) {
          journals.isTaken = () => true;
        }
        return isGiven;
      },
      isTaken: () => false,
    },
  });
  const sessions = new Sessions(fakes.deps);
  return { ...fakes, sessions, gives: () => ask('', false) };
}

const failure = (session: Session): string | undefined => session.store.state.failure?.code;

describe('a session that another window has', () => {
  it('is read-only while its agent runs there, with the reason', async () => {
    const one = ready();
    say(one.session, 'go');
    await one.sessions.flush();
    const two = windowBeside(one);
    const kept = one.journals.get(one.session.key);
    const session = (await two.sessions.restore(one.session.key, launch))!;
    assert.deepEqual([failure(session), lines(session)[0]], ['session.live_elsewhere', 'user: go']);
    session.resume();
    session.open();
    assert.notEqual(session.submit(text('more')), undefined);
    assert.equal(two.agents.length, 0, 'no second agent for one session');
    await two.sessions.flush();
    two.sessions.forget(session.key);
    await turn();
    assert.equal(one.journals.get(one.session.key), kept, 'nor a second writer');
    assert.equal(one.session.store.state.status, 'ready');
  });

  it('moves to this window when the user wants that: the other one lets go of it, and can read it', async () => {
    const one = ready();
    say(one.session, 'go', 'later');
    await one.sessions.flush();
    const two = windowBeside(one);
    const read = (await two.sessions.restore(one.session.key, launch))!;
    const session = (await two.sessions.restore(one.session.key, launch, true))!;
    assert.notEqual(session, read);
    assert.deepEqual([failure(one.session), failure(session)], ['session.live_elsewhere', 'session.interrupted']);
    assert.equal(one.agent.disposed, 1);
    assert.deepEqual(queue(session), ['(later)']);
    await two.sessions.flush();
    const kept = one.journals.get(one.session.key)!;
    one.session.resume();
    one.session.queue.resume();
    await one.sessions.flush();
    assert.equal(one.journals.get(one.session.key), kept);
    assert.equal(one.agents.length, 1);
    session.resume();
    const agent = next({ ...two, session }, 'resume');
    agent.again[0]!(back('S'));
    assert.equal(session.store.state.status, 'ready');
    await two.sessions.flush();
    assert.ok(one.journals.get(one.session.key)!.length > kept.length, 'the same journal goes on');
  });

  it('is taken over without a question when that window is closed, or no agent runs there', async () => {
    const reloaded = ready();
    Object.assign(reloaded.deps, { isWindowThere: () => Promise.resolve(false) });
    say(reloaded.session, 'go');
    const after = windowBeside(reloaded);
    assert.equal(failure((await after.sessions.restore(reloaded.session.key, launch))!), 'session.interrupted');
    assert.equal(failure(reloaded.session), 'session.live_elsewhere');

    const resting = ready();
    say(resting.session, 'go');
    resting.agent.end({ code: 'agent.exited' });
    const beside = windowBeside(resting);
    assert.equal(failure((await beside.sessions.restore(resting.session.key, launch))!), 'session.interrupted');
  });

  it('stays in the other window while that is open', async () => {
    const one = ready();
    Object.assign(one.deps, { isWindowThere: () => Promise.resolve(true) });
    say(one.session, 'go');
    await one.sessions.flush();
    const two = windowBeside(one);
    assert.equal(failure((await two.sessions.restore(one.session.key, launch))!), 'session.live_elsewhere');
    assert.equal(one.session.store.state.status, 'ready');
  });
});

describe('a journal of a newer version', () => {
  it('opens read-only, and is left unchanged', async () => {
    const one = ready();
    say(one.session, 'go');
    await one.sessions.flush();
    const after = fakeDependencies();
    const newer = one.journals.get(one.session.key)!.replace('"acpHostJournal":1', '"acpHostJournal":2');
    after.journals.set(one.session.key, newer);
    const sessions = new Sessions(after.deps);
    const session = (await sessions.restore(one.session.key, launch))!;
    assert.deepEqual([failure(session), lines(session)[0]], ['session.newer_version', 'user: go']);
    session.resume();
    await sessions.flush();
    sessions.dispose();
    await turn();
    assert.equal(after.journals.get(one.session.key), newer);
    assert.equal(after.agents.length, 0);
  });
});
