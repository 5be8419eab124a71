/** Files that were moved in a turn over another file, or whose old name exists again. An undo must not delete the only copy. */
import assert from 'node:assert/strict';
import { appendFileSync, cpSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { shownRecords } from '../../support/changes/shownRecords';
import { playTurn, Workspace, type WorkspaceSession } from '../../support/changes/workspace';

const LARGE = 'y'.repeat(3000);
const LIMITS = { fileBytes: 2000, plainFileBytes: 1000 };

describe('a file that a turn moves over another one', function () {
  this.timeout(30_000);
  let workspace: Workspace;
  let outside: string;
  beforeEach(() => (outside = mkdtempSync(path.join(tmpdir(), 'changes-outside-'))));
  afterEach(() => {
    workspace.dispose();
    rmSync(outside, { recursive: true });
  });

  async function records(
    isRepository: boolean,
    act: (recorder: WorkspaceSession['recorder']) => void | Promise<void>,
    prepare: () => void = () => undefined,
  ): Promise<string[]> {
    workspace = new Workspace(isRepository);
    workspace.write('a.txt', 'a\n');
    workspace.write('b.txt', 'b\n');
    if (isRepository) {
      workspace.commit();
    }
    prepare();
    writeFileSync(path.join(outside, 'in.txt'), 'in\n');
    await workspace.settle();
    const session = workspace.session({ limits: LIMITS });
    const { files } = await playTurn(session, 'turn', () => act(session.recorder));
    return shownRecords(workspace, session, files);
  }
  const move = (from: string, to: string): void => renameSync(path.resolve(workspace.folder, from), workspace.at(to));

  for (const isRepository of [true, false]) {
    describe(isRepository ? 'in a repository' : 'in a plain folder', () => {
      it('is shared when it comes from outside', async () => {
        assert.deepEqual(await records(isRepository, () => move(path.join(outside, 'in.txt'), 'a.txt')), [
          'a.txt: "a\\n" > "in\\n" shared',
        ]);
      });

      it('is shared when it comes from outside and was edited afterwards', async () => {
        const found = await records(isRepository, () => {
          move(path.join(outside, 'in.txt'), 'a.txt');
          appendFileSync(workspace.at('a.txt'), 'agent\n');
        });
        assert.deepEqual(found, ['a.txt: "a\\n" > "in\\nagent\\n" shared']);
      });

      it('is shared when no copy of it is stored', async () => {
        const found = await records(
          isRepository,
          () => move('big.txt', 'b.txt'),
          () => workspace.write('big.txt', LARGE),
        );
        assert.deepEqual(found, ['b.txt: "b\\n" > too_large shared', 'big.txt: too_large > none']);
      });

      it('is not shared when its earlier path has the copy', async () => {
        assert.deepEqual(await records(isRepository, () => move('a.txt', 'b.txt')), ['a.txt: "a\\n" > none', 'b.txt: "b\\n" > "a\\n"']);
      });

      it('is shared when the user wrote it before the move', async () => {
        const found = await records(isRepository, async (recorder) => {
          const from = Date.now();
          appendFileSync(workspace.at('a.txt'), 'user\n');
          recorder.userCommand(from, Date.now(), workspace.folder);
          await new Promise((resolve) => setTimeout(resolve, 300));
          move('a.txt', 'b.txt');
        });
        assert.deepEqual(found, ['a.txt: "a\\n" > none shared', 'b.txt: "b\\n" > "a\\nuser\\n" shared']);
      });

      it('is shared when the user saved edits before the move', async () => {
        const saveAndMove = async (recorder: WorkspaceSession['recorder'], to: string): Promise<void> => {
          const file = workspace.at('a.txt');
          recorder.documentOpened(file, 'a\n', false);
          recorder.documentChanged(file, 'a\nuser\n', 'user');
          workspace.write('a.txt', 'a\nuser\n');
          recorder.savedByUser(file, 'a\nuser\n');
          await workspace.settle();
          move('a.txt', to);
        };
        assert.deepEqual(await records(isRepository, (recorder) => saveAndMove(recorder, 'b.txt')), [
          'a.txt: "a\\n" > none',
          'b.txt: "b\\n" > "a\\nuser\\n" shared',
        ]);
        workspace.dispose();
        assert.deepEqual(await records(isRepository, (recorder) => saveAndMove(recorder, 'new.txt')), [
          'new.txt from a.txt: "a\\n" > "a\\nuser\\n" shared',
        ]);
      });

      it('is not shared when the turn replaced it with a new file, as sed does', async () => {
        const found = await records(isRepository, () => {
          workspace.write('a.tmp', 'agent\n');
          move('a.tmp', 'a.txt');
        });
        assert.deepEqual(found, ['a.txt: "a\\n" > "agent\\n"']);
      });
    });
  }

  describe('with the edited content of a file without a copy', () => {
    const large = (changed = ''): string => Array.from({ length: 120 }, (_, index) => `line ${index} of the user${changed}\n`).join('');
    /** Writes like `sed -i`: to a temporary file that replaces the original. */
    const replace = (name: string, content: string): void => {
      workspace.write(`${name}.tmp`, content);
      move(`${name}.tmp`, name);
    };
    /** Plays the turn over a large file, and returns the names of the shared files. */
    async function shared(isRepository: boolean, act: () => void): Promise<readonly (string | undefined)[]> {
      const found = await records(isRepository, act, () => workspace.write('big.txt', large()));
      return found.filter((each) => each.endsWith(' shared')).map((each) => each.split(':')[0]);
    }

    for (const isRepository of [true, false]) {
      describe(isRepository ? 'in a repository' : 'in a plain folder', () => {
        it('is shared under a new name', async () => {
          const found = await shared(isRepository, () => {
            replace('big.txt', `agent\n${large().slice(0, 1700)}`);
            move('big.txt', 'new.txt');
          });
          assert.deepEqual(found, ['new.txt']);
        });

        it('is shared over a known file', async () => {
          const found = await shared(isRepository, () => {
            replace('big.txt', large().slice(0, 1700));
            move('big.txt', 'b.txt');
          });
          assert.deepEqual(found, ['b.txt']);
        });

        it('is shared when it was written into a known file', async () => {
          const found = await shared(isRepository, () => {
            workspace.write('b.txt', `b\n${large().slice(0, 1500)}`);
            workspace.remove('big.txt');
          });
          assert.deepEqual(found, ['b.txt']);
        });

        it('is not shared when the large file is still there, or when little was written', async () => {
          const found = await shared(isRepository, () => {
            workspace.write('new.txt', large('!').slice(0, 1700));
            appendFileSync(workspace.at('big.txt'), 'agent\n');
          });
          assert.deepEqual(found, []);
          workspace.dispose();
          const others = await shared(isRepository, () => {
            workspace.write('new.txt', 'agent\n');
            appendFileSync(workspace.at('b.txt'), 'agent\n');
            workspace.remove('big.txt');
          });
          assert.deepEqual(others, []);
        });
      });
    }

    it('is shared when the file itself was ignored by name, but not when its folder was', async () => {
      const ignore = (): void => {
        workspace.write('.gitignore', '.env\nbuild/\n');
        workspace.commit();
        workspace.write('.env', 'SECRET=1\n');
        workspace.write('build/out.txt', large());
      };
      const found = await records(
        true,
        () => {
          replace('.env', 'SECRET=2\nand more\n');
          move('.env', 'env.bak');
          workspace.remove('build/out.txt');
          workspace.write('source.txt', large('!').slice(0, 1700));
        },
        ignore,
      );
      assert.deepEqual(
        found.map((each) => [each.split(':')[0], each.endsWith(' shared')]),
        [
          ['env.bak', true],
          ['source.txt', false],
        ],
      );
    });
  });

  describe('from a path that has earlier records', () => {
    /** @param between the user's change between two turns */
    async function movedAfter(first: (recorder: WorkspaceSession['recorder']) => void, between: () => void): Promise<string[]> {
      workspace = new Workspace(false);
      workspace.write('a.txt', 'a\n');
      workspace.write('b.txt', 'b\n');
      await workspace.settle();
      const session = workspace.session();
      await playTurn(session, 'first', () => first(session.recorder));
      between();
      await workspace.settle();
      const { files } = await playTurn(session, 'second', () => move('a.txt', 'b.txt'));
      return shownRecords(workspace, session, files);
    }
    const byAgent = (): void => workspace.write('a.txt', 'agent\n');

    it('is shared when the user wrote that path too', async () => {
      const first = (recorder: WorkspaceSession['recorder']): void => {
        byAgent();
        recorder.userCommand(Date.now(), Date.now(), workspace.folder);
      };
      assert.deepEqual(await movedAfter(first, () => undefined), ['a.txt: "agent\\n" > none', 'b.txt: "b\\n" > "agent\\n" shared']);
    });

    it('is shared when the user wrote that path between the turns', async () => {
      const found = await movedAfter(byAgent, () => appendFileSync(workspace.at('a.txt'), 'user\n'));
      assert.deepEqual(found, ['a.txt: "agent\\nuser\\n" > none', 'b.txt: "b\\n" > "agent\\nuser\\n" shared']);
    });

    it('is not shared when only the agent wrote that path', async () => {
      assert.deepEqual(await movedAfter(byAgent, () => undefined), ['a.txt: "agent\\n" > none', 'b.txt: "b\\n" > "agent\\n"']);
    });
  });

  describe('in a copied repository, whose index has other inodes', () => {
    const copy = (): void => {
      cpSync(workspace.folder, `${workspace.folder}.copy`, { recursive: true, preserveTimestamps: true });
      rmSync(workspace.folder, { recursive: true });
      renameSync(`${workspace.folder}.copy`, workspace.folder);
    };

    it('is shared when it comes from outside', async () => {
      const found = await records(
        true,
        () => {
          move(path.join(outside, 'in.txt'), 'a.txt');
          appendFileSync(workspace.at('a.txt'), 'agent\n');
        },
        copy,
      );
      assert.deepEqual(found, ['a.txt: "a\\n" > "in\\nagent\\n" shared']);
    });

    it('is not mistaken for a file that was written in place, or that got a new name', async () => {
      const found = await records(
        true,
        () => {
          move('b.txt', 'new.txt');
          appendFileSync(workspace.at('a.txt'), 'agent\n');
        },
        copy,
      );
      assert.deepEqual(found, ['a.txt: "a\\n" > "a\\nagent\\n"', 'new.txt from b.txt: "b\\n" > "b\\n"']);
    });
  });

  describe('with unknown content before an earlier turn', () => {
    const lines = (name: string, count: number): string => Array.from({ length: count }, (_, line) => `${name} ${line}\n`).join('');
    /** The records of a turn that moves a file that an earlier turn made smaller. */
    async function later(act: () => void): Promise<string[]> {
      workspace = new Workspace(false);
      workspace.write('a.txt', 'a\n');
      workspace.write('big.txt', lines('user', 140));
      await workspace.settle();
      const session = workspace.session({ limits: { fileBytes: 2000, plainFileBytes: 1000 } });
      await playTurn(session, 'one', () => workspace.write('big.txt', lines('user', 80)));
      await workspace.settle();
      const { files } = await playTurn(session, 'two', act);
      return files.map((file) => `${path.basename(file.path)}${file.shared ? ' shared' : ''}`);
    }

    it('is shared', async () => {
      assert.deepEqual(await later(() => move('big.txt', 'a.txt')), ['a.txt shared', 'big.txt']);
    });

    it('is shared when the agent edited it after the move', async () => {
      const act = (): void => {
        move('big.txt', 'a.txt');
        appendFileSync(workspace.at('a.txt'), 'agent\n');
      };
      assert.deepEqual(await later(act), ['a.txt shared', 'big.txt']);
    });

    it('is shared when the agent replaced it with another file', async () => {
      const act = (): void => {
        workspace.remove('big.txt');
        workspace.write('a.txt', `agent\n${lines('user', 79)}`);
      };
      assert.deepEqual(await later(act), ['a.txt shared', 'big.txt']);
    });
  });

  describe('away from a name that exists again', () => {
    it('counts as created when the record of its earlier name has the copy', async () => {
      const found = await records(false, () => {
        move('a.txt', 'new.txt');
        workspace.write('a.txt', 'again\n');
      });
      assert.deepEqual(found, ['a.txt: "a\\n" > "again\\n"', 'new.txt: none > "a\\n"']);
    });

    it('is unproven when the user brought the earlier name back by a git operation', async () => {
      const found = await records(
        true,
        (recorder) => {
          move('a.txt', 'new.txt');
          workspace.git('stash', '-q');
          recorder.userGit(workspace.folder, Date.now());
        },
        () => workspace.write('a.txt', 'user\n'),
      );
      assert.deepEqual(found, ['new.txt: unproven > "user\\n"']);
    });

    it('is shared when the record of its earlier name is shared', async () => {
      const found = await records(
        true,
        () => {
          move('a.txt', 'new.txt');
          workspace.git('stash', '-q');
        },
        () => workspace.write('a.txt', 'user\n'),
      );
      assert.deepEqual(found, ['a.txt: "user\\n" > "a\\n" shared', 'new.txt: none > "user\\n" shared']);
    });

    it('is unproven when the user created the earlier name again in the Explorer', async () => {
      const found = await records(false, async (recorder) => {
        move('a.txt', 'new.txt');
        workspace.write('a.txt', 'user\n');
        recorder.userChanged(workspace.at('a.txt'), 'created');
        await workspace.settle();
      });
      assert.deepEqual(found, ['new.txt: unproven > "a\\n"']);
    });
  });
});
