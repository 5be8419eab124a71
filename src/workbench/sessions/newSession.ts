/** **ACP: New Session**: asks for the agent and the folder. */
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { Catalog } from '../../agent/catalog';
import { agentNamed } from '../../core/agents/agentIds';
import type { AgentLaunch } from '../../core/model/agentLaunch';
import type { EventInput } from '../../core/model/event';
import type { Roots } from '../../core/model/roots';
import { type SessionSetup, setupIn } from '../../core/model/sessionSetup';
import type { UnsentPrompt } from '../../core/protocol/view';
import type { Session } from '../../session/session';
import type { AgentSettings } from '../settings/agentSettings';
import type { PreopenedPanel } from '../chat/newPanel';
import type { Preset } from '../../application/presets/preset';
import type { PickedAgent } from './pickAgent';
import { type InertText, inertLine } from '../../application/shared/escape';
import { lastAgents } from './recentAgents';
import { trustsFolder } from '../trust/folderTrust';
import { settledFolders } from '../window/workspaceFolders';
import { commands } from '../../application/shared/ids';
import { t } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { window } from '../shared/window';

export interface NewSessionDependencies {
  readonly activity: UserActivity;
  /** Read at each use, because settings change. */
  agents(): { readonly catalog: Catalog; readonly settings: Pick<AgentSettings, 'defaultAgent' | 'ignored'> };
  /** `ExtensionContext.globalState` and `workspaceState`. */
  readonly globalState: vscode.Memento;
  readonly workspaceState: vscode.Memento;
  /** The absolute path of the extension's own folder on this machine. */
  readonly storage: string;
  /** The session that the user started last in this window. */
  readonly latest?: Pick<Session, 'agentId' | 'store'> | undefined;
  /** Called before the user is asked for the agent. */
  asks?(): void;
  /** Looks for agents on this machine, so that `agents` has them. Resolves after a short time anyway. */
  readonly probe?: (() => Promise<void>) | undefined;
}

/** Optional parts of a new session. */
export interface StartOptions {
  /** The panel that was opened before the session. */
  readonly early?: PreopenedPanel | undefined;
  /** The initial text of the composer. */
  readonly draft?: UnsentPrompt | undefined;
  /** The first events of the conversation, which its page shows at once. */
  readonly events?: readonly EventInput[] | undefined;
}

/** The agent and the folders of a new session. */
export interface NewSessionChoice {
  readonly launch: AgentLaunch;
  readonly setup: SessionSetup;
  /** Applied to the session. Its agent may be another one than that of the launch. */
  readonly preset?: Preset | undefined;
}

type PresetSettings = typeof import('../presets/readPresets');

/** `last`: uses the last agent without asking. `with`: always asks for the agent. `folder`: asks for the folder. */
export type NewSessionWay = 'last' | 'with' | 'folder';

const NOTICE_SEEN = 'ignoredNoticeSeen';

/**
 * Asks for everything that is not settled. Resolves to undefined when the user cancels. @param folder a folder already chosen, absolute @param
 * rootsFor asks for the folders instead
 */
export async function chooseNewSession(
  deps: NewSessionDependencies,
  folder?: string,
  how?: NewSessionWay,
  rootsFor?: (agentName: string) => Promise<Roots | undefined>,
): Promise<NewSessionChoice | undefined> {
  let { catalog, settings } = deps.agents();
  const presets = await import('../presets/readPresets');
  const isAsked = how === 'with';
  let early: Roots | undefined;
  // Only the folder says which of several default presets is used.
  if (!isAsked && !rootsFor && how !== 'folder' && folder === undefined && presets.presetDependsOnFolder()) {
    deps.asks?.();
    early = await chooseRoots(deps);
    if (!early) {
      return undefined;
    }
  }
  const preset = isAsked ? undefined : await defaultPreset(deps, presets, early?.cwd ?? folder ?? (await settledFolders())[0]);
  const recent = lastAgents(deps.globalState, catalog.entries, deps.latest);
  const named = (id: string | undefined) => (id === undefined ? undefined : agentNamed(catalog.entries, id));
  const found = isAsked
    ? undefined
    : (named(preset?.agent) ?? (preset ? undefined : (named(settings.defaultAgent) ?? (how === 'last' ? named(recent[0]) : undefined))));
  if (!found) {
    deps.asks?.();
    await deps.probe?.();
    ({ catalog, settings } = deps.agents());
  }
  const notice =
    settings.ignored.length > 0 ? (await import('../../application/agents/ignoredSettings')).ignoredNotice(settings.ignored, t) : undefined;
  const picked: PickedAgent | undefined = found
    ? { entry: found, ...(preset && { preset }) }
    : await deps.activity.during(async () => {
        const { agentForPreset, pickAgent } = await import('./pickAgent');
        const options = {
          notice,
          problems: catalog.problems,
          presets: presets.readPresets(),
          waiting: catalog.waiting,
          installed: catalog.programs,
        };
        return preset
          ? agentForPreset(preset, recent, catalog.entries)
          : pickAgent(isAsked ? recent : recent.slice(0, 1), catalog.entries, options);
      });
  // Shown after the question, whose list contains the same warning. A click on a notification would close the question.
  warnIgnored(deps, notice);
  if (catalog.problems.length > 0) {
    void (await import('../agents/warnBrokenAgents')).warnBrokenAgents(catalog.problems);
  }
  const isBroken = catalog.problems.some(({ params }) => params?.['agentName'] === settings.defaultAgent);
  if (settings.defaultAgent !== undefined && !isBroken && !named(settings.defaultAgent)) {
    warnAboutSettings(t('Default agent "{name}" isn\'t configured.', { name: inertLine(settings.defaultAgent, 80) }));
  }
  if (!picked) {
    return undefined;
  }
  const { entry } = picked;
  const isFolderAsked = how === 'folder' && folder === undefined;
  const roots = rootsFor
    ? await rootsFor(entry.agentName)
    : isFolderAsked
      ? await (await import('./newSessionFolder')).chooseFolder(deps, pickFromDisk)
      : (early ?? (await chooseRoots(deps, folder)));
  if (!roots) {
    return undefined;
  }
  return { launch: entry.launch, setup: setupIn(roots), preset: picked.preset };
}

