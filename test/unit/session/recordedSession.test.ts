import assert from 'node:assert/strict';
import type { SessionEvent } from '../../../src/core/model/event';
import { reduce } from '../../../src/core/reduce/reduce';
import { EMPTY_STATE } from '../../../src/core/model/state';
import { Sessions } from '../../../src/session/sessions';
import { fakePorts, turn } from './fakes';

describe('a recorded conversation', () => {
  const roots = { cwd: '/w', additionalDirectories: [] };

  it('is listed when it is whole, takes no prompt, starts nothing and leaves no journal', async () => {
    const { ports, agents, journals, clock } = fakePorts();
    const sessions = new Sessions(ports);
    let changes = 0;
    sessions.onChange(() => changes++);
    const events: SessionEvent[] = [
      { type: 'session_ready', at: 1, sessionId: 'S' },
      { type: 'disconnected', at: 2, failure: { code: 'session.replayed' } },
    ];
    const session = sessions.addRecorded('Agent', roots, events.reduce(reduce, EMPTY_STATE), events.length);
    assert.deepEqual([sessions.all, changes], [[session], 1]);
    assert.deepEqual([session.store.state.sessionId, session.store.seq], ['S', 2]);
    assert.equal(session.isRecorded, true);
    assert.equal(session.prompt([{ type: 'text', text: 'go' }])?.code, 'session.not_ready');
    session.open();
    clock.pass(1000);
    await sessions.flush();
    await turn();
    assert.equal(agents.length, 0);
    assert.equal(journals.size, 0);
    sessions.forget(session.key);
    assert.deepEqual(sessions.all, []);
    sessions.dispose();
    sessions.addRecorded('Late', roots, EMPTY_STATE, 0);
    assert.deepEqual(sessions.all, [], 'the window is closing');
    assert.equal(journals.size, 0);
  });
});
