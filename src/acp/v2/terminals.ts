/** Decodes the agent's own terminals (protocol v2 page "Tool Calls", section "Terminals"): their output is bytes in base64. */
import { StringDecoder } from 'node:string_decoder';
import type { ExitStatus } from '../../core/model/content';
import type { EventInput } from '../../core/model/event';
import { MAX_TERMINAL_SIZE, type TerminalSize } from '../../core/model/terminalSize';
import { type Fields, isPresent, isRecord, keep, misfits, restOf, textOf, withRest } from '../json/fields';
import { rest } from '../v1/statelessUpdates';
import { isPlainCancel } from '../v1/subagents';

type TerminalEvent = Extract<EventInput, { readonly type: 'terminal_update' }>;
type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Terminals whose unfinished characters are remembered. */
const MAX_TERMINALS = 1000;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

const UPDATE: ReadonlySet<string> = new Set([
  ...['sessionUpdate', 'terminalId', 'command', 'cwd', 'output', 'exitStatus', 'size', 'capabilities'],
]);
const EXIT: ReadonlySet<string> = new Set(['exitCode', 'signal', 'malformed']);
const OUTPUT: ReadonlySet<string> = new Set(['data']);
const SIZE: ReadonlySet<string> = new Set(['cols', 'rows']);
const CHUNK: ReadonlySet<string> = new Set(['sessionUpdate', 'terminalId', 'data']);

export class Terminals {
  /** A character may be cut between two chunks. */
  private readonly decoders = new Map<string, StringDecoder>();

  /** Undefined for an update that cannot be read. */
  decode(kind: 'terminal_update' | 'terminal_output_chunk', update: Fields): EventInput | undefined {
    const { terminalId } = update;
    if (typeof terminalId !== 'string') {
      return undefined;
    }
    return kind === 'terminal_update' ? this.update(terminalId, update) : this.chunk(terminalId, update);
  }

  private chunk(terminalId: string, update: Fields): EventInput | undefined {
    const bytes = bytesOf(update.data);
    return bytes && { type: 'terminal_output', terminalId, text: this.decoder(terminalId).write(bytes), ...rest(update, CHUNK) };
  }

  private update(terminalId: string, update: Fields): EventInput {
    const event: Writable<TerminalEvent> = { type: 'terminal_update', terminalId, ...rest(update, UPDATE) };
    let wrong: Record<string, unknown> | undefined;
    const take = <K extends keyof TerminalEvent>(
      name: string,
      field: K,
      decode: (value: unknown) => TerminalEvent[K] | undefined,
    ): void => {
      const value = update[name];
      const decoded = value === null ? null : value === undefined ? undefined : decode(value);
      if (decoded !== undefined) {
        event[field] = decoded as TerminalEvent[K];
      } else if (isPresent(value)) {
        wrong = keep(wrong, name, value);
      }
    };
    take('command', 'command', textOf);
    take('cwd', 'cwd', textOf);
    take('size', 'size', sizeOf);
    take('exitStatus', 'exitStatus', exitOf);
    take('output', 'output', (value) => {
      const bytes = isRecord(value) ? bytesOf(value.data) : undefined;
      if (!bytes) {
        return undefined;
      }
      this.decoders.delete(terminalId);
      return this.decoder(terminalId).write(bytes);
    });
    take('capabilities', 'canCancel', (value) => (isRecord(value) && isRecord(value.cancel) ? true : null));
    if (update.output === null) {
      this.decoders.delete(terminalId);
    }
    if (isPresent(update.capabilities) && !isPlainCancel(update.capabilities)) {
      wrong = keep(wrong, 'capabilities', update.capabilities);
    }
    for (const [name, known] of [['output', OUTPUT] as const, ['size', SIZE] as const]) {
      const value = update[name];
      // A value that cannot be read is kept already.
      const more = isRecord(value) && isPresent(event[name]) ? restOf(value, known) : undefined;
      wrong = more ? keep(wrong, name, more) : wrong;
    }
    return wrong ? { ...event, extra: { ...event.extra, ...wrong } } : event;
  }

  private decoder(terminalId: string): StringDecoder {
    const known = this.decoders.get(terminalId);
    if (known) {
      return known;
    }
    if (this.decoders.size >= MAX_TERMINALS) {
      this.decoders.delete(this.decoders.keys().next().value!);
    }
    const decoder = new StringDecoder('utf8');
    this.decoders.set(terminalId, decoder);
    return decoder;
  }
}

function bytesOf(data: unknown): Buffer | undefined {
  return typeof data === 'string' && BASE64.test(data) ? Buffer.from(data, 'base64') : undefined;
}

/** An exit status without a code and a signal still means that the command has ended. */
function exitOf(raw: unknown): ExitStatus | undefined {
  if (!isRecord(raw)) {
    return undefined;
  }
  const { exitCode } = raw;
  const signal = textOf(raw.signal);
  const isCode = Number.isFinite(exitCode);
  const status = {
    ...(isCode && { exitCode: exitCode as number }),
    ...(signal !== undefined && { signal }),
    ...misfits(raw, isCode ? ['signal'] : ['exitCode', 'signal']),
  };
  return withRest(status, raw, EXIT);
}

function sizeOf(raw: unknown): TerminalSize | undefined {
  const { cols, rows } = isRecord(raw) ? raw : {};
  return isLength(cols) && isLength(rows) ? { columns: cols, rows } : undefined;
}

function isLength(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= MAX_TERMINAL_SIZE;
}
