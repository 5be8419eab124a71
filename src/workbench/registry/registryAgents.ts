/** The agents of registries in the window's catalog. The code of registries is loaded when an agent is installed, or when the user looks for one. */
import type * as vscode from 'vscode';
import { access } from 'node:fs/promises';
import path from 'node:path';
import type { WindowStartServices } from '../../application/agents/startServices';
import type { CatalogSources } from '../../agent/catalog';
import { lazy } from '../../util/lazy';
import type { OutputLog } from '../shared/log';

export class RegistryAgents {
  /** Empty until {@link settle} has resolved. */
  sources: Pick<CatalogSources, 'installed' | 'predefined'> = {};

  /** The registries of the window. */
  readonly window = lazy(async () =>
    (await import('./windowRegistry')).openWindowRegistry(
      this.context,
      this.log,
      this.startServices,
      (sources) => (this.sources = sources),
    ),
  );
  private readonly folder: string;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: OutputLog,
    private readonly startServices: () => Promise<WindowStartServices>,
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
}
