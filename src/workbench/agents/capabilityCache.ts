/**
 * The capabilities that each agent announced when it last ran. They are stored for the whole machine, because an agent that is not running cannot
 * be asked.
 */
import type * as vscode from 'vscode';
import type { SessionCapabilities } from '../../core/model/content';
import { NO_CAPABILITIES } from '../../core/model/wellKnown';
import type { AgentKey } from '../../core/agents/agentIds';
import type { AdoptedAgent } from '../../core/keeper/keptAgent';
import type { AgentLaunch } from '../../core/model/agentLaunch';
import { UNASKED_KINDS, type UnaskedKind } from '../../core/modes/permissionMode';
import type { Connect } from '../../session/agent/agentConnection';
import type { UnaskedMemory } from '../../session/questions/unaskedCalls';

/** The key in `globalState`. The value maps an agent's id to its capabilities. */
const KEY = 'agentOffers';
/** The key in `globalState`. The value maps an agent's id to the kinds of work that it does without a request. */
const UNASKED_KEY = 'agentsUnasked';

type Connector = (launch: AgentLaunch, cwd: string, adopted?: AdoptedAgent) => Connect;

export class CapabilityCache {
  constructor(private readonly globalState: vscode.Memento) {}

  /** Returns undefined for an agent that never ran. */
  of({ agentId, earlierId }: AgentKey): SessionCapabilities | undefined {
    const { kept } = this;
    const capabilities = kept[agentId] ?? (earlierId === undefined ? undefined : kept[earlierId]);
    return capabilities && { ...NO_CAPABILITIES, ...capabilities };
  }

  /** The work that each agent did without a request when it last ran. */
  readonly unasked: UnaskedMemory = {
    of: (agentId) => {
      const kinds = this.globalState.get<Record<string, readonly UnaskedKind[]>>(UNASKED_KEY, {})[agentId];
      return Array.isArray(kinds) ? UNASKED_KINDS.filter((kind) => kinds.includes(kind)) : [];
    },
    add: (agentId, kind) => {
      const kinds = this.unasked.of(agentId);
      if (!kinds.includes(kind)) {
        void this.globalState.update(UNASKED_KEY, { ...this.globalState.get<object>(UNASKED_KEY, {}), [agentId]: [...kinds, kind] });
      }
    },
  };

  /** Returns a connector like `connect` that also stores the capabilities of each agent. */
  recording(connect: Connector): Connector {
    return (launch, cwd, adopted) => {
      const start = connect(launch, cwd, adopted);
      return (events) =>
        start({
          ...events,
          onReady: (dialect) => {
            this.record(launch.agentId, dialect.sessionCapabilities);
            events.onReady(dialect);
          },
        });
    };
  }

  private get kept(): Readonly<Record<string, SessionCapabilities>> {
    return this.globalState.get<Record<string, SessionCapabilities>>(KEY, {});
  }

  private record(agentId: string, capabilities: SessionCapabilities): void {
    if (JSON.stringify(this.kept[agentId]) !== JSON.stringify(capabilities)) {
      void this.globalState.update(KEY, { ...this.kept, [agentId]: capabilities });
    }
  }
}
