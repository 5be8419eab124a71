import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ProtectedPaths } from '../../../../src/fs/protection/protectedPaths';
import { ProtectedRules } from '../../../../src/fs/protection/protectedRules';
import { realPathOf } from '../../../../src/util/realPath';
import { RootCheck } from '../../../../src/util/roots';
import { isOfThisMachine, judgeDropped } from '../../../../src/workbench/editor/droppedFiles';

describe('files that the page says were dropped', () => {
  let top: string;
  let root: string;
  const judge = async (...files: string[]) => {
    const check = new RootCheck({ cwd: root, additionalDirectories: [] });
    const rules = new ProtectedPaths({ cwd: root, additionalDirectories: [] }, new ProtectedRules());
    const isProtected = async (file: string, real: string) => (await rules.ruleFor(file, real, 'read')) !== undefined;
    const ports = { inside: (file: string) => check.resolve(file), realPath: (file: string) => realPathOf(file), isProtected };
    return judgeDropped(
      files.map((file) => ({ file, isRemote: false })),
      ports,
    );
  };
  before(async () => {
    top = await realpath(await mkdtemp(path.join(tmpdir(), '.dropped-')));
    root = path.join(top, 'work');
    await mkdir(path.join(root, '.ssh'), { recursive: true });
    await mkdir(path.join(root, 'src'));
    for (const file of [
      'work/src/a.ts',
      'work/.env',
      'work/src/.env.local',
      'work/server.pem',
      'work/id_ed25519',
      'work/id_ed25519.pub',
      'work/.ssh/config',
      'work/aws-credentials.json',
      'secret.txt',
    ]) {
      await writeFile(path.join(top, file), 'x');
    }
    await symlink(path.join(top, 'secret.txt'), path.join(root, 'readme.md'));
    await symlink(top, path.join(root, 'up'));
    await symlink(path.join(root, '.env'), path.join(root, 'src/notes.txt'));
  });
  after(() => rm(top, { recursive: true, force: true }));

  it('are attached where the session may read them anyway', async () => {
    const files = ['src/a.ts', 'src', 'id_ed25519.pub', 'src/not-there-yet.ts'].map((name) => path.join(root, name));
    assert.deepEqual(
      await judge(...files),
      files.map((attach) => ({ attach })),
      'the name of a folder above says nothing',
    );
  });

  it('are asked about outside, by where links lead', async () => {
    const ask = path.join(top, 'secret.txt');
    for (const file of [
      ask,
      path.join(root, 'readme.md'),
      path.join(root, 'up/secret.txt'),
      path.join(root, '../secret.txt'),
      `${root}/src/../../secret.txt`,
    ]) {
      assert.deepEqual(await judge(file), [{ ask }], file);
    }
    assert.deepEqual(await judge('/etc/passwd'), [{ ask: '/etc/passwd' }]);
    assert.deepEqual(await judge(`${root}-other/a.ts`), [{ ask: `${root}-other/a.ts` }]);
  });

  it('are asked about inside where they may hold secrets, by whatever name', async () => {
    for (const name of ['.env', 'src/.env.local', 'server.pem', 'id_ed25519', '.ssh/config', 'aws-credentials.json']) {
      assert.deepEqual(await judge(path.join(root, name)), [{ ask: path.join(root, name) }], name);
    }
    assert.deepEqual(await judge(path.join(root, 'src/notes.txt')), [{ ask: path.join(root, '.env') }]);
  });

  it('are refused on other machines, before anything asks for them', async () => {
    const never = (): Promise<string> => Promise.reject(new Error('must not be touched'));
    assert.deepEqual(
      await judgeDropped(
        [
          { file: '\\\\host\\share\\a', isRemote: true },
          { file: 'a.ts', isRemote: false },
        ],
        { inside: never, realPath: never, isProtected: () => Promise.reject(new Error('must not be touched')) },
      ),
      [{ refuse: '\\\\host\\share\\a' }, { refuse: 'a.ts' }],
    );
  });
});

describe('addresses that the page says were dropped', () => {
  for (const [scheme, authority, remoteName, isOurs] of [
    ['file', '', undefined, true],
    ['file', '', 'ssh-remote', true],
    ['vscode-remote', 'ssh-remote+box', 'ssh-remote', true],
    ['vscode-remote', 'wsl+ubuntu', 'wsl', true],
    ['vscode-remote', 'localhost:9000', 'localhost:9000', true],
    ['vscode-remote', 'ssh-remote+box', undefined, false],
    ['vscode-remote', 'ssh-remote+box', 'wsl', false],
    ['vscode-remote', 'wsl-other+box', 'wsl', false],
    ['vscode-remote', '', 'wsl', false],
    ['https', 'wsl', 'wsl', false],
    ['untitled', '', 'wsl', false],
  ] as const) {
    it(`${scheme}://${authority} in ${remoteName ?? 'a window of this machine'}: ${isOurs ? 'a file here' : 'not ours to read'}`, () => {
      assert.equal(isOfThisMachine({ scheme, authority }, remoteName), isOurs);
    });
  }
});
