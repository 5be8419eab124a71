/**
 * Decodes terminals that an agent runs itself and reports in a tool call's `_meta` (claude-agent-acp, codex-acp, pi). `terminal_info` announces one,
 * `terminal_output` and `terminal_output_delta` report its output, `terminal_exit` ends it.
 */
import type { EventInput, ToolCallPatch } from '../../core/model/event';
import type { Fields } from '../json/fields';
import { isFinalStatus } from '../../core/model/state';
import { isRecord, textOf } from '../json/fields';

export interface AgentTerminals {
  readonly events: EventInput[];
  /** Other fields of `_meta`; undefined when there are none. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

const KEYS = ['terminal_info', 'terminal_output', 'terminal_output_delta', 'terminal_exit'] as const;

/**
 * Undefined when `meta` contains no terminal.
 * @param isOurs an agent must not overwrite a terminal that the client runs
 * @param replaces true when `terminal_output` is the whole output so far
 */
export function agentTerminals(
  meta: Fields,
  patch: ToolCallPatch,
  isOurs: (terminalId: string) => boolean,
  replaces: boolean,
): AgentTerminals | undefined {
  let events: EventInput[] | undefined;
  let rest: Record<string, unknown> | undefined;
  for (const key of KEYS) {
    const raw = meta[key];
    const terminalId = isRecord(raw) ? textOf(raw.terminal_id) : undefined;
    if (!isRecord(raw) || terminalId === undefined || isOurs(terminalId)) {
      continue;
    }
    const event =
      key === 'terminal_info'
        ? announced(terminalId, raw, patch)
        : key === 'terminal_exit'
          ? exited(terminalId, raw)
          : output(terminalId, raw, replaces && key === 'terminal_output');
    if (event) {
      (events ??= []).push(event);
      rest ??= { ...meta };
      if (isUnderstood(raw)) {
        delete rest[key];
      }
    }
  }
  return events && { events: events, ...(rest && Object.keys(rest).length > 0 && { meta: rest }) };
}

function announced(terminalId: string, raw: Fields, patch: ToolCallPatch): EventInput {
  const cwd = textOf(raw.cwd);
  const command = (isRecord(patch.rawInput) ? textOf(patch.rawInput.command) : undefined) ?? patch.title ?? undefined;
  return { type: 'terminal_update', terminalId, ...(command !== undefined && { command }), ...(cwd !== undefined && { cwd }) };
}

function output(terminalId: string, raw: Fields, replaces: boolean): EventInput | undefined {
  const text = textOf(raw.data);
  if (text === undefined) {
    return undefined;
  }
  return replaces ? { type: 'terminal_update', terminalId, output: text } : { type: 'terminal_output', terminalId, text };
}

function exited(terminalId: string, raw: Fields): EventInput {
  const exitCode = typeof raw.exit_code === 'number' ? raw.exit_code : undefined;
  const signal = textOf(raw.signal);
  return {
    type: 'terminal_update',
    terminalId,
    exitStatus: { ...(exitCode !== undefined && { exitCode }), ...(signal !== undefined && { signal }) },
  };
}

const UNDERSTOOD = new Set(['terminal_id', 'cwd', 'data', 'exit_code', 'signal']);

function isUnderstood(raw: Fields): boolean {
  return Object.keys(raw).every((key) => UNDERSTOOD.has(key));
}

/** The most calls that are remembered, because an agent can create any number of ids. */
const MAX_CALLS = 1000;

/**
 * Shows output that an agent reports for a call without a terminal. codex-acp does so for commands that read and search. The output comes under the id
 * of the call.
 */
export class OutputOfCalls {
  /** The terminals that a call's content or `terminal_info` names. */
  private readonly named = new Set<string>();
  /** The calls that show their output although their content does not name it. */
  private readonly added = new Set<string>();

  /** The commands of announced terminals that have the id of their call. */
  private readonly announced = new Map<string, string>();
  /** The calls that have ended. */
  private readonly ended = new Set<string>();

  /** Returns the patch with the terminal of an earlier {@link add}, which the new content would remove. */
  keep(given: string, patch: ToolCallPatch): ToolCallPatch {
    if (typeof patch.status === 'string' && isFinalStatus(patch.status)) {
      remember(this.ended, given);
    }
    for (const content of patch.content ?? []) {
      if (content.type === 'terminal') {
        remember(this.named, content.terminalId);
      }
    }
    return patch.content && this.added.has(given) && !this.named.has(given)
      ? { ...patch, content: [...patch.content, { type: 'terminal', terminalId: given }] }
      : patch;
  }

  /**
   * Returns the event with the command of an announced terminal, once the call has it: claude-agent-acp announces the terminal before the input of the
   * call is complete.
   */
  command(given: string, { rawInput }: ToolCallPatch): EventInput[] {
    const command = isRecord(rawInput) ? textOf(rawInput.command) : undefined;
    if (command === undefined || !this.announced.has(given) || this.announced.get(given) === command) {
      return [];
    }
    this.announced.set(given, command);
    return [{ type: 'terminal_update', terminalId: given, command }];
  }

  /** Returns the event that ends the terminal of an earlier {@link add} with its call: the agent reports no exit of it. */
  end(given: string): EventInput[] {
    return this.added.has(given) && this.ended.has(given) && !this.named.has(given)
      ? [{ type: 'terminal_update', terminalId: given, released: true }]
      : [];
  }

  /**
   * Returns the event that adds the terminal to the call, when `events` are the first output of a call without one.
   * @param given the agent's id of the call, which is also that of its output
   */
  add(given: string, toolCallId: string, meta: Fields, events: readonly EventInput[]): EventInput[] {
    if (isRecord(meta.terminal_info)) {
      remember(this.named, given);
    }
    for (const event of events) {
      if (
        event.type === 'terminal_update' &&
        event.terminalId === given &&
        typeof event.command === 'string' &&
        this.announced.size < MAX_CALLS
      ) {
        this.announced.set(given, event.command);
      }
    }
    const isOutput = events.some(
      (event) =>
        (event.type === 'terminal_output' || (event.type === 'terminal_update' && event.output !== undefined)) &&
        event.terminalId === given,
    );
    if (!isOutput || this.named.has(given) || this.added.has(given)) {
      return [];
    }
    remember(this.added, given);
    return [{ type: 'tool_call_content_chunk', toolCallId, content: { type: 'terminal', terminalId: given } }];
  }
}

function remember(ids: Set<string>, id: string): void {
  if (ids.size >= MAX_CALLS && !ids.has(id)) {
    ids.delete(ids.values().next().value!);
  }
  ids.add(id);
}
