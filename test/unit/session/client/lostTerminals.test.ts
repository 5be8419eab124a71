/** The terminals of windows that have ended: what the agent reads in each later window. */
import assert from 'node:assert/strict';
import { lostTerminals } from '../../../../src/session/client/lostTerminals';
import { SessionStore } from '../../../../src/session/state/store';
import { FakeClock } from '../permission/fakes';

const REASON = 'start\n\n[The command was ended because the window of the editor was closed or reloaded.]\n';

function running(): SessionStore {
  const store = new SessionStore(new FakeClock());
  store.append(
    { type: 'terminal_update', terminalId: 't', ours: true, command: 'make' },
    { type: 'terminal_output', terminalId: 't', text: 'start\n' },
  );
  return store;
}

/** The conversation of a window that was killed, in the next one. */
function next({ state, seq }: SessionStore): SessionStore {
  const store = new SessionStore(new FakeClock());
  store.adopt(state, seq);
  return store;
}

describe('the terminals of an earlier window', () => {
  it('say why their commands have ended, also in windows after the next one', () => {
    const first = running();
    assert.deepEqual(lostTerminals(first).read('t'), { output: REASON, truncated: false, exitStatus: { signal: 'SIGHUP' } });
    const second = next(first);
    assert.deepEqual(lostTerminals(second).read('t'), { output: REASON, truncated: false, exitStatus: { signal: 'SIGHUP' } });
    assert.equal(second.seq, first.seq, 'The end is recorded once.');
  });

  it('give no other reason for a command that had ended before', () => {
    const store = running();
    store.append({ type: 'terminal_update', terminalId: 't', exitStatus: { signal: 'SIGHUP' } });
    assert.deepEqual(lostTerminals(next(store)).read('t'), { output: 'start\n', truncated: false, exitStatus: { signal: 'SIGHUP' } });
  });

  it('are gone when the agent has released them, and when they are its own', () => {
    const store = running();
    store.append({ type: 'terminal_update', terminalId: 'own', command: 'ls' });
    const lost = lostTerminals(store);
    assert.equal(lost.read('own'), undefined);
    lost.release('t');
    assert.equal(lost.read('t'), undefined);
    assert.equal(lostTerminals(next(store)).read('t'), undefined);
  });
});
