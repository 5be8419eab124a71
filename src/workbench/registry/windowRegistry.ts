/** The registries and installed agents of a window, bound to VS Code: storage, network, offers. */
import * as vscode from 'vscode';
import { homedir } from 'node:os';
import path from 'node:path';
import { withoutProjectPath } from '../../agent/environment/searchPath';
import type { CatalogSources } from '../../agent/catalog';
import { agentNode } from '../../application/registry/agentNode';
import { agentUv, type AgentUvDependencies } from '../../application/registry/agentUv';
import { fallbackEntries } from '../../application/registry/fallbackEntries';
import { registrySources } from '../../application/registry/catalogSources';
import { changesPage, updatesOf, versionToReturnTo, type AgentUpdate } from '../../application/registry/updates';
import { inertLine } from '../../application/shared/escape';
import type { WindowStartServices } from '../../application/agents/startServices';
import { createInstaller } from '../../registry/install/installer';
import type { NodeTools } from '../../registry/install/context';
import { createRegistryIndex } from '../../registry/registryIndex';
import type { AgentInstaller, InstalledAgent, InstalledVersion, RegistryIndex, RegistryState } from '../../registry/types';
import { cleanEnvironment, overlayEnvironment } from '../../util/environment';
import type { StartFollower } from '../../application/agents/startFollower';
import { readNetworkVariables, systemCertificates } from '../settings/networkSettings';
import { t } from '../shared/l10n';
import type { OutputLog } from '../shared/log';
import { window } from '../shared/window';
import { workspaceFolders } from '../window/workspaceFolders';
import { InstallCommands } from './installCommands';
import { readRegistryUrls } from './registrySettings';

/** The agents whose update was offered, with the version. */
const OFFERED = 'registry.offeredUpdates';
/** ms after the window's start until registries are asked, and the age of a list that is asked for again. */
const REFRESH_DELAY_MS = 30_000;
const REFRESH_MS = 24 * 60 * 60_000;
const MAX_NAME = 80;
/** Failures of a start that a version of an agent may cause. Others depend on the user or the folder. */
const CAUSED_BY_VERSION: ReadonlySet<string> = new Set([
  ...['agent.not_found', 'agent.not_executable', 'agent.spawn_failed', 'agent.exited_at_start', 'agent.start_timeout'],
  ...['protocol.version', 'protocol.bad_answer'],
]);

type Sources = Pick<CatalogSources, 'installed' | 'predefined'>;

export interface WindowRegistry {
  readonly index: RegistryIndex;
  readonly installer: AgentInstaller;
  readonly commands: InstallCommands;
  /** Reads the installed agents and the cached lists into the catalog. */
  read(): Promise<void>;
  /** @param file the program or the script of the launch */
  started(file: string): Promise<StartFollower>;
  /** The program of the version that is chosen now; undefined when it is that of `file`, or the agent is not installed. */
  presentLaunch(file: string): Promise<InstalledVersion['launch'] | undefined>;
  /** Chooses the version before. Resolves to false when there is none, which is shown. @param file the program or the script of the launch */
  rollBack(file: string): Promise<boolean>;
}

/** @param changed called with the catalog's sources after each change, also of another window */
export async function openWindowRegistry(
  context: vscode.ExtensionContext,
  log: OutputLog,
  startServices: () => Promise<WindowStartServices>,
  changed: (sources: Sources) => void,
): Promise<WindowRegistry> {
  const registry = new Registry(context, log, startServices, changed);
  await registry.open();
  return registry;
}

