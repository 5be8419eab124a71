/** The status of a tool call that the user did not allow, and of one that they allowed. */
import assert from 'node:assert/strict';
import { isBeforeRun, refusalOf, requestsOf, statusOf } from '../../../../src/core/approval/requests';
import { entryIdOf, type ToolCallEntry } from '../../../../src/core/model/state';
import type { EventInput } from '../../../../src/core/model/event';
import { permissionRequest, stateOf, toolCall } from '../../../support/events';

type End = Omit<Extract<EventInput, { type: 'permission_resolved' }>, 'type' | 'permissionId'>;

describe('a tool call that was not allowed', () => {
  const options = ['allow_once', 'allow_always', 'reject_once', 'reject_always', '_own'].map((kind) => ({
    optionId: kind,
    name: kind,
    kind,
  }));
  const refusal = (status: string, ...ends: readonly (End | undefined)[]) => {
    const events = ends.flatMap((end, index): EventInput[] => [
      permissionRequest(`p${index}`, 'Do it', { options, subject: { toolCallId: 'c' } }),
      ...(end ? [{ type: 'permission_resolved' as const, permissionId: `p${index}`, ...end }] : []),
    ]);
    const { entries } = stateOf([toolCall('c', { status: 'pending' }), ...events, toolCall('c', { status })]);
    const call = entries.get(entryIdOf.toolCall('c')) as ToolCallEntry;
    return refusalOf(call, requestsOf(call, entries));
  };
  const chosen = (optionId: string): End => ({ outcome: 'selected', optionId });

  for (const status of ['failed', 'cancelled', 'pending']) {
    it(`is rejected, whatever the agent calls it: ${status}`, () => {
      assert.equal(refusal(status, chosen('reject_once')), 'rejected');
      assert.equal(refusal(status, chosen('reject_always')), 'rejected');
    });
    it(`is canceled with its turn or its connection, whatever the agent calls it: ${status}`, () => {
      assert.equal(refusal(status, { outcome: 'cancelled' }), 'cancelled');
      assert.equal(refusal(status, { outcome: 'lost' }), 'cancelled');
    });
  }

  it('is rejected when its turn ends while the call is open', () => {
    const { entries } = stateOf([
      { type: 'turn_started', turnId: 't' },
      toolCall('c', { status: 'pending' }),
      permissionRequest('p', 'Do it', { options, subject: { toolCallId: 'c' } }),
      { type: 'permission_resolved', permissionId: 'p', ...chosen('reject_once') },
      { type: 'turn_ended', turnId: 't', stopReason: 'end_turn' },
    ]);
    const call = entries.get(entryIdOf.toolCall('c')) as ToolCallEntry;
    assert.notEqual(call.status, 'pending');
    assert.equal(refusalOf(call, requestsOf(call, entries)), 'rejected');
  });

  it("keeps the agent's status when the call ran anyway, or is running", () => {
    for (const status of ['completed', 'in_progress']) {
      assert.equal(refusal(status, chosen('reject_once')), undefined, status);
    }
  });

  it("keeps the agent's status after an allowed request, a withdrawn one, and an answer of an unknown kind", () => {
    assert.equal(refusal('failed', chosen('allow_once')), undefined);
    assert.equal(refusal('failed', { outcome: 'withdrawn' }), undefined);
    assert.equal(refusal('failed', chosen('_own')), undefined);
    assert.equal(refusal('failed'), undefined);
  });

  it('follows the newest of several requests', () => {
    assert.equal(refusal('failed', chosen('reject_once'), chosen('allow_once')), undefined);
    assert.equal(refusal('failed', chosen('allow_once'), chosen('reject_once')), 'rejected');
    assert.equal(refusal('pending', chosen('reject_once'), undefined), undefined, 'it waits');
  });
});

describe('a tool call that was allowed', () => {
  const ask = (permissionId: string, ...more: EventInput[]): EventInput[] => [
    permissionRequest(permissionId, 'Do it', {
      options: ['allow_once', 'reject_once', '_own'].map((kind) => ({ optionId: kind, name: kind, kind })),
      subject: { toolCallId: 'c' },
    }),
    ...more,
  ];
  const answer = (permissionId: string, optionId: string): EventInput => ({
    type: 'permission_resolved',
    permissionId,
    outcome: 'selected',
    optionId,
  });
  const shown = (...events: EventInput[]) => {
    const { entries } = stateOf([toolCall('c', { status: 'pending', kind: 'execute' }), ...events]);
    const call = entries.get(entryIdOf.toolCall('c')) as ToolCallEntry;
    const requests = requestsOf(call, entries);
    return [statusOf(call, requests), isBeforeRun(call, requests)];
  };

  it('runs until the agent reports another status', () => {
    assert.deepEqual(shown(...ask('p', answer('p', 'allow_once'))), ['in_progress', false]);
    assert.deepEqual(shown(...ask('p', answer('p', 'allow_once')), toolCall('c', { status: 'completed' })), ['completed', false]);
  });

  it('is pending before the answer, while a second request waits, and after an answer that allows nothing', () => {
    assert.deepEqual(shown(), ['pending', true]);
    assert.deepEqual(shown(...ask('p')), ['pending', true]);
    assert.deepEqual(shown(...ask('p', answer('p', 'allow_once')), ...ask('q')), ['pending', true]);
    assert.deepEqual(shown(...ask('p'), ...ask('q', answer('q', 'allow_once'))), ['pending', true]);
    assert.deepEqual(shown(...ask('p', answer('p', '_own'))), ['pending', true]);
    assert.deepEqual(shown(...ask('p', answer('p', 'reject_once'))), ['pending', true]);
  });
});
