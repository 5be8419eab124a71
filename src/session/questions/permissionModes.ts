/** The permission mode of one session as the user sets it, with the agent's own plan mode. */
import { type PlanMode, planModeIn } from '../../core/approval/planMode';
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
  /** True from the start of the agent until its plan mode is set. */
  private isStarting: boolean;

  constructor(private readonly deps: PermissionModesDependencies) {
    this.isStarting = deps.store.state.status !== 'ready';
    deps.store.onEvents((_, events, whole, continues) => {
      const { permissionMode } = deps.store.state;
      if (permissionMode) {
        if (whole && !continues) {
          // The journal begins again with these events, and must contain the mode.
          queueMicrotask(() => this.repeat());
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
      this.plan(agent);
      return;
    }
    const { earlier } = state.permissionMode ?? {};
    store.append({ type: 'permission_mode', mode });
    // The agent keeps a mode that the user has chosen meanwhile.
    if (earlier && agent?.configId === earlier.configId && agent.now === agent.plan) {
      setConfig(earlier.configId, earlier.value);
    }
  }

  /** Sets the agent's own plan mode, and records the mode that it replaces. */
  private plan({ configId, plan, now }: PlanMode): void {
    this.deps.store.append({ type: 'permission_mode', mode: 'planOnly', earlier: { configId, value: now } });
    this.deps.setConfig(configId, plan);
  }

  private repeat(): void {
    const { store } = this.deps;
    const { permissionMode } = store.state;
    if (permissionMode) {
      store.append({ type: 'permission_mode', ...permissionMode });
    }
  }

  private onEvent(event: SessionEvent): void {
    const { store } = this.deps;
    if (modeOf(store.state) !== 'planOnly') {
      return;
    }
    switch (event.type) {
      case 'session_opened':
        this.isStarting = true;
        break;
      case 'session_ready':
      case 'config_options': {
        // An agent that was started again begins in its default mode.
        const agent = store.state.status === 'ready' && this.isStarting ? planModeIn(store.state.config) : undefined;
        if (agent) {
          this.isStarting = false;
          // The other listeners receive this event first.
          queueMicrotask(() => agent.now !== agent.plan && this.plan(agent));
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