class Registry implements WindowRegistry {
  readonly index: RegistryIndex;
  readonly installer: AgentInstaller;
  readonly commands: InstallCommands;
  private readonly certificates: Promise<string | undefined>;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: OutputLog,
    private readonly startServices: () => Promise<WindowStartServices>,
    private readonly changed: (sources: Sources) => void,
  ) {
    const storage = context.globalStorageUri.fsPath;
    this.certificates = systemCertificates(storage);
    // The global function of an extension host has VS Code's proxy settings and certificates.
    const ports = { fetch: (url: string, init: RequestInit) => fetch(url, init), now: () => Date.now() };
    this.index = createRegistryIndex({
      ...ports,
      folder: path.join(storage, 'registries'),
      urls: readRegistryUrls,
      fallback: fallbackEntries(),
    });
    this.installer = createInstaller({
      ...ports,
      folder: path.join(storage, 'agents'),
      environment: () => this.environment(),
      node: (engines) => this.node(engines),
      uv: () => this.uv(),
    });
    this.commands = new InstallCommands(this.installer, log);
  }

  async open(): Promise<void> {
    const stop = this.installer.onDidChange(() => void this.read());
    this.context.subscriptions.push({ dispose: stop });
    await this.read();
    // Leftovers do not count as installed, so their deletion may take its time.
    void this.installer.clean();
    const timer = setTimeout(() => void this.offerUpdates(), REFRESH_DELAY_MS);
    this.context.subscriptions.push({ dispose: () => clearTimeout(timer) });
  }

  async read(): Promise<void> {
    const [installed, { agents }] = await Promise.all([this.installer.list(), this.index.cached()]);
    this.changed(registrySources(installed, agents));
  }

  async presentLaunch(file: string): Promise<InstalledVersion['launch'] | undefined> {
    const agent = await this.agentOf(file);
    return agent && !isIn(file)(agent.current) ? agent.current.launch : undefined;
  }

  async rollBack(file: string): Promise<boolean> {
    const agent = await this.agentOf(file);
    return agent !== undefined && (await this.commands.rollBack(agent)) !== undefined;
  }

  private async agentOf(file: string): Promise<InstalledAgent | undefined> {
    return (await this.installer.list()).find(({ current, previous }) => [current, ...previous].some(isIn(file)));
  }

  async started(file: string): Promise<StartFollower> {
    const endUse = await this.installer.use(file);
    let isReady = false;
    return {
      ready: () => {
        isReady = true;
        void this.installer.recordStart(file, true).catch(() => undefined);
      },
      kept: (keeperPid) => void this.installer.useKept(file, keeperPid).catch(() => undefined),
      ended: (failure) => {
        endUse?.();
        return !isReady && failure && CAUSED_BY_VERSION.has(failure.code) ? this.startFailed(file) : undefined;
      },
    };
  }

  private async startFailed(file: string): Promise<string | undefined> {
    const agent = await this.installer.recordStart(file, false).catch(() => undefined);
    return agent && versionToReturnTo(agent);
  }

  /** Offers each newer version once, when an agent is installed. Nothing is updated without the user. */
  private async offerUpdates(): Promise<void> {
    const installed = await this.installer.list();
    if (installed.length === 0) {
      return;
    }
    const cached = await this.index.cached();
    const state = isFresh(cached) ? cached : await this.index.refresh();
    await this.read();
    const offered = this.context.globalState.get<Readonly<Record<string, string>>>(OFFERED, {});
    const updates = updatesOf(installed, state.agents).filter(({ agent }) => offered[agent.agentId] !== agent.version);
    if (updates.length === 0) {
      return;
    }
    const now = Object.fromEntries(updates.map(({ agent }) => [agent.agentId, agent.version]));
    await this.context.globalState.update(OFFERED, { ...offered, ...now });
    for (const update of updates) {
      void this.offer(update);
    }
  }

  private async offer({ installed, agent }: AgentUpdate): Promise<void> {
    const values = {
      agent: inertLine(agent.name, MAX_NAME),
      version: inertLine(agent.version, MAX_NAME),
      current: inertLine(installed.current.version, MAX_NAME),
    };
    const page = changesPage(agent);
    const [update, show] = [t('Update'), t('Show Changes')];
    const buttons = [update, ...(page === undefined ? [] : [show])];
    const chosen = await window.showInformationMessage(t('{agent} {version} is available. You have {current}.', values), ...buttons);
    if (chosen === update) {
      await this.commands.install(agent);
    } else if (chosen === show && page !== undefined) {
      await vscode.env.openExternal(vscode.Uri.parse(page));
    }
  }

  private async environment(): Promise<Record<string, string>> {
    return overlayEnvironment(await ownEnvironment(), readNetworkVariables(await this.certificates));
  }

  private async node(engines: string | undefined): Promise<NodeTools | undefined> {
    const { services } = await this.startServices();
    return agentNode({ services, ...(await this.search()) }, engines);
  }

  private async uv(): Promise<string | undefined> {
    const { services } = await this.startServices();
    return agentUv({ services, ...(await this.search()) });
  }

  /** The conditions of a search for a program that installs agents. */
  private async search(): Promise<Omit<AgentUvDependencies, 'services'>> {
    const environment = await ownEnvironment();
    return { environment, folder: this.context.extensionPath, home: homedir(), projects: workspaceFolders() };
  }
}

/** The environment of VS Code without the folders of the workspace: a window that was opened in a project's shell may have them on its PATH. */
function ownEnvironment(): Promise<Record<string, string>> {
  return withoutProjectPath(cleanEnvironment(process.env), workspaceFolders(), homedir());
}

function isIn(file: string): (version: InstalledVersion) => boolean {
  return ({ folder }) => file.startsWith(folder + path.sep);
}

function isFresh({ registries }: RegistryState): boolean {
  const age = (checkedAt = 0): number => Math.abs(Date.now() - checkedAt);
  return registries.every(({ checkedAt }) => age(checkedAt) < REFRESH_MS);
}
