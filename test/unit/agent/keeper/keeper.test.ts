/** The keeper with a fake agent, fake windows and a fake clock: what it stores, repeats and answers, and when it ends. */
import assert from 'node:assert/strict';
import { FrameLog } from '../../../../src/agent/keeper/frameLog';
import { FIRST_WINDOW_MS, Keeper, SILENT_TURN_MS, type WindowSocket } from '../../../../src/agent/keeper/keeper';
import {
  controlText,
  eachFrame,
  frameText,
  type KeepLimits,
  readMessage,
  type ToKeeper,
  type ToWindow,
} from '../../../../src/core/keeper/messages';
import type { TransportEnd } from '../../../../src/core/model/transport';
import { FakeClock } from '../../session/permission/fakes';

const LIMITS: KeepLimits = { mode: 'reload', awayMs: 1000, idleMs: 50_000, requestMs: 300 };

class FakeWindow implements WindowSocket {
  buffered = 0;
  isClosed = false;
  readonly texts: string[] = [];
  send(sent: string | Buffer): void {
    const message = readMessage<ToWindow>(sent.toString());
    if (message && 'frames' in message) {
      eachFrame(message.frames, (n, json) => this.texts.push(frameText(n, json, message.frames.flag)));
    } else {
      this.texts.push(sent.toString());
    }
  }
  close(): void {
    this.isClosed = true;
  }
  get controls(): ToWindow[] {
    return this.texts.flatMap((text) => {
      const message = readMessage<ToWindow>(text);
      return message && 'control' in message ? [message.control] : [];
    });
  }
  get hello(): Extract<ToWindow, { type: 'hello' }> {
    return this.controls.find((control) => control.type === 'hello')!;
  }
  /** The frames, without the controls. */
  get frames(): string[] {
    return this.texts.filter((text) => !text.startsWith('!'));
  }
}

class Scene {
  readonly clock = new FakeClock();
  readonly written: string[] = [];
  readonly log = new FrameLog('/nowhere/frames', { memory: 1e6, total: 200, frames: 100 });
  isHeld = false;
  disposed = 0;
  ended = 0;
  private reader!: { chunk(bytes: Uint8Array): void; end(end: TransportEnd): void };
  private events!: { onStarted(pid: number): void; onStderrLine(line: string): void };
  readonly keeper: Keeper;

  constructor(limits = LIMITS) {
    this.keeper = new Keeper(
      { id: 'k', limits, maxLineBytes: 100 },
      {
        clock: this.clock,
        log: this.log,
        start: (events) => {
          this.events = events;
          return {
            transport: {
              read: (reader) => void (this.reader = reader),
              write: (text) => this.written.push(String(text).trim()) > 0,
              close: () => undefined,
              describe: () => ({}),
            },
            pid: 7,
            hold: (isHeld) => void (this.isHeld = isHeld),
            dispose: async () => void this.disposed++,
          };
        },
        onEnd: () => void this.ended++,
      },
    );
  }

  started(): void {
    this.events.onStarted(7);
  }
  stderr(line: string): void {
    this.events.onStderrLine(line);
  }
  say(...lines: string[]): void {
    lines.forEach((line) => this.reader.chunk(Buffer.from(`${line}\n`)));
  }
  exit(end: TransportEnd = { exitCode: 0 }): void {
    this.reader.end(end);
  }
  window(from?: number): FakeWindow {
    const window = new FakeWindow();
    this.keeper.connect(window);
    if (from !== undefined) {
      this.tell({ type: 'attach', from });
    }
    return window;
  }
  tell(message: ToKeeper): void {
    this.keeper.message(controlText(message));
  }
  frame(n: number, json: string): void {
    this.keeper.message(frameText(n, json));
  }
  /** The window is killed while a session is open. */
  lose(window: FakeWindow): void {
    this.tell({ type: 'note', note: 'n', isKept: true });
    this.keeper.left(window);
  }
}

