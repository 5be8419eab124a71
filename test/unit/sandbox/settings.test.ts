import assert from 'node:assert/strict';
import { isAllowable } from '../../../src/core/sandbox/allowable';
import { stricterMode } from '../../../src/core/sandbox/sandbox';
import { endpointHosts, placesOf } from '../../../src/sandbox/plan/agentState';
import { isPrivateAddress } from '../../../src/core/platform/privateAddress';
import { decideHost, hostEntry, loopbackPorts } from '../../../src/sandbox/network/hosts';
import { foldersOf, sandboxModeOf, textsOf } from '../../../src/sandbox/settings';

describe('the sandbox setting', () => {
  it('is looked up by id, then by name, then for all others', () => {
    const setting = { ada: 'agent', Bob: 'commands', '*': 'off' };
    assert.equal(sandboxModeOf(setting, 'ada', 'Ada'), 'agent');
    assert.equal(sandboxModeOf(setting, 'bob', 'Bob'), 'commands');
    assert.equal(sandboxModeOf(setting, 'eve', 'Eve'), 'off');
    assert.equal(sandboxModeOf(undefined, 'ada'), 'off');
  });

  it('counts a word that it does not know as the strictest mode', () => {
    assert.equal(sandboxModeOf({ ada: 'agents' }, 'ada'), 'agent');
  });

  it('takes absolute folders and those of the home, but never the whole disk', () => {
    assert.deepEqual(foldersOf(['~/work/', '/data', 'relative', '/', '/a/../b', 7, '~'], '/home/u'), ['/home/u/work', '/data', '/home/u']);
    assert.deepEqual(textsOf('x'), []);
  });

  it('knows which of two modes is stricter', () => {
    assert.equal(stricterMode('off', 'commands'), 'commands');
    assert.equal(stricterMode('agent', 'commands'), 'agent');
  });
});

describe('listed hosts', () => {
  const allowed = (entries: readonly string[], name: string, port = 443) => decideHost(entries, name, port).isAllowed;

  it('match by their whole name, and on the ports of the web', () => {
    assert.ok(allowed(['example.com'], 'EXAMPLE.com.'));
    assert.ok(allowed(['example.com'], 'example.com', 80));
    assert.ok(!allowed(['example.com'], 'example.com', 22));
    assert.ok(!allowed(['example.com'], 'a.example.com'));
    assert.ok(!allowed(['example.com'], 'evilexample.com'));
    assert.ok(!allowed(['example.com'], 'example.com.evil.org'));
  });

  it('match names below a wildcard, and no others', () => {
    assert.ok(allowed(['*.example.com'], 'a.b.example.com'));
    assert.ok(!allowed(['*.example.com'], 'example.com'));
    assert.ok(!allowed(['*.example.com'], 'evilexample.com'));
    assert.ok(!allowed(['*'], 'example.com'));
    assert.ok(!allowed(['*example.com', 'exam*.com', 'http://example.com', ''], 'example.com'));
  });

  it('match other ports when they name them', () => {
    assert.ok(allowed(['example.com:8443'], 'example.com', 8443));
    assert.ok(!allowed(['example.com:8443'], 'example.com', 443));
    assert.ok(allowed(['example.com:*'], 'example.com', 22));
    assert.ok(allowed(['[::1]:8080'], '[::1]', 8080));
  });

  it('reach private addresses only by an entry for the very host', () => {
    assert.equal(decideHost(['*.example.com'], 'a.example.com', 443).mayBePrivate, false);
    assert.equal(decideHost(['a.example.com'], 'a.example.com', 443).mayBePrivate, true);
    for (const address of [
      '127.0.0.1',
      '10.1.2.3',
      '172.16.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '0.0.0.0',
      '::1',
      'fd00::1',
      'fe80::1',
      '::ffff:10.0.0.1',
    ]) {
      assert.ok(isPrivateAddress(address), address);
    }
    for (const address of ['8.8.8.8', '172.32.0.1', '2606:4700::1111']) {
      assert.ok(!isPrivateAddress(address), address);
    }
  });

  it('name the ports of this machine that are forwarded', () => {
    assert.deepEqual(loopbackPorts(['localhost:11434', '127.0.0.1:11434', 'localhost', 'example.com:1', '[::1]:5']), [11434, 5]);
    assert.equal(hostEntry('Example.com', 443), 'example.com');
    assert.equal(hostEntry('[::1]', 8080), '[::1]:8080');
  });
});

describe('the places of an agent', () => {
  const start = { agentId: 'Claude Code', agentName: 'Claude Code', command: 'npx', args: ['@agentclientprotocol/claude-agent-acp'] };

  it('are its own state, without the settings that name programs', () => {
    const places = placesOf(start, '/home/u', {});
    assert.ok(places.write.some(({ path }) => path === '/home/u/.claude'));
    assert.ok(places.readOnly.includes('/home/u/.claude/settings.json'));
    assert.ok(places.hosts.includes('api.anthropic.com'));
    assert.ok(places.others.includes('/home/u/.codex'));
    assert.ok(!places.others.includes('/home/u/.claude'));
  });

  it('follow the variable that moves it', () => {
    assert.ok(placesOf(start, '/home/u', { CLAUDE_CONFIG_DIR: '/elsewhere' }).write.some(({ path }) => path === '/elsewhere'));
  });

  it('do not exist for an unknown agent', () => {
    const places = placesOf({ agentId: 'x', agentName: 'X', command: 'x', args: [] }, '/home/u', {});
    assert.deepEqual([places.write, places.hosts], [[], []]);
  });

  it('include the endpoint that its environment names', () => {
    assert.deepEqual(
      endpointHosts({ ANTHROPIC_BASE_URL: 'http://127.0.0.1:4000/v1', OPENAI_BASE_URL: 'https://x.example', NAME_URL: 'http://no' }),
      ['127.0.0.1:4000', 'x.example:443'],
    );
  });
});

describe('a refusal that one click allows', () => {
  it('is a host or a folder, but not a folder of the system or a secret', () => {
    assert.ok(isAllowable({ kind: 'host', target: 'example.com' }));
    assert.ok(isAllowable({ kind: 'write', target: '/home/u/notes/a' }));
    assert.ok(!isAllowable({ kind: 'write', target: '/etc/a' }));
    assert.ok(!isAllowable({ kind: 'write', target: '/usr/lib/a' }));
    assert.ok(!isAllowable({ kind: 'write', target: '/a' }));
    assert.ok(!isAllowable({ kind: 'write', target: '/root/a' }));
    assert.ok(!isAllowable({ kind: 'read', target: '/home/u/.ssh/id' }));
  });
});
