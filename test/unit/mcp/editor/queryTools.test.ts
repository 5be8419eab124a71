import assert from 'node:assert/strict';
import type { CodeSymbol } from '../../../../src/mcp/editor/language';
import { informationTools } from '../../../../src/mcp/editor/tools/information';
import { navigationTools } from '../../../../src/mcp/editor/tools/navigation';
import { symbolTools } from '../../../../src/mcp/editor/tools/symbols';
import type { ToolAnswer } from '../../../../src/mcp/editor/tool';
import { FakeLanguage, rangeAt } from './fakeLanguage';

const PLACES = ['definition', 'declaration', 'type_definition', 'implementations', 'references'] as const;
const SUM = { file: 'a.ts', symbol: 'sum', lineText: 'export function sum(a: number) {' };

describe('the tools that change nothing', () => {
  let fake: FakeLanguage;
  const call = (name: string, input: object, context = fake.context()): Promise<ToolAnswer> =>
    fake.call([...navigationTools(fake.port), ...symbolTools(fake.port), ...informationTools(fake.port)], name, input, context);
  const symbol = (name: string, line: number, more: Partial<CodeSymbol> = {}): CodeSymbol => ({
    name,
    kind: 12,
    place: fake.place('app/a.ts', line, 0),
    ...more,
  });

  beforeEach(() => {
    fake = new FakeLanguage({
      'app/a.ts': 'export function sum(a: number) {\n  return a;\n}\nsum(1); sum(2);\n',
      'app/b.ts': 'import { sum } from "./a";\n  const 𝑥 = "😀" + sum(1);\n',
      'lib/c.ts': 'class C {}\n',
      'outside/d.ts': 'secret();\n',
    });
  });
  afterEach(() => fake.dispose());

  for (const name of PLACES) {
    it(`${name} answers places with their lines`, async () => {
      fake.port.places = async (kind, file, position) => {
        assert.deepEqual([kind, file, position], [name, fake.at('app/a.ts'), { line: 0, character: 16 }]);
        return [
          fake.place('app/a.ts', 3, 0, 3),
          fake.place('app/b.ts', 1, 20, 3),
          fake.place('app/b.ts', 1, 20, 3),
          fake.place('lib/c.ts', 0, 6),
        ];
      };
      const { text, data, isError } = await call(name, SUM);
      assert.equal(isError, undefined);
      const [head, ...rows] = text.split('\n');
      assert.match(head!, /^3 [a-z ]+ of sum in 3 files\.$/);
      assert.deepEqual(rows, [
        'a.ts:4:1  sum(1); sum(2);',
        'b.ts:2:19  const 𝑥 = "😀" + sum(1);',
        `${fake.at('lib/c.ts')}:1:7  class C {}`,
      ]);
      assert.equal(data!.total, 3);
    });
  }

  it('show no lines of files outside the session’s folders, of protected files and of documents that are no files', async () => {
    fake.hidden.add(fake.at('lib/c.ts'));
    fake.port.places = async () => [
      fake.place('outside/d.ts', 0, 0),
      fake.place('lib/c.ts', 0, 0),
      { path: 'jdt://contents/a.class', range: rangeAt(3, 1) },
    ];
    assert.equal(
      (await call('definition', SUM)).text,
      [
        `3 definitions of sum in 3 files.`,
        `${fake.at('outside/d.ts')}:1:1`,
        `${fake.at('lib/c.ts')}:1:1`,
        'jdt://contents/a.class:4:2',
      ].join('\n'),
    );
  });

  it('take a huge result in pages', async () => {
    fake.port.places = async () => Array.from({ length: 30_000 }, (_, index) => fake.place('app/a.ts', index % 4, index));
    const first = await call('references', SUM);
    assert.match(first.text, /^30000 references of sum in 1 file\. Shown: 1 to 50\.\n/);
    assert.equal(first.text.split('\n').length, 51);
    assert.match((await call('references', { ...SUM, cursor: first.nextCursor })).text, /Shown: 51 to 100\./);
    assert.equal((await call('references', { ...SUM, cursor: '30001' })).isError, true);
  });

  it('say how to retry', async () => {
    const hostile = ['../outside/d.ts', '/etc/passwd', 'missing.ts', '.', `${'../'.repeat(50)}etc/passwd`, 'a.ts\0', 'http://a/b.ts'];
    for (const file of hostile) {
      const answer = await call('hover', { ...SUM, file });
      assert.equal(answer.isError, true, file);
      assert.doesNotMatch(answer.text, /secret|root:/);
    }
    for (const input of [
      { file: 'a.ts' },
      { file: 'a.ts', symbol: 'sum' },
      { file: 'a.ts', symbol: 'nope', line: 1 },
      { file: 'a.ts', line: 99, column: 1 },
    ]) {
      const answer = await call('definition', input);
      assert.equal(answer.isError, true);
      assert.match(answer.text, /lineText|Search for it|Give line|Give the symbol/);
    }
    fake.hidden.add(fake.at('app/a.ts'));
    const hidden = await call('references', { ...SUM, lineText: 'wrong' });
    assert.match(hidden.text, /protected by the user's settings/);
    assert.doesNotMatch(hidden.text, /function/);
  });

  it('refuse input that has no such form', async () => {
    for (const input of [
      {},
      { file: '' },
      { file: 7 },
      { ...SUM, line: 0 },
      { ...SUM, column: 1.5 },
      { ...SUM, symbol: 'x'.repeat(501) },
      { ...SUM, more: 1 },
    ]) {
      await assert.rejects(call('definition', input), JSON.stringify(input));
    }
  });

  it('say that nothing is known, and that it took too long', async () => {
    assert.match((await call('references', SUM)).text, /^No reference of sum at a\.ts:1 is known/);
    const abort = new AbortController();
    fake.port.places = () => {
      abort.abort();
      return new Promise(() => undefined);
    };
    const context = fake.context({ signal: abort.signal, timedOut: true });
    assert.match((await call('references', SUM, context)).text, /not answered in time/);
    const cancelled = fake.context({ signal: AbortSignal.abort(), timedOut: false });
    await assert.rejects(call('references', SUM, cancelled), /Cancelled/);
  });

  it('answer with the rows that they have when the time expires', async () => {
    const abort = new AbortController();
    const state = { timedOut: false };
    let peeked = (): void => undefined;
    const first = new Promise<void>((resolve) => (peeked = resolve));
    fake.port.places = async () => [fake.place('app/a.ts', 0, 0), fake.place('lib/c.ts', 0, 0)];
    fake.port.peek = async (file) => {
      if (file.endsWith('c.ts')) {
        await first;
        await new Promise(setImmediate); // The first row is there.
        state.timedOut = true;
        abort.abort();
        return new Promise(() => undefined);
      }
      peeked();
      return 'line';
    };
    const context = fake.context({ signal: abort.signal });
    Object.defineProperty(context, 'timedOut', { get: () => state.timedOut });
    const answer = await call('references', SUM, context);
    assert.equal(answer.text, '2 references of sum in 2 files. Shown: 1 to 1.\na.ts:1:1  line');
    assert.equal(answer.nextCursor, '1');
  });

  it('call_hierarchy answers callers and their calls', async () => {
    fake.port.calls = async (_file, _position, direction) => [
      {
        symbol: symbol('sum', 0),
        calls: [{ symbol: symbol('main', 1), ranges: direction === 'incoming' ? [rangeAt(3, 0), rangeAt(3, 8)] : [rangeAt(1, 2)] }],
      },
    ];
    assert.equal(
      (await call('call_hierarchy', SUM)).text,
      '1 caller of sum, 2 places.\nfunction main (a.ts:2)  a.ts:4:1  sum(1); sum(2);\nfunction main (a.ts:2)  a.ts:4:9  sum(1); sum(2);',
    );
    assert.match(
      (await call('call_hierarchy', { ...SUM, direction: 'outgoing' })).text,
      /^1 function called by sum, 1 place\.\n.*a\.ts:2:3 {2}return a;$/,
    );
    await assert.rejects(call('call_hierarchy', { ...SUM, direction: 'up' }));
  });

  it('type_hierarchy answers types', async () => {
    fake.port.types = async () => [{ symbol: symbol('A', 0), types: [symbol('B', 2, { kind: 5 })] }];
    assert.equal((await call('type_hierarchy', SUM)).text, '1 subtype of A.\nclass B  a.ts:3:1  }');
  });

  it('document_symbols answers an outline, to a depth', async () => {
    const leaf = symbol('leaf', 2);
    fake.port.documentSymbols = async () => [symbol('C', 0, { kind: 5, children: [symbol('m', 1, { kind: 6, children: [leaf] })] })];
    assert.equal(
      (await call('document_symbols', { file: 'a.ts', depth: 2 })).text,
      '2 symbols of a.ts.\nclass C  a.ts:1:1  export function sum(a: number) {\n  method m  a.ts:2:1  return a;',
    );
    assert.match((await call('document_symbols', { file: 'a.ts' })).text, /^3 symbols/);
    let deep = leaf;
    for (let level = 0; level < 50_000; level++) {
      deep = symbol('d', 0, { children: [deep] });
    }
    fake.port.documentSymbols = async () => [deep];
    assert.match((await call('document_symbols', { file: 'a.ts', depth: 20 })).text, /^20 symbols/);
  });

  it('workspace_symbols answers those of the session’s folders', async () => {
    fake.port.workspaceSymbols = async (query) => [
      symbol(query, 0, { containerName: 'box' }),
      symbol('d', 0, { place: fake.place('outside/d.ts', 0, 0) }),
    ];
    assert.equal(
      (await call('workspace_symbols', { query: ' sum ' })).text,
      '1 symbol like sum.\nfunction sum in box  a.ts:1:1  export function sum(a: number) {',
    );
    await assert.rejects(call('workspace_symbols', { query: '  ' }));
  });

  it('hover answers the information, bounded', async () => {
    fake.port.hover = async () => ['```ts\nfunction sum(a: number): number\n```', ' ', 'Adds.'];
    assert.equal((await call('hover', SUM)).text, 'a.ts:1\n\n```ts\nfunction sum(a: number): number\n```\n\n---\n\nAdds.');
    fake.port.hover = async () => ['x'.repeat(1_000_000)];
    assert.ok((await call('hover', SUM)).text.length < 13_000);
    fake.port.hover = async () => [];
    assert.match((await call('hover', SUM)).text, /no information/);
  });

  it('signature_help asks inside the call', async () => {
    fake.port.signatures = async (_file, position) => {
      assert.deepEqual(position, { line: 3, character: 4 });
      const parameters = [{ label: 'a: number', documentation: 'the number' }, { label: 'b: string' }];
      return {
        active: 1,
        activeParameter: 0,
        signatures: [
          { label: 'sum()', parameters: [] },
          { label: 'sum(a: number, b: string)', documentation: 'Adds.', parameters },
        ],
      };
    };
    assert.equal(
      (await call('signature_help', { file: 'a.ts', symbol: 'sum', lineText: 'sum(1); sum(2);' })).text,
      'a.ts:4\n\nsum()\n\n→ sum(a: number, b: string)\n  Adds.\n  → a: number: the number',
    );
    fake.port.signatures = async () => undefined;
    assert.match((await call('signature_help', SUM)).text, /^No call is at a\.ts:1/);
  });

  it('have descriptions that do not change, and are marked as read-only', () => {
    const described = () =>
      [...navigationTools(fake.port), ...symbolTools(fake.port), ...informationTools(fake.port)].map(
        ({ name, description }) => `${name}: ${description}`,
      );
    assert.deepEqual(described(), described());
    assert.ok(
      [...navigationTools(fake.port), ...symbolTools(fake.port), ...informationTools(fake.port)].every(
        (tool) => tool.isReadOnly && tool.timeout > 0,
      ),
    );
  });
});
