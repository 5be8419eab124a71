/** What agents offered when they last ran, kept for the whole machine: before an agent runs nobody else knows. */
import type * as vscode from 'vscode';
import type { SessionOffers } from '../../core/model/content';
import { NO_OFFERS } from '../../core/model/wellKnown';
import type { AgentLaunch } from '../../core/model/ports';
import type { Connect } from '../../session/agent/agentConnection';

/** Under this key of the machine's state, by the agent's name in settings. */
const OFFERS = 'agentOffers';

type Connector = (launch: AgentLaunch, cwd: string) => Connect;

export class AgentOffers {
  constructor(private readonly globalState: vscode.Memento) {}

  /** Undefined for one that never ran. */
  of(agentName: string): SessionOffers | undefined {
    const offers = this.kept[agentName];
    return offers && { ...NO_OFFERS, ...offers };
  }

  /** As `connect`, learning what each agent offers. */
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
