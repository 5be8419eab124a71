/** The agents of the window: read from the cache, the disk and the catalog, and refreshed from the registries. */
import type { CatalogEntry } from '../../../agent/catalog';
import { failureOf, type Failure } from '../../../core/model/failure';
import { Listeners } from '../../../core/platform/listeners';
import type { AgentInstaller, InstalledAgent, RegistryIndex, RegistryState } from '../../../registry/types';
import { type AgentFacts, agentFacts } from './agentFacts';

export interface AgentRegistry {
  readonly index: RegistryIndex;
  readonly installer: AgentInstaller;
  /** Reads the installed agents into the catalog. */
  read(): Promise<void>;
}

export interface AgentModelDependencies {
  /** Loads the registry's code. */
  registry(): Promise<AgentRegistry>;
  /** The catalog as it is now. */
  entries(): readonly CatalogEntry[];
}

const NONE: RegistryState = { agents: [], registries: [] };

export class AgentModel {
  private readonly listeners = new Listeners<[]>();
  private state = NONE;
  private installed: readonly InstalledAgent[] = [];
  private loading: Promise<void> | undefined;
  private refreshing: AbortController | undefined;
  /** The reason why the cache or the installed agents could not be read. */
  failure: Failure | undefined;
  isLoading = true;
  private unsubscribe: (() => void) | undefined;
  private isDisposed = false;

  constructor(private readonly deps: AgentModelDependencies) {}

  onDidChange(listener: () => void): () => void {
    return this.listeners.subscribe(listener);
  }

  get isRefreshing(): boolean {
    return this.refreshing !== undefined;
  }

  get registries(): RegistryState['registries'] {
    return this.state.registries;
  }

  /** Joined again with each call, because the catalog may have changed. */
  get agents(): readonly AgentFacts[] {
    return agentFacts({ registry: this.state.agents, installed: this.installed, entries: this.deps.entries() });
  }

  find(key: string): AgentFacts | undefined {
    return this.agents.find((agent) => agent.key === key);
  }

  /** Reads the cache and the installed agents, once. Never rejects. */
  load(): Promise<void> {
    return (this.loading ??= this.read());
  }

  /** Asks the registries, unless they are being asked. Never rejects. */
  async refresh(): Promise<void> {
    await this.load();
    if (this.refreshing || this.isDisposed) {
      return;
    }
    const refreshing = (this.refreshing = new AbortController());
    this.listeners.call();
    try {
      const registry = await this.deps.registry();
      this.state = await registry.index.refresh(refreshing.signal, (state) => {
        this.state = state;
        this.listeners.call();
      });
      await registry.read();
    } catch (error) {
      this.failure = failureOf(error);
    } finally {
      this.refreshing = undefined;
      this.listeners.call();
    }
  }

  dispose(): void {
    this.isDisposed = true;
    this.refreshing?.abort();
    this.unsubscribe?.();
    this.listeners.clear();
  }

  private async read(): Promise<void> {
    try {
      const { index, installer } = await this.deps.registry();
      this.unsubscribe ??= installer.onDidChange(() => void this.readInstalled());
      [this.state, this.installed] = await Promise.all([index.cached(), installer.list()]);
      this.failure = undefined;
    } catch (error) {
      this.failure = failureOf(error);
    }
    this.isLoading = false;
    this.listeners.call();
  }

  private async readInstalled(): Promise<void> {
    try {
      const registry = await this.deps.registry();
      await registry.read();
      this.installed = await registry.installer.list();
    } catch (error) {
      this.failure = failureOf(error);
    }
    this.listeners.call();
  }
}
