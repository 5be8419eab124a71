/** A real repository in a temporary folder: a submodule, hooks, and a main tree with uncommitted changes of every kind. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { failureOf } from '../../../src/core/model/failure';
import { Git } from '../../../src/util/git';
import { type Repository, type Worktree, Worktrees } from '../../../src/worktree/worktrees';
import { initRepository } from '../../support/emptyRepository';

export interface Scene {
  readonly folder: string;
  /** The repository of the submodule, which the scenes of a process share. */
  readonly library: string;
  readonly root: string;
  /** The lines that hooks wrote. */
  hooks(): string[];
  readonly worktrees: Worktrees;
  readonly repository: Repository;
  readonly parent: string;
  /** Working tree, index, stash, HEAD and all branches except the named ones, as texts to be compared. */
  state(except?: readonly string[]): Record<string, string>;
  create(branch?: string): Promise<Worktree>;
  dispose(): void;
}

export interface PlainScene extends Pick<Scene, 'folder' | 'root' | 'worktrees' | 'repository' | 'dispose'> {
  create(branch?: string): ReturnType<Worktrees['create']>;
  /** Adds a submodule with the file `in.txt`, and commits it. */
  addSubmodule(name: string): void;
}

const ADA = { name: 'Ada', email: 'ada@example.org' };
const IDENTITY = [
  '-c',
  'user.name=Ada',
  '-c',
  'user.email=ada@example.org',
  '-c',
  'protocol.file.allow=always',
  '-c',
  'commit.gpgsign=false',
];

export function git(cwd: string, ...args: string[]): string {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
  return execFileSync('git', [...IDENTITY, ...args], { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

export function write(folder: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
}

/** A repository without submodule, hook, stash and uncommitted changes, for tests that add these themselves. */
export async function plainScene(files: Readonly<Record<string, string>> = {}): Promise<PlainScene> {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'worktrees-')));
  const root = path.join(folder, 'main');
  mkdirSync(root);
  initRepository(root, ADA);
  write(root, { 'a.txt': 'a\n', '.gitignore': '.env\nlocal.cfg\nbuild/\n', ...files });
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '-m', 'first');
  const worktrees = new Worktrees(new Git());
  const repository = await worktrees.repositoryOf(root);
  return {
    folder,
    root,
    worktrees,
    repository,
    create: async (branch = 'agent/try') => {
      const parent = path.join(folder, 'trees');
      return worktrees.create(repository, { branch, start: { type: 'current' }, parent });
    },
    addSubmodule: (name) => {
      const library = path.join(folder, `library ${name}`);
      mkdirSync(library);
      initRepository(library, ADA);
      write(library, { 'in.txt': 'library\n' });
      git(library, 'add', '-A');
      git(library, 'commit', '-q', '-m', 'library');
      git(root, 'submodule', '--quiet', 'add', library, name);
      git(root, 'commit', '-q', '-m', 'submodule');
    },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Commits every change in a folder, and returns the commit. */
export function commit(folder: string, message = 'commit'): string {
  git(folder, 'add', '-A');
  git(folder, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '-q', '-m', message);
  return git(folder, 'rev-parse', 'HEAD').trim();
}

/** The code and the names of a failure. */
export async function failureIn(doing: Promise<unknown>): Promise<{ code: string; files?: unknown; path?: unknown }> {
  return doing.then(
    () => ({ code: 'no failure' }),
    (error: unknown) => {
      const { code, params = {} } = failureOf(error);
      return {
        code,
        ...(params['files'] !== undefined && { files: params['files'] }),
        ...(params['path'] !== undefined && { path: params['path'] }),
      };
    },
  );
}

export const LINES = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
export const textWith = (changes: Readonly<Record<number, string>>): string =>
  `${LINES.map((line, index) => changes[index + 1] ?? line).join('\n')}\n`;

/** The folder from which scenes are copied, because the commands that make one take longer than most tests. */
let template: string | undefined;

function templateFolder(): string {
  if (template !== undefined) {
    return template;
  }
  const folder = (template = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'worktrees-template-'))));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const [library, root] = [path.join(folder, 'library'), path.join(folder, 'root')];
  mkdirSync(library);
  initRepository(library, ADA);
  write(library, { 'lib.txt': 'library\n' });
  git(library, 'add', '-A');
  git(library, 'commit', '-q', '-m', 'library');

  mkdirSync(root);
  initRepository(root, ADA);
  write(root, {
    'a.txt': textWith({}),
    'b.txt': 'b\n',
    'dir/ünï code.txt': 'u\n',
    'bin.dat': Buffer.from([0, 1, 2]),
    '.gitignore': 'ignored/\n',
  });
  git(root, 'submodule', '--quiet', 'add', library, 'sub');
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '-m', 'first');
  git(root, 'branch', 'other');
  write(root, { 'stashed.txt': 'stashed\n' });
  git(root, 'stash', 'push', '-q', '-u');
  rmSync(path.join(root, '.git/modules/sub/hooks'), { recursive: true, force: true });
  return folder;
}

