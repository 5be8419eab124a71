import assert from 'node:assert/strict';
import type { AgentAccount } from '../../../../src/core/account/account';
import type { EventInput } from '../../../../src/core/model/event';
import type { Dialect } from '../../../../src/acp/dialect';
import type { Outcome } from '../../../../src/acp/jsonrpc/rpc';
import { type Connected, connecting, updateOf } from '../support';

const SETUP = { cwd: '/p', additionalDirectories: [], mcpServers: [] };

/** A live dialect over an agent with these capabilities. */
async function connected(agentCapabilities: object, agentInfo?: object): Promise<Connected & { readonly dialect: Dialect }> {
  const connection = connecting();
  connection.transport.feed({ jsonrpc: '2.0', id: 1, result: { protocolVersion: 1, agentCapabilities, agentInfo } });
  await loaded();
  const outcome = connection.outcome();
  assert.ok(outcome?.ok, JSON.stringify(outcome));
  return { ...connection, dialect: outcome.value };
}

const loaded = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));

describe('v1: the parts that few agents offer', function () {
  this.timeout(10_000);

  it('exist before the connection is ready, and only where the agent offers them', async () => {
    const all = await connected({
      providers: {},
      quota: {},
      auth: { status: {} },
      sessionCapabilities: { archive: {}, options: {}, systemPrompt: { mode: { override: {} } } },
    });
    const { providers, quota, authStatus, archive, options, systemPrompt } = all.dialect.sessionCapabilities;
    assert.deepEqual([providers, quota, authStatus, archive, options, systemPrompt], [true, true, true, true, true, 'override']);
    const names = ['archiveSession', 'sessionOptions', 'listProviders', 'setProvider'] as const;
    assert.deepEqual(
      names.filter((name) => !all.dialect[name]),
      [],
    );
    const one = await connected({ providers: null, sessionCapabilities: { options: false, systemPrompt: {} } });
    assert.deepEqual(
      names.filter((name) => one.dialect[name]),
      [],
    );
    assert.equal(one.dialect.sessionCapabilities.systemPrompt, 'append');
  });

  it('are not reported after the connection was disposed', async () => {
    const connection = connecting();
    connection.transport.feed({ jsonrpc: '2.0', id: 1, result: { protocolVersion: 1, agentCapabilities: { quota: {} } } });
    connection.dispose();
    await loaded();
    assert.equal(connection.outcome(), undefined);
  });

  it('fork at a message only at the agents that read it', async () => {
    const capabilities = { providers: {}, sessionCapabilities: { fork: {} } };
    const claude = await connected(capabilities, { name: '@agentclientprotocol/claude-agent-acp', version: '1' });
    claude.dialect.forkSession!('s', SETUP, () => undefined, 'm');
    const { params } = claude.transport.last as { readonly params: { readonly _meta?: object } };
    assert.deepEqual(params._meta, { jetbrains: { air: { fork: { version: 1, messageId: 'm' } } } });
    const other = await connected(capabilities, { name: 'other', version: '1' });
    assert.equal(other.dialect.sessionCapabilities.forkAt, undefined);
    other.dialect.forkSession!('s', SETUP, () => undefined, 'm');
    assert.equal((other.transport.last as { readonly params: { readonly _meta?: object } }).params._meta, undefined);
  });

  it('archives sessions, and sends them again', async () => {
    const { dialect, transport } = await connected({ sessionCapabilities: { archive: {} } });
    const outcomes: Outcome<void>[] = [];
    dialect.archiveSession!('s', true, (outcome) => outcomes.push(outcome));
    assert.deepEqual([transport.last.method, transport.last.params], ['session/archive', { sessionId: 's' }]);
    transport.feed({ id: 2, result: {} });
    dialect.archiveSession!('s', false, (outcome) => outcomes.push(outcome));
    assert.equal(transport.last.method, 'session/unarchive');
    transport.feed({ id: 3, error: { code: -32002, message: 'gone' } });
    assert.deepEqual(
      outcomes.map(({ ok }) => ok),
      [true, false],
    );
  });

  it('lists endpoints, also in the form of the proposal, and turns them off', async () => {
    const { dialect, transport } = await connected({ providers: {} });
    let listed: unknown;
    dialect.listProviders!((outcome) => (listed = outcome));
    transport.feed({
      id: 2,
      result: {
        providers: [
          { providerId: 'main', supported: ['anthropic', 5], required: true, current: { apiType: 'anthropic', baseUrl: 'https://a.b' } },
          { id: 'old', current: { protocol: 'openai', baseUrl: 'https://c.d' } },
          { supported: [] },
          'none',
        ],
      },
    });
    assert.deepEqual(listed, {
      ok: true,
      value: [
        { providerId: 'main', supported: ['anthropic'], required: true, current: { apiType: 'anthropic', baseUrl: 'https://a.b' } },
        { providerId: 'old', supported: [], required: false, current: { apiType: 'openai', baseUrl: 'https://c.d' } },
      ],
    });
    dialect.setProvider!({ providerId: 'old', isOff: true }, () => undefined);
    assert.deepEqual([transport.last.method, transport.last.params], ['providers/disable', { providerId: 'old' }]);
  });

  it('reports the account, also in the older form', async () => {
    const accounts: AgentAccount[] = [];
    const onAccount = (account: AgentAccount): void => void accounts.push(account);
    const connection = connecting();
    const { client, transport } = connection;
    Object.assign(client, { onAccount });
    transport.feed({ jsonrpc: '2.0', id: 1, result: { protocolVersion: 1, agentCapabilities: { auth: { status: {} } } } });
    await loaded();
    assert.deepEqual([transport.last.method, transport.last.params], ['auth/status', {}]);
    transport.feed({ id: 2, result: { state: 'not_required' } });
    transport.feed({ jsonrpc: '2.0', method: 'auth/status_update', params: { state: 'authenticated', accounts: [{ label: 'Team' }] } });
    transport.feed({ jsonrpc: '2.0', method: '_auth/status_update', params: { authStatus: { kind: 'none' } } });
    transport.feed({ jsonrpc: '2.0', method: 'auth/status_update', params: 'nonsense' });
    await loaded();
    assert.deepEqual(accounts, [{ state: 'not_required' }, { state: 'authenticated', label: 'Team' }, { state: 'unauthenticated' }]);
    assert.deepEqual(client.calls.at(-1)?.name, 'onUnknown');
  });

  it('reads limits in updates of an agent with the capability, and shows them of another as they came', async () => {
    const update = updateOf({ sessionUpdate: 'quota_update', pools: [{ id: 'plan', meters: [] }] });
    for (const [capabilities, type] of [
      [{ quota: {} }, 'quota'],
      [{}, 'unknown'],
    ] as const) {
      const { client, transport } = await connected(capabilities);
      transport.feed(update);
      assert.deepEqual(
        client.events.map((event: EventInput) => event.type),
        [type],
      );
    }
  });
});
