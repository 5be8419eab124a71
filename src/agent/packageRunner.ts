/**
 * Package runners: programs that download an agent before they start it. In a project's folder they would read the project's `node_modules`,
 * `.npmrc`, `package.json`, `bunfig.toml`, `.yarnrc.yml` and so on, so that the project could choose what runs. They start in an empty folder of
 * the extension instead. Pure.
 */
import type { ProcessEndpoint } from '../core/agents/endpoint';

export type PackageRunner = 'npm' | 'pnpm' | 'yarn' | 'bun' | 'uv';

/** The folder in which runners start, and the preloaded program. Both paths are absolute. */
export interface RunnerFolder {
  /** An empty folder of the extension that no other user can write. */
  readonly folder: string;
  /** The built `preload.ts`. */
  readonly preload: string;
}

/** The start of a runner. */
export interface RunnerStart {
  /** The runner's folder. The agent that it starts works in the launch's folder. */
  readonly cwd: string;
  /** Variables to add to the environment. */
  readonly env: Readonly<Record<string, string>>;
}

const RUNNERS: Readonly<Record<string, PackageRunner>> = { npx: 'npm', pnpx: 'pnpm', bunx: 'bun', uvx: 'uv' };
/** Programs with several functions, and the subcommands that run a package. */
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

type Command = Pick<ProcessEndpoint, 'command' | 'args'>;

/** The package runner of a launch, also behind a wrapper or a shell: npx, uvx, bunx, `pnpm dlx`, `npm exec` and similar ones. */
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
  // A word after a flag may be the flag's value. Any other word is the subcommand.
  const done = args.findIndex(
    (argument, index) => !argument.startsWith('-') && (words.includes(argument) || !args[index - 1]?.startsWith('-')),
  );
  return words.includes(args[done] ?? '') ? runner : undefined;
}

/**
 * Returns how to start the runner without influence of a project's files, while the agent still works in `cwd`; undefined when the runner may start
 * in `cwd`. The runners of npm, pnpm and Yarn run on Node, which loads `preload.ts` into them. Bun's does not: there the agent itself loads it when
 * it runs on Node, and otherwise works in the extension's folder. No special start is needed for uv, which reads no project files for tools.
 * @param cwd the agent's folder
 * @param nodeOptions the agent's `NODE_OPTIONS`
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

/**
 * The runner that a wrapper or shell starts. A wrapper starts its first argument that is not a flag, a flag's value or a word of its own. A shell
 * script counts when it begins with a runner.
 */
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
