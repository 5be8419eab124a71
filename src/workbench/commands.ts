/** The commands of package.json, registered from one table: a command without an action, or the other way round, does not compile. */
import * as vscode from 'vscode';
import { failureOf } from '../core/model/failure';
import type { Disposable, Log } from '../core/model/ports';
import { DisposableStore } from '../util/disposable';
import { commands } from './shared/ids';
import { showFailure } from './shared/showFailure';

export type CommandActions = { readonly [Name in keyof typeof commands]: (...args: unknown[]) => unknown };

/** Registers them all. What an action throws is shown to the user and logged; the command itself never rejects. */
export function registerCommands(actions: CommandActions, log: Log): Disposable {
  const store = new DisposableStore();
  for (const name of Object.keys(commands) as (keyof typeof commands)[]) {
    const run = async (...args: unknown[]) => {
      try {
        return await actions[name](...args);
      } catch (error) {
        log.error(`${commands[name]}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
        void showFailure('error', failureOf(error), () => void run(...args));
        return undefined;
      }
    };
    store.add(vscode.commands.registerCommand(commands[name], run));
  }
  return store;
}

/** Runs one of them as the user would: what goes wrong is told and logged. */
export function runCommand(name: keyof typeof commands): void {
  void vscode.commands.executeCommand(commands[name]);
}

/** Opens the settings editor at ours, on the user's own tab: the others do not count. */
export async function openAgentSettings(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openGlobalSettings', { query: '@ext:acp-host.acp-host' });
}
