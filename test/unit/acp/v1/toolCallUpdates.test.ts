import assert from 'node:assert/strict';
import { V1Updates } from '../../../../src/acp/v1/updates';
import { replacesOutput } from '../../../../src/acp/quirks/agentTerminalOutput';
import { decodeAll, decode } from './decode';

describe('v1 updates: tool calls', () => {
  it('are patches: null and omitted fields change nothing', () => {
    const update = {
      sessionUpdate: 'tool_call_update',
      toolCallId: 't',
      title: null,
      name: 'bash',
      kind: null,
      status: 'completed',
      content: null,
      locations: null,
      rawInput: null,
      rawOutput: '',
    };
    assert.deepEqual(decode(update), [
      { type: 'tool_call_update', toolCallId: 't', patch: { name: 'bash', status: 'completed', rawOutput: '' } },
    ]);
  });

  it('lose only the invalid field, and keep it in extra', () => {
    const locations = [{ path: '/a', line: 1 }, { path: '/b', line: null }, { line: 3 }];
    const update = {
      sessionUpdate: 'tool_call',
      toolCallId: 't',
      title: 5,
      kind: 'levitate',
      status: {},
      content: 7,
      locations,
      mood: 'good',
      _meta: { m: 1 },
    };
    assert.deepEqual(decode(update), [
      {
        type: 'tool_call_update',
        toolCallId: 't',
        patch: { kind: 'levitate', locations: [{ path: '/a', line: 1 }, { path: '/b' }] },
        meta: { m: 1 },
        extra: { title: 5, status: {}, content: 7, locations, mood: 'good' },
      },
    ]);
  });

  it('are unknown as a whole without an id', () => {
    const update = { sessionUpdate: 'tool_call', title: 'T' };
    assert.deepEqual(decode(update), [{ type: 'unknown', unknownId: '~1', label: 'tool_call', raw: update }]);
  });

  it('hold diffs of one change each, which is an addition when there is no old text', () => {
    const diff = (more: object): unknown => {
      const [event] = decode({
        sessionUpdate: 'tool_call',
        toolCallId: 't',
        content: [{ type: 'diff', path: '/a', newText: 'n', ...more }],
      });
      return event?.type === 'tool_call_update' && event.patch.content?.[0];
    };
    assert.deepEqual(diff({ oldText: 'o' }), { type: 'diff', changes: [{ operation: 'modify', path: '/a', oldText: 'o', newText: 'n' }] });
    assert.deepEqual(diff({ oldText: '' }), { type: 'diff', changes: [{ operation: 'modify', path: '/a', oldText: '', newText: 'n' }] });
    assert.deepEqual(diff({ oldText: null }), { type: 'diff', changes: [{ operation: 'add', path: '/a', oldText: null, newText: 'n' }] });
    assert.deepEqual(diff({}), { type: 'diff', changes: [{ operation: 'add', path: '/a', newText: 'n' }] });
    assert.deepEqual(diff({ deleted: true, newText: '', oldText: 'o' }), {
      type: 'diff',
      changes: [{ operation: 'delete', path: '/a', oldText: 'o', newText: '' }],
    });
    assert.deepEqual(diff({ oldText: 'o', _meta: { kind: 'x' } }), {
      type: 'diff',
      changes: [{ operation: 'modify', path: '/a', oldText: 'o', newText: 'n' }],
      _meta: { kind: 'x' },
    });
    const broken = { type: 'diff', path: 3, newText: 'n' };
    assert.deepEqual(diff({ path: 3 }), { type: 'unknown', raw: broken });
  });
});

