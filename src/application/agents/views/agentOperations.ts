/** Installations, updates and removals of agents: at most one per agent at a time, with progress, cancel, and the failure of the last one. */
import type { AgentOperation } from '../../../core/agents/agentsPage';
import { type Failure, failureOf, isAbort } from '../../../core/model/failure';
import type { AgentInstaller, InstallProgress } from '../../../registry/types';
import { installFault } from '../../../registry/registryReasons';
import type { AgentFacts } from './agentFacts';
import type { AgentWork } from './browseRows';

interface Running {
  progress: InstallProgress | 'start';
  readonly abort: AbortController;
}

export class AgentOperations {
  private readonly running = new Map<string, Running>();
  private readonly failures = new Map<string, Failure>();

  /** @param changed called after each change of the work on an agent */
  constructor(
    private readonly installer: () => Promise<AgentInstaller>,
    private readonly changed: (key: string) => void,
  ) {}

  workOn(key: string): AgentWork {
    const progress = this.running.get(key)?.progress;
    const failure = this.failures.get(key);
    return { ...(progress !== undefined && { progress }), ...(failure && { failure }) };
  }

  /** Asks the running operation of this agent to stop. */
  cancel(key: string): void {
    this.running.get(key)?.abort.abort();
  }

  /**
   * Runs an operation unless one is running for this agent. Never rejects.
   *
   * @param version the one that `use_version` starts
   * @returns true when it succeeded
   */
  async run(operation: AgentOperation, facts: Pick<AgentFacts, 'key' | 'agentId' | 'registry'>, version?: string): Promise<boolean> {
    const { key } = facts;
    if (this.running.has(key)) {
      return false;
    }
    const abort = new AbortController();
    const running: Running = { progress: 'start', abort };
    this.running.set(key, running);
    this.failures.delete(key);
    this.changed(key);
    try {
      const installer = await this.installer();
      await this.perform(installer, operation, facts, running, version);
      return true;
    } catch (error) {
      const failure = failureOf(error);
      if (!abort.signal.aborted && !isAbort(failure)) {
        this.failures.set(key, failure);
      }
      return false;
    } finally {
      this.running.delete(key);
      this.changed(key);
    }
  }

  /** True unless a process runs the agent, which is then shown as the failure. Asked before the user is. */
  async canUninstall({ key, agentId }: Pick<AgentFacts, 'key' | 'agentId'>): Promise<boolean> {
    const isUsed = await (await this.installer()).isUsed(agentId).catch(() => false);
    if (isUsed) {
      this.failures.set(key, installFault('in_use').failure);
      this.changed(key);
    }
    return !isUsed;
  }

  /** Cancels everything, because the window closes. */
  dispose(): void {
    this.running.forEach(({ abort }) => abort.abort());
  }

  private async perform(
    installer: AgentInstaller,
    operation: AgentOperation,
    { key, agentId, registry }: Pick<AgentFacts, 'key' | 'agentId' | 'registry'>,
    running: Running,
    version: string | undefined,
  ): Promise<void> {
    switch (operation) {
      case 'install':
      case 'update':
        if (registry) {
          await installer.install(
            registry,
            (progress) => {
              running.progress = progress;
              this.changed(key);
            },
            running.abort.signal,
          );
        }
        return;
      case 'roll_back':
        await installer.rollBack(agentId);
        return;
      case 'use_version':
        await installer.choose(agentId, version ?? '');
        return;
      case 'pin':
      case 'unpin':
        await installer.pin(agentId, operation === 'pin');
        return;
      case 'uninstall':
        await installer.uninstall(agentId);
    }
  }
}
