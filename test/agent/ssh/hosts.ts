/** Hosts for the tests: a scripted `ssh`, and the machine's own `sshd`. Each asks about its key, and for one secret. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import net, { type AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';

export const SECRET = 'correct horse';

export interface Host {
  /** The host in the entry. */
  readonly host: string;
  /** The folder with `ssh`, for the PATH. */
  readonly bin: string;
  close(): Promise<void>;
}

/** Does what `ssh` does, with a shell of this machine as the host. Its last argument is the command. */
const SCRIPTED = `#!/bin/sh
for last; do :; done
a=$("$SSH_ASKPASS" "The authenticity of host 'build' can't be established.
ED25519 key fingerprint is SHA256:abc.
Are you sure you want to continue connecting (yes/no/[fingerprint])? ") || exit 255
[ "$a" = yes ] || { echo "Host key verification failed." >&2; exit 255; }
p=$("$SSH_ASKPASS" "me@build's password: ")
[ "$p" = "${SECRET}" ] || { echo "me@build: Permission denied (publickey,password)." >&2; exit 255; }
exec sh -c "$last"
`;

export async function scriptedHost(): Promise<Host> {
  const bin = await mkdtemp(path.join(tmpdir(), 'scripted-ssh-'));
  await writeFile(path.join(bin, 'ssh'), SCRIPTED, { mode: 0o755 });
  return { host: 'me@build', bin, close: () => rm(bin, { recursive: true, force: true }) };
}

/** The reason why there is no real host here; undefined where there is one. */
export function withoutSshd(): string | undefined {
  if (process.platform === 'win32') {
    return 'Windows';
  }
  return sshd() === undefined || spawnSync('ssh', ['-V']).error ? 'no OpenSSH server on this machine' : undefined;
}

function sshd(): string | undefined {
  return ['/usr/sbin/sshd', '/usr/bin/sshd', '/usr/local/sbin/sshd'].find((file) => existsSync(file));
}

/** A real `sshd` of this user on a free port, with keys of its own. The key of the user has a passphrase. */
export async function realHost(): Promise<Host> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sshd-'));
  const file = (name: string): string => path.join(folder, name);
  const key = (name: string, passphrase: string): void =>
    void execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', passphrase, '-f', file(name)]);
  key('host', '');
  key('user', SECRET);
  execFileSync('cp', [file('user.pub'), file('authorized_keys')]);
  const port = await freePort();
  if (process.getuid?.() === 0) {
    mkdirSync('/run/sshd', { recursive: true, mode: 0o755 }); // Needed by an sshd of root alone.
  }
  const config = [
    `HostKey ${file('host')}`,
    `AuthorizedKeysFile ${file('authorized_keys')}`,
    `ListenAddress 127.0.0.1:${port}`,
    `PidFile none`,
    'StrictModes no',
    'UsePAM no',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'PermitRootLogin yes',
    'PrintMotd no',
  ];
  await writeFile(file('sshd_config'), `${config.join('\n')}\n`);
  const daemon = spawn(sshd()!, ['-D', '-e', '-f', file('sshd_config')], { stdio: 'ignore' });
  await untilOpen(port);
  const client = [
    'Host build',
    '  HostName 127.0.0.1',
    `  Port ${port}`,
    `  User ${userInfo().username}`,
    `  IdentityFile ${file('user')}`,
    '  IdentitiesOnly yes',
    '  IdentityAgent none',
    `  UserKnownHostsFile ${file('known_hosts')}`,
    '  GlobalKnownHostsFile none',
  ];
  await writeFile(file('ssh_config'), `${client.join('\n')}\n`);
  const bin = await mkdtemp(path.join(tmpdir(), 'real-ssh-'));
  const real = execFileSync('which', ['ssh'], { encoding: 'utf8' }).trim();
  // The user's own configuration has no part in the test.
  await writeFile(path.join(bin, 'ssh'), `#!/bin/sh\nexec ${real} -F ${file('ssh_config')} "$@"\n`, { mode: 0o755 });
  return {
    host: 'build',
    bin,
    close: async () => {
      const ended = new Promise((resolve) => daemon.once('exit', resolve));
      daemon.kill();
      await ended;
      await Promise.all([folder, bin].map((each) => rm(each, { recursive: true, force: true })));
    },
  };
}

async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function untilOpen(port: number): Promise<void> {
  for (const end = Date.now() + 10_000; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = net.connect(port, '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      });
      socket.on('error', () => resolve(false));
    });
    if (isOpen) {
      return;
    }
    if (Date.now() > end) {
      throw new Error('sshd does not listen.');
    }
  }
}
