/**
 * The tools that turn to the user: a file or a diff to look at, and a question. Showing a file counts as reading: it opens a preview that the
 * user can close, changes no file, and leaves the focus where it is. A question asks the user by itself.
 */
import { z } from 'zod';
import { bounded, unlessAborted, withRetries } from '../answerText';
import { fileField, SessionFiles } from '../files';
import { locate, positionFields, previewOf, type Range, splitLines } from '../position';
import { textForPosition } from '../positionText';
import { RetryError } from '../retry';
import { type EditorTool, editorTool, type ToolAnswer, type ToolContext, type ToolSession } from '../tool';

export interface UserQuestion {
  readonly message: string;
  /** Empty for a question with free text only. */
  readonly options: readonly { readonly label: string; readonly description: string | undefined }[];
  readonly allowsSeveral: boolean;
  readonly allowsText: boolean;
}

export type UserAnswer =
  | { readonly action: 'answered'; readonly options: readonly string[]; readonly text: string | undefined }
  /** `unavailable`: the session has no conversation in this window. */
  | { readonly action: 'declined' | 'cancelled' | 'unavailable' };

export interface UserPort {
  /** Opens a file beside the conversation, as a preview that leaves the focus where it is. */
  showFile(path: string, range: Range | undefined): Promise<void>;
  /** Opens a diff in the same way, of two files, or of a file and a text that it could have. */
  showDiff(before: string, after: { readonly path: string } | { readonly text: string }): Promise<void>;
  textOf(path: string): Promise<string>;
  /** False for a file that is protected from the session's agent. */
  mayRead(session: ToolSession, file: string): Promise<boolean>;
  /** Asks on a card of the session's conversation. Withdraws the question when the signal aborts. */
  ask(sessionKey: string, question: UserQuestion, signal: AbortSignal): Promise<UserAnswer>;
}

const fileInput = z.object({
  ...positionFields,
  endLine: z.int().min(1).optional().describe('1-based line where the highlighted lines end. Default: the line of the position.'),
});
const diffInput = z.object({
  file: fileField.describe('The file on the left side.'),
  other: fileField.optional().describe('The file on the right side. Give other or text.'),
  text: z
    .string()
    .max(1_000_000)
    .optional()
    .describe('The text on the right side: the whole content that the file could have. It is not written.'),
});
const askInput = z.object({
  question: z.string().min(1).max(4000),
  options: z
    .array(
      z.union([z.string().min(1).max(300), z.object({ label: z.string().min(1).max(300), description: z.string().max(1000).optional() })]),
    )
    .max(20)
    .optional()
    .describe('The answers to choose from. Leave them out for free text.'),
  allowsSeveral: z.boolean().optional().describe('True: the user may choose several options. Default: false.'),
  allowsText: z.boolean().optional().describe('True: the user may also write an answer. Default: true without options, otherwise false.'),
});

/** The time in ms after which the agent is notified again that the user has not answered, so that its own time limit does not end the call. */
const REMIND_MS = 15_000;

export function userTools(port: UserPort): readonly EditorTool[] {
  return withRetries([
    editorTool({
      name: 'show_file',
      category: 'user',
      title: 'Show a file',
      description: 'Opens a file for the user to look at, at a position or at the top, without taking the focus. It changes nothing.',
      isReadOnly: true,
      input: fileInput,
      timeout: 15_000,
      run: (input, context) => showFile(port, input, context),
    }),
    editorTool({
      name: 'show_diff',
      category: 'user',
      title: 'Show a diff',
      description: 'Opens a diff for the user to look at: of two files, or of a file and a text that it could have. It writes nothing.',
      isReadOnly: true,
      input: diffInput,
      timeout: 15_000,
      run: (input, context) => showDiff(port, input, context),
    }),
    editorTool({
      name: 'ask_user',
      category: 'user',
      title: 'Ask the user',
      description:
        'Asks the user a question in the conversation, with options, free text, or both, and waits for the answer. The user may decline it or dismiss it.',
      isReadOnly: true,
      input: askInput,
      timeout: 1_800_000,
      run: (input, context) => askUser(port, input, context),
    }),
  ]);
}

