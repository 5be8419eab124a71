/**
 * A scenario: a real agent process (the scripted one, on the official SDK) against our real stack down to the rooms, with documents in
 * memory instead of an editor and a scripted user. What happened is printed and compared with `test/golden/scenarios/<folder>/<name>.txt`: events,
 * warnings of the log, and the files at the end, all of it but the start that is every agent's (test/golden/README.md).
 */
import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Trace, type TraceEntry } from '../../../src/acp/trace/trace';
import type { ElicitationContent } from '../../../src/core/elicitation/answer';
import type { SessionEvent } from '../../../src/core/model/event';
import { fault } from '../../../src/core/model/failure';
import type { AgentLaunch, Log } from '../../../src/core/model/ports';
import { reduce } from '../../../src/core/reduce/reduce';
import { EMPTY_STATE, isAbsent } from '../../../src/core/model/state';
import type { SessionState, Slot } from '../../../src/core/model/state';
import type { ViewAction } from '../../../src/core/protocol/view';
import { ProtectedRules } from '../../../src/fs/protection/protectedRules';
import { DEFAULT_FILE_LIMITS, FileRoom } from '../../../src/fs/fileService';
import type { Presenter } from '../../../src/permission/presenter';
import { PermissionService } from '../../../src/permission/permissionService';
import type { AgentSessions } from '../../../src/session/agent/remoteSessions';
import { commandAskingOf } from '../../../src/session/questions/commandAsking';
import { parseJournal } from '../../../src/session/journal/journalReader';
import type { AgentSession, Session } from '../../../src/session/session';
import { Sessions } from '../../../src/session/sessions';
import type { AccountPort } from '../../../src/session/agent/signIn';
import { loadNodePty } from '../../../src/terminal/nodePty';
import { TerminalRoom } from '../../../src/terminal/terminalService';
import { systemClock } from '../../../src/util/clock';
import { RootCheck } from '../../../src/util/roots';
import { questionWords } from '../../../src/workbench/permission/askWords';
import { connector } from '../../../src/workbench/agents/connector';
import type { Setup } from '../../agent/scripted/agent';
import type { Step } from '../../agent/scripted/steps';
import { english } from '../../unit/workbench/english';
import { FakeBuffers } from '../fakeBuffers';
import type { FakeDocument } from '../fakeBuffers';
import { DefaultStart } from './defaultStart';
import { assertGolden } from '../golden';
import { expectNoChildren } from '../leaks';
import { assertSameConversation, replayed } from './replayed';
import { assertSentFrames } from '../schema';
import { Transcript } from './transcript';

export const AGENT = path.resolve('out/test/scripted-agent.mjs');

/** The agent without the SDK: see test/agent/scripted/bare.mjs. */
const BARE = path.resolve('test/agent/scripted/bare.mjs');

/** Launches the bare agent. `answers`: by method, the lines it writes; `$id` is the request's id. */
export function bareAgent(answers: Readonly<Record<string, readonly unknown[]>>): Partial<AgentLaunch> {
  return { args: [BARE, '--setup', JSON.stringify(answers)] };
}

/** What the user answers: an optionId, or nothing at all. */
type Answer = (title: string) => string | undefined;

export interface StageOptions {
  readonly setup?: Setup;
  /** In place of the scripted agent. */
  readonly launch?: Partial<AgentLaunch>;
  /** Default: `allow`. */
  readonly answer?: Answer;
  /** How signing in goes, and which values agents are started with for it. Default: nobody does. */
  readonly account?: AccountPort & { readonly values?: Readonly<Record<string, string>> };
  /** The session that the agent keeps and the stage opens. Default: a new one. */
  readonly from?: AgentSession;
  /** Folders that the agent may use besides the stage's own. */
  readonly additionalDirectories?: readonly string[];
  /** As the user's settings of these names. */
  readonly protectedPaths?: unknown;
  readonly askBeforeCommands?: unknown;
  /** The text in `test/golden/scenarios/defaults/` whose start is left out of this one; none: everything is printed. Default: `scripted`. */
  readonly defaults?: string | null;
}

const NO_ACCOUNT: AccountPort = {
  runInTerminal: () => Promise.reject(fault('auth.not_finished')),
  askVariables: () => Promise.reject(fault('auth.not_finished')),
  hasVariables: () => false,
};

/** Nothing of the window: no quick pick ever opens, the user answers on the card. */
const NOBODY: Presenter = {
  ready: false,
  activeSession: undefined,
  onDidChange: () => ({ dispose: () => undefined }),
  onActivity: () => ({ dispose: () => undefined }),
  show: () => ({ dispose: () => undefined }),
};

