/** The request that an opened diff belongs to. */
import assert from 'node:assert/strict';
import { entryIdOf } from '../../../../src/core/model/state';
import { waitingRequestOf } from '../../../../src/application/links/waitingRequest';
import { SessionStore } from '../../../../src/session/state/store';
import { systemClock } from '../../../../src/util/clock';

describe('the request about a diff', () => {
  it('waits at its own entry and at that of its tool call, until it is answered', () => {
    const store = new SessionStore(systemClock);
    const call = (toolCallId: string) =>
      ({ type: 'tool_call_update', toolCallId, patch: { title: 'Edit', kind: 'edit', status: 'pending' } }) as const;
    const ask = (permissionId: string, toolCallId?: string) =>
      ({ type: 'permission_requested', permissionId, title: 'Edit', options: [], subject: { ...(toolCallId && { toolCallId }) } }) as const;
    store.append(call('one'), call('two'), ask('p', 'one'), ask('q'));
    const requestOf = (entryId: string) => waitingRequestOf(store.state, entryId);
    const ids = [entryIdOf.toolCall('one'), entryIdOf.toolCall('two'), entryIdOf.permission('p'), entryIdOf.permission('q'), 'nothing'];
    assert.deepEqual(ids.map(requestOf), ['p', undefined, 'p', 'q', undefined]);
    store.append({ type: 'permission_resolved', permissionId: 'p', outcome: 'selected' });
    assert.deepEqual(ids.map(requestOf), [undefined, undefined, undefined, 'q', undefined]);
  });
});
