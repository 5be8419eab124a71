/** Parses and validates the value of `acpHost.agents`, or of another client's setting of the same shape. */
import type { Failure } from '../core/model/failure';
import type { AgentLaunch } from '../core/model/agentLaunch';
import { proxyEntries } from './proxyEntries';
import type { AgentReference } from './references';
import { remoteEntry } from './remoteEntry';
import { sshEntry } from './ssh/sshEntry';
import { ENTRY_FIELDS, meantField } from './fieldNames';

export interface ParsedAgents {
  /** The valid entries, in the order of the setting. */
  readonly agents: readonly AgentLaunch[];
  /** The valid entries that refer to another agent. */
  readonly references: readonly AgentReference[];
  /** Keys set to `null`. */
  readonly hidden: ReadonlySet<string>;
  /** Keys whose entry cannot be used. They stay reserved, so that no other agent takes the id. */
  readonly broken: ReadonlySet<string>;
  /**
   * One failure per invalid field: `config.invalid` with params `setting`, `agentName` (the key; absent when the whole value is wrong), `field` and
   * `expected`. The last one is a word: present, string, object, array, program, absolutePath, positiveNumber, protocol, address, tls, process,
   * commandLine, proxy, fewProxies, alone, known, host, sshFolder, ports or name. `written`: the
   * misspelled name of the field; with `expected: 'spelling'` that is the only mistake. Never contains a value, because it may be a secret.
   */
  readonly problems: readonly Failure[];
}

/**
 * Parses `value`, the setting with the name `setting`. An invalid entry does not affect the others. An unknown field that resembles a known one is
 * reported.
 */
export function parseAgents(value: unknown, setting: string): ParsedAgents {
  const agents: AgentLaunch[] = [];
  const references: AgentReference[] = [];
  const hidden = new Set<string>();
  const broken = new Set<string>();
  const problems: Failure[] = [];
  if (value === undefined || value === null) {
    return { agents, references, hidden, broken, problems };
  }
  if (!isRecord(value)) {
    return { agents, references, hidden, broken, problems: [{ code: 'config.invalid', params: { setting, expected: 'object' } }] };
  }
  for (const [key, entry] of Object.entries(value)) {
    if (entry === null) {
      hidden.add(key);
      continue;
    }
    const bad: [field: string, expected: string][] = [];
    const launch = parseEntry(key, entry, (field, expected) => bad.push([field, expected]));
    if (launch && bad.length === 0) {
      if ('base' in launch) {
        references.push(launch);
      } else {
        agents.push(launch);
      }
    } else {
      broken.add(key);
    }
    const written = misspelledFields(entry);
    for (const field of written.keys()) {
      if (!bad.some(([name]) => name === field)) {
        bad.push([field, 'spelling']);
      }
    }
    problems.push(
      ...bad.map(([field, expected]): Failure => {
        const other = written.get(field);
        return {
          code: 'config.invalid',
          params: { setting, agentName: key, field, expected, ...(other !== undefined && { written: other }) },
        };
      }),
    );
  }
  return { agents, references, hidden, broken, problems };
}

/** The fields that name a program or an address, which an entry with `agent` has from the other agent. */
const PROGRAM_FIELDS = ['command', 'args', 'url', 'headers', 'token', 'subprotocol', 'allowInsecure', 'pathMapping'] as const;

/** Missing fields, each with the misspelled name that it probably has. */
function misspelledFields(entry: unknown): ReadonlyMap<string, string> {
  const written = new Map<string, string>();
  for (const name of isRecord(entry) ? Object.keys(entry) : []) {
    const field = ENTRY_FIELDS.some((each) => each === name) ? undefined : meantField(name);
    if (field && isRecord(entry) && !isGiven(entry[field]) && !written.has(field)) {
      written.set(field, name);
    }
  }
  return written;
}

