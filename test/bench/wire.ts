/**
 * 100,000 mixed updates from a child process's stdout, through the agent's transport, connection, dialect and the session's store, which
 * reduces them. The baselines are only `JSON.parse` of the same lines, the official SDK's client, and `vscode-jsonrpc` with our framing,
 * decoder and store. The contenders alternate, so that all have the same conditions; a ratio compares medians. The same conversation in version 2
 * is compared with version 1.
 */
import { client, methods, ndJsonStream } from '@agentclientprotocol/sdk';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Readable, Writable } from 'node:stream';
import type { DataCallback, Disposable, Message, MessageWriter } from 'vscode-jsonrpc/node';
import { AbstractMessageReader, createMessageConnection } from 'vscode-jsonrpc/node';
import { connect } from '../../src/acp/connect';
import { ndjson } from '../../src/acp/transport/ndjson';
import { FrameReader } from '../../src/util/frames/frameReader';
import { Trace } from '../../src/acp/trace/trace';
import { V1 } from '../../src/acp/v1/v1';
import { V1Updates } from '../../src/acp/v1/updates';
import type { Versions } from '../../src/acp/protocolVersion';
import { V2 } from '../../src/acp/v2/v2';
import { spawnAgent } from '../../src/agent/spawn';
import type { SessionState } from '../../src/core/model/state';
import { SessionStore } from '../../src/session/state/store';
import { systemClock } from '../../src/util/clock';
import type { BenchLine } from './run';
import { INITIALIZED, INITIALIZED_V2, UPDATES, wireLoad } from './wireLoad';

const ROUNDS = 5;
/** The largest accepted ratio of the time for version 2 to that for version 1. */
const VERSION_2_LIMIT = 1.1;

/** Counts updates. The first and the last update start and stop the watch, so that no contender pays for starting a process. */
class Watch {
  private seen = 0;
  private start = 0;
  private cpu: NodeJS.CpuUsage | undefined;
  private readonly delay = monitorEventLoopDelay({ resolution: 2 });
  readonly done: Promise<Measure>;
  private finish!: (measure: Measure) => void;

  constructor() {
    this.done = new Promise((resolve) => (this.finish = resolve));
  }

  /** Must be called on the first byte. */
  begin(): void {
    if (!this.cpu) {
      this.delay.enable();
      this.start = performance.now();
      this.cpu = process.cpuUsage();
    }
  }

  count(): void {
    if (++this.seen === UPDATES) {
      const wall = performance.now() - this.start;
      const { user, system } = process.cpuUsage(this.cpu);
      // The last stretch of work is a delay too, and the histogram records it only when its timer fires.
      setTimeout(() => {
        this.delay.disable();
        this.finish({ wall, cpu: (user + system) / 1000, delay: this.delay.max / 1e6 });
      }, 20);
    }
  }
}

/** Times in ms; `delay` is the longest block of the event loop. */
interface Measure {
  readonly wall: number;
  readonly cpu: number;
  readonly delay: number;
}

const PRODUCER = [
  process.execPath,
  ['-e', 'require("fs").createReadStream(process.argv[1], { highWaterMark: 1 << 20 }).pipe(process.stdout)'],
] as const;

function produce(file: string): ReturnType<typeof spawn> {
  return spawn(PRODUCER[0], [...PRODUCER[1], file], { stdio: ['pipe', 'pipe', 'inherit'] });
}

/** `JSON.parse` of every line, with minimal framing. */
function bare(file: string): Promise<Measure> {
  const watch = new Watch();
  const { stdout } = produce(file);
  let rest = '';
  stdout!.setEncoding('utf8');
  stdout!.on('data', (text: string) => {
    watch.begin();
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      if ((JSON.parse(line) as { method?: string }).method !== undefined) {
        watch.count();
      }
    }
  });
  return watch.done;
}

async function ours(file: string, versions: Versions = [V1]): Promise<Measure> {
  const watch = new Watch();
  const store = new SessionStore(systemClock);
  const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const agent = spawnAgent(
    { agentId: 'bench', agentName: 'bench', command: PRODUCER[0], args: [...PRODUCER[1], file], env: {}, cwd: process.cwd() },
    { clock: systemClock, log: silent, environment: process.env, onStderrLine: () => undefined },
  );
  const never = (): never => {
    throw new Error('not in this load');
  };
  const { transport } = agent;
  connect(
    ndjson({
      ...transport,
      read: (reader) =>
        transport.read({
          ...reader,
          chunk: (bytes) => {
            watch.begin();
            reader.chunk(bytes);
          },
        }),
    }),
    versions,
    {
      onUpdate: (_sessionId, events) => {
        store.append(...events);
        watch.count();
      },
      onTurnStarted: () => undefined,
      onTurnEnded: () => undefined,
      onUnknown: never,
      requestPermission: never,
      elicit: never,
      onElicitationComplete: never,
      readTextFile: never,
      writeTextFile: never,
      createTerminal: never,
      terminalOutput: never,
      waitForTerminalExit: never,
      killTerminal: never,
      releaseTerminal: never,
    },
    { clientInfo: { name: 'bench', version: '0' }, clock: systemClock, trace: new Trace(systemClock), timeoutMs: 60_000 },
    () => undefined,
  );
  const measure = await watch.done;
  check(store.state);
  await agent.dispose();
  return measure;
}

