/** A file counts as created only if that is proven, because an undo deletes it. */
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { diskFiles, type FileStat } from '../../../src/changes/disk/diskFiles';
import { shownRecords } from '../../support/changes/shownRecords';
import { playTurn, Workspace, type WorkspaceOptions } from '../../support/changes/workspace';

const LARGE = 'y'.repeat(3000);
const LIMITS = { fileBytes: 2000, plainFileBytes: 1000 };

describe('the proof that a turn created a file', function () {
  this.timeout(30_000);
  let workspace: Workspace;
  afterEach(() => workspace.dispose());

  async function records(
    isRepository: boolean,
    prepare: () => void,
    act: () => void | Promise<void>,
    options: WorkspaceOptions = {},
  ): Promise<string[]> {
    workspace = new Workspace(isRepository);
    workspace.write('a.txt', 'a\n');
    prepare();
    await workspace.settle();
    const session = workspace.session({ limits: LIMITS, ...options });
    const { files } = await playTurn(session, 'turn', act);
    return shownRecords(workspace, session, files);
  }

  for (const isRepository of [true, false]) {
    describe(isRepository ? 'in a repository' : 'in a plain folder', () => {
      it('accepts a new file, a new link and a new folder', async () => {
        assert.deepEqual(
          await records(
            isRepository,
            () => undefined,
            () => {
              workspace.write('new.txt', 'new\n');
              workspace.write('deep/down/new.txt', 'deep\n');
              symlinkSync('a.txt', workspace.at('link'));
            },
          ),
          ['deep/down/new.txt: none > "deep\\n"', 'link: none > link to a.txt', 'new.txt: none > "new\\n"'],
        );
      });

      it('rejects a large file that was moved', async () => {
        assert.deepEqual(
          await records(
            isRepository,
            () => workspace.write('data.csv', LARGE),
            () => renameSync(workspace.at('data.csv'), workspace.at('data2.csv')),
          ),
          ['data.csv: too_large > none', 'data2.csv: unproven > too_large'],
        );
      });

      it('rejects a copy of a large file that was deleted', async () => {
        assert.deepEqual(
          await records(
            isRepository,
            () => workspace.write('data.csv', LARGE),
            () => {
              copyFileSync(workspace.at('data.csv'), workspace.at('copy.csv'));
              workspace.remove('data.csv');
            },
          ),
          ['copy.csv: unproven > too_large', 'data.csv: too_large > none'],
        );
      });

      it('rejects a file that was moved in from outside', async () => {
        const outside = mkdtempSync(path.join(tmpdir(), 'changes-outside-'));
        writeFileSync(path.join(outside, 'notes.txt'), 'the only copy\n');
        assert.deepEqual(
          await records(
            isRepository,
            () => undefined,
            () => renameSync(path.join(outside, 'notes.txt'), workspace.at('notes.txt')),
          ),
          ['notes.txt: unproven > "the only copy\\n"'],
        );
        rmSync(outside, { recursive: true });
      });

      for (const [name, birthtimeMs] of [
        ['reports no birth times', () => 0],
        ['reports the last change as the birth', ({ ctimeMs }: FileStat) => ctimeMs],
      ] as const) {
        it(`rejects every new file when the file system ${name}`, async () => {
          const born = <Stat extends FileStat | undefined>(stat: Stat): Stat => stat && { ...stat, birthtimeMs: birthtimeMs(stat) };
          const files = {
            ...diskFiles,
            stat: async (file: string) => born(await diskFiles.stat(file)),
            statAndRead: async (file: string, maxBytes: number) => {
              const found = await diskFiles.statAndRead(file, maxBytes);
              return found && { ...found, stat: born(found.stat) };
            },
          };
          assert.deepEqual(
            await records(
              isRepository,
              () => undefined,
              () => workspace.write('new.txt', 'new\n'),
              { files },
            ),
            ['new.txt: unproven > "new\\n"'],
          );
        });
      }

      it('treats a small file that was moved and edited as a move', async () => {
        assert.deepEqual(
          await records(
            isRepository,
            () => workspace.write('one.txt', 'one\n'),
            () => {
              renameSync(workspace.at('one.txt'), workspace.at('two.txt'));
              writeFileSync(workspace.at('two.txt'), 'edited\n');
            },
          ),
          ['two.txt from one.txt: "one\\n" > "edited\\n"'],
        );
      });
    });
  }

  describe('for a file that was ignored', () => {
    const ignore = (): void => {
      workspace.write('.gitignore', '.env\nbuild/\n');
      workspace.git('add', '.gitignore');
      workspace.git('commit', '-q', '-m', 'ignore');
      workspace.write('.env', 'SECRET=1\n');
      workspace.write('build/out.txt', 'built\n');
      workspace.write('.git/info/exclude', 'local.txt\n');
      workspace.write('local.txt', 'local\n');
    };
    /** Writes like `sed -i` and many editors: to a temporary file that replaces the original. */
    const replace = (name: string, content: string): void => {
      workspace.write(`${name}.tmp`, content);
      renameSync(workspace.at(`${name}.tmp`), workspace.at(name));
    };

    it('rejects it when the turn clears .gitignore and replaces the file', async () => {
      const found = await records(true, ignore, () => {
        workspace.write('.gitignore', '\n');
        replace('.env', 'SECRET=2\n');
        replace('build/out.txt', 'again\n');
      });
      assert.deepEqual(found, [
        '.env: unproven > "SECRET=2\\n"',
        '.gitignore: ".env\\nbuild/\\n" > "\\n"',
        'build/out.txt: unproven > "again\\n"',
      ]);
    });

    it('rejects it when the turn clears the exclude file', async () => {
      const found = await records(true, ignore, () => {
        workspace.write('.git/info/exclude', '\n');
        replace('local.txt', 'changed\n');
      });
      assert.deepEqual(found, ['local.txt: unproven > "changed\\n"']);
    });

    it('rejects its new name when it was moved', async () => {
      const found = await records(true, ignore, () => {
        renameSync(workspace.at('.env'), workspace.at('env.bak'));
        renameSync(workspace.at('build'), workspace.at('dist'));
      });
      assert.deepEqual(found, ['dist/out.txt: unproven > "built\\n"', 'env.bak: unproven > "SECRET=1\\n"']);
    });

    it('rejects a copy when the file was deleted', async () => {
      const found = await records(true, ignore, () => {
        copyFileSync(workspace.at('.env'), workspace.at('env.bak'));
        workspace.remove('.env');
      });
      assert.deepEqual(found, ['env.bak: unproven > "SECRET=1\\n"']);
    });

    it('rejects it when the agent reports that there was no file', async () => {
      workspace = new Workspace(true);
      workspace.write('a.txt', 'a\n');
      ignore();
      await workspace.settle();
      const session = workspace.session();
      const { files } = await playTurn(session, 'turn', async () => {
        workspace.write('.env', 'SECRET=2\n');
        await session.recorder.announce({ path: workspace.at('.env'), reported: [{ oldText: null, newText: 'SECRET=2\n' }] });
      });
      assert.deepEqual(await shownRecords(workspace, session, files), ['.env: unproven > "SECRET=2\\n"']);
    });

    it('rejects every new file when git cannot list the index', async () => {
      const { run } = await import('../../support/changes/workspace');
      const split = (): void => {
        ignore();
        // git is needed to read the file of a split index.
        workspace.git('update-index', '--split-index');
      };
      const found = await records(true, split, () => workspace.write('new.txt', 'new\n'), {
        run: async (cwd, args, input) => (args.includes('ls-files') ? undefined : run(cwd, args, input)),
      });
      assert.deepEqual(found, ['new.txt: unproven > "new\\n"']);
    });
  });
});
