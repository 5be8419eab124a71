import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { ripgrepIn } from '../../../../src/application/mentions/ripgrepProgram';
import { matchOf } from '../../../../src/mcp/editor/search/matches';
import { ripgrep, type RipgrepEnd, type RipgrepRun } from '../../../../src/mcp/editor/search/ripgrep';
import { fileArguments, patternArguments, type SearchSettings } from '../../../../src/mcp/editor/search/searchArguments';
import { type SearchPort, searchTools } from '../../../../src/mcp/editor/tools/search';
import { WindowToolsFixture } from './windowToolsFixture';

const SETTINGS: SearchSettings = { excluded: [], useIgnoreFiles: true, useParentIgnoreFiles: true, useGlobalIgnoreFiles: true };
const match = (file: string, line: number, text: string, start = 0): string =>
  JSON.stringify({
    type: 'match',
    data: { path: { text: `./${file}` }, lines: { text: `${text}\n` }, line_number: line, submatches: [{ start, end: start + 1 }] },
  });

describe('the arguments of a search', () => {
  it('leave out what the settings and the model exclude, after what it includes', () => {
    const args = fileArguments({ ...SETTINGS, excluded: ['**/dist'] }, { include: './src/, *.{js,ts}', exclude: 'test' });
    const globs = args.flatMap((each, at) => (args[at - 1] === '-g' ? each : []));
    assert.deepEqual(globs, ['src', 'src/**', '*.{js,ts}', '!**/dist', '!test', '!test/**', '!**/.git']);
    assert.ok(!args.includes('--follow'));
    assert.ok(fileArguments({ ...SETTINGS, useIgnoreFiles: false }, {}).includes('--no-ignore'));
  });

  it('refuse globs that leave the folder, negate, or end the argument', () => {
    for (const include of ['../**', '..', '/etc/*', 'C:/x', '!*.ts', 'a\0b', '*.ts,../x', '..\\x']) {
      assert.throws(() => fileArguments(SETTINGS, { include }), /relative to|exclude|U\+0000/, include);
    }
  });

  it('never take a pattern for an option', () => {
    const args = patternArguments({ query: '--files', isRegex: true });
    assert.deepEqual(args.slice(-2), ['--regexp', '--files']);
    assert.ok(patternArguments({ query: 'a\nb' }).includes('--multiline'));
    assert.throws(() => patternArguments({ query: '\0' }), /U\+0000/);
  });
});

describe('a match of ripgrep', () => {
  it('has the line and column of characters, also in several lines and other encodings', () => {
    assert.deepEqual(matchOf(match('a.ts', 3, 'ä😀x', 6)), { path: 'a.ts', line: 3, column: 3, text: 'ä😀x', start: 3 });
    const bytes = {
      type: 'match',
      data: {
        path: { text: 'b' },
        lines: { bytes: Buffer.from([0xff, 0x61]).toString('base64') },
        line_number: 1,
        submatches: [{ start: 1, end: 2 }],
      },
    };
    assert.deepEqual([matchOf(JSON.stringify(bytes))?.column, matchOf('{"type":"end"}')], [2, undefined]);
  });
});

