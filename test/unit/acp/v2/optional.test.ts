/** The parts that few agents of version 2 offer. They share their code with version 1. */
import assert from 'node:assert/strict';
import type { AgentAccount } from '../../../../src/core/account/account';
import { connect } from '../../../../src/acp/connect';
import type { Dialect } from '../../../../src/acp/dialect';
import { ndjson } from '../../../../src/acp/transport/ndjson';
import { V1 } from '../../../../src/acp/v1/v1';
import { V2 } from '../../../../src/acp/v2/v2';
import { CLIENT_INFO, FakeClock, FakeTransport, RecordingClient } from '../support';
import { INFO, INITIALIZED, Scene, text } from './scene';

const SETUP = { cwd: '/w', additionalDirectories: [], mcpServers: [] };
const CLAUDE = { name: '@agentclientprotocol/claude-agent-acp', version: '1' };

/** A connection to an agent with these capabilities. */
function wire(capabilities: object, info: object = INFO) {
  const transport = new FakeTransport(false);
  const client = new RecordingClient();
  const accounts: AgentAccount[] = [];
  Object.assign(client, { onAccount: (account: AgentAccount) => void accounts.push(account) });
  let dialect: Dialect | undefined;
  const options = { clientInfo: CLIENT_INFO, clock: new FakeClock(), timeoutMs: 1000 };
  connect(ndjson(transport), [V2, V1], client, options, (outcome) => (dialect = outcome.ok ? outcome.value : undefined));
  const answer = (result: object): void => transport.feed({ jsonrpc: '2.0', id: transport.last.id, result });
  answer({ protocolVersion: 2, info, capabilities });
  const notify = (method: string, params: object): void => transport.feed({ jsonrpc: '2.0', method, params });
  const sent = (): unknown[] => [transport.last.method, transport.last.params];
  return { transport, client, accounts, dialect: dialect!, answer, notify, sent };
}