export async function scene({ dirty = true }: { readonly dirty?: boolean } = {}): Promise<Scene> {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'worktrees-')));
  const [library, root] = [path.join(templateFolder(), 'library'), path.join(folder, 'my repo')];
  cpSync(path.join(templateFolder(), 'root'), root, { recursive: true });
  // The index still has the inodes of the template, so it is refreshed.
  [root, path.join(root, 'sub')].forEach((each) => git(each, 'status', '--porcelain'));
  const log = path.join(folder, 'hooks.log');
  for (const hook of ['post-checkout', 'pre-commit', 'post-merge']) {
    const file = path.join(root, '.git', 'hooks', hook);
    writeFileSync(file, `#!/bin/sh\necho ${hook} >> '${log}'\n`);
    chmodSync(file, 0o755);
  }
  if (dirty) {
    write(root, { 'b.txt': 'staged\n' });
    git(root, 'add', 'b.txt');
    write(root, {
      'b.txt': 'staged, then edited\n',
      'new.txt': 'untracked\n',
      'ignored/x': 'ignored\n',
      'sub/lib.txt': 'edited library\n',
    });
  }
  const worktrees = new Worktrees(new Git({ ...process.env, GIT_DIR: '/nowhere', GIT_INDEX_FILE: '/nowhere', GIT_WORK_TREE: '/nowhere' }));
  const repository = await worktrees.repositoryOf(root);
  const parent = path.join(folder, 'my repo.worktrees');
  return {
    folder,
    library,
    root,
    worktrees,
    repository,
    parent,
    hooks: () => {
      try {
        return readFileSync(log, 'utf8').trim().split('\n');
      } catch {
        return [];
      }
    },
    state: (except = []) => ({
      files: hashes(root, ['.git']),
      index: createHash('sha1')
        .update(readFileSync(path.join(root, '.git', 'index')))
        .digest('hex'),
      head: readFileSync(path.join(root, '.git', 'HEAD'), 'utf8'),
      stash: git(root, 'stash', 'list', '--format=%H'),
      refs: git(root, 'for-each-ref', '--format=%(refname) %(objectname)')
        .split('\n')
        .filter((line) => !except.some((branch) => line.startsWith(`refs/heads/${branch} `)))
        .join('\n'),
      config: readFileSync(path.join(root, '.git', 'config'), 'utf8'),
    }),
    create: async (branch = 'agent/try') => (await worktrees.create(repository, { branch, start: { type: 'current' }, parent })).worktree,
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function hashes(folder: string, without: readonly string[], inside = ''): string {
  return readdirSync(path.join(folder, inside))
    .filter((name) => !without.includes(name))
    .sort()
    .flatMap((name) => {
      const file = path.join(folder, inside, name);
      const entry = lstatSync(file);
      return entry.isDirectory()
        ? hashes(folder, without, path.join(inside, name))
        : `${path.join(inside, name)} ${entry.mode} ${createHash('sha1').update(readFileSync(file)).digest('hex')}`;
    })
    .join('\n');
}
