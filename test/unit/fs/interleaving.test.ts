import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { Fault } from '../../../src/core/model/failure';
import { FakeBuffers } from '../../support/fakeBuffers';
import { fileService } from '../../support/fakeFileService';

// A user types, saves, closes and opens, and another program writes, while an agent reads and writes. The model knows lines by their identity, so it
// needs no diff: it compares line by line since the agent's last read or write.

const path = '/w/file.txt';

/** One line; a changed line is a new line. Texts are unique, so text is identity. */
type Line = string;

interface Change {
  readonly kind: 'insert' | 'replace' | 'delete';
  /** The position, as a fraction of the number of lines. */
  readonly at: number;
}

interface Write {
  readonly do: 'write';
  readonly changes: readonly Change[];
  /** True when the agent sends LF whatever the file has. */
  readonly lineFeeds: boolean;
  /** A change that arrives just before the edit. */
  readonly typing: Change | undefined;
}

type Step =
  | { readonly do: 'type'; readonly change: Change }
  | { readonly do: 'save' }
  | { readonly do: 'close' }
  | { readonly do: 'open' }
  | { readonly do: 'read' }
  | Write;

const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom('insert', 'insert', 'replace', 'delete'),
  at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
});

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('type' as const), change }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('save' as const, 'close' as const, 'open' as const, 'read' as const, 'read' as const) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      changes: fc.array(change, { maxLength: 3 }),
      lineFeeds: fc.boolean(),
      typing: fc.option(change, { nil: undefined, freq: 4 }),
    }),
  },
);

/** Lines `[start, end)` of the base were replaced by `lines`. */
interface ModelHunk {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly Line[];
}

function hunksOf(base: readonly Line[], side: readonly Line[]): ModelHunk[] {
  const hunks: ModelHunk[] = [];
  const common = base.filter((line) => side.includes(line));
  let [b, s] = [0, 0];
  for (const line of [...common, undefined]) {
    const [nextB, nextS] = line === undefined ? [base.length, side.length] : [base.indexOf(line), side.indexOf(line)];
    if (nextB > b || nextS > s) {
      hunks.push({ start: b, end: nextB, lines: side.slice(s, nextS) });
    }
    [b, s] = [nextB + 1, nextS + 1];
  }
  return hunks;
}

function collide(a: ModelHunk, b: ModelHunk): boolean {
  const insertions = a.start === a.end && b.start === b.end && a.start === b.start;
  return insertions || (a.start < b.end && b.start < a.end);
}

/** The merged lines, or undefined for a conflict. */
function modelMerge(base: readonly Line[], theirs: readonly Line[], ours: readonly Line[]): Line[] | undefined {
  const user = hunksOf(base, theirs);
  const agent = hunksOf(base, ours);
  const same = (a: ModelHunk, b: ModelHunk) => a.start === b.start && a.end === b.end && a.lines.join() === b.lines.join();
  const news = agent.filter((a) => !user.some((u) => same(a, u)));
  if (news.some((a) => user.some((u) => collide(a, u)))) {
    return undefined;
  }
  const all = [...user, ...news].sort((a, b) => a.start - b.start || a.end - b.end);
  const merged: Line[] = [];
  let at = 0;
  for (const { start, end, lines } of all) {
    merged.push(...base.slice(at, start), ...lines);
    at = end;
  }
  return [...merged, ...base.slice(at)];
}

/** Lines that are never changed, so that the text always has a line end to keep. */
const END: readonly Line[] = ['end', ''];

class World {
  readonly buffers = new FakeBuffers();
  readonly room = fileService(this.buffers);
  /** The lines in the editor, or on disk when no document is open. */
  lines: Line[] = ['1', '2', '3', '4', '5', '6', ...END];
  /** The lines that the agent knows. */
  known: Line[] | undefined;
  readonly seen = { merged: 0, conflicts: 0, retried: 0, closed: 0 };
  private next = 0;

  constructor(
    private readonly eol: string,
    private readonly encoding: string,
  ) {
    this.buffers.codec.configured = encoding === 'iso88591' ? encoding : 'utf8';
  }

  async run(steps: readonly Step[]): Promise<void> {
    await this.buffers.store(path, this.text(), this.encoding);
    for (const each of steps) {
      await this.take(each);
      await this.check();
    }
  }

  private get document() {
    return this.buffers.documents.get(path);
  }

  private text(lines: readonly Line[] = this.lines, eol = this.eol): string {
    return lines.join(eol);
  }

