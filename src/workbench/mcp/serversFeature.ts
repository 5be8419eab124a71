/** The user's MCP servers in this window: what a session gets, the questions, and changes during a session. Loads when there are servers. */
import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { withoutProjectPath } from '../../agent/environment/searchPath';
import { ServerChoices } from '../../application/mcp/choices';
import { Consents } from '../../application/mcp/consents';
import { ServerInputs } from '../../application/mcp/serverInputs';
import { ServerSignIns } from '../../application/mcp/serverSignIns';
import type { Folder } from '../../application/mcp/sourceFiles';
import { MAX_FILE, readSources, type SettingValues } from '../../application/mcp/sources';
import { settledNotices } from '../../application/mcp/serverNotices';
import { fingerprintOf, type PlannedServer, type ServerPlan, serversOf, UserServers, shapeOf } from '../../application/mcp/userServers';
import { inertLine } from '../../application/shared/escape';
import { settings } from '../../application/shared/ids';
import type { LeftOutReason, ServerRequest, ServersOfSession } from '../../core/mcp/sessionServers';
import { isNew } from '../../core/model/select';
import type { Failure } from '../../core/model/failure';
import type { Disposable } from '../../core/platform/disposable';
import type { Clock } from '../../core/platform/clock';
import type { Session } from '../../session/session';
import type { Fetch } from '../../mcp/oauth/safeFetch';
import type { Sessions } from '../../session/sessions';
import { cleanEnvironment, overlayEnvironment, variable } from '../../util/environment';
import { findExecutable } from '../../util/executable';
import { readUserValue } from '../settings/agentSettings';
import { t } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { window } from '../shared/window';
import { isRestricted } from '../trust/restrictedMode';
import { askConsents } from './consentQuestion';
import { askInputs } from './inputPrompt';
import { passedServers } from './passedServers';

export interface ServersFeatureDependencies {
  readonly context: {
    readonly globalState: Pick<vscode.Memento, 'get' | 'update'>;
    readonly secrets: Pick<vscode.SecretStorage, 'get' | 'store' | 'delete'>;
    readonly globalStorageUri: vscode.Uri;
  };
  readonly activity: Pick<UserActivity, 'during'>;
  readonly clock: Clock;
  /** The requests that find out whether a server asks for a sign-in. The default is that of VS Code, which uses the user's proxy. */
  readonly fetch?: Fetch;
  sessions(): Pick<Sessions, 'all' | 'markStale'>;
  /** The newest request of each session. */
  readonly requests: ReadonlyMap<string, ServerRequest>;
  /** The folder of the profile in use. */
  readonly profileFolder: string;
}

const NO_SERVERS = fingerprintOf([]);
const MAX_NAME = 60;

export class ServersFeature {
  readonly inputs: ServerInputs;
  readonly choices: ServerChoices;
  readonly signIns: ServerSignIns;
  private readonly consents: Consents;
  private readonly user: UserServers;
  /** The servers that a session was passed, by its key. */
  private readonly passed = new Map<string, string>();
  /** The servers that a session was offered since, and the questions that were announced in it, by its key. */
  private readonly offered = new Map<string, { readonly now: string; readonly shape: string }>();
  private readonly announced = new Map<string, string>();
  /** The listeners for the end of a session's opening, by its key. */
  private readonly settling = new Map<string, Disposable>();
  /** The open questions of the last notification. */
  private notified = '';

  constructor(readonly deps: ServersFeatureDependencies) {
    const { globalState, secrets } = deps.context;
    this.consents = new Consents(globalState);
    this.choices = new ServerChoices(globalState);
    this.inputs = new ServerInputs(secrets, globalState);
    this.signIns = new ServerSignIns({
      secrets,
      storage: globalState,
      clock: deps.clock,
      fetch: deps.fetch ?? ((url, init) => fetch(url, init)),
      changed: () => void this.changed(),
    });
    this.user = new UserServers({
      signIns: this.signIns,
      consents: this.consents,
      choices: this.choices,
      inputs: this.inputs,
      sources: () => this.sources(),
      folders,
      isRestricted,
      passes: passedServers,
      environment: (name) => variable(process.env, name),
      userHome: homedir(),
      platform: process.platform,
      readFile: readText,
      findProgram,
    });
  }

  async resolve(request: ServerRequest): Promise<ServersOfSession> {
    const plan = await this.user.plan(request);
    const result = serversOf(plan);
    this.passed.set(request.key, fingerprintOf(result.servers));
    this.offered.delete(request.key);
    this.announced.set(request.key, questionsOf(plan));
    this.settleWhenReady(request.key, plan);
    void this.notify(request, plan);
    return result;
  }

  /** Replaces the notices that no longer apply when the session is open: an earlier change may be lost to the agent's replay. */
  private settleWhenReady(key: string, plan: ServerPlan): void {
    const session = this.deps.sessions().all.find((each) => each.key === key);
    this.settling.get(key)?.dispose();
    const subscription = session?.store.onEvents((_, events) => {
      if (events.some(({ type }) => type === 'session_ready')) {
        subscription?.dispose();
        session.store.append(...settledNotices(session.store.state, plan, true));
      }
    });
    if (subscription) {
      this.settling.set(key, subscription);
    }
  }

