import assert from 'node:assert/strict';
import type { Client } from '@modelcontextprotocol/client';
import { ITEMS } from './support/dummyTools';
import { type Scene, scene, WAYS } from './support/ways';

const READ_ONLY = ['broken', 'list_items', 'long_text', 'never', 'references', 'wait'];

/** Inputs of `references` that no client may send. Each must be answered with a text for the model. */
const BAD_INPUTS: readonly (readonly [string, unknown, RegExp])[] = [
  ['a number for a text', { file: 1 }, /file: .*string/],
  ['null for a text', { file: null }, /file: .*string/],
  ['a list for a text', { file: ['a'] }, /file: .*string/],
  ['an object for a text', { file: { a: 1 } }, /file: .*string/],
  ['a boolean for a text', { file: true }, /file: .*string/],
  ['no required member', {}, /file: .*string/],
  ['an empty text', { file: '' }, /file: /],
  ['a text that is too long', { file: 'a'.repeat(1001) }, /file: /],
  ['a huge text', { file: 'a'.repeat(1_000_000) }, /file: /],
  ['an unknown member', { file: 'a', path: 'b' }, /path/],
  ['a member in another case', { File: 'a' }, /file: /],
  ['a text for a number', { file: 'a', line: '1' }, /line: .*number/],
  ['a fraction', { file: 'a', line: 1.5 }, /line: /],
  ['a number below the minimum', { file: 'a', line: 0 }, /line: /],
  ['a negative number', { file: 'a', line: -1 }, /line: /],
  ['a number above the maximum', { file: 'a', line: 1e9 }, /line: /],
  ['a number that no integer holds', { file: 'a', line: 1e300 }, /line: /],
  ['an unknown word', { file: 'a', kinds: ['other'] }, /kinds/],
  ['a list that is too long', { file: 'a', kinds: Array(6).fill('read') }, /kinds/],
  ['a text for a list', { file: 'a', kinds: 'read' }, /kinds/],
  ['a nested list', { file: 'a', kinds: [['read']] }, /kinds/],
  ['a deep value', { file: 'a', symbol: deep(100) }, /deeper/],
  ['a constructor', { file: 'a', constructor: { prototype: { line: 1 } } }, /constructor/],
  ['a list for the number', { file: 'a', line: [1] }, /line: /],
  ['a toString', { file: 'a', toString: 1 }, /toString/],
  ['a prototype member', { file: 'a', prototype: {} }, /prototype/],
  ['null for a list', { file: 'a', kinds: null }, /kinds/],
  ['many members', Object.fromEntries([...Array(2000).keys()].map((n) => [`m${n}`, n])), /file: /],
];

/** Returns an object with `levels` objects in each other. */
function deep(levels: number): unknown {
  return levels === 0 ? 1 : { a: deep(levels - 1) };
}

const textOf = (result: unknown): string => ((result as { content: { text: string }[] }).content[0]?.text ?? '') as string;