describe("v1 updates: the agent's own terminals", () => {
  const info = {
    sessionUpdate: 'tool_call',
    toolCallId: 't',
    title: 'ls',
    kind: 'execute',
    _meta: { terminal_info: { terminal_id: 'x', cwd: '/p' } },
  };
  const output = (key: string, data: string, more: object = {}): object => ({
    sessionUpdate: 'tool_call_update',
    toolCallId: 't',
    _meta: { [key]: { terminal_id: 'x', data }, ...more },
  });

  it('are announced, grow and end', () => {
    const exit = { terminal_exit: { terminal_id: 'x', exit_code: 1, signal: null } };
    assert.deepEqual(decodeAll([info, output('terminal_output', 'a\n'), output('terminal_output_delta', 'b\n', exit)]), [
      { type: 'tool_call_update', toolCallId: 't', patch: { title: 'ls', kind: 'execute' } },
      { type: 'terminal_update', terminalId: 'x', command: 'ls', cwd: '/p' },
      { type: 'terminal_output', terminalId: 'x', text: 'a\n' },
      { type: 'terminal_output', terminalId: 'x', text: 'b\n' },
      { type: 'terminal_update', terminalId: 'x', exitStatus: { exitCode: 1 } },
    ]);
  });

  it('keep the rest of _meta, and announce the tool call when it is new', () => {
    assert.deepEqual(decode(output('terminal_output', 'a', { other: 1 })), [
      { type: 'tool_call_update', toolCallId: 't', patch: {}, meta: { other: 1 } },
      { type: 'terminal_output', terminalId: 'x', text: 'a' },
    ]);
    assert.equal(decode(output('terminal_output', 'a')).length, 2);
  });

  it('show output that comes under the id of a call without a terminal, whatever content follows', () => {
    const cat = (more: object): object => ({ sessionUpdate: 'tool_call_update', toolCallId: 'c', ...more });
    const said = (data: string): object => cat({ _meta: { terminal_output_delta: { terminal_id: 'c', data } } });
    const text = { type: 'content', content: { type: 'text', text: 'read' } };
    const terminal = { type: 'terminal', terminalId: 'c' };
    assert.deepEqual(decodeAll([cat({ title: 'cat' }), said('a'), said('b'), cat({ content: [text] }), cat({ content: [terminal] })]), [
      { type: 'tool_call_update', toolCallId: 'c', patch: { title: 'cat' } },
      { type: 'tool_call_content_chunk', toolCallId: 'c', content: terminal },
      { type: 'terminal_output', terminalId: 'c', text: 'a' },
      { type: 'terminal_output', terminalId: 'c', text: 'b' },
      { type: 'tool_call_update', toolCallId: 'c', patch: { content: [text, terminal] } },
      { type: 'tool_call_update', toolCallId: 'c', patch: { content: [terminal] } },
    ]);
    assert.equal(decodeAll([cat({ content: [terminal] }), said('a')]).length, 2);
    const released = { type: 'terminal_update', terminalId: 'c', released: true };
    assert.deepEqual(decodeAll([said('a'), cat({ status: 'completed' })]).at(-2), released);
    assert.deepEqual(decodeAll([cat({ status: 'completed' }), said('a')]).at(-1), released);
    assert.equal(decodeAll([cat({ _meta: { terminal_info: { terminal_id: 'c' } } }), said('a')]).length, 3);
  });

  it('are replaced by terminal_output of claude-agent-acp alone', () => {
    const whole = (name: string): unknown =>
      new V1Updates(undefined, '', () => replacesOutput({ name })).decode('s', {
        sessionId: 's',
        update: output('terminal_output', 'a'),
      })[1];
    assert.deepEqual(whole('@agentclientprotocol/claude-agent-acp'), { type: 'terminal_update', terminalId: 'x', output: 'a' });
    assert.deepEqual(whole('pi'), { type: 'terminal_output', terminalId: 'x', text: 'a' });
  });

  it("cannot name the client's terminals, and malformed ones stay in meta", () => {
    const meta = { terminal_output: { terminal_id: 'x', data: 'spoof' } };
    const update = { sessionUpdate: 'tool_call_update', toolCallId: 't', _meta: meta };
    assert.deepEqual(
      decodeAll([update], () => true),
      [{ type: 'tool_call_update', toolCallId: 't', patch: {}, meta }],
    );
    const broken = { terminal_output: { terminal_id: 'x', data: 7 }, terminal_exit: 'soon' };
    assert.deepEqual(decode({ ...update, _meta: broken }), [{ type: 'tool_call_update', toolCallId: 't', patch: {}, meta: broken }]);
  });
});
