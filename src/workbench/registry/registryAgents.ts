/** The agents of registries in the window's catalog. The code of registries is loaded when an agent is installed, or when the user looks for one. */
import type * as vscode from 'vscode';
import { access } from 'node:fs/promises';
import path from 'node:path';
import type { CatalogSources } from '../../agent/catalog';
import { isProcess } from '../../core/agents/endpoint';
import type { AgentLaunch } from '../../core/model/agentLaunch';
import type { Connect } from '../../session/agent/agentConnection';
import { lazy } from '../../util/lazy';
import type { OutputLog } from '../shared/log';

type Connector = (launch: AgentLaunch, cwd: string) => Connect;

export class RegistryAgents {
  /** Empty until {@link settle} has resolved. */
  sources: Pick<CatalogSources, 'installed' | 'predefined'> = {};

  /** The registries of the window. */
  readonly window = lazy(async () =>
    (await import('./windowRegistry')).openWindowRegistry(this.context, this.log, (sources) => (this.sources = sources)),
  );
  private readonly folder: string;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: OutputLog,
  ) {
    this.folder = path.join(context.globalStorageUri.fsPath, 'agents');
  }

  /** Reads the installed agents. Never rejects. */
  async settle(): Promise<void> {
    try {
      await access(this.folder);
      await (await this.window()).read();
    } catch {
      // Nothing was ever installed, or the folder cannot be read.
    }
  }

  /** Returns a connector like `connect` that marks installed agents as used while they run, and records whether they start. */
  recording(connect: Connector): Connector {
    return (launch, cwd) => {
      const start = connect(launch, cwd);
      const file = isProcess(launch) && [launch.command, launch.args[0] ?? ''].find((each) => each.startsWith(this.folder + path.sep));
      if (!file) {
        return start;
      }
      return (events) => {
        const run = this.window().then((window) => window.started(file, launch.agentName));
        const end = (failure?: Parameters<typeof events.onEnd>[0]): void => void run.then((each) => each.ended(failure));
        const agent = start({
          ...events,
          onReady: (dialect) => {
            void run.then((each) => each.ready());
            events.onReady(dialect);
          },
          onEnd: (failure) => {
            end(failure);
            events.onEnd(failure);
          },
        });
        return {
          ...agent,
          dispose: () => {
            end();
            agent.dispose();
          },
        };
      };
    };
  }
}
