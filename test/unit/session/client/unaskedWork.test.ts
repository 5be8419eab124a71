/** Sessions with an agent that edits files without a request. */
import assert from 'node:assert/strict';
import type { UnaskedKind } from '../../../../src/core/modes/permissionMode';
import { Sessions } from '../../../../src/session/sessions';
import { setup, text } from '../earlierScene';
import { fakeDependencies, launch, turn } from '../fakes';

describe('an agent that edits files without a request', () => {
  it('is known from its first edit, and from the start in its next session', async () => {
    const { deps, agents } = fakeDependencies();
    const kinds: UnaskedKind[] = [];
    const sessions = new Sessions({ ...deps, unasked: { of: () => kinds, add: (_, kind) => void kinds.push(kind) } });
    const session = sessions.create(launch(), setup);
    agents[0]!.open();
    await turn();
    const known = () => session.store.state.unasked?.kinds;
    assert.equal(known(), undefined);
    session.prompt(text('Fix it'));
    const { client } = agents[0]!;
    client.onUpdate('S', [{ type: 'tool_call_update', toolCallId: 'e', patch: { title: 'edit', kind: 'edit', status: 'pending' } }]);
    client.onUpdate('S', [{ type: 'tool_call_update', toolCallId: 'e', patch: { status: 'completed' } }]);
    agents[0]!.prompts[0]!({ ok: true, value: { stopReason: 'end_turn', events: [] } });
    await import('../../../../src/session/questions/unaskedCalls');
    await turn();
    assert.deepEqual([known(), kinds], [['edit'], ['edit']]);
    const next = sessions.create(launch(), setup);
    agents.at(-1)!.newSession.at(-1)?.({ ok: true, value: { sessionId: 'T', events: [] } });
    await turn();
    assert.equal(next.store.state.status, 'ready');
    assert.deepEqual(next.store.state.unasked?.kinds, ['edit']);
    sessions.dispose();
  });
});