/** Runs `act` on a fresh stage and compares what happened with the golden text of that name. */
export async function playScenario(name: string, options: StageOptions, act: (stage: Stage) => Promise<void>): Promise<void> {
  const cwd = await realpath(await mkdtemp(path.join(tmpdir(), 'scenario-')));
  const stage = new Stage(cwd, options);
  try {
    await act(stage);
  } finally {
    await stage.close();
    await rm(cwd, { recursive: true, force: true });
  }
  await expectNoChildren();
  stage.checkFold();
  stage.checkFrames();
  stage.checkReplay();
  assertGolden(`scenarios/${name}.txt`, stage.lines);
}

export class Stage {
  readonly buffers = new FakeBuffers();
  readonly session: Session;
  /** The conversation's, without those that were missed. */
  private readonly events: SessionEvent[] = [];
  /** Also of what was later told again. */
  private readonly everything: SessionEvent[] = [];
  /** Happened before anybody could listen. */
  private opening: readonly SessionEvent[] = [];
  private readonly places: readonly (readonly [string, string])[];
  private readonly defaultStart: DefaultStart | undefined;
  private readonly transcript: Transcript;
  private missed: number;
  private readonly sessions: Sessions;
  private readonly permissions: PermissionService;
  private readonly rooms: TerminalRoom[] = [];
  private readonly traces: Trace[] = [];
  private readonly waiting = new Set<() => void>();
  private readonly journal: string[] = [];
  private readonly others: Session[] = [];
  private readonly launch: AgentLaunch;
  private readonly answer: Answer;
  private turns = 0;

  constructor(
    readonly cwd: string,
    {
      setup = {},
      launch,
      answer = () => 'allow',
      account = NO_ACCOUNT as NonNullable<StageOptions['account']>,
      from,
      additionalDirectories = [],
      protectedPaths,
      askBeforeCommands,
      defaults = 'scripted',
    }: StageOptions,
  ) {
    this.places = [
      [cwd, '<cwd>'],
      [AGENT, '<agent>'],
      [BARE, '<agent>'],
      [process.execPath, '<node>'],
      [process.cwd(), '<repository>'],
    ];
    this.defaultStart = defaults === null ? undefined : new DefaultStart(defaults);
    this.transcript = this.newTranscript();
    this.permissions = new PermissionService(NOBODY, systemClock);
    let terminals = 0;
    const demo: AgentLaunch = { agentName: 'Demo', command: 'none', args: ['none'], env: {} };
    const log = this.log();
    const ports = { clock: systemClock, log, environment: process.env };
    this.sessions = new Sessions({
      ...ports,
      permissions: this.permissions,
      mintKey: () => (this.sessions.all.length === 0 ? 'session' : `session-${this.sessions.all.length + 1}`),
      connect: connector({
        ...ports,
        places: (_, cwd) => ({ cwd }),
        demo,
        version: '0.0.0',
        traces: { add: () => ({ trace: this.record(), ended: () => undefined }) },
        valuesOf: () => account.values ?? {},
      }),
      journals: {
        file: (key) => ({
          append: async (text) => {
            if (key === 'session' && this.journal.push(text) === 1) {
              this.opening = this.journaled.slice(0, this.missed);
            }
          },
          replace: async (text) => void (key === 'session' && this.journal.splice(0, Infinity, text)),
          describe: async () => undefined,
        }),
        portions: async function* () {},
        remove: async () => undefined,
      },
      account,
      files: (roots, guard) => new FileRoom(this.buffers, new RootCheck(roots), DEFAULT_FILE_LIMITS, guard),
      questionWords: questionWords(english),
      protectedRules: () => new ProtectedRules(protectedPaths),
      commandAsking: (agentName) => commandAskingOf(askBeforeCommands, agentName),
      terminals: (roots, emit, guard) => {
        const room = new TerminalRoom({
          ...ports,
          cwd: roots.cwd,
          roots: new RootCheck(roots),
          defaultShell: () => '/bin/sh',
          loadPty: loadNodePty,
          emit,
          guard,
          mintTerminalId: () => `terminal-${++terminals}`,
        });
        this.rooms.push(room);
        return room;
      },
    });
    this.launch = { agentName: 'Scripted', command: process.execPath, args: [AGENT, '--setup', JSON.stringify(setup)], env: {}, ...launch };
    this.answer = answer;
    this.session = this.sessions.create(this.launch, { cwd, additionalDirectories, mcpServers: [] }, from);
    this.missed = this.session.store.seq;
    this.session.onPromptReturned((text) =>
      this.transcript.note(`given back ${JSON.stringify(text.replace(/^@script .*/s, '@script …'))}`),
    );
    this.session.store.onEvents((_, events, whole) => {
      if (whole) {
        this.missed = 0;
        this.events.length = 0;
        this.transcript.note('told again, from the beginning:');
      }
      this.events.push(...events);
      this.everything.push(...events);
    });
    this.listen(this.session, (event) => this.transcript.event(event));
  }

