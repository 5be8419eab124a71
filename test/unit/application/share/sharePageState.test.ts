import assert from 'node:assert/strict';
import { networkAddresses } from '../../../../src/application/share/addresses';
import { accessHint, settingsEntry, sharePageState } from '../../../../src/application/share/sharePageState';
import { parseAgents } from '../../../../src/agent/parseAgents';
import { englishVerbatim } from '../english';

describe('the page of a sharing in words', () => {
  const nothing = { url: undefined, fingerprint: undefined, sessions: [], attached: [], given: [] };

  it('says that nothing listens, or who can attach', () => {
    const about = (url: string | undefined): string => sharePageState({ ...nothing, url }, undefined, 'en', englishVerbatim).about;
    assert.equal(about(undefined), 'No session is shared, and nothing listens for connections.');
    assert.match(about('ws://127.0.0.1:1/acp'), /^Programs on this computer/);
    assert.match(about('wss://[fd00::1]:1/acp'), /^Others in your network/);
  });

  it('says that earlier tokens open a further session, too', () => {
    assert.equal(accessHint(0, englishVerbatim), 'Anyone who has the token gets this access.');
    assert.match(accessHint(1, englishVerbatim), /Tokens that you have given before open this session, too\.$/);
  });

  it('shows names of clients without their tricks', () => {
    const attached = [{ clientId: '1', name: 'a\u202e\nb', address: '::1', since: 0, right: 'read', sessions: ['s'] }] as const;
    const state = sharePageState({ ...nothing, sessions: [{ key: 's', title: 'T' }], attached }, undefined, 'en', englishVerbatim);
    assert.match(state.clients[0]!.name, /^a\S*U\+202E\S*\s?\S*b$/);
    assert.equal(state.sessions[0]!.about, '1 client');
    assert.match(state.clients[0]!.about, /^::1 · Read only · since /);
  });

  it('tells tokens of one access apart by their beginning', () => {
    const given = ['q1W2e3R4', 't5Z6u7I8'].map((accessId) => ({ accessId, right: 'read', at: 0 }) as const);
    const { accesses } = sharePageState({ ...nothing, given }, undefined, 'en', englishVerbatim);
    assert.match(accesses[0]!.about, /^Starts with q1W2e3R4 · made at /);
    assert.notEqual(accesses[0]!.about, accesses[1]!.about);
  });

  it('makes an entry that the settings accept, without a token', () => {
    const fingerprint = 'ab'.repeat(32);
    const entry = JSON.parse(`{${settingsEntry('wss://192.168.1.2:5000/acp', fingerprint)}}`) as Record<string, unknown>;
    const { agents, problems } = parseAgents(entry, 'acpHost.agents');
    assert.deepEqual(problems, []);
    const [agent] = agents as unknown as { kind: string; fingerprint?: string }[];
    assert.deepEqual([agent?.kind, agent?.fingerprint], ['websocket', fingerprint]);
  });

  it('lists the addresses of the network that a URL can name', () => {
    const info = (address: string, family: 'IPv4' | 'IPv6', internal = false, scopeid = 0) =>
      ({ address, family, internal, scopeid, netmask: '', mac: '', cidr: null }) as never;
    assert.deepEqual(
      networkAddresses({
        lo: [info('127.0.0.1', 'IPv4', true), info('::1', 'IPv6', true)],
        eth0: [info('fe80::1', 'IPv6', false, 2), info('fd00::1', 'IPv6'), info('192.168.1.2', 'IPv4')],
        none: undefined,
      }),
      [
        { host: '192.168.1.2', name: 'eth0' },
        { host: 'fd00::1', name: 'eth0' },
      ],
    );
  });
});
