/**
 * The capabilities that each agent announced when it last ran. They are stored for the whole machine, because an agent that is not running cannot
 * be asked.
 */
import type * as vscode from 'vscode';
import type { SessionOffers } from '../../core/model/content';
import { NO_OFFERS } from '../../core/model/wellKnown';
import type { AgentLaunch } from '../../core/model/ports';
import type { Connect } from '../../session/agent/agentConnection';

/** The key in `globalState`. The value maps an agent's name in the settings to its capabilities. */
const OFFERS = 'agentOffers';

type Connector = (launch: AgentLaunch, cwd: string) => Connect;

export class AgentOffers {
  constructor(private readonly globalState: vscode.Memento) {}

  /** Returns undefined for an agent that never ran. */
  of(agentName: string): SessionOffers | undefined {
    const offers = this.kept[agentName];
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
            this.learn(launch.agentName, dialect.offers);
            events.onReady(dialect);
          },
        });
    };
  }

  private get kept(): Readonly<Record<string, SessionOffers>> {
    return this.globalState.get<Record<string, SessionOffers>>(OFFERS, {});
  }

  private learn(agentName: string, offers: SessionOffers): void {
    if (JSON.stringify(this.kept[agentName]) !== JSON.stringify(offers)) {
      void this.globalState.update(OFFERS, { ...this.kept, [agentName]: offers });
    }
  }
}
