/** Built-in commands beside the agent's. The agent's command of the same name has precedence. Pure. */
import type { AvailableCommand } from '../../../src/core/model/content';
import type { ViewAction } from '../../../src/core/protocol/view';
import { t } from '../../base/l10n';
import { compactCommand, typedCommand } from './commands';

export interface BuiltinCommand extends AvailableCommand {
  /** The command's effect: an action of the view, or this prompt for the agent. */
  readonly own: { readonly action: ViewAction } | { readonly prompt: string };
}

export type Command = AvailableCommand | BuiltinCommand;

export function isOwn(command: Command): command is BuiltinCommand {
  return 'own' in command;
}

/** @param isEmpty the conversation has no message yet */
export function ownCommands(commands: readonly AvailableCommand[], isEmpty: boolean): BuiltinCommand[] {
  const compact = compactCommand(commands);
  const all: (BuiltinCommand | false | undefined)[] = [
    { name: 'new', description: t('Start a new session'), own: { action: 'new_session' } },
    compact && { name: 'compact', description: t('Summarize the conversation to free up context'), own: { prompt: typedCommand(compact) } },
    !isEmpty && { name: 'export', description: t('Export this conversation'), own: { action: 'export_conversation' } },
  ];
  const taken = new Set(commands.map(typedCommand));
  return all.filter((command): command is BuiltinCommand => Boolean(command) && !taken.has(typedCommand(command as BuiltinCommand)));
}