describe('the search tools', () => {
  const fixture = new WindowToolsFixture({ 'app/sub/c.txt': 'two\n' });
  let runs: RipgrepRun[];
  let output: (run: RipgrepRun) => readonly string[];
  let end: RipgrepEnd;
  let unsaved: { path: string; text: string }[];
  const port: SearchPort = {
    program: () => Promise.resolve('rg'),
    async *run(run) {
      runs.push(run);
      yield* output(run);
      return end;
    },
    settings: () => SETTINGS,
    unsaved: () => unsaved,
    mayRead: (_session, file) => Promise.resolve(!file.endsWith('.env')),
  };
  const tools = searchTools(port);

  beforeEach(() => {
    runs = [];
    unsaved = [];
    end = { dropped: 0, problem: undefined };
    output = () => [];
  });

  it('answer pages that continue where the last one ended', async () => {
    output = () => Array.from({ length: 250 }, (_, at) => match('a.txt', at + 1, `line ${at + 1}`));
    const first = await fixture.run(tools, 'search_text', { query: 'line' });
    assert.ok(first.text.startsWith('100 matching lines.\na.txt:1:1: line 1\n'));
    assert.equal(first.nextCursor, '100');
    const last = await fixture.run(tools, 'search_text', { query: 'line', cursor: '200' });
    assert.ok(last.text.startsWith('From 201: 50 matching lines.\na.txt:201:1'));
    assert.equal(last.nextCursor, undefined);
    assert.match((await fixture.run(tools, 'search_text', { query: 'line', cursor: '250' })).text, /^No further matches/);
    for (const cursor of ['-1', '1e3', 'x', '999999', '20000']) {
      assert.ok((await fixture.run(tools, 'search_text', { query: 'line', cursor })).isError, cursor);
    }
  });

  it('show no text of protected files', async () => {
    output = () => [match('.env', 1, 'KEY=1'), match('a.txt', 1, 'KEY')];
    assert.equal((await fixture.run(tools, 'search_text', { query: 'KEY' })).text, '1 matching line.\na.txt:1:1: KEY');
    unsaved = [{ path: fixture.path('.env'), text: 'KEY=2' }];
    output = ({ args }) => (args.includes('--files') ? ['./.env', './a.txt'] : []);
    assert.match((await fixture.run(tools, 'search_text', { query: 'KEY' })).text, /^No matches/);
    assert.ok(runs.every(({ input }) => input === undefined));
  });

  it('search unsaved text instead of the text on the disk, when the search includes the file', async () => {
    unsaved = [
      { path: fixture.path('a.txt'), text: 'typed' },
      { path: fixture.path('ignored.log'), text: 'typed' },
      { path: path.join(fixture.base, 'outside/b.txt'), text: 'typed' },
    ];
    output = ({ args, input }) =>
      args.includes('--files')
        ? ['./a.txt', './sub/c.txt']
        : input !== undefined
          ? [match('<stdin>', 4, input)]
          : [match('a.txt', 1, 'old'), match('sub/c.txt', 1, 'x')];
    const { text } = await fixture.run(tools, 'search_text', { query: 't' });
    assert.equal(text, '2 matching lines.\na.txt:4:1: typed [not saved]\nsub/c.txt:1:1: x');
    assert.deepEqual(runs.filter(({ input }) => input !== undefined).length, 1);
  });

  it('answer a failed search with the reason and the way on', async () => {
    end = { dropped: 0, problem: 'rg: regex parse error' };
    const answer = await fixture.run(tools, 'search_text', { query: '(', isRegex: true });
    assert.deepEqual([answer.isError, answer.text], [true, 'The search failed: regex parse error\nCorrect query, include or exclude.']);
    const without = searchTools({ ...port, program: () => Promise.resolve(undefined) });
    assert.match((await fixture.run(without, 'search_text', { query: 'x' })).text, /missing in this installation/);
  });

  it('refuse folders outside of the session, and hostile inputs', async () => {
    for (const folder of ['..', '../outside', '/etc', 'file:///etc', 'a.txt', 'none', '\0']) {
      const answer = await fixture.call(tools, 'search_text', { query: 'x', folder });
      assert.ok(answer.isError, folder);
    }
    const wrong = [
      {},
      { query: '' },
      { query: 5 },
      { query: 'x'.repeat(2001) },
      { query: 'x', isRegex: 'yes' },
      { query: 'x', more: 1 },
      { query: 'x', include: '../*' },
    ];
    for (const input of wrong) {
      assert.ok((await fixture.call(tools, 'search_text', input)).isError, JSON.stringify(input));
    }
    assert.equal(runs.length, 0);
  });

  it('answer with what they have when the time is over', async () => {
    output = () => [match('a.txt', 1, 'x')];
    const answer = await fixture.run(tools, 'search_text', { query: 'x' }, { timedOut: true });
    assert.match(answer.text, /^1 matching line\.\na\.txt:1:1: x\nThe search took too long/);
    assert.equal(answer.data?.['timedOut'], true);
  });

  it('bound previews of long lines around the match', async () => {
    output = () => [match('a.txt', 1, `${'x'.repeat(5000)}needle${'y'.repeat(5000)}`, 5000)];
    const { text } = await fixture.run(tools, 'search_text', { query: 'needle' });
    assert.ok(text.length < 400 && text.includes('needle') && text.includes(':5001: …'));
  });

  it('find files in pages', async () => {
    output = () => Array.from({ length: 201 }, (_, at) => `./f${at}.ts`);
    const answer = await fixture.run(tools, 'find_files', { pattern: '*.ts' });
    assert.ok(answer.text.startsWith('200 files:\nf0.ts\n'));
    assert.equal(answer.nextCursor, '200');
    assert.ok(runs[0]!.args.includes('*.ts') && runs[0]!.separator === '\0');
    await fixture.run(tools, 'find_files', { pattern: 'part' });
    assert.ok(runs[1]!.args.includes('**/*part*'));
  });
});

describe('ripgrep', () => {
  const fixture = new WindowToolsFixture();
  const folder = path.join(homedir(), '.cache/acp-host/vscode-1.139.1/node_modules/code-server/lib/vscode');
  const all = async (args: readonly string[], signal = new AbortController().signal) => {
    const program = existsSync(folder) ? await ripgrepIn(folder) : undefined;
    const lines: string[] = [];
    const run = ripgrep({ program: program ?? 'no-such-program', args, cwd: fixture.cwd, signal });
    for (;;) {
      const next = await run.next();
      if (next.done) {
        return { lines, end: next.value, program };
      }
      lines.push(next.value);
    }
  };

  it('ends with a problem when the program is missing', async () => {
    const program = path.join(fixture.cwd, 'missing');
    const { done, value } = await ripgrep({ program, args: [], cwd: fixture.cwd, signal: new AbortController().signal }).next();
    assert.ok(done === true && /ENOENT/.test(value.problem ?? ''));
  });

  it('reads lines, and reports invalid patterns', async function () {
    const { lines, program } = await all(['--no-config', 'two', 'a.txt']);
    if (program === undefined) {
      this.skip();
    }
    assert.deepEqual(lines, ['two']);
    assert.match((await all(['--regexp', '(', '.'])).end.problem ?? '', /unclosed group/);
    assert.equal((await all(['nothing', '.'])).end.problem, undefined);
    assert.deepEqual((await all(['two', 'a.txt'], AbortSignal.abort())).end.problem, undefined);
  });
});
