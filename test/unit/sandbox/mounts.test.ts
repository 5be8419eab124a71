import assert from 'node:assert/strict';
import { mountsIn, unexpectedMount } from '../../../src/sandbox/disk/mounts';

const line = (path: string, options = 'ro') => `1 2 8:1 /x ${path} ${options},relatime - ext4 /dev/sda rw`;
const expected = {
  writable: [
    ['/p', '8:1'],
    ['/p/.git', '8:2'],
  ] as const,
  hidden: ['/h/.ssh'],
  known: ['/p', '/p/.git', '/h/.ssh', '/h/.ssh/open', '/mnt'],
};
const identities: Record<string, string> = { '/p': '8:1', '/p/.git': '8:2' };
const check = (...lines: string[]) => unexpectedMount(mountsIn(lines.join('\n')), expected, (path) => identities[path]);

describe('the mounts of a sandbox', () => {
  it('fit the plan', () => {
    const own = [line('/'), line('/dev', 'rw'), line('/proc', 'rw'), line('/run/acp-host')];
    assert.equal(
      check(...own, line('/p', 'rw'), line('/p/.git', 'rw'), line('/h/.ssh'), line('/h/.ssh/open'), line('/mnt', 'rw')),
      undefined,
    );
  });

  it('are refused with another writable folder', () => assert.equal(check(line('/home/u', 'rw')), '/home/u'));

  it('are refused with a mount in a hidden folder', () => assert.equal(check(line('/h/.ssh/keys')), '/h/.ssh/keys'));

  it('are refused with another folder at the right place', () => {
    assert.equal(
      unexpectedMount([], expected, (path) => (path === '/p' ? '8:1' : '8:9')),
      '/p/.git',
    );
  });

  it('are read with spaces in their names', () => {
    assert.deepEqual(mountsIn(line('/a\\040b', 'rw')), [{ path: '/a b', isWritable: true }]);
  });
});