  get lines(): readonly string[] {
    const opening = this.newTranscript();
    this.opening.forEach((event) => opening.event(event));
    const lines = [...opening.lines, ...this.transcript.lines];
    return this.defaultStart?.shorten(lines) ?? lines;
  }

  /** Stores a file. `typed` opens it and types that at the end, unsaved. */
  async file(name: string, text: string, typed?: string): Promise<FakeDocument | undefined> {
    const file = path.join(this.cwd, name);
    await this.buffers.store(file, text);
    if (typed === undefined) {
      return undefined;
    }
    const document = await this.buffers.open(file);
    document.type(text.length, text.length, typed);
    return document;
  }

  /** Waits for the session to take prompts; throws when it does not come to that. */
  async ready(): Promise<void> {
    await this.until('the session to be ready', () => this.session.store.state.status !== 'starting');
    assert.equal(this.session.store.state.status, 'ready');
  }

  /** Sends a prompt and does not wait. */
  prompt(text: string): void {
    this.transcript.note(`> ${text.startsWith('@script') ? 'prompt' : text}`);
    assert.equal(this.session.prompt([{ type: 'text', text }]), undefined);
    this.turns++;
  }

  /** Sends a prompt from the composer, also where the agent is gone. */
  submit(...steps: Step[]): void {
    this.transcript.note('> prompt');
    assert.equal(this.session.submit([{ type: 'text', text: `@script ${JSON.stringify(steps)}` }]), undefined);
    this.turns++;
  }

  script(...steps: Step[]): void {
    this.prompt(`@script ${JSON.stringify(steps)}`);
  }

  /** Runs the steps as one turn, from the prompt to its end. */
  async turn(...steps: Step[]): Promise<void> {
    await this.ready();
    this.script(...steps);
    await this.turnEnd();
  }

  async turnEnd(): Promise<void> {
    await this.until(
      'the turn to end',
      () => this.everything.filter(({ type }) => type === 'turn_ended').length >= this.turns || this.gone,
    );
  }

  cancel(): void {
    this.transcript.note('> cancel');
    this.session.cancel();
  }

  /** Answers what waits longest of the agent's elicitations, and prints what was wrong with the answer. */
  async answerElicitation(action: 'accept' | 'decline' | 'cancel', content?: ElicitationContent): Promise<void> {
    const [requestKey] = this.session.store.state.pendingElicitations;
    assert.ok(requestKey !== undefined, 'nothing was elicited');
    this.transcript.note(`> ${action}${content ? ` ${JSON.stringify(content)}` : ''}`);
    const problems = await this.session.elicitations.answer(requestKey, action, content);
    problems.forEach((problem) => this.transcript.note(`wrong ${JSON.stringify(problem)}`));
  }

  /** By this method; without one, the user backs out. */
  signIn(methodId?: string): void {
    this.transcript.note(`> ${methodId === undefined ? 'back out' : `sign in by ${methodId}`}`);
    this.session.signIn(methodId);
  }

  /** Waits for the sign-in to stand so; `times` for the so-manieth time. */
  async signInStands(status: string, times = 1): Promise<void> {
    await this.until(
      `a sign-in that is ${status}`,
      () => this.everything.filter((event) => event.type === 'sign_in' && event.status === status).length >= times,
    );
  }

  setConfig(configId: string, value: string | boolean): void {
    this.transcript.note(`> set ${configId} to ${value}`);
    this.session.setConfig(configId, value);
  }

  stopTerminal(terminalId: string): void {
    this.transcript.note(`> stop ${terminalId}`);
    this.session.stopTerminal(terminalId);
  }

  /** Presses a button of the session's. */
  act(action: ViewAction): void {
    this.transcript.note(`> ${action}`);
    assert.equal(this.session.act(action), true);
  }

  /** What the agent keeps; to be disposed. Nobody signs in for it. */
  kept(): AgentSessions {
    return this.sessions.agentSessions(this.launch, this.cwd, async () => undefined);
  }

