/** Values derived from the subagents of a session: their tree, their status and the entries of their conversations. Nothing here is stored. */
import type { ElicitationEntry, PermissionEntry, SessionState, Slot } from '../model/state';
import { entryIdOf, isAbsent } from '../model/state';
import { busyId } from '../model/select';
import type { SessionMessageEntry, Subagent } from '../model/subagent';

/** The most subagents of a session. */
export const MAX_SUBAGENTS = 1000;

export type SubagentState = Subagent<SessionState>;

type Tree = Pick<SessionState, 'subagents'>;

const NONE: readonly SubagentState[] = [];

export function subagentOf({ subagents = NONE }: Tree, subagentId: string): SubagentState | undefined {
  return subagents[indexOfSubagent(subagents, subagentId)];
}

/** Returns -1 for an unknown id. */
export function indexOfSubagent(subagents: readonly SubagentState[], subagentId: string): number {
  for (let index = 0; index < subagents.length; index++) {
    if (subagents[index]!.subagentId === subagentId) {
      return index;
    }
  }
  return -1;
}

export function subagentsIn({ subagents = NONE }: Tree): readonly SubagentState[] {
  return subagents;
}

/** Returns the subagent, its parent, and so on up to the session. */
export function lineOf(state: Tree, subagentId: string): readonly SubagentState[] {
  const line: SubagentState[] = [];
  for (let next = subagentOf(state, subagentId); next && !line.includes(next); ) {
    line.push(next);
    next = next.parentId === undefined ? undefined : subagentOf(state, next.parentId);
  }
  return line;
}

/** Returns the ids of the subagent and its descendants. */
export function branchOf(state: Tree, subagentId: string): ReadonlySet<string> {
  const branch = new Set([subagentId]);
  // A parent is announced before its children.
  for (const child of subagentsIn(state)) {
    if (child.parentId !== undefined && branch.has(child.parentId)) {
      branch.add(child.subagentId);
    }
  }
  return branch;
}

/** Returns the name that the agent gave the subagent, or its id. */
export function subagentName({ title, subagentId, conversation }: SubagentState): string {
  return title?.trim() || conversation.title?.trim() || subagentId;
}

/** True while its agent works, as far as is known. */
export function isRunning({ runsSince }: Pick<SubagentState, 'runsSince'>): boolean {
  return runsSince !== undefined;
}

/** True while the user can stop it. */
export function canStop(subagent: SubagentState): boolean {
  return subagent.canCancel === true && subagent.isStopping === undefined && isRunning(subagent);
}

/**
 * True for a subagent that the agent left running before the current turn, and for those that such a subagent starts: Stop of the session does not
 * concern their questions.
 */
export function outlivesStop(state: Pick<SessionState, 'turn' | 'work' | 'subagents'>, { subagentId, isImplied }: SubagentState): boolean {
  const now = busyId(state);
  return now !== undefined && !isImplied && lineOf(state, subagentId).some((each) => !each.isImplied && each.startedIn !== now);
}

/** Returns the questions that wait for the user, oldest first of each kind. */
function waitingQuestions(state: SessionState): readonly (PermissionEntry | ElicitationEntry)[] {
  const entryIds = [
    ...state.pendingPermissions.map((id) => entryIdOf.permission(id)),
    ...state.pendingElicitations.map((id) => entryIdOf.elicitation(id)),
  ];
  return entryIds.flatMap((entryId) => {
    const slot = state.entries.get(entryId);
    return slot && !isAbsent(slot) && (slot.kind === 'permission' || slot.kind === 'elicitation') ? [slot] : [];
  });
}

/** Returns the ids of the subagents that wait for an answer of the user, and of all their parents. */
export function waitingSubagents(state: SessionState): ReadonlySet<string> {
  const asking = state.subagents ? waitingQuestions(state).flatMap(({ subagentId }) => subagentId ?? []) : [];
  return new Set(asking.flatMap((subagentId) => lineOf(state, subagentId).map((child) => child.subagentId)));
}

/** Returns the name of the subagent that asks the question which the user answers next; undefined when the agent itself asks. */
export function askingSubagent(state: SessionState): string | undefined {
  return waitingQuestions(state)[0]?.askedBy;
}

/** `waiting`: for the user. `unknown`: the agent has not reported any. */
export type SubagentStatus = 'waiting' | 'running' | 'stopping' | 'completed' | 'failed' | 'cancelled' | 'unknown';

/** @param isWaiting whether it, or one of its descendants, waits for the user */
export function subagentStatus({ work, isStopping }: Pick<SubagentState, 'work' | 'isStopping'>, isWaiting: boolean): SubagentStatus {
  if (isWaiting) {
    return 'waiting';
  }
  if (isStopping) {
    return 'stopping';
  }
  switch (work?.state) {
    case 'running':
      return 'running';
    case 'requires_action':
      return 'waiting';
    case 'idle':
      return work.stopReason === 'cancelled'
        ? 'cancelled'
        : work.stopReason === undefined || work.stopReason === 'end_turn'
          ? 'completed'
          : 'failed';
    default:
      return 'unknown';
  }
}

/** Returns the conversation that has this entry: the session's, or a subagent's. Undefined for an unknown id. */
export function conversationOf(state: SessionState, entryId: string): SessionState | undefined {
  return state.entries.indexOf(entryId) >= 0 || !state.subagents
    ? state
    : subagentsIn(state).find(({ conversation }) => conversation.entries.indexOf(entryId) >= 0)?.conversation;
}

/** Returns the id of the subagent whose conversation has this entry; undefined for the session's own. */
export function ownerOf(state: SessionState, entryId: string): string | undefined {
  return subagentsIn(state).find(({ conversation }) => conversation.entries.indexOf(entryId) >= 0)?.subagentId;
}

/** Returns the entry with this id, of any conversation of the session. */
export function slotIn(state: SessionState, entryId: string): Slot | undefined {
  return conversationOf(state, entryId)?.entries.get(entryId);
}

/** Returns a subagent's conversation with the parts that it shares with the session: terminals and subagents. */
export function conversationView({ terminals, subagents }: SessionState, { conversation }: SubagentState): SessionState {
  return { ...conversation, terminals, subagents };
}

/** Returns the names of the subagents that a message names. The session itself has none. */
export function sessionMessageNames(
  { senderId, recipientId }: SessionMessageEntry,
  state: Tree,
): { readonly sender: string | undefined; readonly recipient: string | undefined } {
  const nameOf = (id: string | undefined): string | undefined => {
    const child = id === undefined ? undefined : subagentOf(state, id);
    return child && subagentName(child);
  };
  return { sender: nameOf(senderId), recipient: nameOf(recipientId) };
}
