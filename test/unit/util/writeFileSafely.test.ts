import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isLeftOver, writeFileSafely } from '../../../src/util/writeFileSafely';

const posixOnly = process.platform === 'win32' ? it.skip : it;

describe('writing a file safely', () => {
  let folder: string;
  const at = (name: string): string => path.join(folder, name);
  const text = (name: string): string => readFileSync(at(name), 'utf8');
  /** Chunks that let a change happen on the disk after the first one. */
  async function* pieces(meanwhile: () => void): AsyncIterable<string> {
    yield 'new ';
    meanwhile();
    yield 'text';
  }

  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'acp-host-write-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  posixOnly('creates a file for the user only, and leaves nothing beside it', async () => {
    await writeFileSafely(at('a'), ['new ', 'text'], { overwrite: false });
    assert.equal(text('a'), 'new text');
    assert.equal(statSync(at('a')).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(folder), ['a']);
  });

  posixOnly('replaces a file if that was agreed to, and keeps its mode', async () => {
    writeFileSync(at('a'), 'old', { mode: 0o644 });
    await writeFileSafely(at('a'), ['new'], { overwrite: true });
    assert.equal(text('a'), 'new');
    assert.equal(statSync(at('a')).mode & 0o777, 0o600);
  });

  it('otherwise replaces nothing, and writes nothing', async () => {
    writeFileSync(at('a'), 'old');
    let asked = 0;
    const never = function* (): Iterable<string> {
      asked++;
      yield 'new';
    };
    await assert.rejects(writeFileSafely(at('a'), never(), { overwrite: false }), { code: 'EEXIST' });
    assert.equal(text('a'), 'old');
    assert.equal(asked, 0);
    assert.deepEqual(readdirSync(folder), ['a']);
  });

  it('does not replace a file that appeared while it wrote', async () => {
    await assert.rejects(
      writeFileSafely(
        at('a'),
        pieces(() => writeFileSync(at('a'), 'mine')),
        { overwrite: false },
      ),
      { code: 'EEXIST' },
    );
    assert.equal(text('a'), 'mine');
    assert.deepEqual(readdirSync(folder), ['a']);
  });

  for (const overwrite of [true, false]) {
    posixOnly(`never writes through a link, ${overwrite ? 'which it replaces' : 'which counts as a file'}`, async () => {
      for (const [name, target] of [
        ['to-file', 'victim'],
        ['dangling', 'nowhere'],
      ] as const) {
        writeFileSync(at('victim'), 'old');
        symlinkSync(at(target), at(name));
        const written = writeFileSafely(at(name), ['new'], { overwrite });
        if (overwrite) {
          await written;
          assert.ok(!lstatSync(at(name)).isSymbolicLink());
          assert.equal(text(name), 'new');
        } else {
          await assert.rejects(written, { code: 'EEXIST' });
          assert.ok(lstatSync(at(name)).isSymbolicLink());
        }
        assert.equal(text('victim'), 'old');
        assert.ok(!existsSync(at('nowhere')));
      }
    });

    posixOnly(`does not write through a link that appeared meanwhile (overwrite: ${overwrite})`, async () => {
      writeFileSync(at('victim'), 'old');
      const written = writeFileSafely(
        at('a'),
        pieces(() => symlinkSync(at('victim'), at('a'))),
        { overwrite },
      );
      await (overwrite ? written : assert.rejects(written, { code: 'EEXIST' }));
      assert.equal(text('victim'), 'old');
    });
  }

  posixOnly('is not misled by links with guessed names', async () => {
    writeFileSync(at('victim'), 'old');
    for (const name of ['a.part', 'a.new', 'a.tmp', '.a.tmp', 'a~', `a.${process.pid}.tmp`]) {
      symlinkSync(at('victim'), at(name));
    }
    await writeFileSafely(at('a'), ['new'], { overwrite: true });
    assert.equal(text('victim'), 'old');
  });

  it('leaves nothing when it fails or is cancelled, and keeps the previous file', async () => {
    writeFileSync(at('a'), 'old');
    const giveUp = pieces(() => {
      throw new Error('given up');
    });
    await assert.rejects(writeFileSafely(at('a'), giveUp, { overwrite: true }), /given up/);
    assert.equal(text('a'), 'old');
    assert.deepEqual(readdirSync(folder), ['a']);
    mkdirSync(at('d'));
    await assert.rejects(writeFileSafely(at('d'), ['x'], { overwrite: true }));
    assert.deepEqual(readdirSync(folder).sort(), ['a', 'd']);
  });

  it('leaves one whole file when several run at once', async () => {
    const texts = Array.from({ length: 8 }, (_, index) => String(index).repeat(100_000));
    await Promise.all(texts.map((each) => writeFileSafely(at('a'), [each], { overwrite: true })));
    assert.ok(texts.includes(text('a')));
    const first = await Promise.allSettled(texts.map((each) => writeFileSafely(at('b'), [each], { overwrite: false })));
    assert.equal(first.filter(({ status }) => status === 'fulfilled').length, 1);
    assert.deepEqual(readdirSync(folder).sort(), ['a', 'b']);
  });

  it('recognizes files that a crash left behind, which block no later write', async () => {
    const script = `
      const { writeFileSafely } = require(${JSON.stringify(path.resolve('src/util/writeFileSafely.ts'))});
      async function* endless() { for (;;) { yield 'x'.repeat(1000); process.stdout.write('.'); await new Promise((go) => setTimeout(go, 5)); } }
      void writeFileSafely(${JSON.stringify(at('a'))}, endless(), { overwrite: true });`;
    const child = spawn(process.execPath, ['--require', path.resolve('test/support/tsx.cjs'), '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await exited;
    const [left, ...others] = readdirSync(folder);
    assert.deepEqual(others, []);
    assert.ok(left !== undefined && left !== 'a' && isLeftOver(left, 'a'), left);
    assert.ok(!isLeftOver('a', 'a') && !isLeftOver('.b.x.tmp', 'a'));
    await writeFileSafely(at('a'), ['new'], { overwrite: false });
    assert.equal(text('a'), 'new');
  });
});