function parseEntry(
  key: string,
  entry: unknown,
  problem: (field: string, expected: string) => void,
): AgentLaunch | AgentReference | undefined {
  if (key.trim() === '') {
    problem('', 'name');
    return undefined;
  }
  if (!isRecord(entry)) {
    problem('', 'object');
    return undefined;
  }
  const { name, command, args, env, cwd, timeoutMs, protocol } = entry;
  if (isGiven(name) && !isText(name)) {
    problem('name', 'string');
  }
  const base = entry['agent'];
  const isReference = isGiven(base);
  if (isReference) {
    if (!isText(base) || base.trim() === '') {
      problem('agent', 'string');
    }
    PROGRAM_FIELDS.forEach((field) => isGiven(entry[field]) && problem(field, 'alone'));
  }
  const isRemote = isGiven(entry['url']) && !isReference;
  const remote = isRemote ? remoteEntry(entry, problem) : undefined;
  if (isRemote || isReference) {
    // The address, or the other agent, takes the place of a program.
  } else if (!isGiven(command)) {
    problem('command', 'present');
  } else if (!isText(command) || command.trim() === '') {
    problem('command', 'string');
  } else if (!isGiven(entry['ssh']) && isPath(command) && !isAbsolute(command) && (command.startsWith('~') || !isGiven(cwd))) {
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
    for (const [variable, each] of Object.entries(env as object)) {
      if (!isText(each) || variable === '' || /[=\0]/.test(variable)) {
        problem(`env.${variable}`, 'string');
      }
    }
  }
  const host = !isRemote && isGiven(entry['ssh']) ? sshEntry(entry, problem) : undefined;
  if (isGiven(cwd) && !(isText(cwd) && isAbsolute(cwd))) {
    problem('cwd', 'absolutePath');
  }
  if (isGiven(timeoutMs) && !(typeof timeoutMs === 'number' && Number.isFinite(timeoutMs) && timeoutMs >= 1)) {
    problem('timeoutMs', 'positiveNumber');
  }
  if (isGiven(protocol) && protocol !== 'auto' && !isVersion(protocol)) {
    problem('protocol', 'protocol');
  }
  const { proxies } = entry;
  const chain = isGiven(proxies) ? proxyEntries(proxies, problem, process.platform) : [];
  const common = {
    agentId: key,
    agentName: isText(name) && name.trim() !== '' ? name.trim() : key,
    ...(isGiven(timeoutMs) && { timeoutMs: timeoutMs as number }),
    ...(isVersion(protocol) && { protocol: Number(protocol) as 1 | 2 }),
    ...(chain.length > 0 && { proxies: chain }),
  };
  if (isReference) {
    return {
      ...common,
      base: String(base),
      env: isGiven(env) ? { ...(env as Record<string, string>) } : {},
      ...(isGiven(cwd) && { cwd: cwd as string }),
    };
  }
  if (isRemote) {
    return remote && { ...common, ...remote, ...(isGiven(cwd) && { cwd: cwd as string }) };
  }
  const program = {
    args: Array.isArray(args) ? [...(args as string[])] : [],
    env: isGiven(env) ? { ...(env as Record<string, string>) } : {},
  };
  if (host) {
    return { ...common, ...host, ...program, command: command as string };
  }
  return {
    ...common,
    ...program,
    command:
      isText(command) && isPath(command) && !isAbsolute(command)
        ? `${cwd as string}/${command.replace(/^\.[\\/]/, '')}`
        : (command as string),
    ...(isGiven(cwd) && { cwd: cwd as string }),
  };
}

/** False for `null`, which settings editors write for an empty field. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** True for a protocol version, as a number or its text. */
function isVersion(value: unknown): boolean {
  return value === 1 || value === 2 || value === '1' || value === '2';
}

/** True for a string without NUL, at which the system would cut arguments and variables. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0');
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for a path. A relative path is accepted only with the entry's own `cwd`, because the session's folder belongs to a project. */
function isPath(command: string): boolean {
  return /[\\/]|^[a-z]:/i.test(command);
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || /^(?:[a-zA-Z]:[\\/]|\\\\)/.test(path);
}
