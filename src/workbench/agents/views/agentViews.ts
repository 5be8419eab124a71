/** **ACP: Browse Agents**, the pages of agents, **ACP: Show Running Agents** and **ACP: Test Agent…**. Loaded by the first of them. */
import { arch } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Traces } from '../../../acp/trace/traces';
import type { CatalogEntry } from '../../../agent/catalog';
import { emptyFolderIn } from '../../../agent/emptyFolder';
import { AvailablePrograms } from '../../../application/agents/availability';
import type { AgentFacts } from '../../../application/agents/views/agentFacts';
import { AgentModel, type AgentRegistry } from '../../../application/agents/views/agentModel';
import { AgentOperations } from '../../../application/agents/views/agentOperations';
import { agentPageState } from '../../../application/agents/views/agentPageState';
import { AgentTests } from '../../../application/agents/views/agentTests';
import { type AgentWork, browseRow, registryNotes } from '../../../application/agents/views/browseRows';
import { PastTests, type PastTestsStorage } from '../../../application/agents/views/pastTests';
import { doneText, platformName, problemOf } from '../../../application/agents/views/pageWords';
import { readmeOf } from '../../../application/agents/views/readmeFile';
import { stopQuestion } from '../../../application/agents/stopQuestion';
import { RunningView } from '../../../application/agents/views/runningView';
import { type InertText, inertLine } from '../../../application/shared/escape';
import { viewTypes } from '../../../application/shared/ids';
import { loadTitles } from '../../../application/shared/sessionTitle';
import type { AgentOperation, AgentTab, FromAgentsPage, SavedView, ToAgentsPage } from '../../../core/agents/agentsPage';
import type { Clock } from '../../../core/platform/clock';
import type { Disposable } from '../../../core/platform/disposable';
import type { Sessions } from '../../../session/sessions';
import { DisposableStore } from '../../../util/disposable';
import { t, verbatim } from '../../shared/l10n';
import { closeLeftPage } from '../../shared/webviewPage';
import { window } from '../../shared/window';
import { confirmUninstall } from '../../registry/confirmUninstall';
import { workspaceFolders } from '../../window/workspaceFolders';
import type { CapabilityCache } from '../capabilityCache';
import { type AgentActionsDependencies, actOnAgent, type ActionTarget } from './agentActions';
import { settingsFactsOf, type SettingsSources } from './settingsFacts';
import { type AgentsPageMessage, AgentsPanel, type AgentsPanelDependencies } from './agentsPanel';

export interface AgentViewsDependencies extends AgentsPanelDependencies, AgentActionsDependencies, SettingsSources {
  readonly clock: Clock;
  readonly traces: Traces;
  readonly sessions: Sessions;
  readonly capabilityCache: CapabilityCache;
  /** The version of this extension. */
  readonly version: string;
  /** `ExtensionContext.globalState`. */
  readonly globalState: PastTestsStorage;
  /** The folder of the extension's data. */
  readonly storage: string;
  secretsOf(agentId: string): readonly string[];
  registry(): Promise<AgentRegistry>;
  entries(): readonly CatalogEntry[];
  /** Shows a session of this window. */
  showSession(key: string): void;
  /** Opens a web address after VS Code has asked for trust in it. */
  openPage(url: string): Promise<unknown>;
}

/** ms between two updates of a page while work goes on. */
const UPDATE_MS = 100;
/** ms between two measurements of the agents that run. */
const MEASURE_MS = 2000;
const MAX_TITLE = 60;

/** A page of agents. */
type View = Exclude<SavedView, { readonly kind: 'share' }>;

interface Open {
  readonly view: View;
  readonly panel: AgentsPanel;
  updating?: Disposable | undefined;
  measuring?: Disposable | undefined;
}

export class AgentViews implements Disposable {
  private readonly store = new DisposableStore();
  private readonly open = new Map<string, Open>();
  private readonly model: AgentModel;
  private readonly operations: AgentOperations;
  private readonly tests: AgentTests;
  private readonly pastTests: PastTests;
  private readonly running: RunningView;
  private readonly programs: AvailablePrograms;
  private readonly platform = platformName(process.platform, arch());
  /** The readme of each installed version, by its folder. */
  private readonly readmes = new Map<string, string | undefined>();

