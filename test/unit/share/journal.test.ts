/** The traces of other clients in the journal. */
import assert from 'node:assert/strict';
import { setupIn } from '../../../src/core/model/sessionSetup';
import { NO_ROOTS } from '../../../src/core/model/roots';
import { Sessions } from '../../../src/session/sessions';
import { fakeDependencies, launch } from '../session/fakes';

describe('the journal of a shared session', () => {
  it('has the names of senders, and not that the session was shared', async () => {
    const { deps, journals, agents } = fakeDependencies();
    const sessions = new Sessions(deps);
    const { key, store } = sessions.create(launch(), setupIn(NO_ROOTS));
    agents[0]!.open();
    store.append(
      { type: 'message', role: 'user', messageId: 'u', content: [{ type: 'text', text: 'Hi' }] },
      { type: 'entry_origin', entryId: 'user:u', client: 'Pixel' },
      { type: 'sharing', clients: 3 },
    );
    assert.deepEqual(store.state.sharing, { clients: 3 });
    await sessions.flush();
    sessions.dispose();
    const types = (journals.get(key) ?? '').split('\n').map((line) => /"type":"(\w+)"/.exec(line)?.[1]);
    assert.ok(types.includes('entry_origin'), types.join(' '));
    assert.ok(!types.includes('sharing'));
    const read = new Sessions(deps);
    const restored = await read.restore(key);
    const entry = restored?.store.state.entries.get('user:u');
    assert.equal(entry && 'from' in entry && entry.from, 'Pixel');
    read.dispose();
  });
});
