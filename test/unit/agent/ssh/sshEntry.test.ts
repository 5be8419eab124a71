import assert from 'node:assert/strict';
import { sharesFiles } from '../../../../src/agent/remoteEntry';
import { parseAgents } from '../../../../src/agent/parseAgents';
import type { SshEndpoint } from '../../../../src/core/agents/endpoint';

const parse = (entry: object) => {
  const { agents, problems } = parseAgents({ Far: entry }, 'acpHost.agents');
  return { agent: agents[0], problems: problems.map(({ params }) => `${params?.['field']}: ${params?.['expected']}`) };
};

describe('an agent on another host in the settings', () => {
  it('is read with its program, folder and ports', () => {
    const { agent, problems } = parse({
      ssh: { host: 'me@build', cwd: '/srv/shop', forwardPorts: [8085] },
      command: '~/bin/agent',
      args: ['--acp'],
      env: { KEY: 'x' },
      pathMapping: { '/home/me/shop': '/srv/shop' },
    });
    assert.deepEqual(problems, []);
    assert.deepEqual(agent, {
      agentId: 'Far',
      agentName: 'Far',
      kind: 'ssh',
      host: 'me@build',
      cwd: '/srv/shop',
      forwardPorts: [8085],
      pathMapping: { '/home/me/shop': '/srv/shop' },
      command: '~/bin/agent',
      args: ['--acp'],
      env: { KEY: 'x' },
    });
  });

  it('takes a host of the configuration, an address and an address of a form with a port', () => {
    for (const host of ['build', 'me@build.example', '10.0.0.7', 'ssh://me@build:2222', 'me@fe80::1%eth0']) {
      assert.deepEqual(parse({ ssh: { host }, command: 'a' }).problems, [], host);
    }
  });

  it('is refused with a host that would be an option or a command, and with each part that is wrong', () => {
    for (const host of ['-oProxyCommand=id', 'a b', 'a;id', '$(id)', '`id`', '', 7, undefined, 'a\nb', "a'b", 'x'.repeat(300)]) {
      assert.deepEqual(parse({ ssh: { host }, command: 'a' }).problems, ['ssh.host: host'], String(host));
    }
    const wrong = (entry: object) => parse({ ssh: { host: 'h' }, command: 'a', ...entry }).problems;
    assert.deepEqual(wrong({ ssh: 'h' }), ['ssh: object']);
    assert.deepEqual(wrong({ ssh: { host: 'h', cwd: 'shop' } }), ['ssh.cwd: absolutePath']);
    assert.deepEqual(wrong({ ssh: { host: 'h', cwd: '~/shop' } }), ['ssh.cwd: absolutePath']);
    assert.deepEqual(wrong({ ssh: { host: 'h', forwardPorts: [80] } }), ['ssh.forwardPorts: ports']);
    assert.deepEqual(wrong({ ssh: { host: 'h', forwardPorts: '8085' } }), ['ssh.forwardPorts: ports']);
    assert.deepEqual(wrong({ cwd: '/srv' }), ['cwd: sshFolder']);
    assert.deepEqual(wrong({ env: { KEY: 'a\nb' } }), ['env.KEY: string']);
    assert.deepEqual(wrong({ env: { 'A-B': 'a' } }), ['env.A-B: string']);
    assert.deepEqual(wrong({ pathMapping: { '/a': 'b' } }), ['pathMapping./a: absolutePath']);
    assert.deepEqual(wrong({ command: undefined }), ['command: present']);
    assert.deepEqual(parse({ url: 'wss://a.example/', ssh: { host: 'h' } }).problems, ['ssh: process']);
  });

  it('shares files only with a mapping', () => {
    const endpoint: SshEndpoint = { kind: 'ssh', host: 'h', command: 'a', args: [], env: {} };
    assert.deepEqual([sharesFiles(endpoint), sharesFiles({ ...endpoint, pathMapping: {} })], [false, true]);
  });
});
