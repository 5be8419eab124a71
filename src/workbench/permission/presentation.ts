/** Where permission requests are asked, as the user has set it. */
import * as vscode from 'vscode';
import type { Disposable } from '../../core/platform/disposable';
import type { PermissionPresent } from '../../core/approval/askingSurface';
import { Listeners } from '../../core/platform/listeners';
import { readPermissionPresent } from '../settings/agentSettings';
import { settings } from '../../application/shared/ids';

export class PermissionPresentation implements Disposable {
  private readonly listeners = new Listeners<[]>();
  private readonly subscription: Disposable;
  private read = readPermissionPresent();

  constructor() {
    this.subscription = vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(settings.permissionsPresent)) {
        this.read = readPermissionPresent();
        this.listeners.call();
      }
    });
  }

  get value(): PermissionPresent {
    return this.read;
  }

  onDidChange(listener: () => void): Disposable {
    return this.listeners.add(listener);
  }

  /** Where the user sets it. */
  openSetting(): void {
    void vscode.commands.executeCommand('workbench.action.openGlobalSettings', { query: `@id:${settings.permissionsPresent}` });
  }

  dispose(): void {
    this.subscription.dispose();
    this.listeners.clear();
  }
}