  /** Prints what a scenario found. */
  note(text: string): void {
    this.transcript.note(text);
  }

  /** One more session at the same agent, ready; its lines begin with its number. */
  async another(): Promise<Session> {
    const session = this.sessions.create(this.launch, { cwd: this.cwd, additionalDirectories: [], mcpServers: [] });
    this.others.push(session);
    const number = this.others.length + 1;
    this.listen(session, (event) => this.transcript.event(event, `${number}| `));
    await this.until('another session', () => session.store.state.status !== 'starting');
    return session;
  }

  /** Waits until this holds of a session, asked again after every event. */
  async when(what: string, holds: () => boolean): Promise<void> {
    await this.until(what, holds);
  }

  /** What was on the wire so far, of all connections. */
  get frames(): readonly TraceEntry[] {
    return this.traces.flatMap((trace) => [...trace.entries()]);
  }

  /** Waits for the agent's answer to the newest of these requests, which nobody here may wait for any more. */
  async answered(method: string): Promise<void> {
    const isAnswered = (): boolean => {
      const frames = this.frames.map(({ text }) => JSON.parse(text) as { id?: unknown; method?: string });
      const asked = frames.findLastIndex((frame) => frame.method === method);
      return frames.slice(asked + 1).some(({ id, method: other }) => other === undefined && id === frames[asked]?.id);
    };
    for (const end = Date.now() + 15_000; !isAnswered() && Date.now() < end; ) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.ok(isAnswered(), `${method} was never answered`);
  }

  /** Waits for an event of this type, past ones included. */
  async seen<T extends SessionEvent['type']>(
    type: T,
    matches: (event: Extract<SessionEvent, { type: T }>) => boolean = () => true,
  ): Promise<void> {
    await this.until(type, () =>
      this.everything.some((event) => event.type === type && matches(event as Extract<SessionEvent, { type: T }>)),
    );
  }

  /** Ends the session as the user does, frees everything, and prints how the files look. */
  async close(): Promise<void> {
    for (const session of [...this.others, this.session]) {
      await session.end();
    }
    // What still runs in a terminal ends with the session, a moment later.
    await Promise.all(this.rooms.map((room) => room.dispose()));
    await this.sessions.flush();
    this.sessions.dispose();
    this.permissions.dispose();
    this.transcript.end();
    [this.session, ...this.others].forEach(({ store: { state } }, index) => {
      const lines = [...[...state.entries].map(entryText), ...factLines(state)];
      lines.forEach((line) => this.transcript.note(`${index > 0 ? `${index + 1}| ` : ''}= ${line}`));
    });
    for (const [file, bytes] of this.buffers.disk.files) {
      const document = this.buffers.documents.get(file);
      const unsaved = document?.dirty ? ` unsaved ${JSON.stringify(document.text)}` : '';
      this.transcript.note(`file ${path.relative(this.cwd, file)} ${JSON.stringify(Buffer.from(bytes).toString())}${unsaved}`);
    }
  }

  /** Two truths that hold for every scenario: the state is the fold of the events, and the journal has exactly them. */
  checkFold(): void {
    const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
    assert.deepEqual(this.journaled.slice(this.missed), plain(this.events));
    const folded = this.journaled.reduce(reduce, EMPTY_STATE);
    const { entries, ...rest } = this.session.store.state;
    assert.deepEqual(plain({ ...folded, entries: [...folded.entries] }), plain({ ...rest, entries: [...entries] }));
  }

  /** A third: every frame we sent is valid by the official schema, and we did send some. */
  checkFrames(): void {
    const sent = this.traces.map((trace) => {
      assert.equal(trace.dropped, 0);
      return assertSentFrames(trace.entries());
    });
    assert.ok(sent.length > 0 && sent.every((count) => count > 0), `frames checked of each agent: ${sent.join(', ')}`);
  }

  /** A fourth: the log of one agent, replayed, shows what was seen. */
  checkReplay(): void {
    const [trace, ...others] = this.traces;
    // A prompt that waited for a sign-in is on the wire twice, and refused the first time.
    const refused = this.everything.some((event) => event.type === 'sign_in' && event.failure?.params?.['method'] === 'session/prompt');
    if (trace && others.length === 0 && !refused) {
      const sessions = replayed(trace);
      for (const { store } of [this.session, ...this.others]) {
        if (store.state.entries.length > 0) {
          assertSameConversation(
            sessions.find(({ state }) => state.sessionId === store.state.sessionId),
            store.state,
          );
        }
      }
    }
  }

