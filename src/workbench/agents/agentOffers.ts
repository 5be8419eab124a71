/**
 * The capabilities that each agent announced when it last ran. They are stored for the whole machine, because an agent that is not running cannot
 * be asked.
 */
import type * as vscode from 'vscode';
import type { SessionOffers } from '../../core/model/content';
import { NO_OFFERS } from '../../core/model/wellKnown';
import type { AgentKey } from '../../core/agents/agentIds';
import type { AgentLaunch } from '../../core/model/agentLaunch';
import type { Connect } from '../../session/agent/agentConnection';

/** The key in `globalState`. The value maps an agent's id to its capabilities. */
const OFFERS = 'agentOffers';

type Connector = (launch: AgentLaunch, cwd: string) => Connect;

export class AgentOffers {
  constructor(private readonly globalState: vscode.Memento) {}

  /** Returns undefined for an agent that never ran. */
  of({ agentId, earlierId }: AgentKey): SessionOffers | undefined {
    const { kept } = this;
    const offers = kept[agentId] ?? (earlierId === undefined ? undefined : kept[earlierId]);
    return offers && { ...NO_OFFERS, ...offers };
  }

  /** Returns a connector like `connect` that also stores the capabilities of each agent. */
  learning(connect: Connector): Connector {
    return (launch, cwd) => {
      const start = connect(launch, cwd);
      return (events) =>
        start({
          ...events,
          onReady: (dialect) => {
            this.learn(launch.agentId, dialect.offers);
            events.onReady(dialect);
          },
        });
    };
  }

  private get kept(): Readonly<Record<string, SessionOffers>> {
    return this.globalState.get<Record<string, SessionOffers>>(OFFERS, {});
  }

  private learn(agentId: string, offers: SessionOffers): void {
    if (JSON.stringify(this.kept[agentId]) !== JSON.stringify(offers)) {
      void this.globalState.update(OFFERS, { ...this.kept, [agentId]: offers });
    }
  }
}
