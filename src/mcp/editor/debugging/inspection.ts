/** Stack frames, scopes and variables of a stopped program, read through the debug adapter. */
import { SessionFiles } from '../files';
import { previewOf, splitLines } from '../position';
import { RetryError } from '../retry';
import type { ToolSession } from '../tool';
import type { DebugPort } from './debugPort';
import { type DebugSessionInfo, recordOf } from './debugSessions';

export interface Frame {
  /** The adapter's id, valid until the program continues. */
  readonly id: number;
  readonly index: number;
  readonly name: string;
  /** The file, or the adapter's name of a source without a file. */
  readonly source: string | undefined;
  readonly path: string | undefined;
  readonly line: number;
  readonly column: number;
}

export interface Variable {
  readonly name: string;
  readonly value: string;
  readonly type: string | undefined;
  /** Above 0 for a value with members. */
  readonly reference: number;
}

export interface Variables {
  readonly items: readonly Variable[];
  readonly total: number;
}

const MAX_VALUE = 300;
/** Above this number of elements an adapter is asked for a part of them only. */
const MAX_AT_ONCE = 1000;

const MAX_ANNOUNCED = 100_000;

/** The numbers of elements of values that an adapter has announced, by session and reference. */
type Counts = Map<string, { readonly named: number; readonly indexed: number }>;

export class Inspection {
  private readonly counts: Counts = new Map();
  /** The references in answers. Reading another one may run code: an adapter evaluates a getter when its reference is read. */
  private readonly announced = new Set<string>();

  constructor(private readonly port: DebugPort) {}

  /**
   * Returns the session that is meant: by its id, or the one that stopped last, or the one in front, or the newest.
   * @throws RetryError
   */
  sessionOf(id: string | undefined): DebugSessionInfo {
    const all = this.port.sessions().all.filter(({ state }) => state !== 'ended');
    if (id !== undefined) {
      const found = all.find((each) => each.id === id);
      if (!found) {
        const known = all.map((each) => `${each.id} (${each.name})`).join(', ');
        throw new RetryError(
          `There is no debug session ${id}. ${known === '' ? 'None is running. Use start_debugging.' : `There are: ${known}.`}`,
        );
      }
      return found;
    }
    const stopped = all.filter(({ state }) => state === 'stopped').toSorted((a, b) => (b.stop?.revision ?? 0) - (a.stop?.revision ?? 0))[0];
    const found = stopped ?? all.find(({ key }) => key === this.port.activeKey()) ?? all.at(-1);
    if (!found) {
      throw new RetryError('No program is being debugged. Use start_debugging.');
    }
    return found;
  }

  async threads({ key }: DebugSessionInfo): Promise<readonly { readonly id: number; readonly name: string }[]> {
    const { threads } = recordOf(await this.port.request(key, 'threads', {}));
    return listOf(threads).flatMap(({ id, name }) =>
      typeof id === 'number' ? { id, name: typeof name === 'string' ? name : String(id) } : [],
    );
  }

  /** Returns the frames from `start`, and the number of all frames as far as the adapter says it. @throws RetryError when the program runs */
  async frames(session: DebugSessionInfo, thread: number | undefined, start: number, count: number) {
    const threadId = thread ?? session.stop?.threadId ?? (await this.threads(session))[0]?.id;
    if (threadId === undefined) {
      throw new RetryError(`${session.name} has no threads yet.`);
    }
    const answer = recordOf(await this.ask(session, 'stackTrace', { threadId, startFrame: start, levels: count }));
    const all = listOf(answer['stackFrames']);
    // Some adapters ignore `startFrame` and `levels`.
    const page = all.length > count ? all.slice(start, start + count) : all;
    const total = typeof answer['totalFrames'] === 'number' ? answer['totalFrames'] : start + page.length;
    return { threadId, total: Math.max(total, start + page.length), frames: page.map((frame, at) => this.frameOf(frame, start + at)) };
  }

  /** @throws RetryError when there is no such frame */
  async frame(session: DebugSessionInfo, thread: number | undefined, index: number): Promise<Frame> {
    const { frames } = await this.frames(session, thread, index, 1);
    const [frame] = frames;
    if (!frame) {
      throw new RetryError(`There is no frame ${index}. See stack.`);
    }
    return frame;
  }

  /** The scopes of a frame. Expensive ones, such as the global one, have no variables here. */
  async scopes(session: DebugSessionInfo, { id }: Frame, limit: number) {
    const { scopes } = recordOf(await this.ask(session, 'scopes', { frameId: id }));
    return Promise.all(
      listOf(scopes).map(async (scope) => {
        const reference = this.announce(session, scope);
        const isExpensive = scope['expensive'] === true;
        const variables = isExpensive || reference === 0 ? undefined : await this.variables(session, reference, 0, limit);
        return { name: typeof scope['name'] === 'string' ? scope['name'] : 'scope', reference, variables };
      }),
    );
  }

