/** Repositories inside others, and repositories that break while a turn runs. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import type { Trouble } from '../../../src/changes/turns/changeRecorder';
import { shownRecords } from '../../support/changes/shownRecords';
import { playTurn, Workspace } from '../../support/changes/workspace';

describe('a turn in a repository', function () {
  this.timeout(60_000);
  let workspace: Workspace;
  let library: Workspace;
  let troubles: Trouble[];
  beforeEach(() => {
    [workspace, library, troubles] = [new Workspace(true), new Workspace(true), []];
    library.write('in.txt', 'in\n');
    library.commit();
  });
  afterEach(() => [workspace, library].forEach((each) => each.dispose()));

  const addSubmodule = (name: string): void => {
    workspace.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.folder, name);
  };

  async function records(act: () => void, plainFiles = 20_000): Promise<string[]> {
    await workspace.settle();
    const session = workspace.session({ onTrouble: (trouble) => troubles.push(trouble), limits: { plainFiles } });
    const { files } = await playTurn(session, 'turn', act);
    return shownRecords(workspace, session, files);
  }

  for (const [name, other] of [
    ['core', 'core-utils'],
    ['lib', 'lib2'],
  ] as const) {
    it(`keeps the files of the submodule ${name} and of ${other} apart`, async () => {
      addSubmodule(name);
      workspace.write(`${other}/x.txt`, 'x\n');
      workspace.commit();
      const found = await records(() => {
        workspace.write(`${name}/in.txt`, 'agent\n');
        workspace.write(`${other}/x.txt`, 'agent\n');
      });
      assert.deepEqual(found.sort(), [`${name}/in.txt: "in\\n" > "agent\\n"`, `${other}/x.txt: "x\\n" > "agent\\n"`].sort());
    });
  }

  it('finds the changes of a submodule that was committed in both repositories', async () => {
    addSubmodule('mod');
    workspace.commit();
    const found = await records(() => {
      workspace.write('mod/in.txt', 'agent\n');
      workspace.git('-C', 'mod', '-c', 'user.name=U', '-c', 'user.email=u@e', 'commit', '-qam', 'in');
      workspace.git('commit', '-qam', 'bump');
    });
    assert.deepEqual(found, ['mod/in.txt: "in\\n" > "agent\\n"']);
  });

  it('finds the files of a submodule whose folder was deleted', async () => {
    addSubmodule('mod');
    workspace.commit();
    workspace.write('mod/user.txt', 'user\n');
    const found = await records(() => rmSync(workspace.at('mod'), { recursive: true }));
    assert.deepEqual(found, ['mod/in.txt: "in\\n" > none', 'mod/user.txt: "user\\n" > none']);
  });

  it('finds changes by their times when the index is damaged, and reports that', async () => {
    ['a.txt', 'b.txt', 'same.txt'].forEach((name) => workspace.write(name, `${name}\n`));
    workspace.commit();
    const found = await records(() => {
      workspace.write('a.txt', 'agent\n');
      rmSync(workspace.at('b.txt'));
      workspace.write('.git/index', 'damaged');
      workspace.write('new.txt', 'new\n');
    });
    assert.deepEqual(found, ['a.txt: "a.txt\\n" > "agent\\n"', 'b.txt: "b.txt\\n" > none', 'new.txt: none > "new\\n"']);
    assert.deepEqual(
      troubles.map(({ kind }) => kind),
      ['git'],
    );
  });

  it('finds changes by their times when the repository was deleted, without earlier states', async () => {
    workspace.write('a.txt', 'a\n');
    workspace.commit();
    const found = await records(() => {
      rmSync(workspace.at('.git'), { recursive: true });
      workspace.write('a.txt', 'agent\n');
    });
    assert.deepEqual(found, ['a.txt: unreadable > "agent\\n"']);
    assert.deepEqual(
      troubles.map(({ kind }) => kind),
      ['git'],
    );
  });

  it('reads a folder that the repository above ignores as a plain folder', async () => {
    workspace.write('.gitignore', 'ignored/\n');
    workspace.commit();
    workspace.write('ignored/deep/a.txt', 'a\n');
    await workspace.settle();
    const session = workspace.session({ roots: [workspace.at('ignored/deep')] });
    const { files } = await playTurn(session, 'turn', () => workspace.write('ignored/deep/a.txt', 'b\n'));
    assert.deepEqual(await shownRecords(workspace, session, files), ['ignored/deep/a.txt: "a\\n" > "b\\n"']);
  });
});
