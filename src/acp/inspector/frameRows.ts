/** Describes each entry of a trace as a row of the inspector. Created only for a viewer. Reads only the outer members of a frame. */
import type { FrameRow } from '../../core/inspector/inspectorPage';
import { oneLine } from '../../text/characters/textSafety';
import { membersOf } from '../json/source';
import { LineRedaction } from '../redaction/lineRedaction';
import type { Redaction } from '../redaction/redact';
import { carried, wordsOf } from '../proxies/proxyMethods';
import type { TraceEntry } from '../trace/trace';

/** UTF-16 units of a frame that a row shows, of those that are redacted before, and of a name. */
const EXCERPT = 160;
const LOOKED_AT = 4096;
const MAX_NAME = 100;
/** The most requests without an answer, for each direction. */
const MAX_OPEN = 2000;

interface OpenRequest {
  readonly row: FrameRow;
  readonly method: string;
}

/** Reads one trace from its beginning, because an answer is described by its request. */
export class FrameRows {
  private readonly open = { a2c: new Map<string, OpenRequest>(), c2a: new Map<string, OpenRequest>() };
  private readonly stderr: LineRedaction;
  private readonly noise: LineRedaction;
  /** The version of the protocol, once the answer to `initialize` has named it. */
  version: 1 | 2 = 1;

  /** @param hop the index of the program of a chain whose connection the trace is about */
  constructor(
    private readonly redaction: Redaction,
    private readonly hop?: number,
  ) {
    this.stderr = new LineRedaction(redaction);
    this.noise = new LineRedaction(redaction);
  }

  row(entry: TraceEntry): FrameRow {
    const { order: id, at, kind, text, length } = entry;
    const cut = length !== text.length;
    const base = { id, at, ...(this.hop !== undefined && { hop: this.hop }), isSent: kind === 'c2a' };
    switch (kind) {
      case 'a2c':
      case 'c2a':
        return this.frame(entry, kind, { ...base, bytes: Buffer.byteLength(text) + length - text.length });
      case 'stderr':
      case 'noise':
        return { ...base, kind, bytes: length, text: oneLine(this[kind].line(text.slice(0, LOOKED_AT)), EXCERPT) };
      case 'skipped':
        return { ...base, kind, bytes: length, text: this.excerpt(text, false, true, []) };
      case 'note':
        return { ...base, kind, bytes: length, text: oneLine(this.redaction.text(text.slice(0, LOOKED_AT)), EXCERPT + (cut ? 1 : 0)) };
    }
  }

  private frame(entry: TraceEntry, direction: 'a2c' | 'c2a', base: Omit<FrameRow, 'kind' | 'text'>): FrameRow {
    const { text, length } = entry;
    const cut = length !== text.length;
    const members = membersOf(text);
    const method = stringOf(members.get('method'));
    const rpcId = members.get('id');
    const named = { ...base, ...(rpcId !== undefined && { rpcId: oneLine(rpcId, MAX_NAME) }) };
    const isFromClient = direction === 'c2a';
    if (method === undefined) {
      return this.answer(named, direction, members, rpcId, this.excerpt(text, isFromClient, cut, ['error', 'result']), entry);
    }
    const inner = innerMessage(method, members.get('params'));
    const params = membersOf(inner.params ?? '');
    const sessionId = stringOf(params.get('sessionId'));
    const about = stringOf(membersOf(params.get('update') ?? '').get('sessionUpdate'));
    const row: FrameRow = {
      ...named,
      kind: rpcId === undefined ? 'notification' : 'request',
      method: this.name(inner.method === method ? method : `${method} ${inner.method}`),
      ...(about !== undefined && { about: this.name(about) }),
      ...(sessionId !== undefined && { sessionId: this.name(sessionId) }),
      text: this.excerpt(text, isFromClient, cut, ['params', about === undefined ? '' : 'update']),
    };
    if (rpcId !== undefined) {
      this.asked(direction, rpcId, { row, method: inner.method });
    }
    return row;
  }

  private answer(
    base: Omit<FrameRow, 'kind' | 'text'>,
    direction: 'a2c' | 'c2a',
    members: ReadonlyMap<string, string | undefined>,
    rpcId: string | undefined,
    text: string,
    entry: TraceEntry,
  ): FrameRow {
    const request = rpcId === undefined ? undefined : this.answered(direction, rpcId);
    const error = members.get('error') ?? 'null';
    const result = membersOf(members.get('result') ?? '');
    if (request && request.method.endsWith('initialize')) {
      this.version = result.get('protocolVersion') === '2' ? 2 : 1;
    }
    const sessionId = request?.row.sessionId ?? stringOf(result.get('sessionId'));
    return {
      ...base,
      kind: error === 'null' ? 'answer' : 'error',
      ...(request?.row.method !== undefined && { method: request.row.method, request: request.row.id }),
      ...(request && { ms: Math.max(0, entry.at - request.row.at) }),
      ...(sessionId !== undefined && { sessionId: this.name(sessionId) }),
      text,
    };
  }

  /** A name that the sender has chosen. */
  private name(text: string): string {
    return oneLine(this.redaction.text(text.slice(0, LOOKED_AT)), MAX_NAME);
  }

  private asked(direction: 'a2c' | 'c2a', id: string, request: OpenRequest): void {
    const open = this.open[direction];
    open.delete(id);
    if (open.size >= MAX_OPEN) {
      open.delete(open.keys().next().value!);
    }
    open.set(id, request);
  }

  private answered(direction: 'a2c' | 'c2a', id: string): OpenRequest | undefined {
    const open = this.open[direction === 'a2c' ? 'c2a' : 'a2c'];
    // Some agents answer a request with a numeric id by a string.
    const key = open.has(id) ? id : (stringOf(id) ?? id);
    const request = open.get(key);
    open.delete(key);
    return request;
  }

  /** Returns the beginning of the first of these members that is there, in the order of their depth. */
  private excerpt(text: string, fromClient: boolean, cut: boolean, path: readonly string[]): string {
    const isLong = cut || text.length > LOOKED_AT;
    let shown = this.redaction.frame(text.slice(0, LOOKED_AT), { fromClient: fromClient || this.hop !== undefined, cut: isLong });
    for (const name of path) {
      const members = membersOf(shown);
      shown = members.get(name) ?? (isLong ? shown.split(`"${name}":`, 2)[1] : undefined) ?? shown;
    }
    return oneLine(shown, EXCERPT);
  }
}

/** Returns the message that a proxy sends to or gets from its successor, or the message itself. */
export function innerMessage(
  method: string,
  params: string | undefined,
): { readonly method: string; readonly params?: string | undefined } {
  const words = wordsOf(method);
  return (words && carried(params, words)) ?? { method, params };
}

/** The text of a JSON string literal. */
function stringOf(literal: string | undefined): string | undefined {
  return literal?.startsWith('"') ? (JSON.parse(literal) as string) : undefined;
}