  private record(): Trace {
    // All of it: a frame that left the ring would be one that nobody checks.
    const trace = new Trace(systemClock, { entries: Infinity, size: Infinity, entrySize: Infinity });
    this.traces.push(trace);
    return trace;
  }

  /** The journal's events, as far as they are written. */
  private get journaled(): readonly SessionEvent[] {
    return parseJournal(this.journal.join(''))?.events ?? [];
  }

  private newTranscript(): Transcript {
    return new Transcript(this.places, (line) => this.defaultStart?.special(line) ?? line);
  }

  private get gone(): boolean {
    return this.session.store.state.status !== 'ready';
  }

  private listen(session: Session, tell: (event: SessionEvent) => void): void {
    const note = (event: SessionEvent): void => {
      tell(event);
      if (event.type !== 'permission_requested') {
        return;
      }
      const optionId = this.answer(event.title);
      // The room asks right after the event is told.
      if (optionId !== undefined) {
        setImmediate(() => session.answerPermission(event.permissionId, optionId));
      }
    };
    session.store.onEvents((_, events, whole) => {
      events.forEach(whole ? tell : note);
      [...this.waiting].forEach((check) => check());
    });
  }

  private until(what: string, holds: () => boolean): Promise<void> {
    if (holds()) {
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      // Only a scenario that hangs gets here; the golden text says nothing about time.
      const limit = setTimeout(() => {
        this.waiting.delete(check);
        reject(new Error(`waited for ${what}; so far:\n${this.lines.join('\n')}`));
      }, 15_000);
      const check = (): void => {
        if (!holds()) {
          return;
        }
        clearTimeout(limit);
        this.waiting.delete(check);
        resolve();
      };
      this.waiting.add(check);
    });
  }

  private log(): Log {
    const warn = (message: string): void => this.transcript.note(`log ${message}`);
    return { debug: () => undefined, info: () => undefined, warn, error: warn };
  }
}

/** An entry as the user has it in the end, in a line. */
function entryText(slot: Slot): string {
  if (isAbsent(slot)) {
    return 'absent';
  }
  switch (slot.kind) {
    case 'message':
      return `${slot.role}: ${slot.content.map((block) => (block.type === 'text' ? JSON.stringify(block.text.replace(/^@script .*/s, '@script …')) : block.type)).join(' ')}`;
    case 'tool_call':
      return `tool ${slot.toolCallId} ${slot.toolKind} ${slot.status}: ${slot.title ?? ''} [${slot.content.map(({ type }) => type).join(' ')}]`;
    case 'permission':
      return `permission ${slot.title}: ${[slot.outcome?.type ?? 'waiting', slot.outcome?.optionId].filter(Boolean).join(' ')}`;
    case 'turn':
      return `turn ${slot.stopReason}`;
    case 'unknown':
      return `unknown ${slot.label}`;
    case 'notice':
      return `notice ${slot.severity}: ${slot.title}`;
    case 'elicitation':
      return `elicitation ${slot.body.mode} ${slot.message}: ${slot.outcome?.type ?? 'waiting'}${slot.outcome?.content ? ` ${JSON.stringify(slot.outcome.content)}` : ''}${slot.completed ? ' completed' : ''}`;
    case 'compaction':
      return `compaction ${slot.status}: ${[slot.error, ...slot.summary.map((block) => (block.type === 'text' ? JSON.stringify(block.text) : block.type))].filter(Boolean).join(' ')}`;
  }
}

/** What is shown beside the conversation in the end; nothing for what is not there. */
function factLines({ title, plans, config, commands, usage, terminals }: SessionState): string[] {
  return [
    ...(title === undefined ? [] : [`title ${JSON.stringify(title)}`]),
    ...Object.entries(plans).map(
      ([planId, plan]) =>
        `plan ${planId} ${plan.type === 'items' ? plan.entries.map(({ content, status }) => `[${status}] ${content}`).join(', ') : plan.type}`,
    ),
    ...config.map((option) => `option ${option.configId}: ${option.type === 'unknown' ? 'unknown' : option.currentValue}`),
    ...(commands.length === 0 ? [] : [`commands ${commands.map(({ name }) => JSON.stringify(name)).join(' ')}`]),
    ...(usage ? [`usage ${JSON.stringify(usage)}`] : []),
    ...Object.entries(terminals).map(
      ([terminalId, { ours, exitStatus, released }]) =>
        `terminal ${terminalId}${ours ? ' ours' : ''}: ${exitStatus ? JSON.stringify(exitStatus) : 'running'}${released ? ' released' : ''}`,
    ),
  ];
}