  /**
   * Returns the members of a value from `start`. The adapter is asked for this part of a long array only.
   * @throws RetryError for a reference that no answer has
   */
  async variables(session: DebugSessionInfo, reference: number, start: number, limit: number): Promise<Variables> {
    if (!this.announced.has(keyOf(session, reference))) {
      throw new RetryError(`No answer since the last stop has the reference ${reference}. Read scopes again.`);
    }
    const counts = this.counts.get(keyOf(session, reference));
    if (counts && counts.indexed > MAX_AT_ONCE) {
      const read = (args: Readonly<Record<string, unknown>>) => this.ask(session, 'variables', { variablesReference: reference, ...args });
      const end = Math.min(start + limit, counts.indexed);
      const indexed = start < end ? await read({ filter: 'indexed', start, count: end - start }) : undefined;
      const named = end === counts.indexed && counts.named > 0 ? await read({ filter: 'named' }) : undefined;
      // The other members follow the elements.
      const before = Math.max(0, start - counts.indexed);
      const others = listOf(recordOf(named)['variables']).slice(before, before + limit);
      const items = [...listOf(recordOf(indexed)['variables']).slice(0, limit), ...others];
      return { items: items.map((each) => this.variable(session, each)), total: counts.indexed + counts.named };
    }
    const { variables } = recordOf(await this.ask(session, 'variables', { variablesReference: reference }));
    const all = listOf(variables);
    return { items: all.slice(start, start + limit).map((each) => this.variable(session, each)), total: all.length };
  }

  async evaluate(session: DebugSessionInfo, frame: Frame | undefined, expression: string) {
    const args = { expression, ...(frame && { frameId: frame.id }), context: 'repl' };
    const answer = recordOf(await this.ask(session, 'evaluate', args));
    const { result, type } = answer;
    return {
      value: typeof result === 'string' ? result : '',
      type: typeof type === 'string' ? type : undefined,
      reference: this.announce(session, answer),
    };
  }

  /** Returns a frame's place with the text of its line. */
  async place(toolSession: ToolSession, frame: Frame): Promise<string> {
    if (frame.path === undefined) {
      return `${frame.source ?? 'unknown source'}:${frame.line}`;
    }
    const files = await SessionFiles.of(toolSession.roots);
    const shown = `${files.shown(frame.path)}:${frame.line}`;
    const isOurs = (await files.realInside(frame.path)) !== undefined && (await this.port.mayRead(toolSession, frame.path));
    const text = isOurs ? await this.port.textOf(frame.path).catch(() => undefined) : undefined;
    const line = text === undefined ? undefined : splitLines(text)[frame.line - 1];
    return line === undefined ? shown : `${shown}: ${previewOf(line)}`;
  }

  /** Sends a request. @throws RetryError with the adapter's message */
  async ask(session: DebugSessionInfo, command: string, args: Readonly<Record<string, unknown>>): Promise<unknown> {
    try {
      return await this.port.request(session.key, command, args);
    } catch (error) {
      const message = (error instanceof Error ? error.message : String(error)).slice(0, 1000);
      const isRunning = this.port.sessions().all.some(({ key, state }) => key === session.key && state === 'running');
      const hint = isRunning ? ' The program is running: use step with pause, or set a breakpoint.' : '';
      throw new RetryError(`The debugger refused "${command}": ${message}${hint}`);
    }
  }

  private variable(session: DebugSessionInfo, variable: Readonly<Record<string, unknown>>): Variable {
    const { name, value, type } = variable;
    const text = typeof value === 'string' ? value : '';
    return {
      name: typeof name === 'string' ? name.slice(0, MAX_VALUE) : '?',
      value: text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE).toWellFormed()}…` : text,
      type: typeof type === 'string' ? type.slice(0, 100) : undefined,
      reference: this.announce(session, variable),
    };
  }

  private frameOf(frame: Readonly<Record<string, unknown>>, index: number): Frame {
    const { id, name, line, column } = frame;
    const source = recordOf(frame['source']);
    const { path, name: sourceName } = source;
    // A source with a reference exists in the adapter only, even when it has the form of a path.
    const hasFile =
      typeof path === 'string' && path !== '' && !(typeof source['sourceReference'] === 'number' && source['sourceReference'] > 0);
    const local = hasFile ? this.port.localPath(path) : undefined;
    return {
      id: typeof id === 'number' ? id : -1,
      index,
      name: typeof name === 'string' ? name.slice(0, MAX_VALUE) : '?',
      source: local ?? (typeof path === 'string' ? path : typeof sourceName === 'string' ? sourceName : undefined),
      path: local,
      line: typeof line === 'number' ? line : 0,
      column: typeof column === 'number' ? column : 0,
    };
  }

  /** Remembers the value's reference and how many members it has. Returns the reference, or 0 without one that can be read without running code. */
  private announce(session: DebugSessionInfo, value: Readonly<Record<string, unknown>>): number {
    const { variablesReference: reference, namedVariables: named, indexedVariables: indexed } = value;
    if (typeof reference !== 'number' || reference <= 0 || recordOf(value['presentationHint'])['lazy'] === true) {
      return 0;
    }
    if (this.announced.size > MAX_ANNOUNCED) {
      this.announced.clear();
    }
    this.announced.add(keyOf(session, reference));
    if (typeof indexed === 'number') {
      if (this.counts.size > 10_000) {
        this.counts.clear();
      }
      this.counts.set(keyOf(session, reference), { indexed, named: typeof named === 'number' ? named : 0 });
    }
    return reference;
  }
}

function keyOf({ key, stop }: DebugSessionInfo, reference: number): string {
  return `${key} ${stop?.revision ?? 0} ${reference}`;
}

function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.map(recordOf) : [];
}
