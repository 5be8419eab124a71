import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { formatOf, unpack, type ArchiveFormat } from '../../../src/registry/archive/unpack';
import { fileInside } from '../../../src/registry/archive/guard';
import { failureOf } from '../../../src/core/model/failure';
import { tar, tarGz, type TestEntry, zip } from '../../support/registry/archives';
import { BZIP2_ARCHIVE } from '../../support/registry/bzip2Archive';

const LIMITS = { maxEntries: 50, maxBytes: 1024 * 1024 };

describe('unpack', () => {
  let root: string;
  let folder: string;

  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'unpack-'));
    folder = path.join(root, 'files');
    await mkdir(folder);
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  async function unpacked(bytes: Buffer, format: ArchiveFormat): Promise<string> {
    const file = path.join(root, 'archive');
    await writeFile(file, bytes);
    try {
      await unpack(file, format, folder, { limits: LIMITS });
      return 'ok';
    } catch (error) {
      const { code, params } = failureOf(error);
      return `${code} ${params?.['reason']}`;
    }
  }

  for (const [format, make] of [
    ['tar.gz', tarGz],
    ['zip', zip],
  ] as const) {
    describe(format, () => {
      it('writes files with their modes, folders and links inside', async () => {
        const entries = [
          { path: 'bin/' },
          { path: 'bin/agent', content: 'x' },
          { path: 'README', content: 'y', mode: 0o644 },
          { path: 'link', target: 'bin/agent', type: '2' },
        ];
        assert.equal(await unpacked(make(format === 'zip' ? entries.slice(1) : entries), format), 'ok');
        assert.equal(await readFile(path.join(folder, 'bin/agent'), 'utf8'), 'x');
        assert.equal((await stat(path.join(folder, 'bin/agent'))).mode & 0o100, 0o100);
        assert.equal(await readlink(path.join(folder, 'link')), 'bin/agent');
        assert.ok(await fileInside(folder, 'link'));
      });

      const hostile: [title: string, entries: TestEntry[]][] = [
        ['a path out of the folder', [{ path: '../evil', content: 'x' }]],
        ['a path that leaves and returns', [{ path: 'a/../../evil', content: 'x' }]],
        ['an absolute path', [{ path: '/tmp/unpack-evil', content: 'x' }]],
        ['a path of Windows', [{ path: 'C:\\evil', content: 'x' }]],
        ['a path with backslashes out of the folder', [{ path: '..\\evil', content: 'x' }]],
        ['a stream of Windows', [{ path: 'agent.exe:evil', content: 'x' }]],
        ['a device of Windows', [{ path: 'con.txt', content: 'x' }]],
        ['a device of Windows with a space', [{ path: 'nul .txt', content: 'x' }]],
        ['a dot at the end, which Windows drops', [{ path: 'bin./agent', content: 'x' }]],
        ['a space at the end, which Windows drops', [{ path: '.. /agent', content: 'x' }]],
        ['a link out of the folder', [{ path: 'link', target: '../../etc', type: '2' }]],
        ['an absolute link', [{ path: 'link', target: '/etc/passwd', type: '2' }]],
        [
          'links that leave the folder together',
          [
            { path: 'd/up', target: '..', type: '2' },
            { path: 'd/out', target: 'up/..', type: '2' },
          ],
        ],
        ['a link to nothing', [{ path: 'link', target: 'gone', type: '2' }]],
        [
          'a file written through a link',
          [
            { path: 'a/b', content: 'x' },
            { path: 'link', target: 'a', type: '2' },
            { path: 'link/evil', content: 'x' },
          ],
        ],
        [
          'a file written through a link of another case',
          [
            { path: 'a/b', content: 'x' },
            { path: 'Link', target: 'a', type: '2' },
            { path: 'link/evil', content: 'x' },
          ],
        ],
        [
          'two files of one name',
          [
            { path: 'agent', content: 'x' },
            { path: 'Agent', content: 'y' },
          ],
        ],
        [
          'two files whose names differ in a long s alone',
          [
            { path: 'ſh', content: 'x' },
            { path: 'sh', content: 'y' },
          ],
        ],
        [
          'a file that is also a folder',
          [
            { path: 'agent', content: 'x' },
            { path: 'agent/evil', content: 'y' },
          ],
        ],
      ];
      for (const [title, entries] of hostile) {
        it(`refuses ${title}`, async () => {
          assert.equal(await unpacked(make(entries), format), 'install.failed unsafe_archive');
          assert.ok(!existsSync(path.join(root, 'evil')) && !existsSync('/tmp/unpack-evil') && !existsSync(path.join(folder, 'a/evil')));
        });
      }

      it('refuses more bytes than the limit', async () => {
        const bomb = Array.from({ length: 4 }, (_, index) => ({ path: `zeros${index}`, content: Buffer.alloc(400_000) }));
        assert.equal(await unpacked(make(bomb), format), 'install.failed archive_too_large');
      });

      it('refuses more entries than the limit', async () => {
        const many = Array.from({ length: 60 }, (_, index) => ({ path: `file${index}`, content: '' }));
        assert.equal(await unpacked(make(many), format), 'install.failed archive_too_large');
      });

      it('refuses an archive that was cut off', async () => {
        const whole = make([{ path: 'agent', content: Buffer.from(Array.from({ length: 9000 }, (_, index) => (index * 7919) % 251)) }]);
        assert.equal(await unpacked(whole.subarray(0, whole.length / 2), format), 'install.failed damaged_archive');
      });

      it('refuses bytes that are no archive', async () => {
        assert.equal(await unpacked(Buffer.from('<html>Not found</html>'), format), 'install.failed damaged_archive');
      });
    });
  }

  it('refuses devices and hard links to files outside of a tar', async () => {
    assert.equal(await unpacked(tarGz([{ path: 'null', type: '3' }]), 'tar.gz'), 'install.failed unsafe_archive');
    assert.equal(await unpacked(tarGz([{ path: 'passwd', target: '/etc/passwd', type: '1' }]), 'tar.gz'), 'install.failed unsafe_archive');
    assert.equal(
      await unpacked(
        tarGz([
          { path: 'a', content: 'x' },
          { path: 'b', target: 'a', type: '1' },
        ]),
        'tar.gz',
      ),
      'ok',
    );
  });

  it('drops the bits that run a program with the rights of another user', async () => {
    assert.equal(await unpacked(tarGz([{ path: 'agent', content: 'x', mode: 0o6755 }]), 'tar.gz'), 'ok');
    assert.equal((await stat(path.join(folder, 'agent'))).mode & 0o7000, 0);
  });

  it('refuses a compressed file in a compressed file', async () => {
    assert.equal(
      await unpacked(gzipSync(gzipSync(tar([{ path: 'agent', content: Buffer.alloc(4_000_000) }]))), 'tar.gz'),
      'install.failed archive_too_large',
    );
  });

  it('unpacks bzip2, and refuses it when it is damaged or cut off', async () => {
    assert.equal(await unpacked(BZIP2_ARCHIVE, 'tar.bz2'), 'ok');
    assert.match(await readFile(path.join(folder, 'agent'), 'utf8'), /^#!/);
    assert.match(await unpacked(BZIP2_ARCHIVE.subarray(0, BZIP2_ARCHIVE.length / 2), 'tar.bz2'), /damaged_archive/);
    assert.match(await unpacked(Buffer.from('BZh9 no archive'), 'tar.bz2'), /damaged_archive/);
  });

  it('stops at a block of bzip2 that contains too much', async () => {
    // 45 MB of zeros. The decoder would decode all blocks before anything is counted.
    const block = Buffer.from('QlpoOTFBWSZTWckBtsgBWKtAIMAAEAAACCAAMMwFKaZSSFJsVJIUni7kinChIZIDbZA=', 'base64');
    const bomb = Buffer.concat(Array.from({ length: 100 }, () => block));
    assert.equal(await unpacked(bomb, 'tar.bz2'), 'install.failed archive_too_large');
  });

  it('keeps folders that their owner may not write, so that they can be deleted', async () => {
    const entries = [
      { path: 'closed/', mode: 0o555 },
      { path: 'closed/agent', content: 'x', mode: 0o000 },
    ];
    assert.equal(await unpacked(tarGz(entries), 'tar.gz'), 'ok');
    assert.equal((await stat(path.join(folder, 'closed'))).mode & 0o700, 0o700);
    assert.equal((await stat(path.join(folder, 'closed/agent'))).mode & 0o600, 0o600);
  });

  it('knows formats by name', () => {
    const names = ['a.tar.gz', 'a.TGZ', 'a.tar.bz2', 'a.tbz2', 'a.zip', 'agent', 'agent.exe', 'a.dmg', 'a.tar.xz', 'a.AppImage'];
    assert.deepEqual(names.map(formatOf), ['tar.gz', 'tar.gz', 'tar.bz2', 'tar.bz2', 'zip', 'raw', 'raw', 'refused', 'refused', 'refused']);
  });
});