async function showFile(port: UserPort, input: z.output<typeof fileInput>, { session, signal }: ToolContext): Promise<ToolAnswer> {
  const files = await SessionFiles.of(session.roots);
  const file = await files.resolve(input.file, 'file');
  const { symbol, lineText, line, column, endLine } = input;
  let range: Range | undefined;
  if (symbol !== undefined || lineText !== undefined || line !== undefined) {
    const text = await textForPosition(port, session, file, input);
    const hasColumn = symbol !== undefined || column !== undefined;
    const start = locate(text, hasColumn ? input : { ...input, column: line === undefined ? undefined : 1 }, file.shown);
    const lines = splitLines(text);
    const last = Math.min(Math.max(endLine ?? start.line + 1, start.line + 1), lines.length) - 1;
    range = { start, end: { line: last, character: last === start.line && endLine === undefined ? start.character : lines[last]!.length } };
  }
  await unlessAborted(port.showFile(file.path, range), signal);
  const where = range ? `:${range.start.line + 1}` : '';
  return { text: `Opened ${file.shown}${where} for the user.`, data: { file: file.shown, line: range ? range.start.line + 1 : null } };
}

async function showDiff(
  port: UserPort,
  { file: name, other, text }: z.output<typeof diffInput>,
  context: ToolContext,
): Promise<ToolAnswer> {
  if ((other === undefined) === (text === undefined)) {
    throw new RetryError('Give other (a file) or text (the whole content), and not both.');
  }
  const files = await SessionFiles.of(context.session.roots);
  const before = await files.resolve(name, 'file');
  const after = other === undefined ? undefined : await files.resolve(other, 'file');
  await unlessAborted(port.showDiff(before.path, after ? { path: after.path } : { text: text! }), context.signal);
  return {
    text: `Opened the diff of ${before.shown} and ${after?.shown ?? 'the given text'} for the user.`,
    data: { file: before.shown, other: after?.shown ?? null },
  };
}

async function askUser(port: UserPort, input: z.output<typeof askInput>, context: ToolContext): Promise<ToolAnswer> {
  const options = (input.options ?? []).map((each) =>
    typeof each === 'string' ? { label: each, description: undefined } : { label: each.label, description: each.description },
  );
  if (new Set(options.map(({ label }) => label)).size < options.length) {
    throw new RetryError('Two options are equal. Give each option another label.');
  }
  const question: UserQuestion = {
    message: input.question,
    options,
    allowsSeveral: input.allowsSeveral ?? false,
    allowsText: options.length === 0 || (input.allowsText ?? false),
  };
  const started = Date.now();
  const reminder = setInterval(
    () => context.progress(Math.round((Date.now() - started) / 1000), undefined, 'Waiting for the user'),
    REMIND_MS,
  );
  const answer = await port.ask(context.session.key, question, context.signal).finally(() => clearInterval(reminder));
  if (context.timedOut) {
    return {
      text: 'The user has not answered yet. Continue without the answer, or ask in the conversation.',
      data: { action: 'none', timedOut: true },
    };
  }
  if (answer.action !== 'answered') {
    const text = {
      declined: 'The user declined to answer.',
      cancelled: 'The question was dismissed without an answer.',
      unavailable: 'The user cannot be asked in this session. Ask in the conversation.',
    }[answer.action];
    return { text, data: { action: answer.action }, ...(answer.action === 'unavailable' && { isError: true }) };
  }
  const { options: chosen, text } = answer;
  const rows = [
    ...(chosen.length === 0 ? [] : [`The user chose: ${chosen.map((each) => previewOf(each)).join(', ')}`]),
    ...(text === undefined || text === '' ? [] : [`The user wrote: ${bounded(text)}`]),
  ];
  return {
    text: rows.length === 0 ? 'The user gave an empty answer.' : rows.join('\n'),
    data: { action: 'answered', options: chosen, text: text === undefined ? null : bounded(text) },
  };
}
