import assert from 'node:assert/strict';
import { insideEnvironment } from '../../../src/sandbox/environment';
import { planOf, type SandboxPlan } from '../../../src/sandbox/plan/plan';
import { bubblewrapArguments } from '../../../src/sandbox/system/bubblewrap';
import { findSandbox, probeFault } from '../../../src/sandbox/system/probe';
import { seatbeltProfile } from '../../../src/sandbox/system/seatbelt';

const plan: SandboxPlan = planOf([
  { path: '/tmp', access: 'private', isFolder: true },
  { path: '/p', access: 'write', isFolder: true },
  { path: '/p/.git/hooks', access: 'read', isFolder: true },
  { path: '/home/u/.ssh', access: 'none', isFolder: true },
  { path: '/home/u/.config/Code', access: 'none', isFolder: true },
  { path: '/home/u/.config/Code/empty', access: 'read', isFolder: true, isOwn: true },
  { path: '/home/u/.npmrc', access: 'empty', isFolder: false },
]);

const stand = {
  privateFolder: (path: string) => `/s${path}`,
  unreadableFolder: '/s/no',
  unreadableFile: '/s/no-file',
  emptyFile: '/s/empty',
};

describe('the command line of bubblewrap', () => {
  const args = bubblewrapArguments({ plan, cwd: '/p', stand, reads: [], socketFolder: '/s/run', hasOwnSession: true });
  const text = args.join(' ');

  it('makes namespaces of its own, and ends with its parent', () => {
    for (const each of ['--unshare-user', '--unshare-pid', '--unshare-net', '--unshare-ipc', '--die-with-parent', '--new-session']) {
      assert.ok(args.includes(each), each);
    }
    assert.match(text, /--cap-drop ALL/);
  });

  it('keeps the session of a program that has a terminal', () => {
    assert.ok(
      !bubblewrapArguments({ plan, cwd: '/p', stand, reads: [], socketFolder: '/s/run', hasOwnSession: false }).includes('--new-session'),
    );
    const shared = bubblewrapArguments({ plan, cwd: '/p', stand, reads: ['/dev/shm/x'], socketFolder: '/s/run', hasOwnSession: false });
    assert.ok(shared.includes('/dev/shm/') && !args.includes('/dev/shm/'), 'shared memory is shown only where it is needed');
  });

  it('mounts the disk read-only first, and no sockets of the system', () => {
    assert.ok(text.indexOf('--ro-bind / /') < text.indexOf('--tmpfs /run'));
    assert.ok(text.indexOf('--tmpfs /run') < text.indexOf('--bind /p /p'));
  });

  it('mounts each place by its access', () => {
    assert.match(text, /--bind \/s\/tmp \/tmp/);
    assert.match(text, /--bind \/p \/p .*--ro-bind \/p\/\.git\/hooks \/p\/\.git\/hooks/);
    assert.match(text, /--ro-bind \/s\/no \/home\/u\/\.ssh/);
    assert.match(text, /--ro-bind \/s\/empty \/home\/u\/\.npmrc/);
    assert.match(
      text,
      /--tmpfs \/home\/u\/\.config\/Code .*--ro-bind \/home\/u\/\.config\/Code\/empty .*--remount-ro \/home\/u\/\.config\/Code /,
    );
  });
});

describe('the profile of sandbox-exec', () => {
  const profile = seatbeltProfile({ plan, temporary: '/private/t', proxyPort: 4000, ports: [11434] });

  it('denies by default, and lets later rules count', () => {
    assert.match(profile, /^\(version 1\)\n\(deny default\)\n/);
    assert.ok(profile.indexOf('(subpath "/p"))') < profile.indexOf('(deny file-write* (subpath "/p/.git/hooks"))'));
  });

  it('writes in the session’s folders and the private folder only', () => {
    const writable = [...profile.matchAll(/\(allow file-read\* file-write\* \(subpath "([^"]+)"\)\)/g)].map(([, path]) => path);
    assert.deepEqual(writable, ['/p', '/private/t']);
  });

  it('hides secrets, and connects to the proxy and listed ports only', () => {
    assert.match(profile, /\(deny file-read\* file-write\* \(subpath "\/home\/u\/\.ssh"\)\)/);
    assert.match(profile, /\(deny file-read\* file-write\* \(literal "\/home\/u\/\.npmrc"\)\)/);
    assert.deepEqual(
      [...profile.matchAll(/network-outbound \(remote ip "([^"]+)"/g)].map(([, host]) => host),
      ['localhost:4000', 'localhost:11434'],
    );
    assert.doesNotMatch(profile, /securityd|pasteboard|appleevent/i);
  });

  it('quotes paths', () => {
    const quoted = planOf([{ path: '/a"b\\c', access: 'write', isFolder: true }]);
    assert.match(seatbeltProfile({ plan: quoted, temporary: '/t', proxyPort: undefined, ports: [] }), /\(subpath "\/a\\"b\\\\c"\)/);
  });
});

describe('the environment of a sandbox', () => {
  const outside = {
    SSH_AUTH_SOCK: '/tmp/ssh/agent.1',
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1000/bus',
    VSCODE_IPC_HOOK_CLI: '/tmp/x.sock',
    DISPLAY: ':0',
    MY_SOCKET: '/home/u/.x/own.sock',
    https_proxy: 'http://corporate:8080',
    HOME: '/home/u',
    TOKEN: 'kept',
  };

  it('leaves out variables that lead to programs outside', () => {
    const inside = insideEnvironment(outside, { proxy: 'http://127.0.0.1:3128', temporary: '/tmp', cache: '/c' });
    for (const name of ['SSH_AUTH_SOCK', 'DBUS_SESSION_BUS_ADDRESS', 'VSCODE_IPC_HOOK_CLI', 'DISPLAY', 'MY_SOCKET']) {
      assert.equal(inside[name], undefined, name);
    }
    assert.equal(inside['https_proxy'], 'http://127.0.0.1:3128');
    assert.equal(inside['TOKEN'], 'kept');
    assert.equal(inside['TMPDIR'], '/tmp');
    assert.equal(inside['npm_config_cache'], '/c/npm');
  });

  it('leaves out the proxy without a network', () => {
    assert.equal(insideEnvironment(outside, { proxy: undefined, temporary: '/tmp', cache: '/c' })['https_proxy'], undefined);
  });
});

describe('a machine without a sandbox', () => {
  it('says what is missing', async () => {
    await assert.rejects(findSandbox({}, [], 'win32'), { failure: { code: 'sandbox.unsupported' } });
    await assert.rejects(findSandbox({ PATH: '/nowhere' }, [], 'linux'), { failure: { code: 'sandbox.not_installed' } });
    assert.equal(await findSandbox({}, [], 'darwin'), '/usr/bin/sandbox-exec');
  });

  it('names the cause of a start that failed', () => {
    const codes = (text: string, restricted = false) => probeFault(text, restricted).failure.code;
    assert.equal(codes('bwrap: No permissions to create new namespace, likely because the kernel does not allow'), 'sandbox.no_namespaces');
    assert.equal(codes('bwrap: setting up uid map: Permission denied', true), 'sandbox.restricted');
    assert.equal(codes('bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted', true), 'sandbox.restricted');
    assert.equal(codes("bwrap: Can't mount proc on /newroot/proc: Operation not permitted"), 'sandbox.no_proc');
    assert.equal(codes('bwrap: something else'), 'sandbox.failed');
  });
});
