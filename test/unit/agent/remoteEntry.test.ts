import assert from 'node:assert/strict';
import { parseAgents } from '../../../src/agent/parseAgents';
import { sharesFiles } from '../../../src/agent/remoteEntry';
import { inputNames, withHeaderValues } from '../../../src/application/agents/remoteHeaders';
import { isRemote } from '../../../src/core/agents/endpoint';
import { Fault } from '../../../src/core/model/failure';

const parsed = (entry: object) => parseAgents({ Far: entry }, 's');
const problems = (entry: object) => parsed(entry).problems.map(({ params }) => `${params?.['field']} ${params?.['expected']}`);
const filesShared = (entry: object) => {
  const [launch] = parsed(entry).agents;
  return launch && isRemote(launch) && sharesFiles(launch);
};

describe('an agent at an address, in the settings', () => {
  it('is reached by the scheme of its address', () => {
    assert.deepEqual(parsed({ url: 'wss://agent.example/acp', subprotocol: 'acp.v1', cwd: '/srv', timeoutMs: 5000, token: 't' }).agents, [
      {
        agentId: 'Far',
        agentName: 'Far',
        kind: 'websocket',
        url: 'wss://agent.example/acp',
        headers: { Authorization: 'Bearer t' },
        subprotocol: 'acp.v1',
        cwd: '/srv',
        timeoutMs: 5000,
      },
    ]);
    assert.deepEqual(parsed({ url: 'https://agent.example/acp', headers: { 'X-Team': 'a' }, pathMapping: { '/a': '/b' } }).agents, [
      {
        agentId: 'Far',
        agentName: 'Far',
        kind: 'http',
        url: 'https://agent.example/acp',
        headers: { 'X-Team': 'a' },
        pathMapping: { '/a': '/b' },
      },
    ]);
  });

  it('needs TLS, except on this machine or when the user waives it', () => {
    assert.deepEqual(problems({ url: 'ws://agent.example/acp' }), ['url tls']);
    assert.deepEqual(problems({ url: 'http://127.0.0.1.example/acp' }), ['url tls']);
    for (const url of ['ws://localhost:1/', 'http://127.0.0.1/acp', 'http://[::1]:80/']) {
      assert.deepEqual(problems({ url }), []);
    }
    assert.deepEqual(problems({ url: 'ws://agent.example/acp', allowInsecure: true }), []);
    for (const [given, taken] of [
      [true, true],
      [false, undefined],
      [undefined, undefined],
    ]) {
      const [agent] = parsed({ url: 'ws://localhost:1/', allowInsecure: given }).agents;
      assert.equal(agent && isRemote(agent) && 'allowInsecure' in agent ? agent.allowInsecure : undefined, taken);
    }
  });

  it('names each field that is wrong', () => {
    assert.deepEqual(problems({ url: 'ftp://x/' }), ['url address']);
    assert.deepEqual(problems({ url: 'wss://user:password@x/' }), ['url address']);
    assert.deepEqual(problems({ url: 'wss://x/', command: 'x', args: [] }), ['command process', 'args process']);
    assert.deepEqual(problems({ url: 'wss://x/', headers: { 'a b': 'x', ok: 'line\r\nbreak' }, token: 5 }), [
      'headers.a b string',
      'headers.ok string',
      'token string',
    ]);
    assert.deepEqual(problems({ url: 'wss://x/', pathMapping: { relative: '/b', '/a': 'b' }, allowInsecure: 'yes' }), [
      'allowInsecure boolean',
      'pathMapping.relative absolutePath',
      'pathMapping./a absolutePath',
    ]);
    assert.deepEqual(problems({ adress: 'wss://x/' }), ['command present']);
    assert.deepEqual(problems({ server: 'wss://x/', command: 'a' }), ['url spelling']);
  });

  it('takes the fingerprint of a certificate for wss alone', () => {
    const digits = 'AB'.repeat(32);
    const [pinned] = parsed({ url: 'wss://a.example/acp', certificateFingerprint: digits.replace(/..(?=.)/g, '$&:') }).agents;
    assert.equal(pinned?.kind === 'websocket' && pinned.fingerprint, 'ab'.repeat(32));
    for (const entry of [
      { url: 'https://a.example/acp', certificateFingerprint: digits },
      { url: 'wss://a.example/acp', certificateFingerprint: digits.slice(2) },
      { url: 'wss://a.example/acp', certificateFingerprint: 7 },
    ]) {
      assert.deepEqual(problems(entry), ['certificateFingerprint fingerprint']);
    }
  });

  it('gets our files only where its paths are known', () => {
    assert.equal(filesShared({ url: 'ws://localhost:1/' }), true);
    assert.equal(filesShared({ url: 'ws://localhost:1/', cwd: '/elsewhere' }), false);
    assert.equal(filesShared({ url: 'wss://agent.example/' }), false);
    assert.equal(filesShared({ url: 'wss://agent.example/', pathMapping: { '/a': '/b' } }), true);
  });

  it('takes values from the environment and from the user', () => {
    const headers = { Authorization: 'Bearer ${input:TOKEN}', 'X-Team': '${env:TEAM}-${env:TEAM}' };
    assert.deepEqual(inputNames(headers), ['TOKEN']);
    assert.deepEqual(
      withHeaderValues(headers, () => 'red', { TOKEN: '${env:TEAM}' }),
      {
        Authorization: 'Bearer ${env:TEAM}',
        'X-Team': 'red-red',
      },
    );
    const missing = (name: string) => (error: unknown) => error instanceof Fault && error.failure.params?.['name'] === name;
    assert.throws(() => withHeaderValues(headers, () => undefined, { TOKEN: 'x' }), missing('${env:TEAM}'));
    assert.throws(() => withHeaderValues(headers, () => 'a\r\nb', { TOKEN: 'x' }), missing('${env:TEAM}'));
    assert.throws(() => withHeaderValues({ a: '${input:toString}' }, () => '', {}), missing('${input:toString}'));
  });
});
