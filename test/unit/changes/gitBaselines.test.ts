/** The earlier state of a file that git calls unchanged: the bytes on the disk, which may differ from those of a checkout. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import type { RunGit } from '../../../src/changes/disk/git';
import { shownRecords } from '../../support/changes/shownRecords';
import { playTurn, run, Workspace, type WorkspaceOptions, type WorkspaceSession } from '../../support/changes/workspace';

describe('the earlier state of a tracked file', function () {
  this.timeout(30_000);
  let workspace: Workspace;
  beforeEach(() => (workspace = new Workspace(true)));
  afterEach(() => workspace.dispose());

  async function records(
    act: (session: WorkspaceSession) => void | Promise<void>,
    options: WorkspaceOptions = {},
    hurry = false,
  ): Promise<string[]> {
    await workspace.settle();
    const session = workspace.session(options);
    const { files } = await playTurn(session, 'turn', () => act(session), hurry);
    return shownRecords(workspace, session, files);
  }

  for (const [name, config, attributes, content] of [
    ['CRLF on the disk and autocrlf=input', 'input', '', '1\r\n2\r\n'],
    ['CRLF on the disk and autocrlf=true', 'true', '', '1\r\n2\r\n'],
    ['LF on the disk and autocrlf=true', 'true', '', '1\n2\n'],
    ['CRLF on the disk and text=auto', 'false', '* text=auto\n', '1\r\n2\r\n'],
    ['LF on the disk and eol=crlf', 'false', '* text eol=crlf\n', '1\n2\n'],
  ] as const) {
    it(`has the line ends of the disk: ${name}`, async () => {
      workspace.git('config', 'core.autocrlf', config);
      workspace.git('config', 'core.safecrlf', 'false');
      workspace.write('.gitattributes', attributes);
      workspace.write('a.txt', content);
      workspace.commit();
      assert.deepEqual(await records(() => workspace.write('a.txt', 'x\n')), [`a.txt: ${JSON.stringify(content)} > "x\\n"`]);
    });
  }

  it('is unknown when only some of the lines end with CRLF', async () => {
    workspace.git('config', 'core.autocrlf', 'input');
    workspace.git('config', 'core.safecrlf', 'false');
    workspace.write('a.txt', '1\r\n2\n3\r\n');
    workspace.commit();
    assert.deepEqual(await records(() => workspace.write('a.txt', 'x\n')), ['a.txt: filtered > "x\\n"']);
  });

  describe('with a filter that strips lines', () => {
    beforeEach(() => {
      workspace.write('.gitattributes', '*.ipynb filter=strip\n');
      workspace.git('config', 'filter.strip.clean', 'grep -v OUTPUT');
      workspace.git('config', 'filter.strip.smudge', 'cat');
      workspace.write('n.ipynb', 'cell\nOUTPUT\n');
      workspace.commit();
    });

    it('is a copy of the disk', async () => {
      assert.deepEqual(await records(() => workspace.write('n.ipynb', 'x\n')), ['n.ipynb: "cell\\nOUTPUT\\n" > "x\\n"']);
    });

    it('is unknown when the file exceeds the limit', async () => {
      assert.deepEqual(await records(() => workspace.write('n.ipynb', 'x\n'), { limits: { fileBytes: 5 } }), [
        'n.ipynb: filtered > "x\\n"',
      ]);
    });

    it('runs no process per file', async () => {
      for (let index = 0; index < 40; index++) {
        workspace.write(`${index}.ipynb`, `cell ${index}\nOUTPUT\n`);
      }
      workspace.commit();
      let processes = 0;
      const counted: RunGit = (...args) => (processes++, run(...args));
      const found = await records(
        () => {
          for (let index = 0; index < 40; index++) {
            workspace.write(`${index}.ipynb`, 'x\n');
          }
        },
        { run: counted },
      );
      assert.equal(found.length, 40);
      assert.ok(processes <= 10, `${processes} processes`);
    });
  });

  for (const flag of ['--skip-worktree', '--assume-unchanged']) {
    it(`is a copy of the disk with ${flag}, whether the change was reported or not`, async () => {
      workspace.write('named.json', 'HEAD\n');
      workspace.write('silent.json', 'HEAD\n');
      workspace.write('deleted.json', 'HEAD\n');
      workspace.commit();
      workspace.git('update-index', flag, 'named.json', 'silent.json', 'deleted.json');
      ['named.json', 'silent.json', 'deleted.json'].forEach((name) => workspace.write(name, 'local\n'));
      const found = await records(async ({ recorder }) => {
        await recorder.announce({ path: workspace.at('named.json') });
        workspace.write('named.json', 'agent\n');
        workspace.write('silent.json', 'agent\n');
        rmSync(workspace.at('deleted.json'));
      });
      assert.deepEqual(found, [
        'deleted.json: "local\\n" > none',
        'named.json: "local\\n" > "agent\\n"',
        'silent.json: "local\\n" > "agent\\n"',
      ]);
    });
  }

  it('is absent for a file outside of a sparse checkout', async () => {
    workspace.write('in/a.txt', 'in\n');
    workspace.write('out/b.txt', 'out\n');
    workspace.commit();
    workspace.git('sparse-checkout', 'set', 'in');
    assert.deepEqual(await records(() => workspace.write('out/b.txt', 'agent\n')), ['out/b.txt: none > "agent\\n"']);
  });

  it('is found for unusual names, with pattern characters taken literally', async () => {
    const names = ['nl\nx.txt', ':(top)x', 'star*', '[a]', 'tab\tx', '-dash', '"quoted"', 'star1'];
    names.forEach((name) => workspace.write(name, `${name}\n`));
    workspace.commit();
    const found = await records(() => names.forEach((name) => workspace.write(name, 'x\n')));
    assert.deepEqual(found.sort(), names.map((name) => `${name}: ${JSON.stringify(`${name}\n`)} > "x\\n"`).sort());
  });

  it('is found for paths that exceed a command line', async () => {
    const names = Array.from({ length: 300 }, (_, index) => `${'long folder name '.repeat(10)}/${index} ${'n'.repeat(150)}.txt`);
    names.forEach((name) => workspace.write(name, 'a\n'));
    workspace.commit();
    await workspace.settle();
    const { files } = await playTurn(workspace.session(), 'turn', () => names.forEach((name) => workspace.write(name, 'x\n')));
    assert.deepEqual([files.length, files.filter(({ before }) => before.kind !== 'file')], [300, []]);
  });

  it('is unknown when a command that reads objects fails', async () => {
    workspace.write('a.txt', 'a\n');
    workspace.write('b.txt', 'b\n');
    workspace.commit();
    const failing: RunGit = async (cwd, args, input) => (args.includes('cat-file') ? undefined : run(cwd, args, input));
    const found = await records(
      () => {
        workspace.write('a.txt', 'agent\n');
        rmSync(workspace.at('b.txt'));
      },
      { run: failing },
    );
    assert.deepEqual(found, ['a.txt: unreadable > "agent\\n"', 'b.txt: unreadable > none']);
  });

  it('is unknown, not absent, when the commit of the start was pruned', async () => {
    workspace.write('a.txt', 'a\n');
    workspace.write('b.txt', 'b\n');
    workspace.commit();
    const found = await records(() => {
      workspace.write('a.txt', 'agent\n');
      workspace.git('commit', '-qa', '--amend', '-m', 'x');
      workspace.git('reflog', 'expire', '--expire=now', '--all');
      workspace.git('gc', '-q', '--prune=now');
      workspace.write('b.txt', 'agent\n');
    });
    assert.deepEqual(found, ['a.txt: unreadable > "agent\\n"', 'b.txt: "b\\n" > "agent\\n"']);
  });

  it('is late when the index was written after the turn began', async () => {
    workspace.write('a.txt', 'a\n');
    workspace.commit();
    const found = await records(
      () => {
        workspace.write('a.txt', 'agent\n');
        workspace.commit();
        workspace.write('a.txt', 'again\n');
      },
      {},
      true,
    );
    assert.deepEqual(found, ['a.txt: late > "again\\n"']);
  });
});
