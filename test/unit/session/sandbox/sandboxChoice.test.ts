import assert from 'node:assert/strict';
import type { EventInput } from '../../../../src/core/model/event';
import { EMPTY_STATE } from '../../../../src/core/model/state';
import { reduce } from '../../../../src/core/reduce/reduce';
import type { SandboxMode } from '../../../../src/core/sandbox/sandbox';
import { noteRefusedCalls, noteRefusedHost } from '../../../../src/session/sandbox/refusedCalls';
import { SandboxChoice } from '../../../../src/session/sandbox/sandboxChoice';
import { SessionStore } from '../../../../src/session/state/store';
import { systemClock } from '../../../../src/util/clock';

const agent = { agentId: 'ada', agentName: 'Ada' };

function storeOf(...events: EventInput[]): SessionStore {
  const store = new SessionStore(systemClock);
  store.append(...events);
  return store;
}

describe('the sandbox of a session', () => {
  it('follows the setting, and records each change', () => {
    let setting: SandboxMode = 'commands';
    const store = storeOf();
    const choice = new SandboxChoice(agent, store, () => setting);
    assert.equal(choice.announce(), 'commands');
    assert.equal(store.state.sandbox?.mode, 'commands');
    const { seq } = store;
    choice.announce();
    assert.equal(store.seq, seq, 'nothing is recorded twice');
    setting = 'off';
    assert.equal(choice.announce(), 'off');
    assert.equal(store.state.sandbox?.mode, 'off');
  });

  it('records nothing while it is off', () => {
    const store = storeOf();
    assert.equal(new SandboxChoice(agent, store, undefined).announce(), 'off');
    assert.equal(store.seq, 0);
  });

  it('takes the user’s choice in this window, also a weaker one', () => {
    const store = storeOf();
    const choice = new SandboxChoice(agent, store, () => 'agent');
    choice.choose('off');
    assert.equal(choice.mode, 'off');
    assert.equal(store.state.sandbox?.isChosen, true);
  });

  it('takes a stored choice only if it is stricter than the setting', () => {
    const weaker = new SandboxChoice(agent, storeOf({ type: 'sandbox', mode: 'off', isChosen: true }), () => 'agent');
    assert.equal(weaker.mode, 'agent');
    const stricter = new SandboxChoice(agent, storeOf({ type: 'sandbox', mode: 'agent', isChosen: true }), () => 'off');
    assert.equal(stricter.mode, 'agent');
    const notChosen = new SandboxChoice(agent, storeOf({ type: 'sandbox', mode: 'agent' }), () => 'off');
    assert.equal(notChosen.mode, 'off');
  });
});

describe('refusals of a sandbox', () => {
  const refusal = { kind: 'write', target: '/etc/x' } as const;
  const find = async (output: string) => (output.includes('Read-only') ? [refusal] : []);

  it('are found in texts and raw outputs of tool calls, and in terminals of the agent', async () => {
    const store = storeOf();
    const text = { type: 'content', content: { type: 'text', text: 'x: Read-only file system' } } as const;
    await noteRefusedCalls(
      [
        { type: 'tool_call_update', toolCallId: 'a', patch: { content: [text] } },
        { type: 'tool_call_update', toolCallId: 'b', patch: { rawOutput: { result: { stderr: 'x: Read-only file system' } } } },
        { type: 'tool_call_update', toolCallId: 'c', patch: { rawOutput: 'all is well' } },
        { type: 'terminal_output', terminalId: 't', text: 'x: Read-only file system' },
      ],
      store,
      find,
    );
    assert.deepEqual(Object.keys(store.state.sandboxRefusals ?? {}), ['tool_call:a', 'tool_call:b', 'terminal:t']);
  });

  it('are recorded once', async () => {
    const store = storeOf();
    const event = { type: 'terminal_output', terminalId: 't', text: 'x: Read-only file system' } as const;
    await noteRefusedCalls([event, event], store, find);
    assert.equal(store.seq, 1);
  });

  it('name a host on the newest open tool call, or in a notice', () => {
    const host = { kind: 'host', target: 'example.com' } as const;
    const calling = storeOf(
      { type: 'turn_started', turnId: 't' },
      { type: 'tool_call_update', toolCallId: 'a', patch: { status: 'in_progress' } },
    );
    noteRefusedHost(calling, host);
    assert.deepEqual(calling.state.sandboxRefusals, { 'tool_call:a': [host] });
    const waiting = storeOf({ type: 'turn_started', turnId: 't' });
    noteRefusedHost(waiting, host);
    noteRefusedHost(waiting, host);
    noteRefusedHost(waiting, { kind: 'host', target: 'statsig.example.com' });
    assert.equal(waiting.seq, 2);
    assert.ok(waiting.state.entries.get('notice:sandbox-example.com'));
  });

  it('are bounded for each tool call', () => {
    let state = EMPTY_STATE;
    for (let index = 0; index < 100; index++) {
      state = reduce(state, { type: 'sandbox_refused', at: 0, toolCallId: 'a', refusals: [{ kind: 'write', target: `/etc/${index}` }] });
    }
    assert.equal(state.sandboxRefusals?.['tool_call:a']?.length, 8);
    assert.equal(reduce(state, { type: 'sandbox_refused', at: 0, refusals: [refusal] }), state);
  });
});
