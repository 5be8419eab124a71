/** The part of an agent's work that a permission mode can hold back. Pure. */
import { isHostQuestion } from './requests';
import { isAbsent, type SessionState } from '../model/state';

/**
 * `through`: the agent has done it through ACP Host in this session. `asks`: the agent does it itself and asks first. `itself`: the agent does it
 * itself, and asks only when its own settings say so. `unknown`: nothing is known about this agent.
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
]);

/** The newest entries that are searched for requests of the agent. */
const MAX_ENTRIES = 500;

/** @param agent the agent's id or its name in the settings */
export function modeLimits(state: SessionState, agent: string): ModeLimits {
  const isVersion2 = state.protocolVersion === 2;
  const known = KNOWN.get(agent) ?? KNOWN.get(state.agentName) ?? 'unknown';
  const asked = requestedKinds(state);
  const writes = !isVersion2 && hasWritten(state);
  const runs = !isVersion2 && Object.values(state.terminals).some(({ ours }) => ours);
  const seen = (kinds: readonly string[]): Hold => (known === 'unknown' && kinds.some((kind) => asked.has(kind)) ? 'asks' : known);
  return {
    edits: writes ? 'through' : seen(['edit', 'delete', 'move']),
    commands: runs ? 'through' : seen(['execute']),
    isVersion2,
  };
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
