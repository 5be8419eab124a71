/** Files that are no longer on disk, in a real repository: none of them is offered as a mention. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { MentionRow } from '../../../../src/core/protocol/view';
import { FolderFiles } from '../../../../src/application/mentions/folderFiles';
import { presentRows } from '../../../../src/application/mentions/presentFiles';

describe('deleted files', () => {
  let folder: string;
  let files: FolderFiles;
  let now = 0;

  const at = (name: string): string => path.join(folder, name);
  const write = (...names: string[]): void => {
    for (const name of names) {
      mkdirSync(path.dirname(at(name)), { recursive: true });
      writeFileSync(at(name), 'x\n');
    }
  };
  const git = (...args: string[]): void => {
    const { status, stderr } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  };
  const commit = (): void => {
    git('add', '-A');
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'all');
  };
  const found = async (text: string, { limit = 30, preferred = [] as readonly string[] } = {}) =>
    (await files.search({ text, limit, preferred }))!.map((match) => match.path);

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'acp-host-deleted-'));
    git('init', '-q');
    files = new FolderFiles(folder, {
      git: () => Promise.resolve('git'),
      ripgrep: () => Promise.resolve(undefined),
      search: () => Promise.resolve([]),
      read: () => Promise.resolve(undefined),
      now: () => now,
    });
  });
  afterEach(() => {
    files.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  it('are not found although git tracks them, nor are folders that contained nothing else', async () => {
    write('tracked-gone.ts', 'gone/tracked-too.ts', 'tracked-there.ts');
    commit();
    rmSync(at('tracked-gone.ts'));
    rmSync(at('gone'), { recursive: true });
    await files.fresh();
    assert.deepEqual([...files.known.within('')], ['tracked-there.ts']);
    assert.deepEqual(await found('tracked'), ['tracked-there.ts']);
    assert.deepEqual(await found('gone'), []);
  });

  it('are not found in a repository inside the folder', async () => {
    write('inner/tracked-gone.ts', 'inner/tracked-there.ts');
    const run = (...args: string[]) => spawnSync('git', args, { cwd: at('inner') });
    run('init', '-q');
    run('add', '-A');
    rmSync(at('inner/tracked-gone.ts'));
    await files.fresh();
    assert.deepEqual(await found('tracked'), ['inner/tracked-there.ts']);
  });

  it('are not found while the list of files is older than their deletion, and do not displace other files', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `item-${String(index).padStart(2, '0')}.ts`);
    write(...names);
    await files.fresh();
    names.slice(0, 45).forEach((name) => rmSync(at(name)));
    assert.deepEqual(await found('item', { limit: 5 }), names.slice(45));
  });

  it('are not found even if they were mentioned or opened before', async () => {
    write('there.ts');
    await files.fresh();
    assert.deepEqual(await found('there', { preferred: ['once/there.ts', 'there.ts'] }), ['there.ts']);
  });

  it('are found again when they exist again', async () => {
    write('back.ts');
    commit();
    rmSync(at('back.ts'));
    await files.fresh();
    assert.deepEqual(await found('back'), []);
    write('back.ts');
    now += 60_000;
    await files.fresh();
    assert.deepEqual(await found('back'), ['back.ts']);
  });

  it('are removed from rows of open editors and symbols, while other rows stay', async () => {
    write('there.ts');
    symlinkSync('nowhere.ts', at('dangling.ts'));
    const row = (kind: 'file' | 'folder' | 'symbol', name: string): MentionRow => {
      const uri = pathToFileURL(at(name)).href;
      const ref = kind === 'symbol' ? { kind, uri, symbol: 's' } : { kind, uri };
      return { kind, label: name, detail: '', mention: { type: 'mention', token: `@${name}`, name, ref } };
    };
    const untitled: MentionRow = {
      kind: 'file',
      label: 'Untitled-1',
      detail: '',
      mention: { type: 'mention', token: '@u', name: 'u', ref: { kind: 'file', uri: 'untitled:Untitled-1' } },
    };
    const changes: MentionRow = {
      ...untitled,
      label: 'changes',
      mention: { ...untitled.mention!, ref: { kind: 'changes', uri: 'file:///gone' } },
    };
    const category: MentionRow = { kind: 'category', label: 'Symbols…', detail: '', complete: 'symbol:' };
    const rows = [
      row('file', 'there.ts'),
      row('file', 'gone.ts'),
      row('file', 'there.ts/below.ts'),
      row('file', 'dangling.ts'),
      row('folder', 'gone'),
      row('symbol', 'gone.ts'),
      row('symbol', 'there.ts'),
      untitled,
      changes,
      category,
    ];
    assert.deepEqual(
      (await presentRows(rows, (uri) => fileURLToPath(uri))).map(({ kind, label }) => `${kind} ${label}`),
      ['file there.ts', 'symbol there.ts', 'file Untitled-1', 'file changes', 'category Symbols…'],
    );
  });
});
