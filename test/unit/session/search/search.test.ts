import assert from 'node:assert/strict';
import { appendFileSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { asSubagentEvents } from '../../../../src/core/subagents/innerEvents';
import type { KeptSessionHit } from '../../../../src/session/journal/sessionCatalog';
import { caseFold, oneLine } from '../../../../src/session/search/searchTexts';
import { folderNameOf } from '../../../../src/session/storage/folderName';
import type { SessionStorage } from '../../../../src/session/storage/sessionStorage';
import { headerOf, keep, lineOf, said, StorageScene } from '../storage/storageScene';

describe('search in stored sessions', () => {
  let scene: StorageScene;
  beforeEach(() => (scene = new StorageScene()));
  afterEach(() => scene.end());

  const find = async (storage: SessionStorage, text: string): Promise<KeptSessionHit[]> => {
    const hits: KeptSessionHit[] = [];
    for await (const hit of storage.search(text, new AbortController().signal)) {
      hits.push(hit);
    }
    return hits;
  };
  const found = async (storage: SessionStorage, text: string): Promise<string[]> =>
    (await find(storage, text)).map(({ key, entryId, excerpt, from, to }) => `${key} ${entryId ?? 'title'}: ${excerpt.slice(from, to)}`);
  const chunk = (text: string, messageId = 'c') =>
    ({ type: 'message_chunk', role: 'agent', messageId, content: { type: 'text', text } }) as const;
  const append = (storage: SessionStorage, key: string, ...lines: string[]): Promise<void> =>
    storage.file(headerOf(key)).append(lines.join(''));
  const journal = (key: string): string => path.join(scene.root, 'folders', folderNameOf('/w'), `${key}.jsonl`);

  it('finds titles and messages, the newest sessions first, ignoring case', async () => {
    const storage = scene.open();
    await keep(storage, 'old', { text: 'The Quick brown fox', at: 10 });
    await keep(storage, 'new', { text: 'nothing', at: 20 });
    await append(storage, 'new', lineOf(said('a QUICK answer', 'x', 'agent')));
    assert.deepEqual(await found(storage, 'quick'), ['new agent:x: QUICK', 'old title: Quick', 'old user:m: Quick']);
    assert.deepEqual(await found(storage, 'fox  '), ['old title: fox', 'old user:m: fox']);
    assert.deepEqual(await found(storage, 'absent'), []);
    assert.deepEqual(await found(storage, '  '), []);
  });

  it('finds text in chunks, text that JSON escapes, and text that is not ASCII', async () => {
    const storage = scene.open();
    await keep(storage, 'k');
    await append(
      storage,
      'k',
      ...['He', 'llo wo', 'rld, "quo', 'ted" \\ back\n', 'Straße, ', 'ÉCOLE 北京 👋🏽 na', 'i\u0308ve'].map((text) => lineOf(chunk(text))),
    );
    for (const text of ['hello world', '"quoted" \\ back straße', 'école', '北京', '👋🏽', 'naïve', 'STRAßE']) {
      assert.equal((await find(storage, text)).length, 1, text);
    }
  });

  it('finds the messages of subagents', async () => {
    const storage = scene.open();
    await keep(storage, 'k');
    await append(storage, 'k', ...asSubagentEvents('child', [chunk('a need'), chunk('le')]).map((event) => lineOf(event)));
    assert.deepEqual(await found(storage, 'needle'), ['k agent:child/c: needle']);
  });

  it('finds old and new messages in a journal that grows, each once', async () => {
    const storage = scene.open();
    await keep(storage, 'k');
    await append(storage, 'k', lineOf(chunk('needle one ')), lineOf(chunk('more nee')));
    assert.deepEqual(await found(storage, 'needle'), ['k agent:c: needle']);
    await append(storage, 'k', lineOf(chunk('dle')), lineOf(said('another needle', 'u')));
    assert.deepEqual(await found(storage, 'more needle'), ['k agent:c: more needle']);
    assert.deepEqual(await found(storage, 'needle'), ['k agent:c: needle', 'k user:u: needle']);
    await storage.file(headerOf('k')).replace(JSON.stringify(headerOf('k')) + '\n' + lineOf(said('told anew', 'u')));
    assert.deepEqual(await found(storage, 'needle'), []);
    assert.deepEqual(await found(storage, 'told anew'), ['k user:u: told anew']);
  });

  it('finds the words of Markdown, also across its syntax, and shows them without it', async () => {
    const storage = scene.open();
    await keep(storage, 'k');
    await append(
      storage,
      'k',
      lineOf(chunk('## Total\n\n- The **disc')),
      lineOf(chunk('ount** of [the cart](https://x.test/a) is `2 ** n`.\n')),
    );
    const [hit] = await find(storage, 'discount of the cart');
    assert.equal(hit?.excerpt, 'Total  The discount of the cart is 2 ** n. ');
    assert.equal(hit.excerpt.slice(hit.from, hit.to), 'discount of the cart');
    assert.deepEqual(await found(storage, '**discount'), []);
    assert.deepEqual(await found(storage, '2 ** n'), ['k agent:c: 2 ** n']);
  });

  it('finds a limited number of hits in a message, an excerpt apart, and those of the next message', async () => {
    const storage = scene.open();
    await keep(storage, 'k');
    const spaced = (count: number): string => Array.from({ length: count }, () => `needle ${'x'.repeat(300)} `).join('');
    await append(storage, 'k', ...[lineOf(said('needle needle', 'a')), lineOf(said(spaced(2), 'b')), lineOf(said(spaced(9), 'c'))]);
    const hits = (await found(storage, 'needle')).map((hit) => hit.slice(7, 8));
    assert.equal(hits.join(''), 'abbccc');
    for (let index = 0; index < 20; index++) {
      await append(storage, 'k', lineOf(said(spaced(4), `d${index}`)));
    }
    assert.equal((await find(storage, 'needle')).length, 20, 'of one session');
  });

  it('reports no hit twice when it continues with the next portion', async function () {
    this.timeout(60_000);
    const storage = scene.open();
    await keep(storage, 'k');
    const filler = 'word '.repeat(208_000);
    // A portion has 1 MB, so each match is spread over two portions.
    await append(storage, 'k', lineOf(said(`${filler} needle`, 'a')), lineOf(said('needle', 'b')), lineOf(said(`needle ${filler}`, 'c')));
    assert.deepEqual(
      (await found(storage, 'needle')).map((hit) => hit.slice(7, 8)),
      ['a', 'b', 'c'],
    );
  });

  it('finds the same as reading everything, for any messages, chunks and words', async function () {
    this.timeout(120_000);
    const words = fc.constantFrom('alpha', 'Beta', 'gamma ', 'ΔΕΛΤΑ', 'İx', 'ß', ' ', '\n', '"', '\\', '日本', '😀', 'ab', 'aab');
    const message = fc.record({
      id: fc.constantFrom('1', '2', '3'),
      role: fc.constantFrom('user' as const, 'agent' as const),
      text: fc.array(words, { maxLength: 4 }).map((all) => all.join('')),
    });
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 12 }), words, fc.nat(12), async (messages, word, between) => {
        const storage = scene.open();
        const key = `k-${++count}`;
        await keep(storage, key, { text: 'T' });
        const texts = new Map<string, string>();
        for (const [index, { id, role, text }] of messages.entries()) {
          const entry = `${role}:${id}`;
          texts.set(entry, (texts.get(entry) ?? '') + text);
          await append(storage, key, lineOf({ type: 'message_chunk', role, messageId: id, content: { type: 'text', text } }));
          if (index === between) {
            await find(storage, word);
          }
        }
        const wanted = caseFold(oneLine(word).trim());
        const expected =
          wanted === '' ? [] : [...texts].filter(([, text]) => caseFold(oneLine(text)).includes(wanted)).map(([entry]) => entry);
        const hits = (await find(storage, word)).filter((hit) => hit.key === key);
        assert.deepEqual(
          hits
            .filter(({ entryId }) => entryId !== undefined)
            .map(({ entryId }) => entryId)
            .sort(),
          expected.sort(),
        );
        hits.forEach(({ excerpt, from, to }) => assert.equal(caseFold(excerpt.slice(from, to)), wanted));
        await storage.remove(key);
      }),
      { numRuns: 40 },
    );
    assert.deepEqual(readdirSync(path.join(scene.root, 'search')), [], 'nothing is left of what was removed');
  });

  it('ignores case without moving offsets', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const line = oneLine(text);
        const fold = caseFold(line);
        assert.equal(Buffer.byteLength(fold), Buffer.byteLength(line));
        assert.equal(caseFold(fold), fold);
        assert.equal(caseFold(line + line), fold + fold);
      }),
    );
  });

  it('skips broken files, and includes files that are being written', async () => {
    const storage = scene.open();
    await keep(storage, 'a', { text: 'needle a', at: 3 });
    await keep(storage, 'b', { text: 'needle b', at: 2 });
    appendFileSync(
      journal('a'),
      '{"seq":9,"event":{"at":1,"type":"message","role":"user","messageId":"t","content":[{"type":"text","text":"needle torn',
    );
    appendFileSync(journal('b'), 'nonsense\n"type":"message"\n{"seq":1,"event":{"type":"message"}}\n' + lineOf(said('needle behind', 'z')));
    assert.deepEqual(
      (await find(storage, 'needle')).map(({ key, entryId }) => `${key} ${entryId}`),
      ['a undefined', 'a user:m', 'b undefined', 'b user:m', 'b user:z'],
    );
    const file = path.join(scene.root, 'search', 'a.fold');
    for (const damage of [() => truncateSync(file, 100), () => writeFileSync(file, 'nonsense'), () => writeFileSync(file, '')]) {
      damage();
      assert.equal((await find(storage, 'needle a')).length, 2);
    }
    assert.ok(readFileSync(file, 'utf8').includes('needle a'));
  });

  it('ends when it is aborted, and never blocks other work', async function () {
    this.timeout(60_000);
    const storage = scene.open();
    const big = Array.from({ length: 4000 }, (_, index) => lineOf(chunk(`word ${index} `.repeat(50), `m${index}`))).join('');
    for (let index = 0; index < 4; index++) {
      await keep(storage, `k-${index}`, { text: 'needle', at: index });
      await append(storage, `k-${index}`, big);
    }
    let turns = 0;
    let isOver = false;
    const count = (): void => void (isOver || (turns++, setImmediate(count)));
    count();
    assert.equal((await find(storage, 'needle')).length, 8);
    isOver = true;
    assert.ok(turns >= 30, `${turns} turns`); // The benchmark measures how long each search takes.
    const abort = new AbortController();
    const hits: string[] = [];
    for await (const { key } of storage.search('needle', abort.signal)) {
      hits.push(key);
      abort.abort();
    }
    assert.ok(hits.length <= 2);
  });
});
