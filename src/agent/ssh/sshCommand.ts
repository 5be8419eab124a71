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
const scriptOf = (variables: string): string =>
  [
    'd=$1; shift',
    'cd "$d" || exit 126',
    variables,
    `PATH=$PATH:${FOLDERS.join(':')}`,
    'export PATH',
    'case $1 in "~/"*) c=$HOME/${1#"~/"}; shift; set -- "$c" "$@";; esac',
    'exec "$@"',
  ].join('; ');

const SCRIPT = scriptOf('while IFS= read -r l && [ -n "$l" ]; do export "$l"; done');
/** The variables are the words before the first empty one. */
const TERMINAL_SCRIPT = scriptOf('while [ -n "$1" ]; do export "$1"; shift; done; shift');

/** The arguments of `ssh`. @param folder the folder on the host */
export function sshArguments(endpoint: SshEndpoint, folder: string): readonly string[] {
  return ['-T', ...connection(endpoint), remote(SCRIPT, folder, [], endpoint)];
}

/**
 * The arguments of `ssh` in a terminal, where the user signs in.
 *
 * @param env variables that everybody may read, because they are part of the command line
 */
export function sshTerminalArguments(endpoint: SshEndpoint, folder: string, env: Readonly<Record<string, string>>): readonly string[] {
  const variables = [...Object.entries(env).map(([name, value]) => `${name}=${value}`), ''];
  return ['-t', ...connection(endpoint), remote(TERMINAL_SCRIPT, folder, variables, endpoint)];
}

function remote(script: string, folder: string, variables: readonly string[], { command, args }: SshEndpoint): string {
  return `exec ${['sh', '-c', script, 'sh', folder, ...variables, command, ...args].map(quoted).join(' ')}`;
}

/** The options, and the host. */
function connection({ host, forwardPorts = [] }: SshEndpoint): readonly string[] {
  return [
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
