/** The input of a tool that starts a subagent. Several agents copied its fields from Claude Code. */
import { type Fields, isRecord, textOf } from '../json/fields';

export interface TaskInput {
  /** A few words. */
  readonly title: string;
  readonly task: string;
}

/** Returns undefined for an input that is not complete yet. The call of a background task ends before its subagent does, so it has none. */
export function taskInput(rawInput: unknown): TaskInput | undefined {
  const { description, prompt, subagent_type: kind, run_in_background: isInBackground }: Fields = isRecord(rawInput) ? rawInput : {};
  const title = textOf(description);
  const task = textOf(prompt);
  return title && task && typeof kind === 'string' && isInBackground !== true ? { title, task } : undefined;
}
