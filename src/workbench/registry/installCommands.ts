/** Installations and their undoing as commands: with progress that can be cancelled, and a message when one fails. */
import * as vscode from 'vscode';
import { registryReason } from '../../application/registry/registryText';
import { type InertText, inertLine } from '../../application/shared/escape';
import { type Failure, failureOf } from '../../core/model/failure';
import type { Log } from '../../core/platform/log';
import type { AgentInstaller, InstalledAgent, InstallProgress, RegistryAgent } from '../../registry/types';
import { t, verbatim } from '../shared/l10n';
import { showFailure } from '../shared/showFailure';
import { window } from '../shared/window';
import { confirmUninstall } from './confirmUninstall';

const MAX_NAME = 80;

export class InstallCommands {
  constructor(
    private readonly installer: AgentInstaller,
    private readonly log: Log,
  ) {}

  /** Installs the version of the registry, also as an update. @returns undefined when it failed or was cancelled */
  async install(agent: RegistryAgent): Promise<InstalledAgent | undefined> {
    const name = inertLine(agent.name, MAX_NAME);
    const options = {
      location: vscode.ProgressLocation.Notification,
      cancellable: true,
      title: t('Installing {agent} {version}…', { agent: name, version: inertLine(agent.version, MAX_NAME) }),
    };
    return window.withProgress(options, async (progress, token) => {
      const abort = new AbortController();
      token.onCancellationRequested(() => abort.abort());
      let percent = 0;
      const report = ({ step, done, total }: InstallProgress): void => {
        const now = done !== undefined && total ? Math.floor((done / total) * 100) : percent;
        progress.report({ message: stepText(step), ...(step === 'download' && now > percent && { increment: now - percent }) });
        percent = step === 'download' ? Math.max(percent, now) : percent;
      };
      return this.attempt(name, () => this.installer.install(agent, report, abort.signal), abort.signal);
    });
  }

  async rollBack({ agentId, name }: Pick<InstalledAgent, 'agentId' | 'name'>): Promise<InstalledAgent | undefined> {
    return this.attempt(inertLine(name, MAX_NAME), () => this.installer.rollBack(agentId));
  }

  async pin({ agentId, name }: Pick<InstalledAgent, 'agentId' | 'name'>, pinned: boolean): Promise<InstalledAgent | undefined> {
    return this.attempt(inertLine(name, MAX_NAME), () => this.installer.pin(agentId, pinned));
  }

  /** Asks first. @returns true when the agent is uninstalled */
  async uninstall({ agentId, name }: Pick<InstalledAgent, 'agentId' | 'name'>): Promise<boolean> {
    if (!(await confirmUninstall(name))) {
      return false;
    }
    return (await this.attempt(inertLine(name, MAX_NAME), async () => ({ done: await this.installer.uninstall(agentId) }))) !== undefined;
  }

  private async attempt<T>(agent: InertText, work: () => Promise<T>, signal?: AbortSignal): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!signal?.aborted) {
        this.report(agent, failureOf(error));
      }
      return undefined;
    }
  }

  private report(agent: InertText, failure: Failure): void {
    this.log.warn(`${agent}: ${failure.code} ${String(failure.params?.['reason'] ?? '')}\n${failure.detail ?? ''}`.trimEnd());
    const reason = registryReason(failure, verbatim);
    if (reason === undefined) {
      void showFailure('error', failure);
      return;
    }
    const showLog = t('Show Log');
    void window.showErrorMessage(t('{agent}: {reason}', { agent, reason }), showLog).then((chosen) => {
      if (chosen === showLog) {
        (this.log as Partial<{ show(): void }>).show?.();
      }
    });
  }
}

function stepText(step: InstallProgress['step']): InertText {
  switch (step) {
    case 'download':
      return t('Downloading');
    case 'verify':
      return t('Checking');
    case 'unpack':
      return t('Unpacking');
    case 'finish':
      return t('Finishing');
  }
}
