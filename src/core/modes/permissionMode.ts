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
  /** The session's mode has changed. The journal never contains `allowEverything`. `earlier`: the agent's mode before Plan only. */
  permission_mode: object({ ...base, mode: permissionMode, earlier: optional(agentMode) }),
  /** The kinds of work that the agent does without a request, complete. `inPlanOnly`: it has done some of it in Plan only. */
  unasked: object({ ...base, kinds: array(literal(...UNASKED_KINDS)), inPlanOnly: optional(boolean()) }),
});

/** The part of a session's state that the user sets for permissions. */
export interface ModeState {
  /** Absent for `ask`. */
  readonly permissionMode?: { readonly mode: Exclude<PermissionMode, 'ask'>; readonly earlier?: AgentMode };
  /** Absent while the agent has done nothing without a request. */
  readonly unasked?: { readonly kinds: readonly UnaskedKind[]; readonly inPlanOnly?: boolean };
}

export function modeOf({ permissionMode }: ModeState): PermissionMode {
  return permissionMode?.mode ?? 'ask';
}

/** Returns the state after the user has chosen a mode. */
export function withMode<S extends ModeState>(state: S, mode: PermissionMode, earlier: AgentMode | undefined): S {
  const isSame = modeOf(state) === mode && earlier === undefined;
  return isSame ? state : { ...state, permissionMode: mode === 'ask' ? undefined : { mode, ...(earlier && { earlier }) } };
}

/** Returns the state after the agent's session has ended or begun. Allow everything does not survive that. */
export function endAllowEverything<S extends ModeState>(state: S): S {
  return state.permissionMode?.mode === 'allowEverything' ? { ...state, permissionMode: undefined } : state;
}

/** True for the event that must never be on disk. */
export function isUnstoredMode(event: { readonly type: string; readonly mode?: unknown }): boolean {
  return event.type === 'permission_mode' && event.mode === 'allowEverything';
}