  constructor(private readonly deps: AgentViewsDependencies) {
    const { clock, sessions, version } = deps;
    this.pastTests = new PastTests(deps.globalState);
    this.model = this.store.add(new AgentModel({ registry: deps.registry, entries: deps.entries }));
    this.operations = this.store.add(
      new AgentOperations(
        async () => (await deps.registry()).installer,
        () => this.updateAll(),
      ),
    );
    this.tests = this.store.add(
      new AgentTests(
        {
          clock,
          t: verbatim,
          environment: [
            ['VS Code', vscode.version],
            ['ACP Host', version],
            [verbatim('System'), `${this.platform}, Node.js ${process.versions.node}`],
          ],
          start: sessions.remoteSessionsDependencies(async () => undefined).start,
          secretsOf: deps.secretsOf,
          folder: async () => workspaceFolders()[0] ?? (await emptyFolderIn(path.join(deps.storage, 'empty'))),
          prepare: ({ launch }) => deps.account.load(launch),
          ended: (agentId, findings) => this.pastTests.add(agentId, findings),
        },
        () => this.updateAll(),
      ),
    );
    this.programs = new AvailablePrograms(deps.entries, () => this.updateAll());
    this.running = new RunningView(sessions);
    this.store.add(this.running.onDidChange(() => this.updateAll()));
    this.model.onDidChange(() => this.updateAll());
    this.store.add(sessions.onChange(() => this.updateAll()));
    this.store.add(vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('acpHost') && this.updateAll()));
    void loadTitles();
  }

  browse(): void {
    this.showView({ kind: 'browse' });
    void this.programs.look();
    void this.model.refresh();
  }

  showRunning(): void {
    this.showView({ kind: 'running' });
    void this.model.load();
  }

  async showAgent(key: string, tab?: AgentTab): Promise<void> {
    await this.model.load();
    const facts = this.model.find(key);
    if (!facts) {
      return this.browse();
    }
    void this.programs.look();
    const { panel } = this.showView({ kind: 'agent', key }, facts.name);
    if (tab) {
      panel.post({ type: 'tab', tab });
    }
  }

  /** Opens the page again for the link of a page whose extension host has exited. */
  async reopen(view: View): Promise<void> {
    if (!this.open.has(idOf(view))) {
      await closeLeftPage(viewTypes.agents);
    }
    return view.kind === 'agent' ? this.showAgent(view.key) : view.kind === 'running' ? this.showRunning() : this.browse();
  }

  /** Fills a panel that VS Code kept over a reload of the window. @param view undefined for a page that does not name itself */
  async restore(panel: vscode.WebviewPanel, view: View | undefined): Promise<void> {
    await this.model.load();
    const facts = view?.kind === 'agent' ? this.model.find(view.key) : undefined;
    if (!view || this.open.has(idOf(view)) || (view.kind === 'agent' && !facts)) {
      panel.dispose(); // The agent was removed, or its page is open already.
      return;
    }
    this.show(view, () => titleOf(view, facts?.name ?? ''), panel);
    void this.programs.look();
    void (view.kind === 'browse' && this.model.refresh());
  }

  /** Shows the agent's page and tests the agent. */
  async test(agentId: string): Promise<void> {
    await this.showAgent(agentId, 'test');
    const entry = this.deps.entries().find((each) => each.agentId === agentId);
    if (entry) {
      await this.tests.run(entry, this.model.agents.find((agent) => agent.agentId === agentId)?.installed?.current.version);
    }
  }

  dispose(): void {
    this.open.forEach(({ panel }) => panel.dispose());
    this.store.dispose();
  }

  private showView(view: View, name = ''): Open {
    return this.show(view, () => titleOf(view, name));
  }

  private show(view: View, title: () => InertText, restored?: vscode.WebviewPanel): Open {
    const id = idOf(view);
    const known = this.open.get(id);
    if (known) {
      known.panel.reveal();
      return known;
    }
    const opened: Open = {
      view,
      panel: new AgentsPanel(
        title(),
        this.deps,
        {
          onMessage: (message) => void this.receive(opened, message),
          onVisibility: () => this.update(opened),
          onClosed: () => {
            opened.updating?.dispose();
            opened.measuring?.dispose();
            this.open.delete(id);
          },
        },
        restored,
      ),
    };
    this.open.set(id, opened);
    return opened;
  }

  private async receive(opened: Open, message: AgentsPageMessage): Promise<void> {
    switch (message.type) {
      case 'ready':
        return this.send(opened);
      case 'refresh':
        void this.programs.look();
        return this.model.refresh();
      case 'open':
        return this.showAgent(message.key, message.tab);
      case 'show_session':
        return this.deps.showSession(message.key);
      case 'link':
        return void (await this.deps.openPage(message.href));
      case 'act':
        return this.act(opened, message);
      case 'share':
        return; // Another page.
    }
  }

  private async act(opened: Open, { key, action, version }: Extract<FromAgentsPage, { type: 'act' }>): Promise<void> {
    if (opened.view.kind === 'running') {
      return this.actOnProcess(key, action);
    }
    const facts = this.model.find(key);
    const target: ActionTarget = { agentId: facts?.agentId ?? key, name: facts?.name ?? key };
    switch (action) {
      case 'uninstall':
      case 'install':
      case 'update':
      case 'roll_back':
      case 'use_version':
      case 'pin':
      case 'unpin':
        return facts && this.operate(opened, action, facts, version);
      case 'cancel':
        this.operations.cancel(key);
        this.tests.cancel(target.agentId);
        return;
      case 'test':
        return this.test(target.agentId);
      case 'copy_report': {
        const report = this.tests.reportOf(target.agentId);
        if (report !== undefined) {
          await vscode.env.clipboard.writeText(report);
          opened.panel.post({ type: 'say', text: verbatim('Report copied.') });
        }
        return;
      }
      case 'show_running':
        return this.showRunning();
      default:
        return actOnAgent(this.deps, action, target);
    }
  }

  private workOn({ key, agentId }: AgentFacts): AgentWork {
    return { ...this.operations.workOn(key), availability: this.programs.of(agentId) };
  }

  private async operate({ panel }: Open, operation: AgentOperation, facts: AgentFacts, version: string | undefined): Promise<void> {
    const { operations } = this;
    // A running agent can't be uninstalled, which its row then says.
    const isSure = operation !== 'uninstall' || ((await operations.canUninstall(facts)) && (await confirmUninstall(facts.name)));
    if (isSure && (await operations.run(operation, facts, version))) {
      panel.post({ type: 'say', text: doneText(operation, facts.name, version ?? '', verbatim) });
    }
  }

  private async actOnProcess(key: string, action: Extract<FromAgentsPage, { type: 'act' }>['action']): Promise<void> {
    const agent = this.running.find(key);
    if (agent && (action === 'stop' || action === 'restart')) {
      const states = agent.sessions.map(({ store }) => store.state);
      const question = stopQuestion(states, action, inertLine(agent.name, MAX_TITLE), t);
      if (question) {
        const { message, detail, button } = question;
        if ((await window.showWarningMessage(message, { modal: true, detail }, button)) !== button) {
          return;
        }
      }
      // The process may have ended while the question was open.
      this.running.find(key)?.[action]();
    } else if (action === 'show_running' && agent) {
      await this.showAgent(agent.agentId);
    }
    this.updateAll();
  }

  private updateAll(): void {
    this.open.forEach((each) => this.update(each));
  }

  /** Sends the state soon, and not more often than a person can read. A page that is not on the screen gets none. */
  private update(opened: Open): void {
    if (!opened.panel.visible) {
      opened.measuring?.dispose();
      opened.measuring = undefined;
      return;
    }
    opened.updating ??= this.deps.clock.after(UPDATE_MS, () => {
      opened.updating = undefined;
      void this.send(opened);
    });
  }

  private async send(opened: Open): Promise<void> {
    const { view, panel } = opened;
    if (view.kind === 'running') {
      opened.measuring?.dispose();
      opened.measuring = panel.visible ? this.deps.clock.after(MEASURE_MS, () => this.update(opened)) : undefined;
    }
    const state = await (view.kind === 'browse'
      ? this.browseState()
      : view.kind === 'running'
        ? this.runningState()
        : this.agentState(view.key));
    if (state) {
      panel.post(state);
    }
  }

  private async browseState(): Promise<ToAgentsPage> {
    const { model, platform } = this;
    const { failure } = model;
    return {
      type: 'browse',
      agents: model.agents.map((facts) => browseRow(facts, this.workOn(facts), platform, verbatim)),
      isLoading: model.isLoading,
      isRefreshing: model.isRefreshing,
      notes: [
        ...(failure ? [problemOf(failure, verbatim)] : []),
        ...registryNotes(model, this.deps.clock.now(), vscode.env.language, verbatim),
      ],
    };
  }

  private runningState(): Promise<ToAgentsPage> {
    const icons = new Map(this.model.agents.map(({ agentId, registry, installed }) => [agentId, registry?.icon ?? installed?.icon]));
    return this.running.state(
      () => this.deps.clock.now(),
      (agentId) => icons.get(agentId),
      verbatim,
    );
  }

  private async agentState(key: string): Promise<ToAgentsPage | undefined> {
    const facts = this.model.find(key);
    if (!facts) {
      return undefined; // The agent was removed. Its page stays as it was.
    }
    const { agentId, entry, installed } = facts;
    const folder = installed?.current.folder;
    if (folder !== undefined && !this.readmes.has(folder)) {
      this.readmes.set(folder, await readmeOf(installed!.current));
    }
    const session = this.deps.sessions.all.findLast((each) => each.agentId === agentId && each.store.state.status === 'ready');
    return agentPageState(
      {
        facts,
        work: this.workOn(facts),
        readme: folder === undefined ? undefined : this.readmes.get(folder),
        traces: this.deps.traces.all.filter((trace) => trace.agentId === agentId),
        capabilities: session?.store.state.capabilities ?? (entry && this.deps.capabilityCache.of(entry)),
        dialect: this.tests.dialectOf(agentId),
        settings: { ...(await settingsFactsOf(this.deps, agentId, entry)), tested: this.tests.signInOf(agentId) },
        test: this.tests.stateOf(agentId, installed?.current.version),
        pastTests: this.pastTests.of(agentId),
      },
      this.platform,
      vscode.env.language,
      verbatim,
    );
  }
}

function idOf(view: View): string {
  return view.kind === 'agent' ? `agent ${view.key}` : view.kind;
}

function titleOf({ kind }: View, name: string): InertText {
  switch (kind) {
    case 'browse':
      return t('Browse Agents');
    case 'running':
      return t('Running Agents');
    case 'agent':
      return inertLine(name, MAX_TITLE);
  }
}