for (const way of WAYS) {
  describe(`The editor's MCP server: ${way}`, () => {
    let all: Scene;
    let client: Client;

    before(async () => {
      all = await scene();
      client = await all.client(way, await all.declare(way));
    });
    after(() => all.end());

    it('names itself and lists every tool in a stable order', async () => {
      assert.equal(client.getServerVersion()?.name, 'vscode');
      const first = await client.listTools();
      assert.deepEqual(
        first.tools.map(({ name }) => name),
        ['broken', 'list_items', 'long_text', 'never', 'references', 'rename', 'wait'],
      );
      const references = first.tools.find(({ name }) => name === 'references')!;
      assert.deepEqual(references.annotations?.readOnlyHint, true);
      assert.deepEqual([references.inputSchema.required, references.inputSchema['additionalProperties']], [['file'], false]);
      assert.equal(JSON.stringify((await client.listTools()).tools), JSON.stringify(first.tools));
    });

    it('answers a call', async () => {
      const result = await client.callTool({ name: 'references', arguments: { file: 'src/a.ts', line: 7 } });
      assert.deepEqual([textOf(result), result.isError ?? false], ['src/a.ts:7  const a = 1;', false]);
    });

    it('passes control characters and unusual characters as they are', async () => {
      const file = 'a\u0000\u001b\u202e\ud800"\n.ts';
      assert.equal(textOf(await client.callTool({ name: 'references', arguments: { file } })), `${file.toWellFormed()}:1  const a = 1;`);
    });

    for (const [title, input, expected] of BAD_INPUTS) {
      it(`answers bad input with a text for the model: ${title}`, async () => {
        const result = await client.callTool({ name: 'references', arguments: input as Record<string, unknown> });
        assert.equal(result.isError, true);
        assert.match(textOf(result), expected);
        assert.match(textOf(result), /^Invalid input for references: [\s\S]*call the tool again\.$/);
        assert.ok(Buffer.byteLength(textOf(result)) < 5000);
      });
    }

    it('keeps a deep input from the conversation, which writes inputs as JSON', async () => {
      const result = await client.callTool({ name: 'references', arguments: { file: 'a', symbol: deep(1500) } });
      assert.match(textOf(result), /nested deeper/);
      assert.deepEqual(all.calls.at(-1)?.input, {});
    });

    it('ignores a prototype in the input', async () => {
      const input = JSON.parse('{"file":"a","__proto__":{"line":9,"polluted":1}}') as Record<string, unknown>;
      assert.equal(textOf(await client.callTool({ name: 'references', arguments: input })), 'a:1  const a = 1;');
      assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false);
    });

    it('rejects an unknown tool, an unknown method and arguments that are no object', async () => {
      await assert.rejects(client.callTool({ name: 'constructor', arguments: {} }), /Unknown tool/);
      await assert.rejects(client.callTool({ name: 'references', arguments: [1] as never }));
      await assert.rejects(client.request({ method: 'resources/list' } as never));
    });

    it('answers in pages', async () => {
      const items: string[] = [];
      let cursor: string | undefined;
      for (let pages = 1; ; pages++) {
        const text = textOf(await client.callTool({ name: 'list_items', arguments: cursor === undefined ? {} : { cursor } }));
        items.push(...text.split('\n\n')[0]!.split('\n'));
        cursor = /"cursor": "(\d+)"/.exec(text)?.[1];
        if (cursor === undefined) {
          assert.equal(pages, 3);
          break;
        }
      }
      assert.deepEqual(items, [...Array(ITEMS).keys()].map(String));
      const unknown = await client.callTool({ name: 'list_items', arguments: { cursor: 'x' } });
      assert.equal(unknown.isError, true);
    });

    it('reports progress', async () => {
      const reported: [number, number | undefined, string | undefined][] = [];
      await client.callTool(
        // The SDK's client drops progress that arrives in one piece with the result.
        { name: 'wait', arguments: { ms: 50, steps: 3 } },
        { onprogress: ({ progress, total, message }) => reported.push([progress, total, message]) },
      );
      assert.deepEqual(reported, [
        [1, 3, 'Step 1'],
        [2, 3, 'Step 2'],
        [3, 3, 'Step 3'],
      ]);
    });

    it('stops a call that the client cancels', async () => {
      const abort = new AbortController();
      const { aborted } = all.made;
      const call = client.callTool({ name: 'wait', arguments: { ms: 50_000 } }, { signal: abort.signal });
      await until(() => all.calls.at(-1)?.input['ms'] === 50_000);
      abort.abort();
      await assert.rejects(call);
      await until(() => all.made.aborted > aborted);
    });

    it('answers with timedOut when the time has expired', async () => {
      const waited = await client.callTool({ name: 'wait', arguments: { ms: 50_000 } });
      assert.match(textOf(waited), /^waited true\n\ntimedOut: true\. The tool stopped after 0\.4 seconds/);
      const never = await client.callTool({ name: 'never' });
      assert.match(textOf(never), /^timedOut: true/);
      assert.deepEqual([never.isError ?? false, never._meta?.['timedOut']], [false, true]);
    });

    it('goes on after a tool that fails', async () => {
      const result = await client.callTool({ name: 'broken' });
      assert.deepEqual([result.isError, textOf(result)], [true, 'The tool broken failed: The provider is broken']);
      assert.match(textOf(await client.callTool({ name: 'references', arguments: { file: 'a' } })), /^a:1/);
    });

    it('cuts a long answer after a line, with words', async () => {
      const text = textOf(await client.callTool({ name: 'long_text' }));
      assert.ok(Buffer.byteLength(text) <= 20 * 1024);
      assert.match(
        text,
        /äöü line\n\n\[The answer was cut here: \d+ more bytes\..*\n\nThere is more: call the tool again with "cursor": "100"\.$/,
      );
    });

    it('runs at most eight calls at once, and answers all', async () => {
      all.made.most = 0;
      const calls = [...Array(20).keys()].map(() => client.callTool({ name: 'wait', arguments: { ms: 150 } }));
      assert.equal((await Promise.all(calls)).length, 20);
      assert.equal(all.made.most, 8);
    });

    it('asks before a tool that changes something, and passes a refusal to the model', async () => {
      all.made.ran.length = 0;
      all.refusals.push('The user did not allow it.', undefined);
      const refused = await client.callTool({ name: 'rename', arguments: { file: 'a', name: 'b' } });
      assert.deepEqual([refused.isError, textOf(refused), all.made.ran], [true, 'The user did not allow it.', []]);
      assert.equal(textOf(await client.callTool({ name: 'rename', arguments: { file: 'a', name: 'b' } })), 'Renamed to b.');
    });

    it('notifies the client of another list, which has the tools of the settings', async () => {
      let changes = 0;
      client.setNotificationHandler('notifications/tools/list_changed', () => void changes++);
      await new Promise((resolve) => setTimeout(resolve, 50)); // The client may still be opening its stream.
      all.settings.mode = { 'Some Agent': 'readOnly', '*': 'off' };
      all.servers.toolsChanged();
      await until(() => changes > 0);
      assert.deepEqual(
        (await client.listTools()).tools.map(({ name }) => name),
        READ_ONLY,
      );
      all.settings.categories = { problems: false, search: false };
      assert.deepEqual(
        (await client.listTools()).tools.map(({ name }) => name),
        ['broken', 'never', 'references', 'wait'],
      );
      await assert.rejects(client.callTool({ name: 'rename', arguments: { file: 'a', name: 'b' } }), /Unknown tool/);
    });

    it('ends with the session', async () => {
      all.servers.ended('a-session');
      await assert.rejects(client.callTool({ name: 'references', arguments: { file: 'a' } }, { timeout: 1500 }));
    });
  });
}

async function until(isDone: () => boolean): Promise<void> {
  for (let tries = 0; !isDone(); tries++) {
    assert.ok(tries < 200, 'waited too long');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
