/** The command that runs an agent on another host through the user's own `ssh`. Pure. */
import type { SshEndpoint } from '../../core/agents/endpoint';

/** s between two signs of life, and the number without an answer after which the connection has ended. */
const ALIVE_SECONDS = 15;
const ALIVE_COUNT = 3;

/** Folders in which agents are installed, and which a shell without a terminal often does not search. */
const FOLDERS = ['$HOME/.local/bin', '$HOME/bin', '/usr/local/bin', '/opt/homebrew/bin'];

/**
 * Runs in `sh` on the host, with the folder, the program and its arguments. Variables are read from the first lines of stdin, because a command line can
 * be read by all users of a machine. `read` takes no byte behind its line, so the agent gets the rest.
 */
const SCRIPT = [
  'd=$1; shift',
  'cd "$d" || exit 126',
  'while IFS= read -r l && [ -n "$l" ]; do export "$l"; done',
  `PATH=$PATH:${FOLDERS.join(':')}`,
  'export PATH',
  'case $1 in "~/"*) c=$HOME/${1#"~/"}; shift; set -- "$c" "$@";; esac',
  'exec "$@"',
].join('; ');

/** The arguments of `ssh`. @param folder the folder on the host */
export function sshArguments({ host, command, args, forwardPorts = [] }: SshEndpoint, folder: string): readonly string[] {
  const remote = ['sh', '-c', SCRIPT, 'sh', folder, command, ...args].map(quoted).join(' ');
  return [
    '-T',
    '-o',
    `ServerAliveInterval=${ALIVE_SECONDS}`,
    '-o',
    `ServerAliveCountMax=${ALIVE_COUNT}`,
    // The user is asked for passwords and host keys.
    '-o',
    'BatchMode=no',
    ...forwardPorts.flatMap((port) => ['-L', `127.0.0.1:${port}:localhost:${port}`]),
    host,
    '--',
    `exec ${remote}`,
  ];
}

/** The first lines of stdin: the variables, and the empty line at their end. */
export function sshPreamble(env: Readonly<Record<string, string>>): string {
  return `${Object.entries(env)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')}\n`;
}

/**
 * Quotes a word for the login shell of the host, whichever it is. Quotes, backslashes and exclamation marks stay outside of the single quotes, because
 * fish and csh read them there.
 */
export function quoted(word: string): string {
  return `'${word.replace(/['\\!]+/g, (special) => `'${special.replace(/./g, '\\$&')}'`)}'`;
}
