/** The agents that the settings of other clients name, as entries of `acpHost.agents`. Pure. */
import { isProcess } from '../../../core/agents/endpoint';
import { parseAgents } from '../../../agent/parseAgents';
import { isPlainObject, type Plain, type PlainObject } from '../../../mcp/config/plainJson';
import { settings } from '../../shared/ids';
import type { AgentEntry } from '../addAgentRules';

/** The form of a client's settings. `servers`: an object by name, of Zed, JetBrains and `acp.agents`. */
export type ForeignForm = 'servers' | 'list' | 'registry';

export interface ForeignAgent {
  readonly name: string;
  readonly entry: AgentEntry;
}

/** The reason why an entry cannot be imported. `registry`: only its client's own registry says how it starts. */
export type LeftReason = 'registry' | 'archive' | 'remote' | 'invalid';

export interface ForeignAgents {
  readonly agents: readonly ForeignAgent[];
  readonly left: readonly { readonly name: string; readonly reason: LeftReason }[];
}

/** The most entries of one file, and UTF-16 units of a name. */
const MAX_ENTRIES = 200;
const MAX_NAME = 80;

type Found = { readonly name: string } & ({ readonly entry: PlainObject } | { readonly reason: LeftReason });

/**
 * Returns the agents in a client's settings. Each passes the checks of `acpHost.agents`, so that what is imported can start.
 * @param home the user's home folder, in place of `~`
 */
export function foreignAgents(value: Plain | undefined, form: ForeignForm, home: string): ForeignAgents {
  const agents: ForeignAgent[] = [];
  const left: { name: string; reason: LeftReason }[] = [];
  for (const found of foundIn(value, form).slice(0, MAX_ENTRIES)) {
    const name = found.name.trim().slice(0, MAX_NAME);
    const entry = 'entry' in found ? checked(name, found.entry, home) : undefined;
    if (entry) {
      agents.push({ name, entry });
    } else {
      left.push({ name, reason: 'reason' in found ? found.reason : 'invalid' });
    }
  }
  return { agents, left };
}

function foundIn(value: Plain | undefined, form: ForeignForm): readonly Found[] {
  switch (form) {
    case 'servers':
      return isPlainObject(value) ? Object.entries(value).map(([name, entry]) => ofServer(name, entry)) : [];
    case 'list':
      return Array.isArray(value) ? (value as readonly Plain[]).map(ofList) : [];
    case 'registry':
      return isPlainObject(value) && Array.isArray(value['agents']) ? (value['agents'] as readonly Plain[]).map(ofRegistry) : [];
  }
}

/** An entry by its name. Earlier versions of Zed wrote the program as `command.path`. */
function ofServer(name: string, entry: Plain): Found {
  if (!isPlainObject(entry)) {
    return { name, reason: 'invalid' };
  }
  const { command, url } = entry;
  if (isPlainObject(command)) {
    return { name, entry: { ...command, command: command['path'] ?? null } };
  }
  if (command === undefined) {
    return { name, reason: url === undefined ? 'registry' : 'remote' };
  }
  return { name, entry };
}

function ofList(entry: Plain): Found {
  if (!isPlainObject(entry)) {
    return { name: '', reason: 'invalid' };
  }
  return { name: firstText(entry['displayName'], entry['name'], entry['id']), entry: { ...entry, name: null } };
}

function firstText(...values: readonly (Plain | undefined)[]): string {
  return values.find((each): each is string => typeof each === 'string' && each.trim() !== '') ?? '';
}

/** A manifest in the format of the ACP registry. An archive is not downloaded, because the registry view does that with its checks. */
function ofRegistry(manifest: Plain): Found {
  const { id, name, distribution } = isPlainObject(manifest) ? manifest : ({} as PlainObject);
  const known = firstText(name, id);
  const ways = isPlainObject(distribution) ? distribution : ({} as PlainObject);
  for (const [way, runner] of [
    ['npx', ['npx', '--yes']],
    ['uvx', ['uvx']],
  ] as const) {
    const { [way]: found } = ways;
    if (isPlainObject(found) && typeof found['package'] === 'string') {
      const [command, ...options] = runner;
      return { name: known, entry: { command, args: [...options, found['package'], ...listOf(found['args'])], env: found['env'] ?? null } };
    }
  }
  return { name: known, reason: isPlainObject(ways['binary']) ? 'archive' : 'invalid' };
}

function listOf(value: Plain | undefined): readonly Plain[] {
  return Array.isArray(value) ? (value as readonly Plain[]) : [];
}

function checked(name: string, { command, args, env, cwd }: PlainObject, home: string): AgentEntry | undefined {
  const inHome = (text: Plain | undefined): Plain => (typeof text === 'string' ? text.replace(/^~(?=[\\/])/, () => home) : (text ?? null));
  const [launch] = parseAgents({ [name]: { command: inHome(command), args, env, cwd: inHome(cwd) } }, settings.agents).agents;
  if (!launch || !isProcess(launch)) {
    return undefined;
  }
  return {
    command: launch.command,
    ...(launch.args.length > 0 && { args: launch.args }),
    ...(Object.keys(launch.env).length > 0 && { env: launch.env }),
    ...(launch.cwd !== undefined && { cwd: launch.cwd }),
  };
}
