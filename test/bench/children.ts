/**
 * Ten subagents that stream at once, compared with ten interleaved messages of one session. The CPU time counts from the agent's lines to the page's
 * state, with the journal's text and the envelopes, but without drawing.
 */
import { V1 } from '../../src/acp/v1/v1';
import type { Interpreter } from '../../src/acp/protocolVersion';
import type { Clock } from '../../src/core/platform/clock';
import type { ToView } from '../../src/core/protocol/view';
import { subagentsIn } from '../../src/core/subagents/subagentTree';
import { type SessionState, isAbsent } from '../../src/core/model/state';
import { AgentConnection, type SessionPeer } from '../../src/session/agent/agentConnection';
import { Journal } from '../../src/session/journal/journal';
import { SessionStore } from '../../src/session/state/store';
import { ViewFeed } from '../../src/session/view/feed';
import { Mirror } from '../../webview/state/mirror';
import { median } from './median';
import type { BenchLine } from './run';

const ROUNDS = Number(process.env.ACP_HOST_BENCH_ROUNDS ?? 41);
const STREAMS = 10;
const CHUNKS = 10_000;
/** The chunks that arrive between two frames. */
const PER_FRAME = 100;
const SESSION = '0f8fad5b-d9cb-469f-a165-70867728950e';
const LIMIT = 1.2;

type Load = 'subagents' | 'messages';

export async function run(): Promise<readonly BenchLine[]> {
  const loads = { subagents: linesOf('subagents'), messages: linesOf('messages') };
  const costs: Record<Load, number[]> = { subagents: [], messages: [] };
  // The first round only compiles the code.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const load of round % 2 === 0 ? (['subagents', 'messages'] as const) : (['messages', 'subagents'] as const)) {
      const cost = await measure(loads[load]);
      if (round > 0) {
        costs[load].push(cost);
      }
    }
  }
  // Other work of the machine slows both runs of a round.
  const ratio = median(costs.subagents.map((cost, round) => cost / costs.messages[round]!));
  const [value, baseline] = [median(costs.subagents), median(costs.messages)];
  return [{ name: 'children: ten subagents beside ten messages', value, unit: 'µs/chunk', baseline, ratio, limit: LIMIT }];
}

function childOf(stream: number): string {
  return `agent_a1b2c3d4e5f6${stream}`;
}

function linesOf(load: Load): readonly string[] {
  const lines: string[] = [];
  const send = (sessionId: string, update: object): void =>
    void lines.push(JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } }));
  if (load === 'subagents') {
    for (let stream = 0; stream < STREAMS; stream++) {
      const title = `Explore part ${stream}`;
      send(SESSION, { sessionUpdate: 'subagent_update', sessionId: childOf(stream), title, state: { state: 'running' } });
    }
  }
  for (let index = 0; index < CHUNKS; index++) {
    const stream = index % STREAMS;
    // A new message now and then, as agents write them between tool calls.
    const messageId = `msg_0123456789abcdef_${stream}_${Math.floor(index / 2000)}`;
    const content = { type: 'text', text: `word ${index % 97} of a sentence ` };
    send(load === 'subagents' ? childOf(stream) : SESSION, { sessionUpdate: 'agent_message_chunk', messageId, content });
  }
  return lines;
}

/** A clock whose timers run when the benchmark says so. */
class ManualClock implements Clock {
  private timers: (() => void)[] = [];

  now(): number {
    return Date.now();
  }

  after(_ms: number, callback: () => void): { dispose(): void } {
    this.timers.push(callback);
    return { dispose: () => void (this.timers = this.timers.filter((each) => each !== callback)) };
  }

  run(): void {
    const due = this.timers;
    this.timers = [];
    due.forEach((callback) => callback());
  }
}

const SILENT = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Returns µs of CPU time per chunk. */
async function measure(lines: readonly string[]): Promise<number> {
  const clock = new ManualClock();
  const store = new SessionStore(clock);
  let interpreter!: Interpreter;
  const connection = new AgentConnection(
    'Bench',
    ({ client }) => {
      interpreter = V1.interpreter(client, { timeoutMs: 1 });
      return { dispose: () => undefined };
    },
    SILENT as never,
    () => undefined,
  );
  connection.claim(SESSION, {
    onUpdate: (events: never[]) => store.append(...events),
    isTurnRunning: () => true,
  } as unknown as SessionPeer);
  store.append(
    { type: 'session_opened', agentName: 'Bench', cwd: '/w' },
    { type: 'session_ready', sessionId: SESSION },
    { type: 'turn_started', turnId: 't' },
  );
  const done = (): Promise<void> => Promise.resolve();
  const file = { append: done, replace: done, describe: done };
  const header = { acpHostJournal: 1, key: 'k', agentName: 'Bench', cwd: '/w', createdAt: 1 } as const;
  const journal = new Journal(file, store, clock, SILENT, header);
  const frames: (() => void)[] = [];
  const page = new Mirror({
    post: (message) => void feed.handle(message),
    schedule: (callback) => frames.push(callback),
    afterPaint: (callback) => frames.push(callback),
    now: () => Date.now(),
  });
  // VS Code sends JSON to the page.
  const feed = new ViewFeed(store, (message) => page.receive(JSON.parse(JSON.stringify(message)) as ToView), clock);
  feed.handle({ type: 'ready' });
  const frame = (): void => {
    clock.run();
    while (frames.length > 0) {
      frames.shift()!();
    }
  };
  frame();
  const start = process.cpuUsage();
  for (let index = 0; index < lines.length; index++) {
    const { method, params } = JSON.parse(lines[index]!) as { method: string; params: never };
    interpreter.onNotification(method, params);
    if (index % PER_FRAME === PER_FRAME - 1) {
      frame();
      // The journal's file takes the text.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  const { user, system } = process.cpuUsage(start);
  frame();
  check(store.state, page.state);
  journal.dispose();
  feed.dispose();
  page.dispose();
  return (user + system) / CHUNKS;
}

/** Host and page must have all text. */
function check(...states: readonly SessionState[]): void {
  for (const state of states) {
    const texts = [state, ...subagentsIn(state).map(({ conversation }) => conversation)].flatMap(({ entries }) =>
      entries.slice().map((slot) => (!isAbsent(slot) && slot.kind === 'message' ? JSON.stringify(slot.content).length : 0)),
    );
    const length = texts.reduce((sum, each) => sum + each, 0);
    if (length < CHUNKS * 20) {
      throw new Error(`only ${length} characters are in the state`);
    }
  }
}
