/**
 * An agent in a keeper beside one on direct pipes: the time of a frame there and back, and the throughput of the wire's mixed updates. The return to a
 * session of 5,000 entries is compared with an open without a keeper. The contenders alternate.
 */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { connect } from '../../src/acp/connect';
import { ndjson } from '../../src/acp/transport/ndjson';
import { Trace } from '../../src/acp/trace/trace';
import { V1 } from '../../src/acp/v1/v1';
import { spawnAgent } from '../../src/agent/spawn';
import { KeptAgents } from '../../src/application/agents/keptAgents';
import type { KeepLimits } from '../../src/core/keeper/messages';
import type { KeptAgent } from '../../src/core/keeper/keptAgent';
import type { ProcessLaunch } from '../../src/core/model/agentLaunch';
import type { MessageTransport } from '../../src/core/model/transport';
import { PermissionPromptQueue } from '../../src/session/permission/promptQueue';
import type { Session } from '../../src/session/session';
import type { Sessions } from '../../src/session/sessions';
import { SessionStore } from '../../src/session/state/store';
import { SessionStorage } from '../../src/session/storage/sessionStorage';
import { systemClock } from '../../src/util/clock';
import { startKept } from '../../src/application/agents/startKept';
import { FakeBuffers } from '../support/fakeBuffers';
import { NO_ACCOUNT, NOBODY, type StageOptions } from '../support/scenario/stageOptions';
import { stageSessions } from '../support/scenario/stageSessions';
import { median } from './median';
import type { BenchLine } from './run';
import { INITIALIZED, UPDATES, wireLoad } from './wireLoad';

const ROUNDS = 5;
const TRIPS = 500;
const ENTRIES = 5000;
/** The largest accepted additional time of a frame in ms, ratio of the times for all updates, and ratio of the times of a return. */
const TRIP_MS = 1;
const THROUGHPUT = 1 / 0.9;
const RETURN = 1.5;

const LIMITS: KeepLimits = { mode: 'reload', awayMs: 10_000, idleMs: 60_000, requestMs: 60_000 };
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const never = (): never => {
  throw new Error('not in this load');
};

/** Answers each line with itself. */
const ECHO = `let rest='';process.stdin.on('data',(d)=>{const all=(rest+d).split('\\n');rest=all.pop();for(const l of all)process.stdout.write(l+'\\n')});process.stdin.on('end',()=>process.exit())`;
/** Writes the file when the first line arrives. */
const PRODUCE = `process.stdin.once('data',()=>require('fs').createReadStream(process.argv[1]).pipe(process.stdout,{end:false}));process.stdin.on('end',()=>process.exit())`;
/** Answers a prompt with one turn of many tool calls. */
const TALK = `const s=(m)=>process.stdout.write(JSON.stringify({jsonrpc:'2.0',...m})+'\\n');require('readline').createInterface({input:process.stdin}).on('line',(l)=>{const {id,method}=JSON.parse(l);
if(method==='initialize')s({id,result:{protocolVersion:1,agentCapabilities:{}}});else if(method==='session/new')s({id,result:{sessionId:'s'}});else if(method==='session/prompt'){for(let n=0;n<${ENTRIES};n++)s({method:'session/update',params:{sessionId:'s',update:{sessionUpdate:'tool_call',toolCallId:'c'+n,title:'Read file '+n,kind:'read',status:'completed',content:[{type:'content',content:{type:'text',text:'line '.repeat(40)}}]}}});s({id,result:{stopReason:'end_turn'}})}}).on('close',()=>process.exit())`;

