import assert from 'node:assert/strict';
import { Highlighter, TIMEOUT_MS } from '../../../../../../webview/markdown/code/highlight/highlight';
import { type Language, languageOf } from '../../../../../../webview/markdown/code/highlight/languages';
import type { FromWorker, StyleRule, ToWorker } from '../../../../../../webview/markdown/code/highlight/messages';
import { GRACE_MS, READY, type WorkerHandle } from '../../../../../../webview/workers/supervisor';

const ts = languageOf('ts')!;
const py = languageOf('python')!;

/** A worker whose answers the test gives. A line's only token has the line's length, so that lines can be distinguished. */
class FakeWorker implements WorkerHandle<ToWorker> {
  readonly got: ToWorker[] = [];
  terminated = false;
  private readonly open = new Map<number, string>();

  constructor(private readonly hear: (answer: FromWorker) => void) {}

  postMessage(message: ToWorker): void {
    this.got.push(structuredClone(message));
  }

  terminate(): void {
    this.terminated = true;
  }

  get texts(): Extract<ToWorker, { type: 'text' }>[] {
    return this.got.filter((message) => message.type === 'text');
  }

  /** Answers the newest chunk like the real worker. */
  answer(): void {
    const { block, text } = this.texts.at(-1)!;
    const before = this.open.get(block) ?? '';
    const closed = before.split('\n').length - 1;
    this.open.set(block, before + text);
    this.hear({
      block,
      from: closed,
      lines: (before + text)
        .split('\n')
        .slice(closed)
        .map((line) => [0, line.length]),
    });
  }
}

/** A highlighter whose dependencies the test controls. */
function setUp(load: (language: Language) => Promise<void> = () => Promise.resolve()) {
  const workers: FakeWorker[] = [];
  const timers = new Set<{ ms: number; callback: () => void }>();
  const themes: unknown[] = [];
  const highlighter = new Highlighter(
    {
      spawn: (hear) => {
        const worker = new FakeWorker(hear);
        workers.push(worker);
        hear(READY);
        return Promise.resolve(worker);
      },
      load: (language) => load(language).then(() => ({ grammars: [`"${language}"`], injected: 0 })),
      use: (theme) => {
        themes.push(theme);
        return [{ colour: themes.length }] satisfies StyleRule[];
      },
      after: (ms, callback) => {
        const timer = { ms, callback };
        timers.add(timer);
        return () => timers.delete(timer);
      },
    },
    undefined,
  );
  const open = (language: Language, text: string, wanted = 100) => {
    const changed: [number, number][] = [];
    const block = highlighter.open(language, (from, to) => changed.push([from, to]));
    block.update(text);
    block.want(wanted);
    return { block, changed };
  };
  const expire = (ms: number) => {
    for (const timer of [...timers].filter((each) => each.ms === ms)) {
      timers.delete(timer);
      timer.callback();
    }
  };
  return { highlighter, workers, timers, open, expire };
}