  /** Returns the servers for a session as they would be passed now; undefined while its agent is unknown. */
  async planOf({ key }: Session): Promise<ServerPlan | undefined> {
    const request = this.deps.requests.get(key);
    return request && this.user.plan(request);
  }

  /** A file, a setting, an answer or a choice has changed: offers a restart to each session that would get other servers now. */
  async changed(): Promise<void> {
    for (const session of this.deps.sessions().all) {
      const { key, store } = session;
      const request = this.deps.requests.get(key);
      if (!request || store.state.status !== 'ready') {
        continue;
      }
      const plan = await this.user.plan(request);
      const { servers } = serversOf(plan);
      const [now, shape] = [fingerprintOf(servers), shapeOf(servers)];
      const offered = this.offered.get(key);
      const questions = questionsOf(plan);
      store.append(...settledNotices(store.state, plan, now === (this.passed.get(key) ?? NO_SERVERS)));
      if (questions !== '' && questions !== this.announced.get(key)) {
        informOfQuestions(session, plan);
        void this.notify(request, plan);
      }
      this.announced.set(key, questions);
      if (now === (this.passed.get(key) ?? NO_SERVERS)) {
        this.offered.delete(key);
      } else if (now !== offered?.now) {
        this.offered.set(key, { now, shape });
        // A renewed token adds no second offer to one that is open.
        await (isNew(store.state) ? this.restart(session) : shape !== offered?.shape && inform(session, { code: 'mcp.changed' }));
      }
    }
  }

  /** Asks for the missing consents and values of a session's servers. @param only the keys of the servers; undefined: all */
  async review(session: Session, only?: ReadonlySet<string>): Promise<void> {
    const open = async (): Promise<readonly PlannedServer[]> =>
      ((await this.planOf(session))?.servers ?? []).filter(({ key }) => !only || only.has(key));
    const questions = (await open()).filter(({ subject, reason }) => subject && (reason === 'not_agreed' || only));
    if (!only && questions.length === 0 && !(await open()).some(isQuestion)) {
      // The conversation keeps its notice, whose button is pressed again.
      void window.showInformationMessage(t('No MCP server of this session waits for you.'));
    }
    const answers = await askConsents(questions, this.deps.activity);
    if (answers.length > 0) {
      await this.consents.record(answers);
    }
    // A server that the user has just allowed may need values.
    const isKept = await askInputs(
      (await open()).filter(({ inputs }) => inputs),
      this.inputs,
      this.deps.activity,
    );
    if (!isKept) {
      void window.showWarningMessage(t("VS Code's secret storage doesn't work. The values are lost when the window closes."));
    }
    const signIns = (await open()).flatMap(({ reason, signIn }) => (reason === 'sign_in' && signIn ? signIn : []));
    if (signIns.length > 0) {
      await (await import('./signInToServers')).signInToServers(signIns, this.signIns, this.deps);
    }
    await this.changed();
  }

  /** Restarts the agent for this session alone. The user is asked when that interrupts something, or when the agent forgets the conversation. */
  async restart(session: Session): Promise<void> {
    const { state } = session.store;
    const agent = inertLine(session.agentName, MAX_NAME);
    const { load, resume } = state.capabilities;
    const forgets = !load && !resume && !isNew(state);
    if (state.turn || forgets) {
      const restart = t('Restart Agent');
      const message = state.turn ? t('{agent} is working. Stop it and restart?', { agent }) : t('Restart {agent}?', { agent });
      const detail = forgets ? t("{agent} can't open earlier sessions. It won't remember these conversations.", { agent }) : undefined;
      const answer = await this.deps.activity.during(() =>
        window.showWarningMessage(message, { modal: true, ...(detail && { detail }) }, restart),
      );
      if (answer !== restart) {
        return;
      }
    }
    // A process that other sessions use keeps them. This session gets a new one, in which it is not open yet.
    this.deps.sessions().markStale(session.agentId);
    session.restartAgent(true);
  }

  async choose(session: Session): Promise<void> {
    await (await import('./serverMenu')).chooseServers(this, session);
  }

  /** Deletes tokens. Sessions keep those that their agents have, until they restart. */
  async signOut(): Promise<void> {
    if (await (await import('./serverMenu')).signOutOfServers(this)) {
      await this.changed();
    }
  }

  async forgetInputs(): Promise<void> {
    await (await import('./serverMenu')).forgetInputs(this);
  }

