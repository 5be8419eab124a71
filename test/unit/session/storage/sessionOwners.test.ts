/** Several windows, each in its own process, and one session: only one of them writes it. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, utimesSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseJournal } from '../../../../src/session/journal/journalReader';
import { folderNameOf } from '../../../../src/session/storage/folderName';
import { headerOf, keep, lineOf, said, StorageScene } from './storageScene';

class Window {
  private readonly child: ChildProcess;
  private readonly waiting = new Map<number, (answer: { value?: unknown; error?: string }) => void>();
  readonly stopped: string[] = [];
  private count = 0;
  readonly exited: Promise<unknown>;

  constructor(folder: string) {
    this.child = spawn(
      process.execPath,
      ['--require', path.resolve('test/support/tsx.cjs'), path.join(__dirname, 'storageChild.ts'), folder],
      {
        stdio: ['pipe', 'pipe', 'inherit'],
      },
    );
    this.exited = new Promise((resolve) => this.child.once('exit', resolve));
    createInterface({ input: this.child.stdout! }).on('line', (line) => {
      const answer = JSON.parse(line) as { id?: number; stopped?: string };
      if (answer.id === undefined) {
        this.stopped.push(answer.stopped!);
      } else {
        this.waiting.get(answer.id)?.(answer as never);
      }
    });
  }

  get pid(): number {
    return this.child.pid!;
  }

  async do(command: string, ...args: string[]): Promise<unknown> {
    const id = ++this.count;
    this.child.stdin!.write(JSON.stringify({ id, command, args }) + '\n');
    const { value, error } = await new Promise<{ value?: unknown; error?: string }>((resolve) => this.waiting.set(id, resolve));
    return error ?? value;
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.child.kill(signal);
    await this.exited;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }
}

describe('the window that writes a session', function () {
  this.timeout(120_000);
  let scene: StorageScene;
  let windows: Window[];
  beforeEach(() => {
    scene = new StorageScene();
    windows = [];
  });
  afterEach(async () => {
    await Promise.all(windows.map((window) => window.kill()));
    scene.end();
  });
  const open = (): Window => {
    const window = new Window(scene.folder);
    windows.push(window);
    return window;
  };
  const folder = (): string => path.join(scene.root, 'folders', folderNameOf('/w'));
  const journal = (key: string): string => readFileSync(path.join(folder(), `${key}.jsonl`), 'utf8');

  it('keeps it until it is closed or gone', async () => {
    const [one, two] = [open(), open()];
    await one.do('keep', 'k', '7');
    await one.do('answers', 'false');
    assert.equal(await two.do('acquire', 'k', 'false'), false);
    assert.equal(await two.do('live', 'k'), true);
    assert.equal(await one.do('live', 'k'), false);
    assert.equal(await two.do('append', 'k', 'mine'), 'NotOwnerError');
    assert.equal(await one.do('append', 'k', 'mine'), true);
    await one.kill();
    assert.equal(await two.do('live', 'k'), false);
    const began = performance.now();
    assert.equal(await two.do('acquire', 'k', 'false'), true);
    assert.ok(performance.now() - began < 1000, 'who is gone is asked nothing');
    assert.equal(await two.do('append', 'k', 'now mine'), true);
    assert.match(journal('k'), /mine[\s\S]*now mine/);
  });

  it('gives it away on request', async () => {
    const [one, two] = [open(), open()];
    await one.do('keep', 'k', '7');
    assert.equal(await two.do('acquire', 'k', 'false'), true);
    assert.deepEqual([await one.do('append', 'k', 'late'), await two.do('append', 'k', 'mine')], ['NotOwnerError', true]);
    assert.doesNotMatch(journal('k'), /late/);
  });

  it('loses it to a user who forces the takeover, even when it hangs; its later writes are lost', async () => {
    const [one, two] = [open(), open()];
    await one.do('keep', 'k', '7');
    await one.do('answers', 'false');
    await one.do('flood', 'k', 'one');
    await new Promise((resolve) => setTimeout(resolve, 200));
    one.signal('SIGSTOP');
    assert.equal(await two.do('acquire', 'k', 'false'), false, 'it beats still');
    assert.equal(await two.do('acquire', 'k', 'true'), true);
    const text = journal('k');
    one.signal('SIGCONT');
    assert.equal(await one.do('taken', 'k'), true);
    for (let tries = 0; one.stopped.length === 0 && tries < 200; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    assert.deepEqual(one.stopped, ['NotOwnerError']);
    assert.equal(journal('k'), text, 'not a byte came after');
    assert.equal(await two.do('append', 'k', 'two'), true);
    assert.equal(parseJournal(journal('k'))?.events.length, parseJournal(text)!.events.length + 1);
  });

  it('is not considered gone after a clock jump, but is when its process id belongs to another process', async () => {
    const [one, two] = [open(), open()];
    await one.do('keep', 'k', '7');
    await one.do('answers', 'false');
    const hosts = path.join(scene.root, 'hosts');
    const age = (ms: number): void =>
      readdirSync(hosts).forEach((host) =>
        utimesSync(path.join(hosts, host, 'beat'), new Date(Date.now() + ms), new Date(Date.now() + ms)),
      );
    for (const jump of [-100_000_000, 86_400_000]) {
      age(jump);
      assert.equal(await two.do('acquire', 'k', 'false'), false, `${jump}`);
    }
    await one.kill();
    const owner = path.join(folder(), 'k.owner');
    // An unrelated process.
    writeFileSync(owner, readFileSync(owner, 'utf8').replace(/"pid":\d+/, `"pid":${process.pid}`));
    age(-100_000_000);
    assert.equal(await two.do('acquire', 'k', 'false'), true);
  });

  it('is a single one when several request it at the same moment', async () => {
    const all = [open(), open(), open()];
    await all[0]!.do('keep', 'k', '7');
    await Promise.all(all.map((window) => window.do('answers', 'false')));
    for (let round = 0; round < 5; round++) {
      const victim = all.shift()!;
      await victim.kill();
      all.push(open());
      await all.at(-1)!.do('answers', 'false');
      const had = await Promise.all(all.map((window) => window.do('acquire', 'k', 'false')));
      const owners = had.filter((value) => value === true).length;
      assert.equal(owners, 1, JSON.stringify(had));
      all.sort((a, b) => Number(had[all.indexOf(b)]) - Number(had[all.indexOf(a)]));
    }
  });

  it('may be killed at any moment: its journals open, lists are complete, and other windows continue', async () => {
    const rounds = Number(process.env['ACP_HOST_KILLS'] ?? 6);
    const storage = scene.open();
    await keep(storage, 'mine');
    for (let round = 0; round < rounds; round++) {
      const [one, two] = [open(), open()];
      await Promise.all([one.do('keep', `a-${round}`, '7'), two.do('keep', `b-${round}`, '8')]);
      await Promise.all([one.do('flood', `a-${round}`, 'one'), two.do('flood', `b-${round}`, 'two')]);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
      await one.kill();
      assert.equal(await storage.acquire(`a-${round}`, false), true);
      const text = journal(`a-${round}`);
      const { events, skipped } = parseJournal(text)!;
      assert.ok(skipped <= 1 && events.length > 0, `${skipped} of ${events.length}`);
      const numbers = events.slice(1).map((event) => Number(/one-(\d+)/.exec(JSON.stringify(event))?.[1]));
      assert.deepEqual(
        numbers,
        numbers.map((_, index) => index),
        'each once, in order, up to the last whole one',
      );
      await storage.file(headerOf(`a-${round}`)).append('\n' + lineOf(said('goes on', 'x')));
      assert.equal(parseJournal(journal(`a-${round}`))!.events.length, events.length + 1);
      await two.kill();
      const { summaries, total } = await storage.list({ limit: 1000 });
      assert.equal(summaries.length, total);
      assert.deepEqual(
        summaries.map(({ key }) => key).sort(),
        ['mine', ...Array.from({ length: round + 1 }, (_, index) => [`a-${index}`, `b-${index}`]).flat()].sort(),
      );
    }
  });
});
