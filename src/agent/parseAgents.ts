/** The value of `acpHost.agents` (or of another client's setting of the same shape), read without trust. */
import type { Failure } from '../core/model/failure';
import type { AgentLaunch } from '../core/model/ports';

export interface ParsedAgents {
  /** In the order written. */
  readonly agents: readonly AgentLaunch[];
  /** Names set to `null`. */
  readonly hidden: ReadonlySet<string>;
  /** Names whose entry cannot be used; they still stand for what the user meant, so nothing else takes the name. */
  readonly broken: ReadonlySet<string>;
  /**
   * One per bad field: `config.invalid` with params `setting`, `agentName` (absent when the whole value is wrong), `field` and `expected`
   * (string, object, array, program, absolutePath, positiveNumber, name). Never a value: it may be a secret.
   */
  readonly problems: readonly Failure[];
}

/** The agents of `value`, the setting called `setting`. A bad entry costs that entry only; fields we do not know are left alone. */
export function parseAgents(value: unknown, setting: string): ParsedAgents {
  const agents: AgentLaunch[] = [];
  const hidden = new Set<string>();
  const broken = new Set<string>();
  const problems: Failure[] = [];
  if (value === undefined || value === null) {
    return { agents, hidden, broken, problems };
  }
  if (!isRecord(value)) {
    return { agents, hidden, broken, problems: [{ code: 'config.invalid', params: { setting, expected: 'object' } }] };
  }
  for (const [agentName, entry] of Object.entries(value)) {
    if (entry === null) {
      hidden.add(agentName);
      continue;
    }
    const bad: [field: string, expected: string][] = [];
    const launch = parseEntry(agentName, entry, (field, expected) => bad.push([field, expected]));
    if (launch && bad.length === 0) {
      agents.push(launch);
    } else {
      broken.add(agentName);
    }
    problems.push(
      ...bad.map(([field, expected]): Failure => ({ code: 'config.invalid', params: { setting, agentName, field, expected } })),
    );
  }
  return { agents, hidden, broken, problems };
}

function parseEntry(agentName: string, entry: unknown, problem: (field: string, expected: string) => void): AgentLaunch | undefined {
  if (agentName.trim() === '') {
    problem('', 'name');
    return undefined;
  }
  if (!isRecord(entry)) {
    problem('', 'object');
    return undefined;
  }
  const { command, args, env, cwd, timeoutMs } = entry;
  if (!isText(command) || command.trim() === '') {
    problem('command', 'string');
  } else if (isPath(command) && !isAbsolute(command) && (command.startsWith('~') || !isGiven(cwd))) {
    problem('command', 'program');
  }
  if (isGiven(args) && !Array.isArray(args)) {
    problem('args', 'array');
  } else if (isGiven(args)) {
    (args as unknown[]).forEach((argument, index) => isText(argument) || problem(`args[${index}]`, 'string'));
  }
  if (isGiven(env) && !isRecord(env)) {
    problem('env', 'object');
  } else if (isGiven(env)) {
    for (const [name, each] of Object.entries(env as object)) {
      if (!isText(each) || name === '' || /[=\0]/.test(name)) {
        problem(`env.${name}`, 'string');
      }
    }
  }
  if (isGiven(cwd) && !(isText(cwd) && isAbsolute(cwd))) {
    problem('cwd', 'absolutePath');
  }
  if (isGiven(timeoutMs) && !(typeof timeoutMs === 'number' && Number.isFinite(timeoutMs) && timeoutMs >= 1)) {
    problem('timeoutMs', 'positiveNumber');
  }
  return {
    agentName,
    command:
      isText(command) && isPath(command) && !isAbsolute(command)
        ? `${cwd as string}/${command.replace(/^\.[\\/]/, '')}`
        : (command as string),
    args: Array.isArray(args) ? [...(args as string[])] : [],
    env: isGiven(env) ? { ...(env as Record<string, string>) } : {},
    ...(isGiven(cwd) && { cwd: cwd as string }),
    ...(isGiven(timeoutMs) && { timeoutMs: timeoutMs as number }),
  };
}

/** `null` in a field is what a settings editor leaves behind: not given. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** A string the system can take: it ends arguments and variables at a NUL. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0');
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Relative to what? The session's folder is a project's: only a folder that the entry itself names will do. */
function isPath(command: string): boolean {
  return /[\\/]|^[a-z]:/i.test(command);
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || /^(?:[a-zA-Z]:[\\/]|\\\\)/.test(path);
}
