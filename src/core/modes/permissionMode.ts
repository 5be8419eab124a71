/** The permission mode of a session: what is answered without the user. The agent's own modes are its options, and are another matter. */
import { array, boolean, type Fields, type Infer, literal, object, optional, string } from '../schema/schema';

/** In the order of the list. `ask` is the default. */
export const PERMISSION_MODES = ['ask', 'acceptEdits', 'planOnly', 'allowEverything'] as const;
export const permissionMode = literal(...PERMISSION_MODES);
export type PermissionMode = Infer<typeof permissionMode>;

/** The value of the agent's own mode before Plan only replaced it. */
const agentMode = object({ configId: string(), value: string() });
export type AgentMode = Infer<typeof agentMode>;

/** The work that an agent does without a request to ACP Host: edits, deletions and moves of files, or commands. */
export const UNASKED_KINDS = ['edit', 'command'] as const;
export type UnaskedKind = (typeof UNASKED_KINDS)[number];

/** @param base the fields of every event */
export const modeEvents = <const B extends Fields>(base: B) => ({
  /**
   * The session's mode has changed. `earlier`: the agent's mode before Plan only. `endsWithWindow`: in a journal, which never contains
   * `allowEverything`: the mode was that one, and only in the window that wrote the journal.
   */
  permission_mode: object({ ...base, mode: permissionMode, earlier: optional(agentMode), endsWithWindow: optional(boolean()) }),
  /** The kinds of work that the agent does without a request, complete. `inPlanOnly`: it has done some of it in Plan only. */
  unasked: object({ ...base, kinds: array(literal(...UNASKED_KINDS)), inPlanOnly: optional(boolean()) }),
});

/** The part of a session's state that the user sets for permissions. */
export interface ModeState {
  /** Absent for `ask`. */
  readonly permissionMode?: { readonly mode: Exclude<PermissionMode, 'ask'>; readonly earlier?: AgentMode };
  /** True in the state of a journal whose last window allowed everything. The mode is Ask then. */
  readonly hasEndedMode?: true;
  /** Absent while the agent has done nothing without a request. */
  readonly unasked?: { readonly kinds: readonly UnaskedKind[]; readonly inPlanOnly?: boolean };
}

export function modeOf({ permissionMode }: ModeState): PermissionMode {
  return permissionMode?.mode ?? 'ask';
}

/** Returns the state after the user has chosen a mode, or after a journal has shown one. */
export function withMode<S extends ModeState>(
  state: S,
  { mode, earlier, endsWithWindow }: { readonly mode: PermissionMode; readonly earlier?: AgentMode; readonly endsWithWindow?: boolean },
): S {
  const hasEndedMode = endsWithWindow || undefined;
  const isSame = modeOf(state) === mode && earlier === undefined && state.hasEndedMode === hasEndedMode;
  return isSame ? state : { ...state, permissionMode: mode === 'ask' ? undefined : { mode, ...(earlier && { earlier }) }, hasEndedMode };
}

/** Returns the state after the agent's session has ended or begun. Allow everything does not survive that. */
export function endAllowEverything<S extends ModeState>(state: S): S {
  const hasAny = state.permissionMode?.mode === 'allowEverything' || state.hasEndedMode;
  return hasAny ? { ...state, permissionMode: undefined, hasEndedMode: undefined } : state;
}

/** Returns an event as the journal has it: never with `allowEverything`, which a later window must not read. */
export function toJournal<E extends { readonly type: string }>(event: E): E {
  const isAll = event.type === 'permission_mode' && 'mode' in event && event.mode === 'allowEverything';
  return isAll ? { ...event, mode: 'ask', endsWithWindow: true } : event;
}
