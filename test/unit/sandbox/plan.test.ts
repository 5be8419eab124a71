import assert from 'node:assert/strict';
import { accessTo, planOf, type Place } from '../../../src/sandbox/plan/plan';
import { refusalsIn } from '../../../src/sandbox/refusals';

const place = (path: string, access: Place['access'], more: Partial<Place> = {}): Place => ({ path, access, isFolder: true, ...more });

describe('the plan of a sandbox', () => {
  it('lets the deepest place decide', () => {
    const plan = planOf([place('/home/u/.ssh', 'none'), place('/p', 'write'), place('/p/.git/hooks', 'read'), place('/tmp', 'private')]);
    assert.equal(accessTo('/p/a/b', plan), 'write');
    assert.equal(accessTo('/p/.git/hooks/pre-commit', plan), 'read');
    assert.equal(accessTo('/pp', plan), 'read');
    assert.equal(accessTo('/home/u/.ssh/id', plan), 'none');
    assert.equal(accessTo('/home/u', plan), 'read');
    assert.equal(accessTo('/tmp/x', plan), 'private');
  });

  it('takes the stricter of two places with the same path, except where the user allows it', () => {
    const strict = planOf([place('/p/.vscode', 'write'), place('/p/.vscode', 'read'), place('/p', 'write')]);
    assert.equal(accessTo('/p/.vscode/x', strict), 'read');
    const own = planOf([place('/p/.vscode', 'write', { isOwn: true }), place('/p/.vscode', 'read'), place('/p', 'write')]);
    assert.equal(accessTo('/p/.vscode/x', own), 'write');
  });

  it('has parents before their children, so that a mount never covers a deeper one', () => {
    const { places } = planOf([place('/a/b/c', 'write'), place('/a', 'write'), place('/a/b', 'none')]);
    assert.deepEqual(
      places.map(({ path }) => path),
      ['/a', '/a/b', '/a/b/c'],
    );
  });

  it('opens no place below an unreadable folder by a default', () => {
    const plan = planOf([place('/home/u/.ssh', 'none'), place('/home/u/.ssh/keys', 'read')]);
    assert.equal(accessTo('/home/u/.ssh/keys/one', plan), 'none');
    assert.equal(accessTo('/c/x', planOf([place('/c', 'none'), place('/c/x', 'read', { isOwn: true })])), 'read');
  });

  it('drops a place that changes nothing, but keeps writable folders as mounts of their own', () => {
    const { places } = planOf([place('/p', 'write'), place('/p/.git', 'write'), place('/usr/x', 'read')]);
    assert.deepEqual(
      places.map(({ path }) => path),
      ['/p', '/p/.git'],
    );
  });
});

describe('refusals in an output', () => {
  const plan = planOf([place('/p', 'write'), place('/p/.env', 'none', { isFolder: false }), place('/tmp', 'private')]);
  const find = (output: string) => refusalsIn(output, { plan, cwd: '/p/src', home: '/home/u' });

  for (const [line, target] of [
    ['/bin/bash: line 1: /home/u/x: Read-only file system', '/home/u/x'],
    ["touch: cannot touch '/etc/with space': Read-only file system", '/etc/with space'],
    ["Error: EROFS: read-only file system, open '/home/u/.bashrc'", '/home/u/.bashrc'],
    ["OSError: [Errno 30] Read-only file system: '/var/lib/x'", '/var/lib/x'],
    ["mv: cannot move 'a' to '/opt/a': Read-only file system", '/opt/a'],
    ['sh: 1: cannot create /home/u/y: Read-only file system', '/home/u/y'],
    ["rm: cannot remove '../../usr/z': Read-only file system", '/usr/z'],
  ] as const) {
    it(`names the file of “${line}”`, () => assert.deepEqual(find(line), [{ kind: 'write', target }]));
  }

  it('names a hidden file, also by a relative path', () => {
    assert.deepEqual(find('cat: ../.env: Permission denied'), [{ kind: 'read', target: '/p/.env' }]);
  });

  it('names nothing that the plan allows, or that failed for another reason', () => {
    assert.deepEqual(find("touch: cannot touch '/p/locked': Permission denied"), []);
    assert.deepEqual(find("touch: cannot touch '/tmp/x': Read-only file system"), []);
    assert.deepEqual(find('cat: /etc/shadow: Permission denied'), []);
    assert.deepEqual(find("cat: '/home/u/x': No such file or directory"), []);
  });
});