  /** Shows one notification for all open questions, once until they change. It does not hold up the session. */
  private async notify({ key, agentName }: ServerRequest, plan: ServerPlan): Promise<void> {
    const questions = plan.servers.filter(isQuestion);
    const text = questionsOf(plan);
    if (text === '' || text === this.notified) {
      return;
    }
    this.notified = text;
    const names = inertLine(questions.map(({ name }) => name).join(', '), 300);
    const agent = inertLine(agentName, MAX_NAME);
    const review = t('Review…');
    const answer = await window.showInformationMessage(
      t("{agent} doesn't get these MCP servers until you allow them, enter their values or sign in: {names}", { agent, names }),
      review,
    );
    const session = this.deps.sessions().all.find((each) => each.key === key);
    if (answer === review && session) {
      await this.review(session);
    }
  }

  private async sources() {
    const { workspaceFile } = vscode.workspace;
    const facts = {
      folders: folders(),
      workspaceFile: workspaceFile?.scheme === 'file' ? workspaceFile.fsPath : undefined,
      profileFolder: this.deps.profileFolder,
      isRemote: vscode.env.remoteName !== undefined,
      own: valuesOf(settings.mcpServers),
      editor: vscodeValues(workspaceFile !== undefined),
    };
    return readSources(facts, async (file) => {
      try {
        return await readText(file);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT' || (error as NodeJS.ErrnoException).code === 'ENOTDIR') {
          return undefined;
        }
        throw error;
      }
    });
  }
}

function inform(session: Session, failure: Failure): void {
  session.store.append({ type: 'notice', noticeId: `servers-${session.store.seq}`, severity: 'info', title: '', failure });
}

/** The notice whose button asks the questions. */
function informOfQuestions(session: Session, { servers }: ServerPlan): void {
  const namesOf = (wanted: LeftOutReason): string => servers.flatMap(({ name, reason }) => (reason === wanted ? name : [])).join(', ');
  const [consents, inputs, signIns] = [namesOf('not_agreed'), namesOf('input_missing'), namesOf('sign_in')];
  if (consents) {
    inform(session, { code: 'mcp.not_agreed', params: { agent: session.agentName, servers: consents } });
  } else if (signIns) {
    inform(session, { code: 'mcp.sign_in', params: { agent: session.agentName, servers: signIns } });
  } else {
    const subject = servers.flatMap(({ reason, detail }) => (reason === 'input_missing' ? (detail ?? '') : [])).join(', ');
    inform(session, { code: 'mcp.input_missing', params: { agent: session.agentName, servers: inputs, subject } });
  }
}

function isQuestion({ reason }: PlannedServer): boolean {
  return reason === 'not_agreed' || reason === 'input_missing' || reason === 'sign_in';
}

/** Identifies the open questions. */
function questionsOf({ servers }: ServerPlan): string {
  return JSON.stringify(servers.filter(isQuestion).map(({ key, reason, detail, subject }) => [key, reason, detail, subject?.text])).replace(
    /^\[\]$/,
    '',
  );
}

function folders(): Folder[] {
  return (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ name, uri }) => ({ name, path: uri.fsPath }));
}

function valuesOf(name: string): SettingValues {
  const inspected = vscode.workspace.getConfiguration().inspect(name) as
    | { readonly workspaceValue?: unknown; readonly globalRemoteValue?: unknown }
    | undefined;
  const ofFolders = (vscode.workspace.workspaceFolders ?? []).flatMap((folder) => {
    const value = vscode.workspace.getConfiguration(undefined, folder.uri).inspect(name)?.workspaceFolderValue;
    return value === undefined || folder.uri.scheme !== 'file' ? [] : [{ folder: { name: folder.name, path: folder.uri.fsPath }, value }];
  });
  // VS Code returns the value of a single-folder workspace twice.
  const isTwice = ofFolders.length === 1 && JSON.stringify(ofFolders[0]!.value) === JSON.stringify(inspected?.workspaceValue);
  return {
    user: readUserValue(name).value,
    machine: inspected?.globalRemoteValue,
    ...(!isTwice && { workspace: inspected?.workspaceValue }),
    folders: ofFolders,
  };
}

/** In a window without a workspace file, the value of the workspace is the `mcp.json` of its folder. */
function vscodeValues(hasFile: boolean): Omit<SettingValues, 'folders'> {
  const { user, machine, workspace } = valuesOf('mcp');
  return { user, machine, ...(hasFile && { workspace }) };
}

/** Reads an ordinary file of a limited size: a device or a pipe would never end. */
async function readText(file: string): Promise<string> {
  const found = await stat(file);
  if (!found.isFile() || found.size > MAX_FILE) {
    throw new Error(found.isFile() ? 'too large' : 'not a file');
  }
  return readFile(file, 'utf8');
}

/** Finds the program on the PATH that an agent gets, without the folders that a project could fill. */
async function findProgram(
  command: string,
  folder: string,
  env: Readonly<Record<string, string>>,
  { roots }: ServerRequest,
): Promise<string | undefined> {
  const projects = [...folders().map(({ path }) => path), roots.cwd, ...roots.additionalDirectories].filter((each) => each !== '');
  const environment = await withoutProjectPath(overlayEnvironment(cleanEnvironment(process.env), env), projects, homedir());
  const found = await findExecutable(command, { cwd: folder, environment });
  return found?.executable ? found.file : undefined;
}
