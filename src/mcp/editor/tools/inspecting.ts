/** The tools that read a stopped program: stack, scopes with variables, and expressions. */
import { z } from 'zod';
import { fitting } from '../answer';
import { bounded, startOf, unlessAborted, withRetries } from '../answerText';
import type { DebugPort } from '../debugging/debugPort';
import { Inspection, type Variable } from '../debugging/inspection';
import { cursorField } from '../list';
import { type EditorTool, editorTool, type ToolAnswer, type ToolContext } from '../tool';
import { sessionField, threadField } from './debugging';

const FRAME_PAGE = 20;
const VARIABLE_PAGE = 50;
/** The variables of each scope that are answered with it. */
const SCOPE_VARIABLES = 30;
/** Bytes of the variables of all scopes. */
const MAX_SCOPES_SIZE = 14 * 1024;
const TIMEOUT = 20_000;

const frameField = z.int().min(0).max(10_000).optional().describe('The number of a frame, from stack. Default: 0, the innermost.');
const stackInput = z.object({ session: sessionField, thread: threadField, cursor: cursorField });
const scopesInput = z.object({
  session: sessionField,
  thread: threadField,
  frame: frameField,
  reference: z
    .int()
    .min(1)
    .optional()
    .describe('Answers the members of a value instead: its {reference} from an answer since the last stop.'),
  cursor: cursorField.describe('With reference: the nextCursor of the answer before.'),
});
const evaluateInput = z.object({
  expression: z.string().min(1).max(10_000).describe("In the program's language."),
  session: sessionField,
  thread: threadField,
  frame: frameField,
});

export function inspectingTools(port: DebugPort): readonly EditorTool[] {
  const inspection = new Inspection(port);
  return withRetries([
    editorTool({
      name: 'stack',
      category: 'debugging',
      title: 'Read the stack',
      description: 'Answers the stack of a stopped program: number, function, file:line and the text of the line.',
      isReadOnly: true,
      input: stackInput,
      timeout: TIMEOUT,
      run: (input, context) => inTime(stack(inspection, input, context), context),
    }),
    editorTool({
      name: 'scopes',
      category: 'debugging',
      title: 'Read variables',
      description:
        'Answers the scopes of a stack frame with their variables, or the members of one value by its reference. A value with members has its ' +
        '{reference} behind it.',
      isReadOnly: true,
      input: scopesInput,
      timeout: TIMEOUT,
      run: (input, context) => inTime(scopes(inspection, input), context),
    }),
    editorTool({
      name: 'evaluate',
      category: 'debugging',
      title: 'Evaluate an expression',
      description: 'Evaluates an expression in a frame of a stopped program. It runs code of the program, so it may change its state.',
      isReadOnly: false,
      input: evaluateInput,
      timeout: TIMEOUT,
      run: (input, context) => inTime(evaluate(inspection, input), context),
    }),
  ]);
}

/** Answers without the result when the debug adapter takes too long. */
async function inTime(answer: Promise<ToolAnswer>, { signal, timedOut }: ToolContext): Promise<ToolAnswer> {
  return (
    (await unlessAborted(answer, signal)) ?? {
      text: 'The debugger has not answered in time. See debug_state, or use step with pause.',
      data: { timedOut: timedOut || signal.aborted },
    }
  );
}

async function stack(inspection: Inspection, input: z.output<typeof stackInput>, context: ToolContext): Promise<ToolAnswer> {
  const start = startOf(input.cursor);
  const session = inspection.sessionOf(input.session);
  const { frames, total, threadId } = await inspection.frames(session, input.thread, start, FRAME_PAGE);
  const rows = await Promise.all(
    frames.map(async (frame) => ({ index: frame.index, name: frame.name, place: await inspection.place(context.session, frame) })),
  );
  const texts = rows.map(({ index, name, place }) => `#${index} ${name} ${place}`);
  const count = fitting(texts);
  const isCut = count > 0 && start + count < total;
  const nextCursor = isCut ? String(start + count) : undefined;
  const head = `Thread ${threadId} of ${session.id}, ${total} frames:`;
  const text = rows.length === 0 ? ['No frames.'] : [head, ...texts.slice(0, count)];
  return {
    text: text.join('\n'),
    data: { session: session.id, thread: threadId, total, frames: rows.slice(0, count) },
    ...(nextCursor !== undefined && { nextCursor }),
  };
}

async function scopes(inspection: Inspection, input: z.output<typeof scopesInput>): Promise<ToolAnswer> {
  const session = inspection.sessionOf(input.session);
  if (input.reference !== undefined) {
    const start = startOf(input.cursor);
    const { items, total } = await inspection.variables(session, input.reference, start, VARIABLE_PAGE);
    const texts = items.map(row);
    const count = fitting(texts);
    const next = start + count;
    const nextCursor = count > 0 && next < total ? String(next) : undefined;
    const text = items.length === 0 ? ['No members.'] : [`${total} members:`, ...texts.slice(0, count)];
    return {
      text: text.join('\n'),
      data: { total, variables: items.slice(0, count) },
      ...(nextCursor !== undefined && { nextCursor }),
    };
  }
  const frame = await inspection.frame(session, input.thread, input.frame ?? 0);
  const found = await inspection.scopes(session, frame, SCOPE_VARIABLES);
  const share = MAX_SCOPES_SIZE / Math.max(1, found.filter(({ variables }) => variables).length);
  const rows = found.flatMap(({ name, reference, variables }) => {
    const all = (variables?.items ?? []).map((each) => `  ${row(each)}`);
    const count = fitting(all, share);
    const left = (variables?.total ?? 0) - count;
    return [
      `${name}${variables ? ':' : reference === 0 ? ': empty' : `: read it with reference ${reference}`}`,
      ...all.slice(0, count),
      ...(left > 0 ? [`  … ${left} more: reference ${reference}, cursor "${count}"`] : []),
    ];
  });
  const data = found.map(({ name, reference, variables }) => ({
    name,
    reference,
    variables: variables?.items ?? [],
    total: variables?.total ?? null,
  }));
  return { text: [`#${frame.index} ${frame.name}`, ...rows].join('\n'), data: { frame: frame.index, scopes: data } };
}

async function evaluate(inspection: Inspection, input: z.output<typeof evaluateInput>): Promise<ToolAnswer> {
  const session = inspection.sessionOf(input.session);
  const frame = session.state === 'running' ? undefined : await inspection.frame(session, input.thread, input.frame ?? 0);
  const { value, type, reference } = await inspection.evaluate(session, frame, input.expression);
  const suffix = `${type === undefined ? '' : ` (${type})`}${reference > 0 ? ` {${reference}}` : ''}`;
  return { text: `${bounded(value, 16 * 1024)}${suffix}`, data: { value: bounded(value, 16 * 1024), type: type ?? null, reference } };
}

function row({ name, type, value, reference }: Variable): string {
  return `${name}${type === undefined ? '' : `: ${type}`} = ${value}${reference > 0 ? ` {${reference}}` : ''}`;
}
