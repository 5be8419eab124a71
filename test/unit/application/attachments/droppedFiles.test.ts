import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ProtectedPaths } from '../../../../src/policy/protection/protectedPaths';
import { ProtectedRules } from '../../../../src/policy/protection/protectedRules';
import { realPathOf } from '../../../../src/util/realPath';
import { RootCheck } from '../../../../src/util/roots';
import { Consents } from '../../../../src/policy/consents';
import { diskBytes } from '../../../../src/util/checkedBytes';
import { identityOf } from '../../../../src/util/checkedFiles';
import { agreeToOutside, isOfThisMachine, type JudgedFile, judgeDropped } from '../../../../src/application/attachments/droppedFiles';

describe('files that the page reports as dropped', () => {
  let top: string;
  let root: string;
  const judge = async (...files: string[]) => {
    const check = new RootCheck({ cwd: root, additionalDirectories: [] });
    const rules = new ProtectedPaths({ cwd: root, additionalDirectories: [] }, new ProtectedRules());
    const isProtected = async (file: string, real: string) => (await rules.ruleFor(file, real, 'read')) !== undefined;
    const judged = await judgeDropped(
      files.map((file) => ({ file, isRemote: false })),
      {
        inside: (file) => check.resolve(file),
        realPath: (file) => realPathOf(file),
        isProtected,
        identify: (real) => identityOf(real),
        isAgreed: () => false,
      },
    );
    return judged.map(({ verdict, file, real }) => ({ [verdict]: verdict === 'ask' ? real : file }));
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

  it('are attached when the session may read them anyway', async () => {
    const files = ['src/a.ts', 'src', 'id_ed25519.pub', 'src/not-there-yet.ts'].map((name) => path.join(root, name));
    assert.deepEqual(
      await judge(...files),
      files.map((attach) => ({ attach })),
      'the name of a folder above says nothing',
    );
  });

  it('need consent outside, by the targets of links', async () => {
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

  it('need consent inside if they may contain secrets, under any name', async () => {
    for (const name of ['.env', 'src/.env.local', 'server.pem', 'id_ed25519', '.ssh/config', 'aws-credentials.json']) {
      assert.deepEqual(await judge(path.join(root, name)), [{ ask: path.join(root, name) }], name);
    }
    assert.deepEqual(await judge(path.join(root, 'src/notes.txt')), [{ ask: path.join(root, '.env') }]);
  });

  it('are refused on other machines, before anything accesses them', async () => {
    const never = (): Promise<never> => Promise.reject(new Error('must not be touched'));
    assert.deepEqual(
      await judgeDropped(
        [
          { file: '\\\\host\\share\\a', isRemote: true },
          { file: 'a.ts', isRemote: false },
        ],
        { inside: never, realPath: never, isProtected: never, identify: never, isAgreed: () => assert.fail('must not be touched') },
      ),
      ['\\\\host\\share\\a', 'a.ts'].map((file) => ({ verdict: 'refuse', file, real: file })),
    );
  });
});

describe('consent to a file of a message', () => {
  let folder: string;
  let consents: Consents;
  const at = (name: string): string => path.join(folder, name);
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'consent-')));
    consents = new Consents();
    await mkdir(at('work'));
    for (const name of ['work/.env', 'work/README.md', 'key', 'other']) {
      await writeFile(at(name), name);
    }
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const judge = async (name: string, identify = identityOf): Promise<JudgedFile> => {
    const roots = { cwd: at('work'), additionalDirectories: [] };
    const check = new RootCheck(roots);
    const rules = new ProtectedPaths(roots, new ProtectedRules());
    const [judged] = await judgeDropped([{ file: at(name), isRemote: false }], {
      inside: (file) => check.resolve(file),
      realPath: (file) => realPathOf(file),
      isProtected: async (file, real) => (await rules.ruleFor(file, real, 'read')) !== undefined,
      identify,
      isAgreed: (identity) => consents.has(identity),
    });
    return judged!;
  };
  const agree = async (name: string): Promise<void> => consents.agree((await judge(name)).identity!);
  const read = async ({ real, identity }: JudgedFile): Promise<string> => Buffer.from(await diskBytes.read(real, 100, identity)).toString();

  it('holds for the same file by any of its names', async () => {
    await agree('work/.env');
    await symlink('.env', at('work/notes.txt'));
    assert.equal((await judge('work/.env')).verdict, 'attach');
    assert.equal((await judge('work/notes.txt')).verdict, 'attach');
  });

  it('does not hold for a link that replaced the file', async () => {
    await agree('work/README.md');
    await rm(at('work/README.md'));
    await symlink(at('key'), at('work/README.md'));
    const { verdict, real } = await judge('work/README.md');
    assert.deepEqual([verdict, real], ['ask', at('key')]);
  });

  it('does not hold for another file at the same path', async () => {
    await agree('work/.env');
    await rename(at('other'), at('work/.env'));
    assert.equal((await judge('work/.env')).verdict, 'ask');
  });

  it('is requested each time when the file cannot be identified', async () => {
    await agree('work/.env');
    const judged = await judge('work/.env', async () => undefined);
    assert.deepEqual([judged.verdict, judged.identity], ['ask', undefined]);
  });

  it('refuses a file that was replaced while it was checked', async () => {
    assert.equal((await judge('work/README.md', () => identityOf(at('key')))).verdict, 'refuse');
  });

  for (const [how, swap] of [
    ['a link', async () => (await rm(at('work/README.md')), symlink(at('key'), at('work/README.md')))],
    ['another file', () => rename(at('key'), at('work/README.md'))],
    ['a file in a folder that became a link', async () => (await rename(at('work'), at('moved')), symlink(at('moved'), at('work')))],
  ] as const) {
    it(`sends nothing of ${how} that replaced the file after the check`, async () => {
      const judged = await judge('work/README.md');
      assert.equal(await read(judged), 'work/README.md');
      await swap();
      await assert.rejects(read(judged), { code: /ELOOP|ESTALE/ });
    });
  }
});

describe('addresses that the page reports as dropped', () => {
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

describe('files that the user added to a session', () => {
  let top: string;
  before(async () => {
    top = await realpath(await mkdtemp(path.join(tmpdir(), '.added-')));
    await mkdir(path.join(top, 'second'));
    await mkdir(path.join(top, 'a'));
    for (const file of ['second/own.ts', 'second/.env', 'a/main.cs', 'a/.env']) {
      await writeFile(path.join(top, file), 'x');
    }
    await symlink(path.join(top, 'a/main.cs'), path.join(top, 'second/link.cs'));
  });
  after(() => rm(top, { recursive: true, force: true }));

  it('may be read by its agent when they are in none of its folders, and need no consent elsewhere', async () => {
    const consents = new Consents();
    const own = new RootCheck({ cwd: path.join(top, 'second'), additionalDirectories: [] });
    const names = ['second/own.ts', 'second/.env', 'second/link.cs', 'a/main.cs', 'a/.env'];
    const identities = await Promise.all(names.map((name) => identityOf(path.join(top, name))));
    await agreeToOutside([...identities, undefined], (real) => own.contains(real), consents);
    const readable = await Promise.all(names.map((name) => consents.agreedFile(path.join(top, name))));
    assert.deepEqual(
      readable.map((real) => real && path.relative(top, real).replaceAll(path.sep, '/')),
      [undefined, undefined, path.join('a', 'main.cs'), path.join('a', 'main.cs'), path.join('a', '.env')],
    );
  });
});
