/**
 * Programs that download the agent before they start it. In a project's folder the project would choose what they run: by its
 * `node_modules`, `.npmrc`, `package.json`, `bunfig.toml`, `.yarnrc.yml`, … So they start in an empty folder of ours. Pure.
 */
import type { AgentLaunch } from '../core/model/ports';

export type PackageRunner = 'npm' | 'pnpm' | 'yarn' | 'bun' | 'uv';

/** Where runners start; both absolute. */
export interface RunnerFolder {
  /** Ours, empty, and of nobody else's writing. */
  readonly folder: string;
  /** The built `preload.ts`. */
  readonly preload: string;
}

/** How a runner is started. */
export interface RunnerStart {
  /** The runner's own; the agent that it starts works in the launch's. */
  readonly cwd: string;
  /** To be laid over the environment. */
  readonly env: Readonly<Record<string, string>>;
}

const RUNNERS: Readonly<Record<string, PackageRunner>> = { npx: 'npm', pnpx: 'pnpm', bunx: 'bun', uvx: 'uv' };
/** Of a program that does other things too: the words that make it run a package. */
const SUBCOMMANDS: Readonly<Record<string, { readonly runner: PackageRunner; readonly words: readonly string[] }>> = {
  npm: { runner: 'npm', words: ['exec', 'x'] },
  pnpm: { runner: 'pnpm', words: ['dlx'] },
  yarn: { runner: 'yarn', words: ['dlx'] },
  yarnpkg: { runner: 'yarn', words: ['dlx'] },
  bun: { runner: 'bun', words: ['x'] },
  uv: { runner: 'uv', words: ['tool'] },
};
/** Programs that start the one named in their arguments: `cmd /c npx x`, `env KEY=value npx x`, `mise exec -- npx x`. */
const COMMAND_WRAPPERS = new Set(['cmd', 'env', 'nohup', 'nice', 'corepack', 'volta', 'mise', 'fnm', 'asdf']);
const SHELLS = new Set(['sh', 'bash', 'zsh', 'dash', 'fish', 'pwsh', 'powershell']);

type Command = Pick<AgentLaunch, 'command' | 'args'>;

/** The runner that a launch starts, also through a wrapper or a shell: npx, uvx, bunx, `pnpm dlx`, `npm exec` and their like. */
export function packageRunnerOf({ command, args }: Command): PackageRunner | undefined {
  const name = command
    .replace(/^.*[\\/]/, '')
    .replace(/\.(?:cmd|bat|exe|ps1)$/i, '')
    .toLowerCase();
  if (COMMAND_WRAPPERS.has(name) || SHELLS.has(name)) {
    return wrapped(args);
  }
  const { runner, words = [] } = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name]! : { runner: undefined };
  if (!runner) {
    return Object.hasOwn(RUNNERS, name) ? RUNNERS[name] : undefined;
  }
  // A word after a flag may be the flag's value; any other is what is done.
  const done = args.findIndex(
    (argument, index) => !argument.startsWith('-') && (words.includes(argument) || !args[index - 1]?.startsWith('-')),
  );
  return words.includes(args[done] ?? '') ? runner : undefined;
}

/**
 * How to start the runner so that no project's files steer it, and the agent gets `cwd` all the same; undefined where it may start in `cwd`.
 * npm's, pnpm's and Yarn's run on Node, which loads `preload.ts` into them. Bun's does not: there the agent itself loads it, when it
 * runs on Node, and else works in our folder. uv reads no project's files for tools, and needs nothing.
 * @param cwd the agent's
 * @param nodeOptions what `NODE_OPTIONS` shall be for the agent
 */
export function runnerStart(
  runner: PackageRunner,
  cwd: string,
  { folder, preload }: RunnerFolder,
  nodeOptions?: string,
): RunnerStart | undefined {
  if (runner === 'uv') {
    return undefined;
  }
  const load = `--require "${preload.replace(/["\\]/g, '\\$&')}"`;
  return {
    cwd: folder,
    env: {
      NODE_OPTIONS: nodeOptions ? `${load} ${nodeOptions}` : load,
      ACP_HOST_NODE_OPTIONS: nodeOptions ?? '',
      ACP_HOST_AGENT_FOLDER: cwd,
      ACP_HOST_RUNNER_FOLDER: folder,
      ACP_HOST_PRELOAD: runner === 'bun' ? 'start' : 'spawn',
    },
  };
}

/** What a wrapper starts is its first argument that is no flag, no flag's value and no word of its own; a shell's script counts when it begins with a runner. */
function wrapped(args: readonly string[]): PackageRunner | undefined {
  for (const [index, argument] of args.entries()) {
    const before = args[index - 1] ?? '';
    if (/^(?:-|\/[a-z]$|\w+=)/i.test(argument)) {
      continue;
    }
    const [command = '', ...rest] = argument
      .trim()
      .replace(/^exec\s+/, '')
      .split(/\s+/);
    const runner = packageRunnerOf({ command, args: [...rest, ...args.slice(index + 1)] });
    if (runner !== undefined) {
      return runner;
    }
    if (!/^-./.test(before.replace(/^--$/, '')) && !/^(?:exec|run|x|shell)$|@/.test(argument)) {
      return undefined;
    }
  }
  return undefined;
}
