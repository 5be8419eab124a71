/** Adds to the user's settings what the sandbox refused. Loaded with the first such click. */
import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { inertLine } from '../../application/shared/escape';
import { settings } from '../../application/shared/ids';
import type { SandboxRefusal } from '../../core/sandbox/sandbox';
import { isAllowable } from '../../core/sandbox/allowable';
import { isNetworkOff, textsOf } from '../../sandbox/settings';
import type { Session } from '../../session/session';
import { t } from '../shared/l10n';
import { window } from '../shared/window';
import { readSandboxSettings } from './sandboxSettings';

export async function allowRefused(session: Session, refusal: SandboxRefusal): Promise<void> {
  const all = Object.values(session.store.state.sandboxRefusals ?? {}).flat();
  // A page can only ask for what this session was refused.
  if (!all.some(({ kind, target }) => kind === refusal.kind && target === refusal.target) || !isAllowable(refusal)) {
    return;
  }
  const sandbox = readSandboxSettings();
  const { hosts, writable } = sandbox;
  if (refusal.kind === 'host' && isNetworkOff(sandbox)) {
    await vscode.commands.executeCommand('workbench.action.openSettings', settings.sandboxNetwork);
    return;
  }
  if (refusal.kind === 'host') {
    await add(settings.sandboxHosts, textsOf(hosts), refusal.target);
    void window.showInformationMessage(t('Sandboxes can connect to {host} from now on.', { host: inertLine(refusal.target, 100) }));
    return;
  }
  const folder = path.dirname(refusal.target);
  if (folder === homedir()) {
    await vscode.commands.executeCommand('workbench.action.openSettings', settings.sandboxWritable);
    return;
  }
  await add(settings.sandboxWritable, textsOf(writable), folder);
  const text = t('Sandboxes can write in {folder} from their next start on.', { folder: inertLine(folder, 200) });
  if (session.sandbox.mode !== 'agent') {
    void window.showInformationMessage(text);
    return;
  }
  const restart = t('Restart Agent');
  if ((await window.showInformationMessage(text, restart)) === restart) {
    session.restartAgent(true);
  }
}

async function add(setting: string, present: readonly string[], entry: string): Promise<void> {
  if (!present.includes(entry)) {
    await vscode.workspace.getConfiguration().update(setting, [...present, entry], vscode.ConfigurationTarget.Global);
  }
}