export async function run(): Promise<readonly BenchLine[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'acp-host-bench-'));
  const program = path.join(folder, 'keeper.js');
  await build({
    entryPoints: ['src/agent/keeper/main.ts'],
    bundle: true,
    platform: 'node',
    target: 'node20',
    minify: true,
    outfile: program,
  });
  const file = path.join(folder, 'updates');
  writeFileSync(file, INITIALIZED + wireLoad());
  const trips: Record<'direct' | 'kept', number[]> = { direct: [], kept: [] };
  const floods: Record<'direct' | 'kept', number[]> = { direct: [], kept: [] };
  const opens: Record<'direct' | 'kept', number[]> = { direct: [], kept: [] };
  try {
    for (let round = 0; round < ROUNDS; round++) {
      for (const way of ['direct', 'kept'] as const) {
        trips[way].push(await trip(await started(way, program, folder, ECHO)));
        floods[way].push(await flood(await started(way, program, folder, PRODUCE, file)));
      }
      opens.kept.push(await returned(program, path.join(folder, `s${round}`), opens.direct));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const extra = median(trips.kept) - median(trips.direct);
  return [
    {
      name: 'keeper: additional time of a frame, there and back',
      value: round3(extra),
      unit: 'ms',
      baseline: TRIP_MS,
      ratio: round3(extra / TRIP_MS),
      limit: 1,
    },
    line('keeper: 100,000 updates beside direct pipes', median(floods.kept), median(floods.direct), THROUGHPUT),
    line(`keeper: return to a session of ${ENTRIES} entries beside an open`, median(opens.kept), median(opens.direct), RETURN),
  ];
}

function line(name: string, value: number, baseline: number, limit: number): BenchLine {
  return { name, value: round3(value), unit: 'ms', baseline: round3(baseline), ratio: round3(value / baseline), limit };
}

function round3(value: number): number {
  return Math.round(value * 1000) / 1000;
}

async function started(
  way: 'direct' | 'kept',
  program: string,
  folder: string,
  script: string,
  ...args: string[]
): Promise<MessageTransport> {
  const launch = { agentId: 'bench', agentName: 'bench', command: process.execPath, args: ['-e', script, ...args], env: {}, cwd: folder };
  if (way === 'direct') {
    const { transport } = spawnAgent(launch, { clock: systemClock, log: quiet, environment: process.env, onStderrLine: () => undefined });
    return ndjson(transport);
  }
  let kept: KeptAgent | undefined;
  const transport = await startKept(launch, {
    places: { program, folder: path.join(folder, 'keepers'), node: process.execPath },
    limits: LIMITS,
    clock: systemClock,
    log: quiet,
    environment: process.env,
    maxBytes: 1 << 27,
    commandLine: '',
    events: { onStderrLine: () => undefined },
    onKept: (each) => (kept = each),
    withoutKeeper: () => {
      throw new Error('The keeper does not start.');
    },
  });
  // As the sessions do, a while after a frame.
  let timer: NodeJS.Timeout | undefined;
  kept!.onHandled(() => {
    timer ??= setTimeout(() => {
      timer = undefined;
      kept!.stored(kept!.position.handled);
    }, 100);
  });
  return transport;
}

/** The median of the times of a frame to the agent and back, in ms. */
function trip(transport: MessageTransport): Promise<number> {
  return new Promise((resolve) => {
    const times: number[] = [];
    let start = 0;
    const send = (): void => {
      start = performance.now();
      transport.write(
        '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"text":"some words of a sentence"}}}',
      );
    };
    transport.read({
      message: () => {
        transport.handling?.(true);
        times.push(performance.now() - start);
        transport.handling?.(false);
        if (times.length === TRIPS) {
          transport.close();
        } else {
          setImmediate(send);
        }
      },
      skipped: never,
      closing: () => undefined,
      end: () => resolve(median(times.slice(50))),
    });
    send();
  });
}

/** The time from the first update to the last, in ms. */
function flood(transport: MessageTransport): Promise<number> {
  return new Promise((resolve) => {
    const store = new SessionStore(systemClock);
    let seen = 0;
    let start = 0;
    connect(
      transport,
      [V1],
      {
        onUpdate: (_sessionId, events) => {
          start ||= performance.now();
          store.append(...events);
          if (++seen === UPDATES) {
            resolve(performance.now() - start);
            transport.close();
          }
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
  });
}

/** The time in ms until a session with a running agent is back. Adds the times of opens without a keeper to `direct`. */
async function returned(program: string, root: string, direct: number[]): Promise<number> {
  const launch: ProcessLaunch = { agentId: 'Bench', agentName: 'Bench', command: process.execPath, args: ['-e', TALK], env: {} };
  const window = (isKept: boolean, at = root): { readonly sessions: Sessions; readonly storage: SessionStorage } => {
    const storage = new SessionStorage({ root: at, earlier: { globalStorage: at }, maxBytes: () => Infinity, log: quiet });
    const folder = path.join(root, 'keepers');
    const agents = new KeptAgents({ clock: systemClock, log: quiet, folder, maxBytes: 1 << 27, limits: () => LIMITS, restore: never });
    const sessions = stageSessions({
      permissions: new PermissionPromptQueue(NOBODY, systemClock),
      journals: storage,
      buffers: new FakeBuffers(),
      account: NO_ACCOUNT as NonNullable<StageOptions['account']>,
      log: quiet,
      record: () => new Trace(systemClock),
      terminals: [],
      protectedPaths: undefined,
      askBeforeCommands: undefined,
      ...(isKept && {
        keeping: {
          options: { places: { program, folder, node: process.execPath }, limits: LIMITS },
          agents: { adopt: (id, key) => agents.adopt(id, key), remember: () => undefined },
        },
      }),
    });
    return { sessions, storage };
  };
  const first = window(true);
  const session = first.sessions.create(launch, { cwd: tmpdir(), additionalDirectories: [], mcpServers: [] });
  await until(session, (each) => each.store.state.status === 'ready');
  session.prompt([{ type: 'text', text: 'Go' }]);
  await until(session, (each) => !each.store.state.turn && each.store.state.entries.length > ENTRIES);
  await new Promise((resolve) => setTimeout(resolve, 500));
  await leave(first, true);
  // The open without a keeper ends the session in its journal.
  cpSync(root, `${root}-plain`, { recursive: true, filter: (each) => !each.endsWith('.owner') && !each.includes('keepers') });
  const plain = window(false, `${root}-plain`);
  const start = performance.now();
  await plain.sessions.restore('session', () => launch);
  direct.push(performance.now() - start);
  await leave(plain, false);
  const later = window(true);
  const again = performance.now();
  const back = (await later.sessions.restore('session', () => launch))!;
  await until(back, (each) => each.connection?.isReady === true && each.store.state.status === 'ready');
  const time = performance.now() - again;
  await back.end();
  await leave(later, false);
  return time;
}

async function leave(
  { sessions, storage }: { readonly sessions: Sessions; readonly storage: SessionStorage },
  isKept: boolean,
): Promise<void> {
  await sessions.flush();
  void (isKept && sessions.leaveKept());
  sessions.dispose();
  await storage.release('session');
  storage.dispose();
}

async function until(session: Session, isSo: (session: Session) => boolean): Promise<void> {
  for (const limit = performance.now() + 60_000; !isSo(session); ) {
    if (performance.now() > limit) {
      throw new Error(`The session does not become so: ${session.store.state.status} ${session.store.state.failure?.code}`);
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}