/** Returns the default preset of the folder. Warns about a name that none of the user's presets has. Asks when a workspace chooses. */
async function defaultPreset(
  { activity, workspaceState }: NewSessionDependencies,
  presets: PresetSettings,
  folder: string | undefined,
): Promise<Preset | undefined> {
  const name = presets.defaultPresetName(folder);
  const preset = name === undefined ? undefined : presets.readPresets().find((each) => each.name === name);
  if (name !== undefined && !preset) {
    warnAboutSettings(t('Your settings have no preset "{name}", which is the default here.', { name: inertLine(name, 80) }));
  }
  if (preset && presets.isPresetOfWorkspace(folder)) {
    const { mayWorkspaceUse } = await import('../presets/workspacePreset');
    return (await activity.during(() => mayWorkspaceUse(preset, workspaceState))) ? preset : undefined;
  }
  return preset;
}

/**
 * Returns the folders of a session: its own folder and, in a workspace with several, the others it may use. A folder outside the workspace needs
 * the user's trust. A window without a folder asks for one, or continues with an empty one. @param folder the only folder of the session
 */
export async function chooseRoots(
  deps: Pick<NewSessionDependencies, 'activity' | 'globalState' | 'workspaceState' | 'storage'>,
  folder?: string,
): Promise<Roots | undefined> {
  const { activity, workspaceState } = deps;
  const folders = folder === undefined ? await settledFolders() : [];
  if (folders.length > 1) {
    const { chooseOfSeveral } = await import('./additionalFolders');
    return chooseOfSeveral(activity, workspaceState, folders);
  }
  const cwd = folder ?? folders[0];
  if (cwd === undefined) {
    return (await import('./newSessionFolder')).chooseFolder(deps, pickFromDisk);
  }
  return (await trustsFolder(deps, cwd)) ? { cwd, additionalDirectories: [] } : undefined;
}

/** Asks for a folder on the disk. Resolves to undefined when the user cancels. */
export async function pickFromDisk(): Promise<string | undefined> {
  const openLabel = t('Start Session Here');
  const [chosen] =
    (await window.showOpenDialog({
      canSelectFolders: true,
      canSelectFiles: false,
      // Without it VS Code begins in its last dialog's folder, or in one that depends on the platform.
      defaultUri: vscode.Uri.file(homedir()),
      openLabel,
      title: t("Select the agent's working folder"),
    })) ?? [];
  return chosen?.scheme === 'file' ? chosen.fsPath : undefined;
}

/** Warns about ignored settings, until the user turns the warning off in this workspace. */
function warnIgnored({ workspaceState }: NewSessionDependencies, notice: InertText | undefined): void {
  if (notice !== undefined && workspaceState.get<string>(NOTICE_SEEN) !== notice) {
    warnAboutSettings(notice, [[t("Don't Show Again"), () => void workspaceState.update(NOTICE_SEEN, notice)]]);
  }
}

/** @param others further buttons and their actions */
function warnAboutSettings(message: InertText, others: readonly (readonly [button: InertText, act: () => void])[] = []): void {
  const buttons = new Map([[t('Open Settings'), () => void vscode.commands.executeCommand(commands.openSettings)], ...others]);
  void window.showWarningMessage(message, ...buttons.keys()).then((button) => button !== undefined && buttons.get(button)?.());
}
