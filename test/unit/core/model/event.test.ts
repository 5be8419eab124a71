import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isSessionEvent } from '../../../../src/core/model/event';
import { reduce } from '../../../../src/core/reduce/reduce';
import { EMPTY_STATE } from '../../../../src/core/model/state';
import { eventSequence } from '../arbitrary';

const at = 1;
const chunk = { type: 'message_chunk', at, role: 'agent', messageId: 'm', content: { type: 'text', text: 'x' } };

describe('the shape of events', () => {
  it('matches all existing events', () => {
    fc.assert(
      fc.property(eventSequence, (events) => {
        for (const event of JSON.parse(JSON.stringify(events)) as unknown[]) {
          assert.ok(isSessionEvent(event), JSON.stringify(event));
        }
      }),
    );
  });

  it('allows fields of a newer version, and omitted fields', () => {
    assert.ok(isSessionEvent({ ...chunk, extra: { a: 1 }, meta: 2, more: true }));
    assert.ok(isSessionEvent({ type: 'session_info', at }));
    assert.ok(isSessionEvent({ type: 'session_info', at, title: null }));
  });

  for (const event of [
    null,
    [],
    'message',
    {},
    { ...chunk, at: undefined },
    { ...chunk, at: '1' },
    { ...chunk, type: 'constructor' },
    { ...chunk, role: 'system' },
    { ...chunk, messageId: 1 },
    { ...chunk, content: { type: 'text' } },
    { ...chunk, content: { type: 'hasOwnProperty' } },
    { ...chunk, content: { type: 'image', data: 'x' } },
    { type: 'tool_call_update', at, toolCallId: 't', patch: null },
    { type: 'tool_call_update', at, toolCallId: 't', patch: { content: [{ type: 'diff', changes: [{ path: '/a' }] }] } },
    { type: 'tool_call_update', at, toolCallId: 't', patch: { locations: [{ line: 1 }] } },
    { type: 'plan_update', at, planId: 'p', plan: { type: 'items', entries: [null] } },
    { type: 'permission_requested', at, permissionId: 'p', title: '', options: [{ optionId: 'a' }], subject: {} },
    {
      type: 'permission_requested',
      at,
      permissionId: 'p',
      title: '',
      options: [],
      subject: { reason: { type: 'command', variables: 'all' } },
    },
    { type: 'permission_resolved', at, permissionId: 'p', outcome: 'granted' },
    { type: 'disconnected', at, failure: { code: 'constructor' } },
    { type: 'disconnected', at, failure: { code: 'agent.exited', params: { exitCode: {} } } },
    { type: 'elicitation_requested', at, requestKey: 'k', message: 'm', body: { mode: 'form', fields: [{ type: 'string', name: 'n' }] } },
    { type: 'usage', at, usage: { used: 1 } },
    { type: 'usage', at, usage: { used: null, size: 1 } },
    { type: 'config_options', at, options: [{ type: 'select', configId: 'c', name: 'n', currentValue: 'v', groups: [{}] }] },
  ]) {
    it(`is not ${JSON.stringify(event)}`, () => assert.equal(isSessionEvent(event), false));
  }

  it('is accepted by the reducer, whatever else an event contains', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.constantFrom('message', 'tool_call_update', 'plan_update', 'usage', 'terminal_update', 'notice', 'config_value'),
            fc.jsonValue(),
          ),
          { maxLength: 5 },
        ),
        (events) => {
          events
            .map(([type, value]): unknown => ({ ...(typeof value === 'object' ? value : {}), type, at }))
            .filter(isSessionEvent)
            .reduce(reduce, EMPTY_STATE);
        },
      ),
    );
  });
});
