/** The field `proxies` of an entry in `acpHost.agents`. Pure. */
import type { ProxyLaunch } from '../core/model/agentLaunch';
import { typedCommand } from './typedCommand';

/** More programs between the client and an agent are a mistake. */
const MAX_PROXIES = 8;
const MAX_NAME = 60;

/** Programs that run another one, whose name says more. */
const RUNNERS = /^(?:node|npx|bunx?|deno|uvx?|python[\d.]*|pnpm|yarn|npm|sh|bash|env)$/i;
/** Words of such programs before the name of the other one. */
const RUNNER_WORD = /^(?:run|exec|dlx|x|tool)$/;

/** Returns the proxies, and reports each field that is wrong. A wrong entry is not used by the caller. @param value is given */
export function proxyEntries(
  value: unknown,
  problem: (field: string, expected: string) => void,
  platform: NodeJS.Platform,
): readonly ProxyLaunch[] {
  if (!Array.isArray(value)) {
    problem('proxies', 'array');
    return [];
  }
  if (value.length > MAX_PROXIES) {
    problem('proxies', 'fewProxies');
    return [];
  }
  const names = new Set<string>();
  return value.flatMap((entry: unknown, index) => {
    const proxy = proxyEntry(entry, (field, expected) => problem(`proxies[${index}]${field}`, expected), platform);
    return proxy ? [{ ...proxy, name: uniqueName(proxy.name, names) }] : [];
  });
}

function proxyEntry(
  entry: unknown,
  problem: (field: string, expected: string) => void,
  platform: NodeJS.Platform,
): ProxyLaunch | undefined {
  if (typeof entry === 'string') {
    const typed = typedCommand(entry, platform);
    if ('problem' in typed || entry.includes('\0')) {
      problem('', 'commandLine');
      return undefined;
    }
    return proxyOf(typed.command, typed.args, {}, undefined, problem);
  }
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    problem('', 'proxy');
    return undefined;
  }
  const { command, args, env, name } = entry as Readonly<Record<string, unknown>>;
  if (command === undefined || command === null) {
    problem('.command', 'present');
  } else if (!isText(command) || command.trim() === '') {
    problem('.command', 'string');
  }
  if (isGiven(args) && !(Array.isArray(args) && args.every(isText))) {
    problem('.args', 'array');
  }
  const isEnvironment = typeof env === 'object' && env !== null && !Array.isArray(env);
  if (isGiven(env) && !(isEnvironment && Object.entries(env).every(([key, each]) => isText(each) && key !== '' && !/[=\0]/.test(key)))) {
    problem('.env', 'object');
  }
  if (isGiven(name) && !isText(name)) {
    problem('.name', 'string');
  }
  return proxyOf(
    isText(command) ? command : '',
    Array.isArray(args) ? args.filter(isText) : [],
    isEnvironment ? (env as Record<string, string>) : {},
    isText(name) && name.trim() !== '' ? name.trim() : undefined,
    problem,
  );
}

function proxyOf(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  name: string | undefined,
  problem: (field: string, expected: string) => void,
): ProxyLaunch {
  // A relative path would run a file of the project.
  if (/[\\/]|^[a-z]:/i.test(command) && !/^(?:\/|[a-z]:[\\/]|\\\\)/i.test(command)) {
    problem('.command', 'program');
  }
  return { name: (name ?? programName(command, args)).slice(0, MAX_NAME), command, args: [...args], env: { ...env } };
}

/** The name of the program, without its folder and its extension. */
function programName(command: string, args: readonly string[]): string {
  const own = baseName(command);
  const other = RUNNERS.test(own) ? args.find((argument) => !argument.startsWith('-') && !RUNNER_WORD.test(argument)) : undefined;
  return (other === undefined ? own : baseName(other)) || own || 'proxy';
}

function baseName(path: string): string {
  const last =
    path
      .replace(/[\\/]+$/, '')
      .split(/[\\/]/)
      .at(-1) ?? '';
  return last.replace(/\.(?:[cm]?[jt]s|exe|cmd|bat|py|sh)$/i, '').replace(/(.)@[^@]*$/, '$1');
}

function uniqueName(name: string, names: Set<string>): string {
  let unique = name;
  for (let count = 2; names.has(unique); count++) {
    unique = `${name} (${count})`;
  }
  names.add(unique);
  return unique;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** True for a string without NUL, at which the system would cut arguments and variables. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0');
}
