/** The name that the user gives a session. */
import assert from 'node:assert/strict';
import { EMPTY_STATE } from '../../../src/core/model/state';
import { SessionStore } from '../../../src/session/state/store';
import { Sessions } from '../../../src/session/sessions';
import { sessionTitle } from '../../../src/text/transcript/sessionTitle';
import { FakeClock } from './permission/fakes';
import { fakeDependencies, launch } from './fakes';
import { setup } from './earlierScene';

describe('a name that the user gives a session', () => {
  it('overrides the agent’s title, and can be removed', () => {
    const store = new SessionStore(new FakeClock());
    store.append({ type: 'session_info', title: 'Title' }, { type: 'session_renamed', name: 'Mine' });
    assert.equal(sessionTitle(store.state), 'Mine');
    store.append({ type: 'session_info', title: 'Other' });
    assert.equal(sessionTitle(store.state), 'Mine');
    store.append({ type: 'session_renamed', name: null });
    assert.equal(sessionTitle(store.state), 'Other');
  });

  it('stays when the agent replays the conversation', () => {
    const store = new SessionStore(new FakeClock());
    store.append({ type: 'session_renamed', name: 'Mine' });
    store.replace([], { ...EMPTY_STATE, title: 'Told' });
    assert.equal(sessionTitle(store.state), 'Mine');
    const unnamed = new SessionStore(new FakeClock());
    unnamed.replace([], { ...EMPTY_STATE, title: 'Told' });
    assert.ok(!('name' in unnamed.state));
  });

  it('is not stored in the journal', async () => {
    const { deps, journals } = fakeDependencies();
    const sessions = new Sessions(deps);
    const session = sessions.create(launch(), setup);
    session.store.append({ type: 'session_renamed', name: 'Mine' }, { type: 'session_info', title: 'Title' });
    await sessions.flush();
    const journal = journals.get(session.key)!;
    assert.ok(journal.includes('"Title"'));
    assert.ok(!journal.includes('Mine'));
  });
});