/** Waits until settled promises have run. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
const sizes = (block: { lines: readonly (readonly number[])[] }) => block.lines.map(([, length]) => length);

describe('highlighter', () => {
  it('starts a worker with the first visible block, and sends it theme, language and text in this order', async () => {
    const { workers, highlighter } = setUp();
    const block = highlighter.open(ts, () => {});
    block.update('const a = 1;\n');
    await settle();
    assert.equal(workers.length, 0);
    block.want(100);
    await settle();
    assert.deepEqual(workers[0]!.got, [
      { type: 'theme', rules: [{ colour: 1 }] },
      { type: 'language', language: 'typescript', grammars: ['"typescript"'], injected: 0 },
      { type: 'text', block: block.id, language: 'typescript', text: 'const a = 1;\n' },
    ]);
    workers[0]!.answer();
    assert.deepEqual(sizes(block), [12, 0]);
  });

  it('sends the added part of a growing text, once the previous part was answered', async () => {
    const { workers, open } = setUp();
    const { block, changed } = open(ts, 'ab');
    await settle();
    block.update('abc\nd');
    block.update('abc\nde');
    assert.equal(workers[0]!.texts.length, 1);
    workers[0]!.answer();
    assert.deepEqual(
      workers[0]!.texts.map(({ text }) => text),
      ['ab', 'c\nde'],
    );
    workers[0]!.answer();
    assert.deepEqual(sizes(block), [3, 2]);
    assert.deepEqual(changed, [
      [0, 1],
      [0, 2],
    ]);
    const first = block.lines[0];
    block.update('abc\ndef');
    workers[0]!.answer();
    assert.equal(block.lines[0], first, 'a line at its end keeps its tokens');
    assert.deepEqual(changed.at(-1), [1, 2]);
  });

  it('cuts a long text at line ends, alternates between blocks, and stops when no line is visible', async () => {
    const { workers, open } = setUp();
    const long = 'x'.repeat(99) + '\n';
    const { block: a } = open(ts, long.repeat(1000), 100);
    const { block: b } = open(ts, long.repeat(1000), 30);
    for (let answers = 0; answers < 10; answers++) {
      await settle();
      if (workers[0]!.texts.length > answers) {
        workers[0]!.answer();
      }
    }
    const { texts } = workers[0]!;
    assert.ok(texts.every(({ text }) => text.length <= 4096 && text.endsWith('\n')));
    assert.deepEqual(
      texts.map(({ block }) => (block === a.id ? 'a' : 'b')),
      ['a', 'b', 'a', 'a'],
    );
    assert.ok(a.lines.length > 100 && a.lines.length < 150, String(a.lines.length));
    assert.ok(b.lines.length > 30 && b.lines.length < 80, String(b.lines.length));
    a.want(200);
    assert.equal(workers[0]!.texts.length, 5);
  });

  it('leaves text after 200 KB plain, with or without line breaks', async () => {
    const { workers, open } = setUp();
    open(ts, 'x'.repeat(300 * 1024), Infinity);
    await settle();
    for (let answers = 0; answers < 100 && workers[0]!.texts.length > answers; answers++) {
      workers[0]!.answer();
    }
    assert.equal(
      workers[0]!.texts.reduce((sum, { text }) => sum + text.length, 0),
      200 * 1024,
    );
  });

  it('starts again when a text is replaced', async () => {
    const { workers, open } = setUp();
    const { block } = open(ts, 'old text');
    await settle();
    block.update('new text');
    workers[0]!.answer(); // The answer is for the old text.
    assert.deepEqual(block.lines, []);
    assert.equal(workers[0]!.texts.at(-1)!.text, 'new text');
    assert.notEqual(workers[0]!.texts.at(-1)!.block, workers[0]!.texts[0]!.block);
    workers[0]!.answer();
    assert.deepEqual(sizes(block), [8]);
  });

  it('ends a worker that does not answer, leaves its block plain and continues with the others', async () => {
    const { workers, open, expire } = setUp();
    const { block: calm } = open(py, 'calm');
    await settle();
    workers[0]!.answer();
    const { block: evil } = open(ts, 'evil');
    await settle();
    const { block: other } = open(ts, 'other');
    expire(TIMEOUT_MS);
    assert.equal(workers[0]!.terminated, false, 'an answer may have come while the page was busy');
    expire(GRACE_MS);
    assert.equal(workers[0]!.terminated, true);
    await settle();
    assert.deepEqual(
      workers[1]!.texts.map(({ text }) => text),
      ['other'],
    );
    workers[1]!.answer();
    assert.deepEqual([sizes(evil), sizes(other), sizes(calm)], [[], [5], [4]]);
    workers[0]!.answer(); // The late answer is ignored.
    assert.deepEqual(sizes(evil), []);
  });

  it('leaves a language plain that has broken two workers, and no other', async () => {
    const { workers, open, expire } = setUp();
    for (const text of ['one', 'two', 'three']) {
      open(ts, text);
      await settle();
      expire(TIMEOUT_MS);
      expire(GRACE_MS);
      await settle();
    }
    open(py, 'fine');
    await settle();
    assert.deepEqual(
      workers.flatMap(({ texts }) => texts.map(({ text }) => text)),
      ['one', 'two', 'fine'],
    );
  });

  it('waits as long as answers arrive', async () => {
    const { workers, open, timers } = setUp();
    open(ts, 'a\n'.repeat(5000), Infinity);
    await settle();
    workers[0]!.answer();
    assert.equal(timers.size, 1);
    workers[0]!.answer();
    workers[0]!.answer();
    assert.deepEqual([workers[0]!.texts.length, timers.size], [3, 0]);
  });

  it('colors everything again in another theme, and ignores answers in the old one', async () => {
    const { workers, open, highlighter } = setUp();
    const { block: done } = open(ts, 'done');
    await settle();
    workers[0]!.answer();
    const { block: busy } = open(ts, 'busy');
    highlighter.setTheme({ rules: [] });
    assert.deepEqual([sizes(done), workers[0]!.got.at(-1)!.type], [[], 'close']);
    workers[0]!.answer();
    assert.deepEqual(sizes(busy), []);
    workers[0]!.answer();
    workers[0]!.answer();
    assert.deepEqual([sizes(done), sizes(busy)], [[4], [4]]);
  });

  it('remembers a completely colored block that left the screen', async () => {
    const { workers, open, highlighter } = setUp();
    const { block } = open(ts, 'again');
    await settle();
    workers[0]!.answer();
    highlighter.close(block);
    const { block: back, changed } = open(ts, 'again');
    assert.deepEqual([back.lines, changed, workers[0]!.texts.length], [block.lines, [[0, 1]], 1]);
    back.update('again and more');
    assert.equal(workers[0]!.texts.at(-1)!.text, 'again and more', 'from the beginning: the worker knows nothing of it');
    highlighter.close(back); // The block is not complete.
    open(ts, 'again and more');
    workers[0]!.answer();
    assert.equal(workers[0]!.texts.at(-1)!.text, 'again and more');
    assert.equal(workers[0]!.texts.length, 3);
  });

  it('leaves a language plain whose grammar cannot be loaded', async () => {
    const { workers, open } = setUp((language) => (language === ts ? Promise.reject(new Error('gone')) : Promise.resolve()));
    open(ts, 'plain');
    open(py, 'coloured');
    await settle();
    assert.deepEqual(
      workers[0]!.texts.map(({ text }) => text),
      ['coloured'],
    );
  });
});

describe('languages', () => {
  it('are known by many names', () => {
    for (const [label, language] of [
      ['TypeScript', 'typescript'],
      ['ts', 'typescript'],
      ['{.python}', 'python'],
      ['language-js', 'javascript'],
      ['C++', 'cpp'],
      ['c#', 'csharp'],
      ['YAML', 'yaml'],
      ['sh', 'shellscript'],
      ['Dockerfile', 'docker'],
    ] as const) {
      assert.equal(languageOf(label), language, label);
    }
    for (const label of ['', 'text', 'constructor', '__proto__', 'no-such-language']) {
      assert.equal(languageOf(label), undefined, label);
    }
  });

  it('are known by all names that tm-grammars gives them', async () => {
    const { grammars } = await import('tm-grammars');
    const ours = grammars.filter(({ name }) => languageOf(name) === name);
    assert.ok(ours.length > 50);
    for (const { name, aliases } of ours) {
      for (const alias of aliases ?? []) {
        assert.equal(languageOf(alias), name, alias);
      }
    }
  });
});
