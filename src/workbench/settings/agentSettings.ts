/** The settings that name agents, read so that only the user's own values count. */
import * as vscode from 'vscode';
import { DEFAULT_MAX_LINE_MEGABYTES } from '../../acp/transport/ndjson';
import { OTHER_SETTING } from '../../agent/catalog';
import { userValueOf, type IgnoredSetting } from '../../agent/userSettings';
import type { PermissionPresent } from '../../core/approval/askingSurface';
import { DEFAULT_MAX_JOURNAL_MEGABYTES, journalLimitOf } from '../../session/journal/journalLimit';
import { earlierNameOf } from '../../application/shared/earlierNames';
import { settings } from '../../application/shared/ids';
import { inspectSetting } from './userValue';

export interface AgentSettings {
  /** `acpHost.agents` of the user, unchecked: for `catalogOf`. */
  readonly userAgents: unknown;
  /** `acp.agents` of the user, another client's, unchecked. */
  readonly otherClients: unknown;
  /** `acpHost.defaultAgent` of the user; undefined when empty. */
  readonly defaultAgent: string | undefined;
  /** True when a workspace's settings contain agents. */
  readonly hasWorkspaceAgents: boolean;
  /** Values from other sources that are ignored. The caller warns the user about them. */
  readonly ignored: readonly IgnoredSetting[];
}

/** Reads the settings as they are now. No variable in them is replaced: what is written is what runs. */
export function readAgentSettings(): AgentSettings {
  const agents = readUserValue(settings.agents);
  const defaultAgent = readUserValue(settings.defaultAgent);
  return {
    userAgents: agents.value,
    // Ignored values of another client's setting are not reported, because that setting is not ours.
    otherClients: readUserValue(OTHER_SETTING).value,
    defaultAgent: typeof defaultAgent.value === 'string' && defaultAgent.value !== '' ? defaultAgent.value : undefined,
    hasWorkspaceAgents: agents.ignored.some(isOfWorkspace),
    ignored: [
      // The agents of the workspace wait for the user's consent instead.
      ...agents.ignored.filter((each) => !isOfWorkspace(each)),
      ...defaultAgent.ignored,
      ...readUserValue(settings.presets).ignored,
      ...maxMessageSize().ignored,
      ...maxJournalSize().ignored,
      ...readUserValue(settings.adapterExtensions, false).ignored,
      ...readUserValue(settings.registryUrls).ignored.filter(({ source }) => source !== 'extensionDefault'),
      ...readAgents().ignored,
      ...ignoredRules(),
      ...readUserValue(settings.contextActiveFile, false).ignored,
      ...readUserValue(settings.contextSelection, false).ignored,
    ],
  };
}

function isOfWorkspace({ source }: IgnoredSetting): boolean {
  return source.startsWith('workspace');
}

/** `acpHost.protectedPaths` of the user, unchecked: for `ProtectedRules`. */
export function readProtectedPaths(): unknown {
  return readUserValue(settings.protectedPaths).value;
}

/** `acpHost.askBeforeCommands` of the user, unchecked: for `askBeforeCommandsOf`. */
export function readAskBeforeCommands(): unknown {
  return readUserValue(settings.askBeforeCommands).value;
}

/** The manifest declares defaults for these settings, so a default is not reported as ignored. */
function ignoredRules(): readonly IgnoredSetting[] {
  const sandbox = [settings.sandbox, settings.sandboxNetwork, settings.sandboxHosts, settings.sandboxWritable, settings.sandboxUnreadable];
  return [settings.protectedPaths, settings.askBeforeCommands, ...sandbox].flatMap((setting) =>
    readUserValue(setting).ignored.filter(({ source }) => source !== 'extensionDefault'),
  );
}

/** `acpHost.journal.maxSize` of the user, in bytes. */
export function readMaxJournalBytes(): number {
  return journalLimitOf(maxJournalSize().value);
}

/** `acpHost.permissions.present` of the user. */
export function readPermissionPresent(): PermissionPresent {
  const { value } = readAgents();
  return value === 'both' || value === 'quickPick' || value === 'card' ? value : 'auto';
}

function readAgents(): ReturnType<typeof userValueOf> {
  return readUserValue(settings.permissionsPresent, 'auto');
}

export function maxMessageSize(): ReturnType<typeof userValueOf> {
  return readUserValue(settings.maxMessageSize, DEFAULT_MAX_LINE_MEGABYTES);
}

function maxJournalSize(): ReturnType<typeof userValueOf> {
  return readUserValue(settings.maxJournalSize, DEFAULT_MAX_JOURNAL_MEGABYTES);
}

/**
 * Returns the user's value of a setting, or of its earlier name when the setting has none.
 * @param own our manifest's default
 */
export function readUserValue(setting: string, own?: unknown): ReturnType<typeof userValueOf> {
  const folders = (vscode.workspace.workspaceFolders ?? []).map((folder) => ({
    folder: folder.name,
    inspected: inspectSetting(setting, folder.uri),
  }));
  const read = userValueOf(setting, inspectSetting(setting), folders, own);
  const earlier = earlierNameOf(setting);
  if (earlier === undefined) {
    return read;
  }
  const { value, ignored } = readUserValue(earlier);
  return { value: read.value === undefined ? value : read.value, ignored: [...read.ignored, ...ignored] };
}