  private async take(each: Step): Promise<void> {
    if (each.do === 'type') {
      this.type(each.change);
      if (!this.document) {
        await this.buffers.store(path, this.text(), this.encoding);
      }
    } else if (each.do === 'save') {
      await this.document?.save();
    } else if (each.do === 'close') {
      await this.document?.save();
      this.buffers.close(path);
    } else if (each.do === 'open') {
      if (!this.document) {
        await this.buffers.open(path, this.encoding);
      }
    } else if (each.do === 'read') {
      assert.equal(
        await this.room.read({ path, line: 1, limit: 2 }),
        this.text()
          .split(/(?<=\n)/)
          .slice(0, 2)
          .join(''),
      );
      this.known = [...this.lines];
    } else {
      await this.write(each);
    }
  }

  private async write({ changes, lineFeeds, typing }: Write): Promise<void> {
    const ours = changes.reduce((lines, each) => this.changed(lines, each, 'agent'), this.known ?? ['agent alone', ...END]);
    const { document } = this;
    if (document && typing) {
      document.beforeEdit = () => {
        this.seen.retried++;
        this.type(typing);
      };
    }
    const neverRead = this.known === undefined && document?.dirty === true && this.text() !== this.text(ours);
    const disk = await this.buffers.storedText(path, this.encoding);
    let conflict = false;
    // The user may type during the write. The text with which it is merged is known only afterwards.
    const base = this.known ?? [...this.lines];
    try {
      await this.room.write({ path, content: this.text(ours, lineFeeds ? '\n' : this.eol) });
    } catch (error) {
      assert.ok(error instanceof Fault && error.failure.code === 'fs.conflict', String(error));
      conflict = true;
    }
    if (document) {
      document.beforeEdit = undefined;
    }
    const before = this.text();
    const merged = neverRead ? undefined : modelMerge(base, this.lines, ours);
    // Typing during the write makes a clean document that was never read a dirty one.
    if (this.known === undefined && !neverRead && conflict) {
      assert.ok(typing && document);
    } else {
      assert.equal(conflict, merged === undefined, `base ${base.join()} theirs ${this.lines.join()} ours ${ours.join()}`);
    }
    if (conflict || !merged) {
      this.seen.conflicts++;
      assert.equal(document ? document.text : await this.buffers.storedText(path, this.encoding), before);
      assert.equal(await this.buffers.storedText(path, this.encoding), disk);
      return;
    }
    this.seen.merged++;
    if (!document) {
      this.seen.closed++;
    }
    this.lines = merged;
    this.known = ours;
    if (document && this.text() !== before) {
      assert.equal(document.undoText, before, 'one undo takes back the edit, and only it');
    }
    assert.equal(await this.buffers.storedText(path, this.encoding), this.text(), 'saved');
  }

  private async check(): Promise<void> {
    const { document } = this;
    if (document) {
      assert.equal(document.text, this.text());
    }
    if (document?.dirty) {
      return;
    }
    const bytes = await this.buffers.codec.encode(this.text(), path, this.encoding);
    assert.deepEqual([...this.buffers.disk.files.get(path)!], [...bytes]);
  }

  private type(each: Change): void {
    this.lines = this.changed(this.lines, each, 'üser');
    const { document } = this;
    document?.type(0, document.text.length, this.text());
  }

  private changed(lines: readonly Line[], { kind, at }: Change, who: string): Line[] {
    const fresh = `${who} ${this.next++}`;
    const count = lines.length - END.length;
    if (kind === 'insert' || count === 0) {
      return lines.toSpliced(Math.floor(at * (count + 1)), 0, fresh);
    }
    const index = Math.floor(at * count);
    return kind === 'delete' ? lines.toSpliced(index, 1) : lines.toSpliced(index, 1, fresh);
  }
}

describe('interleaved typing and writing', () => {
  it('lose nothing, or report a conflict, like a model that knows every line', async function () {
    this.timeout(60_000);
    const seen = { merged: 0, conflicts: 0, retried: 0, closed: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 25 }),
        fc.constantFrom('\n', '\r\n'),
        fc.constantFrom('utf8', 'utf8bom', 'utf16le', 'utf16be', 'iso88591'),
        async (steps, eol, encoding) => {
          const world = new World(eol, encoding);
          await world.run(steps);
          for (const key of Object.keys(seen) as (keyof typeof seen)[]) {
            seen[key] += world.seen[key];
          }
        },
      ),
      { numRuns: 1000 },
    );
    for (const [name, count] of Object.entries(seen)) {
      assert.ok(count > 100, `${name} happened only ${count} times`);
    }
  });
});
