import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseJournal } from '../../../../src/session/journal/journalReader';
import { legacyFolders } from '../../../../src/session/storage/legacyStorage';
import { folderNameOf } from '../../../../src/session/storage/folderName';
import { headerOf, lineOf, said, StorageScene } from './storageScene';

describe('sessions stored by an earlier version', () => {
  let scene: StorageScene;
  beforeEach(() => (scene = new StorageScene()));
  afterEach(() => scene.end());

  const workspace = (name: string): string => path.join(scene.folder, 'workspaceStorage', name, 'acp.host', 'sessions');
  const to = (key: string, cwd = '/w'): string => path.join(scene.root, 'folders', folderNameOf(cwd), key);
  function put(folder: string, key: string, cwd = '/w'): string {
    mkdirSync(folder, { recursive: true });
    const text = JSON.stringify(headerOf(key, cwd)) + '\n' + lineOf(said(`words of ${key}`));
    writeFileSync(path.join(folder, `${key}.jsonl`), text);
    writeFileSync(path.join(folder, `${key}.draft.json`), `{"draft":"${key}"}`);
    return text;
  }
  const keys = async (): Promise<string[]> => (await scene.open().list({ limit: 100 })).summaries.map(({ key }) => key).sort();

  it('are found in all folders that VS Code gave the workspace, and in no other', async () => {
    for (const name of ['abc', 'abc-1', 'abc-12', 'abcd', 'abc-x', 'other']) {
      put(workspace(name), `k-${name}`);
    }
    put(path.join(scene.folder, 'global', 'sessions'), 'k-global');
    assert.deepEqual(await keys(), ['k-abc', 'k-abc-1', 'k-abc-12', 'k-global']);
    assert.ok(existsSync(path.join(workspace('other'), 'k-other.jsonl')));
    const of = (name: string): Promise<string[]> =>
      legacyFolders(path.join(scene.folder, 'workspaceStorage', name, 'acp.host'), path.join(scene.folder, 'global'));
    assert.deepEqual(await of('abc-1'), await of('abc'), 'whichever of them this window has');
  });

  it('are moved with all files beside them, each into its own folder', async () => {
    const text = put(workspace('abc'), 'a', '/w');
    put(workspace('abc'), 'b', '/v');
    writeFileSync(path.join(workspace('abc'), 'bad.jsonl'), 'nonsense');
    assert.deepEqual(await keys(), ['a', 'b']);
    assert.equal(readFileSync(`${to('a')}.jsonl`, 'utf8'), text);
    assert.equal(readFileSync(`${to('b', '/v')}.draft.json`, 'utf8'), '{"draft":"b"}');
    assert.deepEqual(readdirSync(workspace('abc')), ['bad.jsonl'], 'what is no journal stays where it is');
    assert.deepEqual(await keys(), ['a', 'b'], 'once');
  });

  it('are moved completely after a crash, without replacing newer files', async () => {
    const text = put(workspace('abc'), 'a');
    mkdirSync(path.dirname(to('a')), { recursive: true });
    // The draft was moved. The journal was copied, and has new events since.
    copyFileSync(path.join(workspace('abc'), 'a.draft.json'), `${to('a')}.draft.json`);
    writeFileSync(`${to('a')}.jsonl`, text + lineOf(said('since', 's'), 1));
    assert.deepEqual(await keys(), ['a']);
    assert.equal(parseJournal(readFileSync(`${to('a')}.jsonl`, 'utf8'))?.events.length, 2);
    assert.deepEqual(readdirSync(workspace('abc')), []);
  });

  it('are moved once by several windows at a time, and are complete in each', async () => {
    const texts = new Map(Array.from({ length: 40 }, (_, index) => [`k-${index}`, put(workspace(`abc-${index % 3}`), `k-${index}`)]));
    const windows = Array.from({ length: 4 }, () => scene.open());
    const first = [...texts.keys()][0]!;
    await Promise.all([windows[0]!.acquire(first, false), ...windows.map((window) => window.list({ limit: 100 }))]);
    for (const window of windows) {
      const { summaries } = await window.list({ limit: 100 });
      assert.deepEqual(summaries.map(({ key }) => key).sort(), [...texts.keys()].sort());
    }
    for (const [key, text] of texts) {
      assert.equal(readFileSync(`${to(key)}.jsonl`, 'utf8'), text);
    }
    assert.equal(readdirSync(path.join(scene.root, 'index')).length, texts.size);
  });
});
