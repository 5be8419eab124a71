/**
 * The command of a tool call and the model's description of it. Some agents send the description as a text content as well, where other calls have
 * their output. Pure; card, find and export share it.
 */
import type { ToolContent } from '../model/content';
import type { ToolCallEntry } from '../model/state';
import { saysCommand } from '../toolCalls/toolTitle';
import { commandIn, descriptionIn, spellingsIn } from './command';
import { collapsed } from './heading';

/** Returns the description in a command's raw input, if one of these contents repeats it. */
export function purposeIn(rawInput: unknown, contents: readonly ToolContent[]): string | undefined {
  const description = descriptionIn(rawInput);
  return description !== undefined && contents.some((content) => saysPurpose(content, description)) ? description : undefined;
}

/** Returns {@link purposeIn} of a tool call. */
export function purposeOf({ rawInput, content, toolKind }: Pick<ToolCallEntry, 'rawInput' | 'content' | 'toolKind'>): string | undefined {
  return toolKind === 'execute' || commandIn(rawInput) !== undefined ? purposeIn(rawInput, content) : undefined;
}

/** True for a text content that says no more than `purpose`. */
export function saysPurpose(content: ToolContent, purpose: string | undefined): boolean {
  return (
    purpose !== undefined &&
    content.type === 'content' &&
    content.content.type === 'text' &&
    collapsed(content.content.text) === collapsed(purpose)
  );
}

/** The lines between a tool call's title and its contents. */
export interface CommandLines {
  readonly purpose: string | undefined;
  readonly command: string | undefined;
}

/** Returns the command of a tool call and its {@link purposeOf}, without those that `title` or a terminal shows. */
export function commandLines(call: Pick<ToolCallEntry, 'rawInput' | 'content' | 'toolKind'>, title: string): CommandLines {
  const { rawInput, content, toolKind } = call;
  const purpose = purposeOf(call);
  const command = toolKind === 'execute' && content.every(({ type }) => type !== 'terminal') ? commandIn(rawInput) : undefined;
  return {
    purpose: purpose !== undefined && collapsed(purpose) === collapsed(title) ? undefined : purpose,
    command: spellingsIn(rawInput).some((each) => saysCommand(title, each)) ? undefined : command,
  };
}