describe('v2: the parts that few agents offer', () => {
  it('exist only where the agent offers them', () => {
    const names = ['archiveSession', 'sessionStatus', 'sessionOptions', 'listProviders', 'setProvider'] as const;
    const session = { archive: {}, status: {}, options: {}, systemPrompt: { mode: { override: {} } } };
    const all = wire({ session, providers: {} }).dialect;
    assert.deepEqual([all.sessionCapabilities.systemPrompt, ...names.filter((name) => !all[name])], ['override']);
    const none = wire({ session: { archive: null, systemPrompt: {} }, providers: null }).dialect;
    assert.deepEqual([none.sessionCapabilities.systemPrompt, ...names.filter((name) => none[name])], ['append']);
  });

  it('archives sessions, shows them again, and reads their status', () => {
    const { dialect, answer, sent } = wire({ session: { archive: {}, status: {} } });
    const outcomes: unknown[] = [];
    dialect.archiveSession!('s', true, (outcome) => outcomes.push(outcome));
    assert.deepEqual(sent(), ['session/archive', { sessionId: 's' }]);
    answer({});
    dialect.archiveSession!('s', false, (outcome) => outcomes.push(outcome));
    assert.deepEqual(sent(), ['session/unarchive', { sessionId: 's' }]);
    answer({});
    dialect.sessionStatus!('s', (outcome) => outcomes.push(outcome));
    assert.deepEqual(sent(), ['session/status', { sessionId: 's' }]);
    answer({ status: 'open', state: { state: 'running' } });
    assert.deepEqual(outcomes, [
      { ok: true, value: undefined },
      { ok: true, value: undefined },
      { ok: true, value: { isOpen: true, work: 'running' } },
    ]);
  });

  it('reads the options before a session, and sends initial values with their types', () => {
    const { dialect, answer, sent } = wire({ session: { options: {} } });
    let options: unknown;
    dialect.sessionOptions!(SETUP, (outcome) => (options = outcome.ok && outcome.value.map(({ type }) => type)));
    assert.deepEqual(sent(), ['session/options', { cwd: '/w' }]);
    answer({
      configOptions: [{ configId: 'fast', name: 'Fast', type: 'boolean', currentValue: true }],
      availableCommands: [{ type: 'command', name: 'c', description: 'd' }],
    });
    assert.deepEqual(options, ['config_options', 'available_commands']);
    dialect.newSession({ ...SETUP, values: { fast: true, mode: 'plan' } }, () => undefined);
    const configOptions = [
      { configId: 'fast', type: 'boolean', value: true },
      { configId: 'mode', type: 'id', value: 'plan' },
    ];
    assert.deepEqual(sent(), ['session/new', { cwd: '/w', mcpServers: [], configOptions }]);
  });

  it('sends instructions with each request that opens a session', () => {
    const { dialect, transport, answer } = wire({ session: { systemPrompt: {}, fork: {} } });
    const setup = { ...SETUP, instructions: { mode: 'append', parts: [{ text: 'Be brief.', source: 'user' }] } } as const;
    const systemPrompt = { mode: 'append', content: [{ type: 'text', text: 'Be brief.' }] };
    const opening = [
      () => dialect.newSession(setup, () => undefined),
      () => dialect.loadSession!('s', setup, () => undefined),
      () => dialect.resumeSession!('s', setup, () => undefined),
      () => dialect.forkSession!('s', setup, () => undefined),
    ];
    for (const open of opening) {
      open();
      assert.deepEqual((transport.last.params as { readonly systemPrompt?: object }).systemPrompt, systemPrompt);
      answer({ sessionId: 's' });
    }
  });

  it('forks after a message only at the agents that read it', () => {
    const params = { sessionId: 's', cwd: '/w', mcpServers: [] };
    const claude = wire({ session: { fork: {} } }, CLAUDE);
    claude.dialect.forkSession!('s', SETUP, () => undefined, 'm');
    const _meta = { jetbrains: { air: { fork: { version: 1, messageId: 'm' } } } };
    assert.deepEqual(claude.sent(), ['session/fork', { ...params, _meta }]);
    const other = wire({ session: { fork: {} } });
    other.dialect.forkSession!('s', SETUP, () => undefined, 'm');
    assert.deepEqual(other.sent(), ['session/fork', params]);
  });

  it('lists endpoints, sets them and turns them off', () => {
    const { dialect, answer, sent } = wire({ providers: {} });
    let listed: unknown;
    dialect.listProviders!((outcome) => (listed = outcome.ok && outcome.value));
    assert.deepEqual(sent(), ['providers/list', {}]);
    answer({ providers: [{ providerId: 'main', supported: ['anthropic'], required: true }] });
    assert.deepEqual(listed, [{ providerId: 'main', supported: ['anthropic'], required: true }]);
    const choice = { providerId: 'main', apiType: 'anthropic', baseUrl: 'https://a.b' };
    dialect.setProvider!({ ...choice, headers: {} }, () => undefined);
    assert.deepEqual(sent(), ['providers/set', choice]);
    answer({});
    dialect.setProvider!({ providerId: 'main', isOff: true }, () => undefined);
    assert.deepEqual(sent(), ['providers/disable', { providerId: 'main' }]);
  });

  it('reports the account, also in the form of two agents', () => {
    const { client, accounts, answer, notify, sent } = wire({ auth: { status: {} } });
    assert.deepEqual(sent(), ['auth/status', {}]);
    answer({ state: 'not_required' });
    notify('auth/status_update', { state: 'authenticated', accounts: [{ label: 'Team' }] });
    notify('_auth/status_update', { authStatus: { kind: 'none' } });
    notify('auth/status_update', {});
    assert.deepEqual(accounts, [{ state: 'not_required' }, { state: 'authenticated', label: 'Team' }, { state: 'unauthenticated' }]);
    assert.deepEqual(client.calls.at(-1)?.name, 'onUnknown');
  });

  it('reads limits when a session is open, and in updates', () => {
    const { dialect, client, answer, notify, sent } = wire({ session: {}, quota: {} });
    const limits = (id: string): object => ({ updatedAt: '2026-11-26T00:00:00Z', pools: [{ id, meters: [] }] });
    dialect.newSession(SETUP, () => undefined);
    answer({ sessionId: 's' });
    assert.deepEqual(sent(), ['quota/read', { sessionId: 's' }]);
    answer(limits('read'));
    notify('session/update', { sessionId: 's', update: { sessionUpdate: 'quota_update', ...limits('sent') } });
    const limit = { rateLimitType: 'five_hour', status: 'allowed', utilization: 0.5 };
    const usage = { sessionUpdate: 'usage_update', used: 1, size: 2, _meta: { '_claude/rateLimit': limit } };
    notify('session/update', { sessionId: 's', update: usage });
    notify('session/update', { sessionId: 's', update: { sessionUpdate: 'quota_update', pools: 7 } });
    assert.deepEqual(
      client.events.map((event) => event.type),
      ['quota', 'quota', 'usage', 'quota', 'unknown'],
    );
  });

  it('changes the message of the user, and reads limits after a prompt that failed', () => {
    const scene = Scene.ready({ ...INITIALIZED, capabilities: { session: {}, quota: {} } });
    scene.session.prompt(text('question'));
    scene.reply({ messageId: 'u1' }, 'session/prompt');
    scene.become('running');
    scene.update({ sessionUpdate: 'user_message', messageId: 'u1', content: [{ type: 'text', text: 'another question' }] });
    scene.become('idle', { stopReason: 'end_turn' });
    assert.deepEqual(scene.lines, ['user: another question', 'turn end_turn']);
    assert.equal(scene.sentBy('quota/read').length, 1);
    scene.session.prompt(text('more'));
    scene.fail(-32603, undefined, 'session/prompt');
    assert.equal(scene.sentBy('quota/read').length, 2);
  });
});
