/** Saved sessions in Restricted Mode, and after the workspace is trusted. */
import assert from 'node:assert/strict';
import { Sessions } from '../../../src/session/sessions';
import { lines, setup, text } from './earlierScene';
import { fakeDependencies, launch, turn } from './fakes';
import { ready, say } from './messageQueueScene';

/** A window in Restricted Mode over the sessions of a window that has closed. */
async function restrictedWindow() {
  const before = ready();
  say(before.session, 'go');
  await before.sessions.flush();
  const { key } = before.session;
  const fakes = fakeDependencies();
  const uses: string[] = [];
  const window = { isRestricted: true };
  const noted =
    <Args extends unknown[], T>(what: string, act: (...args: Args) => T) =>
    (...args: Args): T => {
      uses.push(what);
      return act(...args);
    };
  const { journals, connect } = fakes.deps;
  const sessions = new Sessions({
    ...fakes.deps,
    trust: { isRestricted: () => window.isRestricted, check: noted('check', (_, settled) => settled({ code: 'session.restricted_mode' })) },
    connect: noted('connect', connect),
    changes: noted('changes', () => ({ flush: () => Promise.resolve(), dispose: () => undefined })),
    fileReader: noted('fileReader', () => () => Promise.resolve(undefined)),
    files: noted('files', fakes.deps.files),
    terminals: noted('terminals', fakes.deps.terminals),
    journals: {
      ...journals,
      portions: (each) => before.deps.journals.portions(each),
      acquire: noted('acquire', () => Promise.resolve(true)),
      file: noted('file', (header) => journals.file(header)),
    },
  });
  return { sessions, key, uses, window, agents: fakes.agents };
}

describe('a saved session in Restricted Mode', () => {
  it('is shown, and none of its files is written, watched or started', async () => {
    const { sessions, key, uses, agents } = await restrictedWindow();
    const session = (await sessions.restore(key, launch))!;
    assert.deepEqual([session.store.state.failure?.code, lines(session)[0]], ['session.restricted_mode', 'user: go']);
    session.open();
    session.resume();
    session.act('trust_folder');
    assert.notEqual(session.submit(text('more')), undefined);
    assert.equal((await sessions.restore(key, launch, true))?.store.state.failure?.code, 'session.restricted_mode', 'also by force');
    await sessions.flush();
    await turn();
    assert.deepEqual([uses, agents.length], [[], 0]);
  });

  it('can be resumed once the workspace is trusted', async () => {
    const { sessions, key, uses, window } = await restrictedWindow();
    const restricted = await sessions.restore(key, launch);
    window.isRestricted = false;
    const session = (await sessions.restore(key, launch))!;
    assert.notEqual(session, restricted);
    assert.equal(session.store.state.failure?.code, 'session.interrupted');
    assert.deepEqual([sessions.all, uses], [[session], ['acquire', 'file', 'changes']]);
  });

  it('can be resumed also when trust was granted while it was read', async () => {
    const { sessions, key, window } = await restrictedWindow();
    const restoring = sessions.restore(key, launch);
    window.isRestricted = false;
    assert.equal((await restoring)?.store.state.failure?.code, 'session.interrupted');
  });

  it('is the only kind of session: no new one is created', async () => {
    const { sessions, uses } = await restrictedWindow();
    for (const make of [() => sessions.prepare(launch(), setup), () => sessions.create(launch(), setup)]) {
      assert.throws(make, ({ failure }: { failure: { code: string } }) => failure.code === 'session.restricted_mode');
    }
    assert.deepEqual([sessions.all, uses], [[], []]);
  });
});
