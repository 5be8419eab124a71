/** The sandbox mode of a session: the user's choice for the session, or the setting for its agent. */
import type { SessionAgent } from '../../core/agents/agentIds';
import { type SandboxMode, stricterMode } from '../../core/sandbox/sandbox';
import type { SessionStore } from '../state/store';

export class SandboxChoice {
  /** The choice in this window. */
  private chosen: SandboxMode | undefined;

  /** @param settingOf returns the user's setting for the agent as it is now */
  constructor(
    private readonly agent: SessionAgent,
    private readonly store: SessionStore,
    private readonly settingOf: ((agentId: string, agentName: string) => SandboxMode) | undefined,
  ) {}

  /** A choice of an earlier window can only make the setting stricter, so that no stored file turns the sandbox off. */
  get mode(): SandboxMode {
    const { sandbox } = this.store.state;
    const setting = this.settingOf?.(this.agent.agentId, this.agent.agentName) ?? 'off';
    return this.chosen ?? (sandbox?.isChosen ? stricterMode(sandbox.mode, setting) : setting);
  }

  choose(mode: SandboxMode): void {
    this.chosen = mode;
    this.store.append({ type: 'sandbox', mode, isChosen: true });
  }

  /** Records the mode with which the session starts, if it is another than before. */
  announce(): SandboxMode {
    const { mode } = this;
    const { sandbox } = this.store.state;
    if (mode !== (sandbox?.mode ?? 'off')) {
      this.store.append({ type: 'sandbox', mode, ...(sandbox?.isChosen && { isChosen: true }) });
    }
    return mode;
  }
}
