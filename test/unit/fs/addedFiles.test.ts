/** Files outside the session's folders that the user added to the session: real files, in a separate folder. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Buffers } from '../../../src/fs/buffers';
import { type FileGuard, FileService } from '../../../src/fs/fileService';
import { StoredFiles } from '../../../src/fs/files';
import { Consents } from '../../../src/policy/consents';
import { identityOf } from '../../../src/util/checkedFiles';
import { RootCheck } from '../../../src/util/roots';
import { codeOf } from '../../support/fakeFileService';

describe('a file outside the session’s folders that the user added', () => {
  let top: string;
  let consents: Consents;
  const at = (name: string): string => path.join(top, name);

  beforeEach(() => {
    top = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'acp-added-')));
    consents = new Consents();
    for (const name of ['own', 'other']) {
      mkdirSync(at(name));
    }
    writeFileSync(at('own/a.txt'), 'own\n');
    writeFileSync(at('other/main.cs'), 'main\n');
    writeFileSync(at('other/beside.cs'), 'beside\n');
  });
  afterEach(() => rmSync(top, { recursive: true, force: true }));

  const files = new StoredFiles({ decode: async (bytes) => new TextDecoder().decode(bytes), encode: async (text) => Buffer.from(text) });
  /** A service over real files. @param beforeReading runs after the path was checked, just before the file is read */
  function service(guard?: FileGuard, beforeReading: () => void = () => undefined): FileService {
    const buffers: Buffers = {
      find: async () => undefined,
      hasDirtyNotebook: async () => false,
      read: (real, maxBytes) => {
        beforeReading();
        return files.read(real, maxBytes);
      },
      rewrite: (...given) => files.rewrite(...given),
      create: (...given) => files.create(...given),
    };
    const roots = new RootCheck({ cwd: at('own'), additionalDirectories: [] });
    return new FileService(buffers, roots, undefined, guard, undefined, (file) => consents.agreedFile(file));
  }
  const add = async (name: string): Promise<void> => consents.agree((await identityOf(at(name)))!);

  it('is read, whole and by lines', async () => {
    await add('other/main.cs');
    assert.equal(await service().read({ path: at('other/main.cs') }), 'main\n');
    assert.equal(await service().read({ path: at('other/main.cs'), line: 1, limit: 1 }), 'main\n');
  });

  it('is read by a name that points to it', async () => {
    symlinkSync('../other/main.cs', at('own/link.cs'));
    await add('other/main.cs');
    assert.equal(await service().read({ path: at('own/link.cs') }), 'main\n');
    assert.equal(await service().read({ path: at('own/../other/main.cs') }), 'main\n');
  });

  it('is not written', async () => {
    await add('other/main.cs');
    assert.equal(await codeOf(service().write({ path: at('other/main.cs'), content: 'x' })), 'fs.outside_roots');
  });

  it('gives access neither to the files beside it nor to those of an added folder', async () => {
    await add('other/main.cs');
    await add('other');
    assert.equal(await codeOf(service().read({ path: at('other/beside.cs') })), 'fs.outside_roots');
  });

  it("requires the user's consent when a rule protects it", async () => {
    await add('other/main.cs');
    const asked: string[] = [];
    const guard: FileGuard = async ({ path: real }) => asked.push(real) > 0;
    assert.equal(await service(guard).read({ path: at('other/main.cs') }), 'main\n');
    assert.deepEqual(asked, [at('other/main.cs')]);
  });

  it('is not read once another file has its path', async () => {
    await add('other/main.cs');
    renameSync(at('other/beside.cs'), at('other/main.cs'));
    assert.equal(await codeOf(service().read({ path: at('other/main.cs') })), 'fs.outside_roots');
  });

  it('is not read when another file takes its path between the check and the read', async () => {
    await add('other/main.cs');
    const swapped = service(undefined, () => renameSync(at('other/beside.cs'), at('other/main.cs')));
    assert.equal(await codeOf(swapped.read({ path: at('other/main.cs') })), 'fs.outside_roots');
  });

  it('is not read through a link to a share of another machine', async () => {
    assert.equal(await codeOf(service().read({ path: '//server/share/a.txt' })), 'fs.outside_roots');
  });
});