const request = (id: unknown, method: string, params: object = {}): string => JSON.stringify({ jsonrpc: '2.0', id, method, params });
const answer = (id: unknown, result: unknown): string => JSON.stringify({ jsonrpc: '2.0', id, result });
const update = (n: number): string => JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { n } });

describe('a keeper', () => {
  it('passes frames on in both directions, with numbers', () => {
    const scene = new Scene();
    const window = scene.window(0);
    scene.frame(1, request(1, 'initialize'));
    scene.say(update(1), update(2));
    assert.deepEqual(window.frames, [`1 ${update(1)}`, `2 ${update(2)}`]);
    assert.deepEqual(scene.written, [request(1, 'initialize')]);
    assert.deepEqual(window.controls.at(-1), { type: 'received', n: 1 });
  });

  it('sends nothing of the agent before the window asks for it', () => {
    const scene = new Scene();
    const window = scene.window();
    scene.say(update(1));
    assert.deepEqual(window.frames, []);
    scene.tell({ type: 'attach', from: 0 });
    assert.deepEqual(window.frames, [`1 ${update(1)}`]);
  });

  it('sends a later window exactly the frames that no window has stored', () => {
    const scene = new Scene();
    const first = scene.window(0);
    scene.say(update(1), update(2), update(3));
    scene.tell({ type: 'stored', n: 2 });
    scene.lose(first);
    scene.say(update(4));
    const second = scene.window();
    assert.deepEqual([second.hello.acknowledged, second.hello.last, second.hello.note], [2, 4, 'n']);
    scene.tell({ type: 'attach', from: second.hello.acknowledged });
    assert.deepEqual(second.frames, [`3 ${update(3)}`, `4 ${update(4)}`]);
  });

  it('does not drop what a window claims to have stored without having received it', () => {
    const scene = new Scene();
    scene.say(update(1));
    const window = scene.window();
    scene.tell({ type: 'stored', n: 99 });
    scene.tell({ type: 'attach', from: 0 });
    assert.deepEqual(window.frames, [`1 ${update(1)}`]);
    scene.tell({ type: 'stored', n: NaN });
    assert.equal(scene.log.stored, 0);
  });

  it('takes each frame of a window once', () => {
    const scene = new Scene();
    scene.window(0);
    scene.frame(1, request(1, 'a'));
    scene.frame(1, request(1, 'a'));
    scene.frame(2, request(2, 'b'));
    assert.deepEqual(scene.written, [request(1, 'a'), request(2, 'b')]);
  });

  it('answers `initialize` of a later window itself', () => {
    const scene = new Scene();
    const first = scene.window(0);
    scene.frame(1, request(1, 'initialize'));
    scene.say(answer(1, { protocolVersion: 1 }));
    scene.lose(first);
    const second = scene.window(1);
    assert.deepEqual([second.hello.isInitialized, second.hello.nextId, second.hello.received], [true, 2, 1]);
    scene.frame(2, request(2, 'initialize'));
    assert.deepEqual(second.frames, [`0 ${answer(2, { protocolVersion: 1 })}`]);
    assert.equal(scene.written.length, 1);
  });

  it('knows the prompts whose end no window has stored', () => {
    const scene = new Scene();
    const first = scene.window(0);
    scene.frame(1, request(5, 'session/prompt', { sessionId: 's' }));
    scene.frame(2, request(6, 'session/set_mode', { sessionId: 's' }));
    scene.say(answer(6, {}));
    scene.tell({ type: 'stored', n: 1 });
    scene.say(answer(5, { stopReason: 'end_turn' }));
    scene.lose(first);
    const second = scene.window();
    assert.deepEqual(second.hello.requests, [{ id: 5, method: 'session/prompt', sessionId: 's' }]);
    scene.tell({ type: 'attach', from: 1 });
    scene.tell({ type: 'stored', n: 2 });
    scene.lose(second);
    assert.deepEqual(scene.window().hello.requests, []);
  });

  it('repeats a request without an answer, and none that has one', () => {
    const scene = new Scene();
    const first = scene.window(0);
    scene.say(request('a', 'session/request_permission'), request('b', 'fs/read_text_file'), request(3, 'terminal/create'));
    scene.tell({ type: 'stored', n: 1 });
    scene.frame(1, answer('b', {}));
    scene.lose(first);
    const second = scene.window(1);
    assert.deepEqual(second.frames, [`1r ${request('a', 'session/request_permission')}`, `3 ${request(3, 'terminal/create')}`]);
    scene.frame(2, answer('a', {}));
    scene.frame(3, answer('a', {}));
    assert.deepEqual(scene.written, [answer('b', {}), answer('a', {})], 'the first answer wins');
  });

  it('passes on answers to messages without an id, and to each request of an id that the agent uses twice', () => {
    const scene = new Scene();
    scene.window(0);
    scene.say(request('x', 'a'), request('x', 'b'));
    const answers = [answer('x', 1), answer('x', 2), answer('x', 3), answer(null, 4), answer(null, 5)];
    answers.forEach((text, index) => scene.frame(index + 1, text));
    assert.deepEqual(scene.written, [answer('x', 1), answer('x', 2), answer(null, 4), answer(null, 5)]);
  });

  it('answers requests as cancelled when no window comes in time, and never after one has answered', () => {
    const scene = new Scene();
    const first = scene.window(0);
    const asked = [request('p', 'session/request_permission'), request('e', 'elicitation/create'), request('f', 'fs/read_text_file')];
    scene.say(...asked);
    scene.lose(first);
    scene.say(request('late', 'session/request_permission'));
    scene.clock.pass(299);
    assert.deepEqual(scene.written, []);
    scene.clock.pass(1);
    const results = scene.written.map((text) => JSON.parse(text) as { id: string; result?: unknown; error?: { code: number } });
    assert.deepEqual(
      results.map(({ id, result, error }) => [id, result ?? error?.code]),
      [
        ['p', { outcome: { outcome: 'cancelled' } }],
        ['e', { action: 'cancel' }],
        ['f', -32800],
        ['late', { outcome: { outcome: 'cancelled' } }],
      ],
    );
    const second = scene.window(0);
    assert.deepEqual(second.frames, []);
    scene.frame(1, answer('p', {}));
    assert.equal(scene.written.length, 4);
  });

  it('lets requests wait as long as a window is connected', () => {
    const scene = new Scene();
    const first = scene.window(0);
    scene.say(request('p', 'session/request_permission'));
    scene.lose(first);
    scene.clock.pass(200);
    scene.window(1);
    scene.clock.pass(100_000);
    assert.deepEqual([scene.written, scene.ended], [[], 0]);
  });

  it('ends when no window comes back', async () => {
    const scene = new Scene();
    scene.lose(scene.window(0));
    scene.clock.pass(999);
    assert.equal(scene.disposed, 0);
    scene.clock.pass(1);
    await Promise.resolve();
    await Promise.resolve();
    assert.deepEqual([scene.disposed, scene.ended], [1, 1]);
  });

  it('ends at once when no session needs the agent, or a window ends it', () => {
    const ended = new Scene();
    const window = ended.window(0);
    ended.keeper.left(window);
    assert.equal(ended.disposed, 1);
    const told = new Scene();
    told.window(0);
    told.tell({ type: 'end' });
    assert.equal(told.disposed, 1);
  });

  it('ends when the window that started it never comes', () => {
    const scene = new Scene();
    scene.clock.pass(FIRST_WINDOW_MS);
    assert.equal(scene.disposed, 1);
  });

  it('goes on during a turn in the mode `always`, and ends after the hours without one', () => {
    const scene = new Scene({ ...LIMITS, mode: 'always' });
    const window = scene.window(0);
    scene.frame(1, request(1, 'session/prompt', { sessionId: 's' }));
    scene.lose(window);
    scene.clock.pass(200_000);
    assert.equal(scene.disposed, 0);
    scene.say(answer(1, {}));
    scene.clock.pass(49_000);
    assert.equal(scene.disposed, 0);
    scene.clock.pass(60_000);
    assert.equal(scene.disposed, 1);
  });

  it('ends an agent that hangs in a turn without a window, a day after its last message', () => {
    const scene = new Scene({ ...LIMITS, mode: 'always' });
    const window = scene.window(0);
    scene.frame(1, request(1, 'session/prompt', { sessionId: 's' }));
    scene.lose(window);
    scene.clock.pass(SILENT_TURN_MS - 1000);
    scene.say(update(1));
    scene.clock.pass(SILENT_TURN_MS - 1000);
    assert.equal(scene.disposed, 0);
    scene.clock.pass(61_000);
    assert.equal(scene.disposed, 1);
  });

  it('makes the agent wait at the limit of its log, until a window has stored frames', () => {
    const scene = new Scene();
    scene.lose(scene.window(0));
    scene.say(...[1, 2, 3, 4].map(update));
    assert.equal(scene.isHeld, true);
    scene.window(0);
    scene.tell({ type: 'stored', n: 4 });
    assert.equal(scene.isHeld, false);
  });

  it('sends no more to a window than it reads', () => {
    const scene = new Scene();
    const window = scene.window(0);
    window.buffered = 1e9;
    scene.say(update(1));
    assert.deepEqual(window.frames, []);
    window.buffered = 0;
    scene.say(update(2));
    assert.deepEqual(window.frames, [`1 ${update(1)}`, `2 ${update(2)}`]);
  });

  it('reports the end of the agent after its last frame, also to a later window', () => {
    const scene = new Scene();
    scene.lose(scene.window(0));
    scene.say(update(1));
    scene.exit({ exitCode: 3, stderrTail: 'why' });
    const window = scene.window(0);
    assert.deepEqual(window.frames, [`1 ${update(1)}`]);
    assert.deepEqual(window.controls.at(-1), { type: 'ended', end: { exitCode: 3, stderrTail: 'why' } });
  });

  it('reports the end of an agent that ended before the first window came', () => {
    const scene = new Scene();
    scene.stderr('no such option');
    scene.exit({ exitCode: 2 });
    assert.equal(scene.disposed, 0);
    assert.deepEqual(scene.window(0).controls.slice(1), [
      { type: 'stderr', line: 'no such option' },
      { type: 'ended', end: { exitCode: 2 } },
    ]);
  });

  it('reports its process, and the newest lines of stderr of the time without a window', () => {
    const scene = new Scene();
    const startedAt = scene.clock.now();
    scene.started();
    scene.clock.pass(50);
    scene.lose(scene.window(0));
    for (let n = 0; n < 300; n++) {
      scene.stderr(`line ${n}`);
    }
    const window = scene.window(0);
    assert.deepEqual([window.hello.pid, window.hello.startedAt], [7, startedAt]);
    const lines = window.controls.flatMap((control) => (control.type === 'stderr' ? [control.line] : []));
    assert.deepEqual([lines.length, lines[0], lines.at(-1)], [200, 'line 100', 'line 299']);
  });

  it('reports a line over the limit as such, and a damaged one', () => {
    const scene = new Scene();
    const window = scene.window(0);
    scene.say('x'.repeat(150));
    scene.keeper.message('garbage');
    scene.keeper.message('!{"type":1}');
    scene.keeper.message('!not json');
    scene.frame(1, 'not json');
    const skipped = window.controls.find((control) => control.type === 'skipped');
    assert.deepEqual(skipped && [skipped.n, skipped.bytes], [1, 150]);
    assert.deepEqual(scene.written, [], 'the agent gets no garbage');
  });
});
