/** One call of a tool: its input checked, its time limited, its failures turned into answers. A tool that fails never ends the server. */
import type { ZodObject, core } from 'zod';
import type { EditorTool, ToolAnswer, ToolSession } from './tool';

/** A call as the conversation and the policy receive it. */
export interface RequestedCall {
  readonly tool: Pick<EditorTool, 'name' | 'title' | 'category' | 'isReadOnly'>;
  /** The arguments as the agent sent them. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Aborts when the agent cancels the call or the session ends. */
  readonly signal: AbortSignal;
}

/** A call that the session has taken note of. */
export interface AcceptedCall {
  /** Resolves when the tool may run. Resolves to a text for the model when it may not. */
  allowed(): Promise<string | undefined>;
  /** @param isCancelled true when the agent or the user ended the call */
  ended(answer: ToolAnswer, isCancelled: boolean): void;
}

export type OfferedTool = Pick<EditorTool, 'name' | 'title' | 'isReadOnly'>;

/** The session's side of a call: its place in the conversation, and its permission. */
export interface CallObserver {
  /** The tools that the agent gets, as they are at each time. */
  offers?(tools: () => readonly OfferedTool[]): void;
  begin(call: RequestedCall): AcceptedCall;
}

export interface ToolRun {
  readonly tool: EditorTool;
  readonly session: ToolSession;
  readonly observer: CallObserver;
  readonly input: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  progress(done: number, total: number | undefined, message: string): void;
}

export interface RunResult {
  readonly answer: ToolAnswer;
  /** True when the tool was stopped because its time had expired. */
  readonly timedOut: boolean;
}

/** ms; a tool that was stopped may still answer with what it has. */
const STOP_MS = 500;
/** ms between reports while the user decides. A client may give up on a call that reports nothing. */
const WAITING_MS = 10_000;
/** The most mistakes that one answer names. */
const MAX_MISTAKES = 10;
/** The most nested values of an input. */
const MAX_DEPTH = 64;

/** Runs a call. Rejects only when it was cancelled. */
export async function runTool({ tool, session, observer, input, signal, progress }: ToolRun): Promise<RunResult> {
  const isDeep = isDeeper(input, MAX_DEPTH);
  // The conversation writes the input as JSON, which such a one would exhaust the stack of.
  const call = observer.begin({ tool, input: isDeep ? {} : input, signal });
  const end = (answer: ToolAnswer, timedOut = false): RunResult => {
    call.ended(answer, signal.aborted);
    return { answer, timedOut };
  };
  try {
    const checked = isDeep ? { mistake: mistakeText(tool, [`it is nested deeper than ${MAX_DEPTH} values`]) } : checkInput(tool, input);
    if ('mistake' in checked) {
      return end({ text: checked.mistake, isError: true });
    }
    const refusal = await whileWaiting(call.allowed(), () => progress(0, undefined, 'Waiting for the user'));
    if (signal.aborted) {
      return end({ text: 'The call was cancelled.', isError: true });
    }
    if (refusal !== undefined) {
      return end({ text: refusal, isError: true });
    }
    const { answer, timedOut } = await limited({ tool, session, input: checked.value, signal, progress });
    return end(answer, timedOut);
  } catch (error) {
    return end({ text: failureText(tool, error), isError: true });
  }
}

async function limited({ tool, session, input, signal, progress }: Omit<ToolRun, 'observer'>): Promise<RunResult> {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const over = new AbortController();
  let timedOut = false;
  let timer: NodeJS.Timeout | undefined = undefined;
  const stopped = new Promise<'cancelled' | 'late'>((resolve) => {
    timer = setTimeout(() => {
      timedOut = true;
      stop.abort();
      timer = setTimeout(() => resolve('late'), STOP_MS);
    }, tool.timeout);
    signal.addEventListener('abort', () => resolve('cancelled'), { once: true, signal: over.signal });
  });
  const context = {
    session,
    signal: either,
    progress,
    get timedOut() {
      return timedOut;
    },
  };
  try {
    const answer = await Promise.race([
      // Without the wait, a tool that throws before its first promise would leave the timer.
      Promise.resolve().then(() => tool.run(input, context)),
      stopped,
    ]);
    return typeof answer === 'string' ? { answer: { text: '', isError: answer === 'cancelled' }, timedOut } : { answer, timedOut };
  } catch (error) {
    if (timedOut) {
      return { answer: { text: '' }, timedOut };
    }
    throw error;
  } finally {
    clearTimeout(timer);
    over.abort();
  }
}

/** Calls `report` from time to time until `wanted` is settled. */
async function whileWaiting<T>(wanted: Promise<T>, report: () => void): Promise<T> {
  const timer = setInterval(report, WAITING_MS);
  try {
    return await wanted;
  } finally {
    clearInterval(timer);
  }
}

const strict = new WeakMap<EditorTool, ZodObject>();

/** The input's schema without further members: a model that misspells an optional one must learn it. */
export function inputOf(tool: EditorTool): ZodObject {
  const known = strict.get(tool) ?? (tool.inputSchema ? tool.input : tool.input.strict());
  strict.set(tool, known);
  return known;
}

/** Returns the checked input, or the mistakes as a text for the model. */
export function checkInput(
  tool: EditorTool,
  input: Readonly<Record<string, unknown>>,
): { readonly value: Record<string, unknown> } | { readonly mistake: string } {
  const parsed = inputOf(tool).safeParse(input);
  return parsed.success
    ? { value: parsed.data }
    : { mistake: mistakeText(tool, parsed.error.issues.slice(0, MAX_MISTAKES).map(issueText)) };
}

function mistakeText(tool: EditorTool, mistakes: readonly string[]): string {
  const members = Object.keys(tool.input.shape).join(', ');
  const known = members === '' ? 'The tool takes no input.' : `The members are: ${members}.`;
  return `Invalid input for ${tool.name}: ${mistakes.join('; ')}. ${known} Correct the input and call the tool again.`;
}

function issueText({ path, message }: core.$ZodIssue): string {
  const at = path.map(String).join('.').slice(0, 200);
  const what = message.slice(0, 300);
  return at === '' ? what : `${at}: ${what}`;
}

/** True when the value is nested deeper. Not recursive: the input may be made to exhaust the stack. */
function isDeeper(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) {
      return true;
    }
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return false;
}

function failureText(tool: EditorTool, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return `The tool ${tool.name} failed: ${message.slice(0, 2000)}`;
}
