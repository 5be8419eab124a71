/**
 * Decodes terminals that an agent runs itself and reports in a tool call's `_meta` (seen in codex-acp and pi, which follow Zed). `terminal_info`
 * announces one, `terminal_output` and `terminal_output_delta` both append to it, `terminal_exit` ends it.
 */
import type { EventInput, ToolCallPatch } from '../../core/model/event';
import type { Fields } from '../json/fields';
import { isRecord, textOf } from '../json/fields';

export interface AgentTerminals {
  readonly events: EventInput[];
  /** Other fields of `_meta`; undefined when there are none. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

const KEYS = ['terminal_info', 'terminal_output', 'terminal_output_delta', 'terminal_exit'] as const;

/** Undefined when `meta` contains no terminal. `isOurs`: an agent must not overwrite a terminal that the client runs. */
export function agentTerminals(meta: Fields, patch: ToolCallPatch, isOurs: (terminalId: string) => boolean): AgentTerminals | undefined {
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
          : output(terminalId, raw);
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

function output(terminalId: string, raw: Fields): EventInput | undefined {
  const text = textOf(raw.data);
  return text === undefined ? undefined : { type: 'terminal_output', terminalId, text };
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
