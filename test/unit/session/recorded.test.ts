import assert from 'node:assert/strict';
import { Sessions } from '../../../src/session/sessions';
import { fakePorts, turn } from './fakes';

describe('a recorded conversation', () => {
  it('is listed, takes no prompt, starts nothing and leaves no journal', async () => {
    const { ports, agents, journals, clock } = fakePorts();
    const sessions = new Sessions(ports);
    let changes = 0;
    sessions.onChange(() => changes++);
    const session = sessions.addRecorded('bug.ndjson', { cwd: '/w', additionalDirectories: [] });
    session.store.restore([{ type: 'session_ready', at: 1, sessionId: 'S' }]);
    assert.deepEqual(sessions.all, [session]);
    assert.equal(changes, 1);
    assert.equal(session.prompt([{ type: 'text', text: 'go' }])?.code, 'session.not_ready');
    session.open();
    clock.pass(1000);
    await sessions.flush();
    await turn();
    assert.equal(agents.length, 0);
    assert.equal(journals.size, 0);
    sessions.forget(session.key);
    assert.deepEqual(sessions.all, []);
    sessions.addRecorded('other.ndjson', { cwd: '/w', additionalDirectories: [] });
    sessions.dispose();
    assert.equal(journals.size, 0);
  });
});
