/** The commands of package.json, registered from one table: a command without an action, or an action without a command, does not compile. */
import * as vscode from 'vscode';
import { failureOf } from '../core/model/failure';
import type { Disposable } from '../core/platform/disposable';
import type { Log } from '../core/platform/log';
import { DisposableStore } from '../util/disposable';
import { commands } from '../application/shared/ids';
import { showFailure } from './shared/showFailure';

export type CommandActions = { readonly [Name in keyof typeof commands]: (...args: unknown[]) => unknown };

/** The same command twice, so that VS Code's term "agent" finds it too. It opens its panel before the other code is loaded. */
export type NewSessionCommand = 'newSession' | 'newAgentSession';
/** The commands that a first session needs. The others share a module that the first of them loads. */
export type FirstCommand = NewSessionCommand | 'previousAnswer' | 'nextAnswer' | 'stopTurn';

/** Returns an action for each command except the first ones. Each loads the real actions when it runs. */
export function lazyActions(
  load: () => Promise<{ readonly commands: Omit<CommandActions, FirstCommand> }>,
): Omit<CommandActions, FirstCommand> {
  const names = Object.keys(commands) as (keyof Omit<CommandActions, FirstCommand>)[];
  return Object.fromEntries(
    names.map((name) => [name, async (...args: unknown[]) => (await load()).commands[name](...args)]),
  ) as unknown as Omit<CommandActions, FirstCommand>;
}

/** Registers the commands. An error in an action is shown to the user and logged; the command itself never rejects. */
export function registerCommands<Name extends string>(
  ids: Readonly<Record<Name, string>>,
  act: (name: Name, args: readonly unknown[]) => unknown,
  log: Log,
): Disposable {
  const store = new DisposableStore();
  for (const name of Object.keys(ids) as Name[]) {
    const run = async (...args: unknown[]) => {
      try {
        return await act(name, args);
      } catch (error) {
        log.error(`${ids[name]}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
        void showFailure('error', failureOf(error), () => void run(...args));
        return undefined;
      }
    };
    store.add(vscode.commands.registerCommand(ids[name], run));
  }
  return store;
}

/** Runs a command through VS Code, which shows and logs its errors. */
export function runCommand(name: keyof typeof commands): void {
  void vscode.commands.executeCommand(commands[name]);
}

/** Opens the settings editor at this extension's settings, on the User tab: values of other tabs are ignored. */
export async function openAgentSettings(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openGlobalSettings', { query: '@ext:acp-host.acp-host' });
}
