/** The permission mode of one session as the user sets it, with the agent's own plan mode. */
import { planModeIn } from '../../core/approval/planMode';
import { modeOf, type PermissionMode } from '../../core/modes/permissionMode';
import { entryIdOf, isAbsent, type SessionState } from '../../core/model/state';
import type { PermissionResolved, SessionEvent } from '../../core/model/event';
import type { SessionStore } from '../state/store';

export interface PermissionModesDependencies {
  readonly store: SessionStore;
  /** Sets an option of the agent. */
  setConfig(configId: string, value: string): void;
}

export class PermissionModes {
  /** True after the agent has been attached again, until its plan mode is set. */
  private isReopened = false;

  constructor(private readonly deps: PermissionModesDependencies) {
    deps.store.onEvents((_, events, whole, continues) => {
      const { permissionMode } = deps.store.state;
      if (permissionMode) {
        if (whole && !continues && permissionMode.mode !== 'allowEverything') {
          // The journal begins again with these events, and must contain the mode.
          queueMicrotask(() => this.deps.store.append({ type: 'permission_mode', ...deps.store.state.permissionMode! }));
        }
        events.forEach((event) => this.onEvent(event));
      }
    });
  }

  /** Sets the mode for the rest of the session. Allow everything needs a session that runs or starts. */
  set(mode: PermissionMode): void {
    const { store, setConfig } = this.deps;
    const { state } = store;
    if (mode === modeOf(state) || (mode === 'allowEverything' && state.status !== 'ready' && state.status !== 'starting')) {
      return;
    }
    const agent = planModeIn(state.config);
    if (mode === 'planOnly' && agent && agent.now !== agent.plan) {
      store.append({ type: 'permission_mode', mode, earlier: { configId: agent.configId, value: agent.now } });
      setConfig(agent.configId, agent.plan);
      return;
    }
    const { earlier } = state.permissionMode ?? {};
    store.append({ type: 'permission_mode', mode });
    // The agent keeps a mode that the user has chosen meanwhile.
    if (earlier && agent?.configId === earlier.configId && agent.now === agent.plan) {
      setConfig(earlier.configId, earlier.value);
    }
  }

  private onEvent(event: SessionEvent): void {
    const { store, setConfig } = this.deps;
    if (modeOf(store.state) !== 'planOnly') {
      return;
    }
    switch (event.type) {
      case 'session_opened':
        this.isReopened = true;
        break;
      case 'session_ready':
      case 'config_options': {
        // An agent that was started again begins in its default mode.
        const agent = store.state.status === 'ready' && this.isReopened ? planModeIn(store.state.config) : undefined;
        if (agent) {
          this.isReopened = false;
          if (agent.now !== agent.plan) {
            queueMicrotask(() => setConfig(agent.configId, agent.plan));
          }
        }
        break;
      }
      case 'permission_resolved':
        if (isApprovedPlan(store.state, event)) {
          // The agent leaves its plan mode by itself. The other listeners receive this event first, and the agent receives the answer afterwards.
          queueMicrotask(() => store.append({ type: 'permission_mode', mode: 'ask' }));
        }
        break;
    }
  }
}

/** True when the user has allowed the agent to leave its plan mode. */
function isApprovedPlan({ entries }: SessionState, { permissionId, outcome, optionId, byRule }: PermissionResolved): boolean {
  const request = entries.get(entryIdOf.permission(permissionId));
  if (outcome !== 'selected' || byRule || request?.kind !== 'permission' || isAbsent(request)) {
    return false;
  }
  const { subject, options } = request;
  const call = subject.toolCallId === undefined ? undefined : entries.get(entryIdOf.toolCall(subject.toolCallId));
  const kind = subject.kind ?? (call?.kind === 'tool_call' && !isAbsent(call) ? call.toolKind : undefined);
  const isAllowed = options.find((option) => option.optionId === optionId)?.kind.startsWith('allow_') === true;
  return kind === 'switch_mode' && isAllowed;
}
