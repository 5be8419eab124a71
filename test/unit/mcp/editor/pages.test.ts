/** The pages of long answers, as a model gets them: no row is lost between two pages. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { AfterEdits } from '../../../../src/mcp/editor/afterEdits';
import { answerText, MAX_ANSWER } from '../../../../src/mcp/editor/answer';
import type { DebugPort } from '../../../../src/mcp/editor/debugging/debugPort';
import { DebugSessions } from '../../../../src/mcp/editor/debugging/debugSessions';
import { reportingProblems } from '../../../../src/mcp/editor/problemReport';
import type { EditorTool } from '../../../../src/mcp/editor/tool';
import { inspectingTools } from '../../../../src/mcp/editor/tools/inspecting';
import { navigationTools } from '../../../../src/mcp/editor/tools/navigation';
import { problemTools } from '../../../../src/mcp/editor/tools/problems';
import { type SearchPort, searchTools } from '../../../../src/mcp/editor/tools/search';
import { systemClock } from '../../../../src/util/clock';
import { FakeLanguage, problem } from './fakeLanguage';

/** Marks each row, so that the test finds those that are missing. */
const marked = (at: number): string => `row-${String(at).padStart(4, '0')}.`;

describe('the pages of a long answer', () => {
  let fake: FakeLanguage;
  beforeEach(() => (fake = new FakeLanguage({ 'app/a.ts': 'const a = 1;\n' })));
  afterEach(() => fake.dispose());

  /** Reads all pages, and returns the numbers of the rows that the model got, in order. */
  const readAll = async (tools: readonly EditorTool[], name: string, input: object): Promise<number[]> => {
    const found: number[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < 500; page++) {
      const answer = await fake.call(tools, name, { ...input, ...(cursor !== undefined && { cursor }) });
      const text = answerText(answer, undefined);
      assert.ok(Buffer.byteLength(text) <= MAX_ANSWER);
      assert.equal(answer.isError, undefined, text.slice(0, 200));
      found.push(...[...text.matchAll(/row-(\d{4})\./g)].map(([, at]) => Number(at)));
      if (answer.nextCursor === undefined) {
        return found;
      }
      assert.notEqual(answer.nextCursor, cursor);
      cursor = answer.nextCursor;
    }
    return assert.fail('the pages have no end');
  };
  const upTo = (count: number): number[] => [...Array(count).keys()];
  const searching = (lines: readonly string[]): readonly EditorTool[] =>
    searchTools({
      program: () => Promise.resolve('rg'),
      async *run({ cwd }) {
        yield* cwd === fake.app ? lines : [];
        return { dropped: 0, problem: undefined };
      },
      settings: () => ({ excluded: [], useIgnoreFiles: true, useParentIgnoreFiles: true, useGlobalIgnoreFiles: true }),
      unsaved: () => [],
      mayRead: () => Promise.resolve(true),
    } satisfies SearchPort);

  it('have every reference, also in lines whose characters have several bytes', async () => {
    writeFileSync(
      fake.at('app/a.ts'),
      upTo(120)
        .map((at) => `sum ${marked(at)}${'漢'.repeat(180)}`)
        .join('\n'),
    );
    fake.port.places = async () => upTo(120).map((at) => fake.place('app/a.ts', at, 0));
    const all = await readAll(navigationTools(fake.port), 'references', { file: 'a.ts', line: 1, column: 1 });
    assert.deepEqual(all, upTo(120));
  });

  it('have every match of a search for long lines', async () => {
    const lines = upTo(150).map((at) =>
      JSON.stringify({
        type: 'match',
        data: {
          path: { text: `./src/${'folder/'.repeat(10)}${at}.ts` },
          lines: { text: `${marked(at)} ${'é'.repeat(180)}\n` },
          line_number: 1,
          submatches: [{ start: 0, end: 3 }],
        },
      }),
    );
    assert.deepEqual(await readAll(searching(lines), 'search_text', { query: 'row' }), upTo(150));
  });

  it('have every file of a search for long names', async () => {
    const lines = upTo(450).map((at) => `./${'a-long-folder/'.repeat(15)}${marked(at)}ts`);
    assert.deepEqual(await readAll(searching(lines), 'find_files', { pattern: '*.ts' }), upTo(450));
  });

  describe('in answers about a stopped program', () => {
    let answers: Readonly<Record<string, (args: Readonly<Record<string, unknown>>) => unknown>>;
    const inspecting = (): readonly EditorTool[] => {
      const sessions = new DebugSessions();
      sessions.add('k', 'app', 'node', undefined, 'running');
      sessions.received('k', { type: 'event', event: 'stopped', body: { reason: 'breakpoint', threadId: 1 } });
      return inspectingTools({
        sessions: () => sessions,
        activeKey: () => 'k',
        request: (_key: string, command: string, args: Readonly<Record<string, unknown>>) => Promise.resolve(answers[command]?.(args)),
        localPath: (source: string) => (path.isAbsolute(source) ? source : undefined),
        textOf: () => Promise.resolve('漢'.repeat(300)),
        mayRead: () => Promise.resolve(true),
      } as unknown as DebugPort);
    };
    const variable = (at: number) => ({
      name: `${marked(at)}${'n'.repeat(200)}`,
      type: 't'.repeat(90),
      value: '漢'.repeat(290),
      variablesReference: 0,
    });
    const frame = { id: 1, name: 'f', line: 1, column: 1 };

    it('have every member of a value', async () => {
      answers = {
        stackTrace: () => ({ stackFrames: [frame], totalFrames: 1 }),
        scopes: () => ({ scopes: [{ name: 'Local', variablesReference: 5, expensive: true }] }),
        variables: () => ({ variables: upTo(130).map(variable) }),
      };
      const tools = inspecting();
      await fake.call(tools, 'scopes', {});
      assert.deepEqual(await readAll(tools, 'scopes', { reference: 5 }), upTo(130));
    });

    it('have every element of a long array, and its other members', async () => {
      answers = {
        stackTrace: () => ({ stackFrames: [frame], totalFrames: 1 }),
        scopes: () => ({
          scopes: [{ name: 'Local', variablesReference: 5, expensive: true, indexedVariables: 1001, namedVariables: 120 }],
        }),
        variables: ({ filter, start = 0, count = 0 }) => ({
          variables:
            filter === 'indexed'
              ? upTo(Number(count)).map((at) => variable(Number(start) + at))
              : upTo(120).map((at) => variable(1001 + at)),
        }),
      };
      const tools = inspecting();
      await fake.call(tools, 'scopes', {});
      assert.deepEqual(await readAll(tools, 'scopes', { reference: 5 }), upTo(1121));
    });

    it('say how to read the variables of a scope that did not fit', async () => {
      answers = {
        stackTrace: () => ({ stackFrames: [frame], totalFrames: 1 }),
        scopes: () => ({
          scopes: [
            { name: 'Local', variablesReference: 5 },
            { name: 'Closure', variablesReference: 6 },
            { name: 'Global', variablesReference: 7, expensive: true },
          ],
        }),
        variables: () => ({ variables: upTo(20).map(variable) }),
      };
      const text = answerText(await fake.call(inspecting(), 'scopes', {}), undefined);
      const more = [...text.matchAll(/… (\d+) more: reference (\d+), cursor "(\d+)"/g)].map(([, left, reference, cursor]) => [
        Number(left) + Number(cursor),
        Number(reference),
      ]);
      assert.deepEqual(more, [
        [20, 5],
        [20, 6],
      ]);
      assert.match(text, /Global: read it with reference 7$/);
    });

    it('have every frame of a stack', async () => {
      const all = upTo(60).map((at) => ({
        ...frame,
        id: at,
        name: `${marked(at)}${'漢'.repeat(250)}`,
        source: { path: fake.at('app/a.ts') },
      }));
      answers = {
        stackTrace: ({ startFrame = 0, levels = 20 }) => ({
          stackFrames: all.slice(Number(startFrame), Number(startFrame) + Number(levels)),
          totalFrames: 60,
        }),
      };
      assert.deepEqual(await readAll(inspecting(), 'stack', {}), upTo(60));
    });
  });

  it('leave the remark on new problems to the next answer that has room for it', async () => {
    const afterEdits = new AfterEdits(fake.port, systemClock);
    const file = fake.at('app/a.ts');
    fake.opened.add(file);
    afterEdits.written('s', [file]);
    fake.report('app/a.ts', ...upTo(10).map((at) => problem(at, `${at ? '' : 'the new one '}${'漢'.repeat(2000)}`)));
    let text = '漢'.repeat(6800);
    const tool = { ...problemTools(fake.port, afterEdits)[0]!, name: 'other', run: async () => ({ text }) };
    const reporting = reportingProblems([tool], afterEdits, () => true);
    const answers = [answerText(await fake.call(reporting, 'other', {}), undefined)];
    text = 'short';
    answers.push(answerText(await fake.call(reporting, 'other', {}), undefined));
    assert.deepEqual(
      answers.map((each) => each.includes('the new one')),
      [false, true],
    );
    afterEdits.dispose();
  });
});
