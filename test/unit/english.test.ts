/** The check of comments, test titles and docs (`npm run english`), over files that break its rules one by one. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

interface Finding {
  readonly file: string;
  readonly line: number;
  readonly kind: string;
  readonly reasons: readonly string[];
}

interface DeadName {
  readonly file: string;
  readonly line: number;
  readonly what: string;
  readonly name: string;
}

type Counts = Readonly<Record<string, number>>;

const CLEAN = `/**
 * Reads the settings. Returns undefined when the file \`package.json\` does not exist, so that the caller can use the defaults.
 * @param name the setting's name
 */
export function readSetting(name: string): string | undefined {
  // A later change of the file is reported by the watcher.
  return undefined;
}
`;

describe('the check of English', () => {
  let root: string;
  let findProse: (root: string, paths?: readonly string[]) => Finding[];
  let findDeadNames: (root: string, paths?: readonly string[]) => DeadName[];
  let countsOf: (findings: readonly (Finding | DeadName)[]) => Counts;
  let overLimit: (counts: Counts, limits: Counts) => string[];

  before(async () => {
    const load = async (name: string): Promise<unknown> => import(`../../build/plainEnglish/${name}.mjs`);
    ({ findProse } = (await load('prose')) as { findProse: typeof findProse });
    ({ findDeadNames } = (await load('names')) as { findDeadNames: typeof findDeadNames });
    ({ countsOf, overLimit } = (await load('limits')) as { countsOf: typeof countsOf; overLimit: typeof overLimit });
  });

  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'english-'));
    await write('package.json', '{ "name": "sample" }');
  });

  afterEach(() => rm(root, { recursive: true }));

  async function write(file: string, text: string): Promise<void> {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await writeFile(path.join(root, file), text);
  }

  /** The reasons for which a file is flagged, without the words behind the colon. */
  async function reasonsFor(file: string, text: string): Promise<string[]> {
    await write(file, text);
    return findProse(root).flatMap((finding) => finding.reasons.map((reason) => `${finding.kind} ${reason.replace(/:.*/, '')}`));
  }

  it('passes a clean file', async () => {
    assert.deepEqual(await reasonsFor('src/settings.ts', CLEAN), []);
    assert.deepEqual(findDeadNames(root), []);
  });

  it('flags a headless sentence', async () => {
    assert.deepEqual(await reasonsFor('src/a.ts', '/** What the user chose. */\nexport const chosen = 1;\n'), ['comment headless']);
    assert.deepEqual(await reasonsFor('src/a.ts', '/** The choice. Of several the last. */\nexport const chosen = 1;\n'), [
      'comment headless',
    ]);
  });

  it('flags a private word', async () => {
    assert.deepEqual(await reasonsFor('docs/a.md', '# A\n\nThe page is told the title.\n'), ['markdown word']);
  });

  it('flags a long sentence, but no code, list or table of many words', async () => {
    const words = (count: number): string => Array.from({ length: count }, () => 'word').join(' ');
    assert.deepEqual(await reasonsFor('docs/a.md', `The ${words(29)}.\n`), []);
    assert.deepEqual(await reasonsFor('docs/a.md', `The ${words(30)}.\n`), ['markdown long']);
    const quiet = `- The ${words(20)}.\n- The ${words(20)}\n\n| a | ${words(20)} |\n| b | ${words(20)} |\n\n\`\`\`\n${words(60)}\n\`\`\`\n`;
    assert.deepEqual(await reasonsFor('docs/a.md', quiet), []);
  });

  it('flags a title that does not state a behaviour', async () => {
    assert.deepEqual(await reasonsFor('test/a.test.ts', `it('of an agent leave none', () => undefined);\n`), ['title title']);
    assert.deepEqual(await reasonsFor('test/a.test.ts', `it('leaves no process of an agent behind', () => undefined);\n`), []);
  });

  it('reads no string, template or regular expression as a comment', async () => {
    const code = 'const a = "// What"; const b = `/* Who */ ${1}`; const c = /\\/\\/ Which/; // The end.\n';
    assert.deepEqual(await reasonsFor('src/a.ts', code), []);
  });

  it('flags names of files, links and identifiers that do not exist', async () => {
    await write('src/here.ts', 'export class Present {}\n');
    await write('src/a.ts', '/** Calls `gone.ts` and `here.ts`; see {@link Present} and {@link Absent}. */\nexport const a = 1;\n');
    await write('docs/a.md', 'The class `AbsentClass` is in `src/here.ts`, beside [gone](gone.md).\n');
    const names = findDeadNames(root).map(({ file, what, name }) => `${file} ${what} ${name}`);
    assert.deepEqual(names.sort(), [
      'docs/a.md file gone.md',
      'docs/a.md name AbsentClass',
      'src/a.ts file gone.ts',
      'src/a.ts link Absent',
    ]);
  });

  it('names the kinds above their limit', async () => {
    await write('src/a.ts', '/** What `gone.ts` does. */\nexport const a = 1;\n');
    const counts = countsOf([...findProse(root), ...findDeadNames(root)]);
    assert.deepEqual(counts, { comments: 1, titles: 0, markdown: 0, names: 1 });
    assert.deepEqual(overLimit(counts, { comments: 1, titles: 0, markdown: 0, names: 0 }), ['names']);
    assert.deepEqual(overLimit(counts, { comments: 1, titles: 0, markdown: 0, names: 1 }), []);
  });
});
