/** The part of an agent's work that a permission mode can hold back. Pure. */
import { isHostQuestion } from './requests';
import { isAbsent, type SessionState } from '../model/state';
import type { UnaskedKind } from '../modes/permissionMode';

/**
 * `through`: the agent has done it through ACP Host in this session. `asks`: the agent does it itself and asks first. `itself`: the agent does it
 * itself, and asks only when its own settings say so. It is known for the agent, or the agent has done so. `unknown`: nothing is known about this agent.
 */
export type Hold = 'through' | 'asks' | 'itself' | 'unknown';

export interface ModeLimits {
  readonly edits: Hold;
  readonly commands: Hold;
  /** True for an agent of protocol version 2, which has no methods for files and commands. */
  readonly isVersion2: boolean;
}

/** Agents whose behaviour with their default settings is known, by the name in the list of predefined agents. */
const KNOWN: ReadonlyMap<string, Hold> = new Map([
  ['Claude Code', 'asks'],
  ['Gemini CLI', 'asks'],
  ['Qwen Code', 'asks'],
  ['GitHub Copilot CLI', 'asks'],
  // Codex decides by its own sandbox and approval mode.
  ['Codex CLI', 'itself'],
  ['OpenCode', 'itself'],
  ['Kilo Code', 'itself'],
  ['Pi', 'itself'],
]);

/** The newest entries that are searched for requests of the agent. */
const MAX_ENTRIES = 500;

/** @param agent the agent's id or its name in the settings */
export function modeLimits(state: SessionState, agent: string): ModeLimits {
  const isVersion2 = state.protocolVersion === 2;
  const known = knownHold(state, agent);
  const asked = requestedKinds(state);
  const writes = !isVersion2 && hasWritten(state);
  const runs = !isVersion2 && Object.values(state.terminals).some(({ ours }) => ours);
  const seen = (unasked: UnaskedKind, kinds: readonly string[]): Hold => {
    if (kinds.some((kind) => asked.has(kind))) {
      return known === 'unknown' ? 'asks' : known;
    }
    return state.unasked?.kinds.includes(unasked) ? 'itself' : known;
  };
  return {
    edits: writes ? 'through' : seen('edit', ['edit', 'delete', 'move']),
    commands: runs ? 'through' : seen('command', ['execute']),
    isVersion2,
  };
}

/** True for an agent that is known to ask before it edits or runs something. @param agent see {@link modeLimits} */
export function asksFirst(agent: string, state: Pick<SessionState, 'agentName'>): boolean {
  return knownHold(state, agent) === 'asks';
}

function knownHold({ agentName }: Pick<SessionState, 'agentName'>, agent: string): Hold {
  return KNOWN.get(agent) ?? KNOWN.get(agentName) ?? 'unknown';
}

/** True when the agent is known to act without a request, unless its own settings prevent that. */
export function actsUnasked({ edits, commands }: ModeLimits): boolean {
  return edits === 'itself' || commands === 'itself';
}

/** True when a mode cannot hold back all edits and commands, so that only a sandbox could. */
export function needsSandbox({ edits, commands }: ModeLimits): boolean {
  return edits !== 'through' || commands !== 'through';
}

/** The kinds of tools about which the agent itself has asked. */
function requestedKinds({ entries }: SessionState): ReadonlySet<string> {
  const kinds = new Set<string>();
  for (const slot of entries.slice(-MAX_ENTRIES)) {
    if (slot.kind === 'permission' && !isAbsent(slot) && !isHostQuestion(slot.subject)) {
      kinds.add(slot.subject.kind ?? '');
    }
  }
  return kinds;
}

function hasWritten({ turn, entries }: SessionState): boolean {
  if (turn?.written?.length) {
    return true;
  }
  return entries.slice(-MAX_ENTRIES).some((slot) => slot.kind === 'turn' && !isAbsent(slot) && (slot.written?.length ?? 0) > 0);
}