class LineReader extends AbstractMessageReader {
  constructor(private readonly stream: Readable) {
    super();
  }

  override listen(callback: DataCallback): Disposable {
    const reader = new FrameReader({ line: (text) => callback(JSON.parse(text) as Message), skipped: () => undefined });
    this.stream.on('data', (chunk: Buffer) => reader.push(chunk));
    return { dispose: () => reader.stop() };
  }
}

async function vscodeJsonrpc(file: string): Promise<Measure> {
  const watch = new Watch();
  const store = new SessionStore(systemClock);
  const updates = new V1Updates();
  const child = produce(file);
  child.stdout!.on('data', () => watch.begin());
  const none = (): Disposable => ({ dispose: () => undefined });
  const writer: MessageWriter = {
    onError: none,
    onClose: none,
    write: () => Promise.resolve(),
    end: () => undefined,
    dispose: () => undefined,
  };
  const connection = createMessageConnection(new LineReader(child.stdout!), writer, { ...console, error: () => undefined });
  connection.onNotification('session/update', (params: { sessionId: string }) => {
    store.append(...updates.decode(params.sessionId, params as never));
    watch.count();
  });
  connection.listen();
  const measure = await watch.done;
  check(store.state);
  connection.dispose();
  return measure;
}

/** Only counts updates: a client's work on them would come on top. */
async function sdk(file: string): Promise<Measure> {
  const watch = new Watch();
  const child = produce(file);
  child.stdout!.once('readable', () => watch.begin());
  const stream = ndJsonStream(
    Writable.toWeb(child.stdin!) as WritableStream<Uint8Array>,
    Readable.toWeb(child.stdout!) as ReadableStream<Uint8Array>,
  );
  client({ name: 'bench' })
    .onNotification(methods.client.session.update, () => watch.count())
    .connect(stream);
  return watch.done;
}

function check(state: SessionState): void {
  if (state.entries.length < UPDATES / 20 || state.usage === undefined) {
    throw new Error(`only ${state.entries.length} entries came out`);
  }
}

/** The messages per second and the worst event-loop delay of each contender, compared with bare parsing. */
export async function run(): Promise<BenchLine[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'acp-bench-'));
  try {
    const file = path.join(folder, 'updates.ndjson');
    writeFileSync(file, wireLoad());
    const answered = path.join(folder, 'answered.ndjson');
    writeFileSync(answered, INITIALIZED + wireLoad());
    const inVersion2 = path.join(folder, 'version2.ndjson');
    writeFileSync(inVersion2, INITIALIZED_V2 + wireLoad(2));
    const contenders = {
      bare: () => bare(file),
      ours: () => ours(answered),
      version2: () => ours(inVersion2, [V2, V1]),
      vscodeJsonrpc: () => vscodeJsonrpc(file),
      sdk: () => sdk(file),
    };
    const measures: Record<keyof typeof contenders, Measure[]> = { bare: [], ours: [], version2: [], vscodeJsonrpc: [], sdk: [] };
    for (let round = 0; round < ROUNDS; round++) {
      for (const name of ['bare', 'ours', 'version2', 'vscodeJsonrpc', 'sdk'] as const) {
        measures[name].push(await contenders[name]());
      }
    }
    const median = (name: keyof typeof contenders, what: keyof Measure): number =>
      measures[name].map((measure) => measure[what]).sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]!;
    const besides = (['wall', 'cpu'] as const).map((what) => ({
      name: `wire.version2.${what}`,
      value: Math.round(median('version2', what)),
      unit: 'ms',
      baseline: Math.round(median('ours', what)),
      ratio: round2(median('version2', what) / median('ours', what)),
      limit: VERSION_2_LIMIT,
    }));
    const compared = (['ours', 'vscodeJsonrpc', 'sdk'] as const).flatMap((name): BenchLine[] => {
      const rate = (who: keyof typeof contenders, what: 'wall' | 'cpu'): number => Math.round((UPDATES / median(who, what)) * 1000);
      return [
        ...(['wall', 'cpu'] as const).map((what) => ({
          name: `wire.${name}.${what}`,
          value: rate(name, what),
          unit: 'messages/s',
          baseline: rate('bare', what),
          ratio: round2(rate(name, what) / rate('bare', what)),
        })),
        {
          name: `wire.${name}.delay`,
          value: Math.round(median(name, 'delay')),
          unit: 'ms',
          baseline: Math.round(median('bare', 'delay')),
          ratio: round2(median(name, 'delay') / median('bare', 'delay')),
        },
      ];
    });
    return [...compared, ...besides];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
