/** How long to wait for an agent. */
import type { AgentLaunch } from '../core/ports';

/** ms for the answer to a request, when the entry says nothing. */
export const DEFAULT_TIMEOUT_MS = 60_000;
/** ms for `initialize` of an agent that is first downloaded. */
export const DOWNLOAD_TIMEOUT_MS = 600_000;

const RUNNERS = new Set(['npx', 'uvx', 'bunx', 'pnpx']);
const RUNNER_COMMANDS: Readonly<Record<string, readonly string[]>> = {
  npm: ['exec', 'x'],
  pnpm: ['dlx'],
  yarn: ['dlx'],
  bun: ['x'],
  uv: ['tool'],
};

/** True for commands that download the agent before they start it: npx, uvx, bunx, `pnpm dlx` and their like. */
export function isPackageRunner(launch: Pick<AgentLaunch, 'command' | 'args'>): boolean {
  const name = launch.command.replace(/^.*[\\/]/, '').replace(/\.(?:cmd|bat|exe|ps1)$/i, '').toLowerCase();
  if (name === 'cmd' || name === 'env') {
    // `cmd /c npx x`, which many write on Windows, and `env KEY=value npx x`.
    const first = launch.args.findIndex((argument) => !(name === 'cmd' ? argument.startsWith('/') : /^-|=/.test(argument)));
    const command = launch.args[first];
    return command !== undefined && isPackageRunner({ command, args: launch.args.slice(first + 1) });
  }
  return RUNNERS.has(name) || (RUNNER_COMMANDS[name]?.includes(launch.args.find((argument) => !argument.startsWith('-')) ?? '') ?? false);
}

/** ms for any request but `initialize`. */
export function requestTimeoutOf(launch: Pick<AgentLaunch, 'timeoutMs'>): number {
  return launch.timeoutMs ?? DEFAULT_TIMEOUT_MS;
}

/** ms for `initialize`. */
export function initializeTimeoutOf(launch: Pick<AgentLaunch, 'command' | 'args' | 'timeoutMs'>): number {
  return launch.timeoutMs ?? (isPackageRunner(launch) ? DOWNLOAD_TIMEOUT_MS : DEFAULT_TIMEOUT_MS);
}
