/** Notes the edits and commands that an agent makes without a request. Loaded with the first finished one of a session. */
import { asksFirst } from '../../core/approval/modeLimits';
import { planModeIn } from '../../core/approval/planMode';
import { isHostQuestion } from '../../core/approval/requests';
import type { EventInput } from '../../core/model/event';
import type { Roots } from '../../core/model/roots';
import { entryIdOf, isAbsent, type SessionState, type ToolCallEntry } from '../../core/model/state';
import { modeOf, type UnaskedKind } from '../../core/modes/permissionMode';
import type { SessionStore } from '../state/store';

/** The memory of this machine for agents that act without a request, by their ids. */
export interface UnaskedMemory {
  of(agentId: string): readonly UnaskedKind[];
  add(agentId: string, kind: UnaskedKind): void;
}

interface Agent {
  readonly agentId: string;
  readonly agentName: string;
}

const EDITS: ReadonlySet<string> = new Set(['edit', 'delete', 'move']);
/** The id of the notice, of which a session has one. */
const NOTICE_ID = 'mode-not-held';
/** The newest entries that are searched for requests of the turn. */
const MAX_ENTRIES = 500;

/**
 * Records the calls among the events that finished without a request, and warns once when the mode was Plan only.
 * @param state after the events
 */
export function noteUnaskedCalls(
  events: readonly EventInput[],
  state: SessionState,
  store: Pick<SessionStore, 'append' | 'state'>,
  agent: Agent,
  roots: Pick<Roots, 'cwd' | 'additionalDirectories'>,
  memory?: UnaskedMemory,
): void {
  for (const event of events) {
    const call = isEnd(event) ? state.entries.get(entryIdOf.toolCall(event.toolCallId)) : undefined;
    const kind = call?.kind === 'tool_call' && !isAbsent(call) ? unaskedKind(call, state) : undefined;
    if (kind !== undefined) {
      note(call as ToolCallEntry, kind, state);
    }
  }

  function note(call: ToolCallEntry, kind: UnaskedKind, before: SessionState): void {
    const isBypass = modeOf(before) === 'planOnly' && !isPlanning(call, kind, before, [roots.cwd, ...roots.additionalDirectories]);
    // An agent that asks about some commands runs others, such as `ls`, by itself.
    const isLearned = !asksAbout(kind, before) && !(kind === 'command' && asksFirst(agent.agentId, before));
    const { kinds = [], inPlanOnly } = store.state.unasked ?? {};
    const isNew = isLearned && !kinds.includes(kind);
    if (isNew || (isBypass && !inPlanOnly)) {
      const known = isNew ? [...kinds, kind] : kinds;
      store.append({ type: 'unasked', kinds: [...known], ...((isBypass || inPlanOnly) && { inPlanOnly: true }) });
    }
    if (isLearned) {
      memory?.add(agent.agentId, kind);
    }
    if (isBypass && !store.state.entries.get(entryIdOf.notice(NOTICE_ID))) {
      const path = kind === 'edit' ? pathsOf(call)[0] : undefined;
      const params = { agent: agent.agentName, ...(path !== undefined && { path: nameOf(path) }) };
      store.append({ type: 'notice', noticeId: NOTICE_ID, severity: 'warning', title: '', failure: { code: 'mode.not_held', params } });
    }
  }
}

function isEnd(event: EventInput): event is Extract<EventInput, { type: 'tool_call_update' }> {
  return event.type === 'tool_call_update' && event.patch.status === 'completed';
}

/** Returns the kind of a finished call without a request, and without a file or terminal of ACP Host. Undefined for any other call. */
function unaskedKind(call: ToolCallEntry, state: SessionState): UnaskedKind | undefined {
  const { turn } = state;
  const kind = EDITS.has(call.toolKind) ? 'edit' : call.toolKind === 'execute' ? 'command' : undefined;
  // A replay has calls of earlier turns, without their requests.
  if (!kind || call.status !== 'completed' || !turn || call.at < turn.startedAt || isRequested(call, state)) {
    return undefined;
  }
  if (kind === 'command') {
    return Object.values(state.terminals).some(({ ours }) => ours) ? undefined : kind;
  }
  // The agent may name a file by another path, such as one with links.
  const written = new Set((turn.written ?? []).map(({ path }) => nameOf(path)));
  const names = pathsOf(call).map(nameOf);
  return written.size > 0 && (names.length === 0 || names.some((name) => written.has(name))) ? undefined : kind;
}

/** True when a request of the turn is, or may be, about the call. A request without a known call can be about any. */
function isRequested({ toolCallId, requests }: ToolCallEntry, { entries, turn }: SessionState): boolean {
  if (requests?.length) {
    return true;
  }
  return entries
    .slice(-MAX_ENTRIES)
    .some(
      (slot) =>
        slot.kind === 'permission' &&
        !isAbsent(slot) &&
        slot.at >= turn!.startedAt &&
        (slot.subject.toolCallId === toolCallId || !slot.onToolCall),
    );
}

/** True when the agent has asked about such a call in this session. */
function asksAbout(kind: UnaskedKind, { entries }: SessionState): boolean {
  return entries.slice(-MAX_ENTRIES).some((slot) => {
    if (slot.kind !== 'permission' || isAbsent(slot) || isHostQuestion(slot.subject)) {
      return false;
    }
    const asked = slot.subject.kind ?? '';
    return kind === 'edit' ? EDITS.has(asked) : asked === 'execute';
  });
}

/** True for work that an agent's own plan mode includes: commands that only read, and a plan outside of the session's folders. */
function isPlanning(call: ToolCallEntry, kind: UnaskedKind, { config }: SessionState, folders: readonly string[]): boolean {
  const mode = planModeIn(config);
  if (!mode || mode.now !== mode.plan) {
    return false;
  }
  return kind === 'command' || !pathsOf(call).some((path) => folders.some((folder) => isAtOrBelow(path, folder)));
}

function pathsOf({ content, locations }: ToolCallEntry): readonly string[] {
  const diffs = content.flatMap((each) => (each.type === 'diff' ? each.changes : []));
  return [...diffs.map(({ path }) => path), ...locations.map(({ path }) => path)];
}

function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || (path.startsWith(folder) && /[/\\]/.test(path.slice(folder.length - 1, folder.length + 1)));
}

function nameOf(path: string): string {
  return path.split(/[/\\]/).at(-1)!;
}
