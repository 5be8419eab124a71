/** The stage of a scenario: our real stack, an agent process, documents in memory and a scripted user. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { Trace, type TraceEntry } from '../../../src/acp/trace/trace';
import type { ElicitationContent } from '../../../src/core/elicitation/answer';
import type { SessionEvent } from '../../../src/core/model/event';
import type { Log } from '../../../src/core/platform/log';
import type { ProcessLaunch } from '../../../src/core/model/agentLaunch';
import type { SendNow } from '../../../src/core/queue/rules';
import type { PermissionMode } from '../../../src/core/modes/permissionMode';
import { isQueueEvent } from '../../../src/core/model/queuedMessage';
import type { ViewAction } from '../../../src/core/protocol/view';
import { PermissionPromptQueue } from '../../../src/session/permission/promptQueue';
import { RemoteSessions } from '../../../src/session/agent/remoteSessions';
import { parseJournal } from '../../../src/session/journal/journalReader';
import type { Session } from '../../../src/session/session';
import type { Sessions } from '../../../src/session/sessions';
import type { TerminalService } from '../../../src/terminal/terminalService';
import { systemClock } from '../../../src/util/clock';
import type { Step } from '../../agent/scripted/steps';
import { FakeBuffers, type FakeDocument } from '../fakeBuffers';
import { DefaultStart } from './defaultStart';
import { AGENT, agentArguments, BARE, COMMAND } from './agents';
import { assertFold, assertFrames, assertReplay } from './checks';
import { MemoryJournals } from './memoryJournals';
import { RUN_PROXIES } from './proxies';
import { sessionLines } from './sessionLines';
import { stageSessions } from './stageSessions';
import { NO_ACCOUNT, NOBODY, type Answer, type StageOptions } from './stageOptions';
import { Transcript } from './transcript';
import { Waiters } from './waiters';

export class Stage {
  readonly buffers = new FakeBuffers();
  /** The events of the conversation, without missed ones. */
  private readonly events: SessionEvent[] = [];
  /** All events, including those that were replayed later. */
  private readonly everything: SessionEvent[] = [];
  /** The events before the first listener. */
  private opening: readonly SessionEvent[] = [];
  private readonly places: readonly (readonly [string, string])[];
  private readonly defaultStart: DefaultStart | undefined;
  private readonly transcript: Transcript;
  private missed: number;
  private current: Session;
  private sessions: Sessions;
  private readonly newSessions: () => Sessions;
  private readonly permissions: PermissionPromptQueue;
  private readonly services: TerminalService[] = [];
  private readonly traces: Trace[] = [];
  private readonly waiters = new Waiters(() => this.lines);
  private readonly journals = new MemoryJournals((key) => {
    if (key === 'session') {
      this.opening = this.journaled.slice(0, this.missed);
    }
  });
  private readonly others: Session[] = [];
  private readonly launch: ProcessLaunch;
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
      changes,
      defaults = 'scripted',
      ...settings
    }: StageOptions,
  ) {
    this.places = [
      ...(changes ? additionalDirectories.map((folder, index) => [folder, `<root ${index + 2}>`] as const) : []),
      [cwd, '<cwd>'],
      [agentArguments().join(' '), '<agent>'],
      [AGENT, '<agent>'],
      [BARE, '<agent>'],
      [COMMAND, '<node>'],
      [process.execPath, '<node>'],
      [process.cwd(), '<repository>'],
    ];
    this.defaultStart = defaults === null ? undefined : new DefaultStart(defaults);
    this.transcript = this.newTranscript();
    this.permissions = new PermissionPromptQueue(NOBODY, systemClock);
    this.newSessions = () =>
      stageSessions({
        permissions: this.permissions,
        journals: this.journals,
        buffers: this.buffers,
        account,
        protectedPaths,
        askBeforeCommands,
        ...(changes && { changes }),
        ...settings,
        log: this.log(),
        record: () => this.record(),
        terminals: this.services,
      });
    this.sessions = this.newSessions();
    this.launch = {
      agentId: 'Scripted',
      agentName: 'Scripted',
      command: COMMAND,
      args: [...agentArguments(), '--setup', JSON.stringify(setup)],
      env: {},
      ...RUN_PROXIES,
      ...launch,
    };
    this.answer = answer;
    this.current = this.sessions.create(this.launch, { cwd, additionalDirectories, mcpServers: [] }, from);
    this.missed = this.session.store.seq;
    this.watch();
  }

  /** The session that the scenario is about. */
  get session(): Session {
    return this.current;
  }

  get lines(): readonly string[] {
    const opening = this.newTranscript();
    this.opening.forEach((event) => opening.event(event));
    const lines = [...opening.lines, ...this.transcript.lines];
    return this.defaultStart?.shorten(lines) ?? lines;
  }

  /** Stores a file. `typed` opens it and types this text at the end, without saving. */
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

  /** Waits until the session accepts prompts; throws when it does not. */
  async ready(): Promise<void> {
    await this.waiters.until('the session to be ready', () => this.session.store.state.status !== 'starting');
    assert.equal(this.session.store.state.status, 'ready');
  }

  /** Sends a prompt without waiting. */
  prompt(text: string): void {
    this.transcript.note(`> ${text.startsWith('@script') ? 'prompt' : text}`);
    assert.equal(this.session.prompt([{ type: 'text', text }]), undefined);
    this.turns++;
  }

  /** Sends a prompt from the composer, also without a running agent. */
  submit(...steps: Step[]): void {
    this.transcript.note('> prompt');
    assert.equal(this.session.submit([{ type: 'text', text: `@script ${JSON.stringify(steps)}` }]), undefined);
    this.turns++;
  }

  /** Sends a message from the composer, whatever the agent is doing. */
  say(text: string, now?: SendNow): void {
    this.transcript.note(`> ${now ?? 'say'} ${text}`);
    assert.equal(this.session.submit([{ type: 'text', text }], now), undefined);
    this.turns++;
  }

  /** Closes and reopens the window: the session is read back from storage. */
  async reload(): Promise<void> {
    this.transcript.note('> reload');
    await this.sessions.flush();
    this.sessions.dispose();
    this.sessions = this.newSessions();
    this.current = (await this.sessions.restore('session', () => this.launch))!;
    await this.sessions.flush();
    this.missed = this.journaled.length;
    this.events.length = 0;
    this.watch();
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
    await this.waiters.until(
      'the turn to end',
      () => this.everything.filter(({ type }) => type === 'turn_ended').length >= this.turns || this.gone,
    );
  }

  cancel(): void {
    this.transcript.note('> cancel');
    this.session.cancel();
  }

  /** Answers the oldest pending elicitation, and prints the errors in the answer. */
  async answerElicitation(action: 'accept' | 'decline' | 'cancel', content?: ElicitationContent): Promise<void> {
    const [requestKey] = this.session.store.state.pendingElicitations;
    assert.ok(requestKey !== undefined, 'nothing was elicited');
    this.transcript.note(`> ${action}${content ? ` ${JSON.stringify(content)}` : ''}`);
    const problems = await this.session.elicitations.answer(requestKey, action, content);
    problems.forEach((problem) => this.transcript.note(`wrong ${JSON.stringify(problem)}`));
  }

  /** Signs in with this method; without one, the user cancels. */
  signIn(methodId?: string): void {
    this.transcript.note(`> ${methodId === undefined ? 'back out' : `sign in by ${methodId}`}`);
    this.session.signIn(methodId);
  }

  /** Waits until the sign-in has this status; `times`: for the n-th time. */
  async signInStands(status: string, times = 1): Promise<void> {
    await this.waiters.until(
      `a sign-in that is ${status}`,
      () => this.everything.filter((event) => event.type === 'sign_in' && event.status === status).length >= times,
    );
  }

  setConfig(configId: string, value: string | boolean): void {
    this.transcript.note(`> set ${configId} to ${value}`);
    this.session.setConfig(configId, value);
  }

  async setPermissionMode(mode: PermissionMode): Promise<void> {
    this.transcript.note(`> permission mode ${mode}`);
    await this.session.setPermissionMode(mode);
  }

  stopTerminal(terminalId: string): void {
    this.transcript.note(`> stop ${terminalId}`);
    this.session.stopTerminal(terminalId);
  }

  stopSubagent(subagentId: string): void {
    this.transcript.note(`> stop sub-agent ${subagentId}`);
    this.session.stopSubagent(subagentId);
  }

  /** Presses a button of the session. */
  act(action: ViewAction): void {
    this.transcript.note(`> ${action}`);
    assert.equal(this.session.act(action), true);
  }

  /** The agent's stored sessions; must be disposed. No user signs in for it. */
  kept(): RemoteSessions {
    return new RemoteSessions(
      this.sessions.remoteSessionsDependencies(async () => undefined),
      this.launch,
      this.cwd,
    );
  }

  /** Prints a finding of the scenario. */
  note(text: string): void {
    this.transcript.note(text);
  }

  /** Opens another session with the same agent, until it is ready; its lines begin with its number. */
  async another(): Promise<Session> {
    const session = this.sessions.create(this.launch, { cwd: this.cwd, additionalDirectories: [], mcpServers: [] });
    this.others.push(session);
    const number = this.others.length + 1;
    this.listen(session, (event) => this.transcript.event(event, `${number}| `));
    await this.waiters.until('another session', () => session.store.state.status !== 'starting');
    return session;
  }

  /** Waits until this condition of a session holds. It is checked again after every event. */
  async when(what: string, holds: () => boolean): Promise<void> {
    await this.waiters.until(what, holds);
  }

  /** The frames on the wire so far, of all connections. */
  get frames(): readonly TraceEntry[] {
    return this.traces.flatMap((trace) => [...trace.entries()]);
  }

  /** Prints the parameters of the requests of these methods that were sent so far. */
  noteSent(...methods: readonly string[]): void {
    for (const { text } of this.frames.filter(({ kind }) => kind === 'c2a')) {
      const { method, params } = JSON.parse(text) as { readonly method?: string; readonly params?: object };
      if (method !== undefined && methods.includes(method)) {
        this.transcript.note(`sent ${method} ${JSON.stringify(params)}`);
      }
    }
  }

  /** Waits for the agent's answer to the newest of these requests, even if no caller awaits the request itself. */
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
    await this.waiters.until(type, () =>
      this.everything.some((event) => event.type === type && matches(event as Extract<SessionEvent, { type: T }>)),
    );
  }

  /** Ends the session like the user does, frees everything, and prints the final files. */
  async close(): Promise<void> {
    for (const session of [...this.others, this.session]) {
      await session.end();
    }
    // A command that still runs in a terminal ends with the session, a moment later.
    await Promise.all(this.services.map((room) => room.dispose()));
    await this.sessions.flush();
    this.sessions.dispose();
    this.permissions.dispose();
    this.transcript.end();
    [this.session, ...this.others].forEach(({ store: { state } }, index) => {
      sessionLines(state).forEach((line) => this.transcript.note(`${index > 0 ? `${index + 1}| ` : ''}= ${line}`));
    });
    for (const [file, bytes] of this.buffers.disk.files) {
      const document = this.buffers.documents.get(file);
      const unsaved = document?.dirty ? ` unsaved ${JSON.stringify(document.text)}` : '';
      this.transcript.note(
        `file ${path.relative(this.cwd, file).replaceAll('\\', '/')} ${JSON.stringify(Buffer.from(bytes).toString())}${unsaved}`,
      );
    }
  }

  checkFold(): void {
    assertFold(this.session.store.state, this.events, this.journaled, this.missed);
  }

  checkFrames(): void {
    assertFrames(this.traces);
  }

  checkReplay(): void {
    const states = [this.session, ...this.others].map(({ store }) => store.state);
    assertReplay(this.traces, states, this.everything);
  }

  private record(): Trace {
    // Unlimited: a frame that left the ring buffer would not be checked.
    const trace = new Trace(systemClock, { entries: Infinity, size: Infinity, entrySize: Infinity });
    this.traces.push(trace);
    return trace;
  }

  /** The journal's events that are written so far. */
  private get journaled(): readonly SessionEvent[] {
    return parseJournal(this.journals.text('session'))?.events ?? [];
  }

  private newTranscript(): Transcript {
    return new Transcript(this.places, (line) => this.defaultStart?.special(line) ?? line);
  }

  private get gone(): boolean {
    return this.session.store.state.status !== 'ready';
  }

  private watch(): void {
    this.session.onPromptReturned((text) =>
      this.transcript.note(`given back ${JSON.stringify(text.replace(/^@script .*/s, '@script …'))}`),
    );
    this.session.store.onEvents((_, events, whole, continues) => {
      if (whole && continues) {
        this.transcript.note('laid over the record:');
      } else if (whole) {
        this.missed = 0;
        this.events.length = 0;
        this.transcript.note('told again, from the beginning:');
      }
      this.events.push(...events.filter((event) => !isQueueEvent(event) && !isOfReview(event)));
      this.everything.push(...events);
    });
    this.listen(this.session, (event) => isOfReview(event) || this.transcript.event(event));
  }

  private listen(session: Session, tell: (event: SessionEvent) => unknown): void {
    const note = (event: SessionEvent): void => {
      tell(event);
      if (event.type !== 'permission_requested') {
        return;
      }
      const optionId = this.answer(event.title);
      // The room asks right after the event is emitted.
      if (optionId !== undefined) {
        setImmediate(() => session.answerPermission(event.permissionId, optionId));
      }
    };
    session.store.onEvents((_, events, whole) => {
      events.forEach(whole ? tell : note);
      this.waiters.check();
    });
  }

  private log(): Log {
    const warn = (message: string): void => this.transcript.note(`log ${message}`);
    return { debug: () => undefined, info: () => undefined, warn, error: warn };
  }
}

/** True for an event whose data is in the review, or in the tool calls. It comes when the clock says. */
function isOfReview({ type }: SessionEvent): boolean {
  return type === 'change_report' || type === 'running_changes';
}
