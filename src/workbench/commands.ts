/** The commands of package.json, registered from one table: a command without an action, or the other way round, does not compile. */
import * as vscode from 'vscode';
import { failureOf } from '../core/model/failure';
import type { Disposable, Log } from '../core/model/ports';
import { DisposableStore } from '../util/disposable';
import { commands } from './shared/ids';
import { showFailure } from './shared/showFailure';

export type CommandActions = { readonly [Name in keyof typeof commands]: (...args: unknown[]) => unknown };

/** The same twice, to be found by the words that VS Code uses, too. Their panel is there before the rest is loaded. */
export type NewSessionCommand = 'newSession' | 'newAgentSession';
/** What a first session needs: the rest is loaded with the first of the others. */
export type FirstCommand = NewSessionCommand | 'previousAnswer' | 'nextAnswer' | 'stopTurn';

/** Each action but the first ones, as one that loads them all. */
export function lateActions(
  load: () => Promise<{ readonly commands: Omit<CommandActions, FirstCommand> }>,
): Omit<CommandActions, FirstCommand> {
  const names = Object.keys(commands) as (keyof Omit<CommandActions, FirstCommand>)[];
  return Object.fromEntries(
    names.map((name) => [name, async (...args: unknown[]) => (await load()).commands[name](...args)]),
  ) as unknown as Omit<CommandActions, FirstCommand>;
}

/** Registers them all. What an action throws is shown to the user and logged; the command itself never rejects. */
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

/** Runs one of them as the user would: what goes wrong is told and logged. */
export function runCommand(name: keyof typeof commands): void {
  void vscode.commands.executeCommand(commands[name]);
}

/** Opens the settings editor at ours, on the user's own tab: the others do not count. */
export async function openAgentSettings(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openGlobalSettings', { query: '@ext:acp-host.acp-host' });
}
