/** The folders in which sequences begin. Each kind is created once per process, and copied for each sequence. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { lineOf } from './lines';
import type { Kind } from './steps';

/** The size in bytes above which a file outside a repository is only compared, and not read. */
export const PLAIN_FILE_BYTES = 2048;
export const FILE_BYTES = 8192;

const environment = {
  ...process.env,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'User',
  GIT_AUTHOR_EMAIL: 'user@example.com',
  GIT_COMMITTER_NAME: 'User',
  GIT_COMMITTER_EMAIL: 'user@example.com',
};

export function git(cwd: string, ...args: string[]): void {
  execFileSync('git', args, { cwd, stdio: 'ignore', env: environment });
}

export const gitEnvironment = environment;

let parent: string | undefined;
const made = new Map<Kind, Template>();

/** The folders of a kind, which are written many times. */
export interface Template {
  /** Relative paths, each after its parent folder. */
  readonly folders: readonly string[];
  readonly files: readonly { readonly name: string; readonly bytes: Uint8Array; readonly mode: number }[];
  readonly links: readonly { readonly name: string; readonly target: string }[];
  /** The absolute path of a clone with one more commit. */
  readonly remote: string;
}

/** The folders of a template: `root` is the session's folder, `outside` contains canaries, and `arrivals` contains files that may be moved in. */
export function templateOf(kind: Kind): Template {
  let found = made.get(kind);
  if (!found) {
    parent ??= mkdtempSync(path.join(tmpdir(), 'changes-model-kinds-'));
    const base = path.join(parent, kind);
    make(base, kind);
    shareObjects(base);
    found = readTemplate(base);
    made.set(kind, found);
  }
  return found;
}

/** Shares the objects between worlds, so that fewer files are written. */
function shareObjects(base: string): void {
  const objects = path.join(base, 'root', '.git', 'objects');
  if (existsSync(objects)) {
    renameSync(objects, path.join(base, 'objects'));
    mkdirSync(path.join(objects, 'info'), { recursive: true });
    writeFileSync(path.join(objects, 'info', 'alternates'), `${path.join(base, 'objects')}\n`);
  }
}

function readTemplate(base: string): Template {
  const entries = ['root', 'outside', 'arrivals'].flatMap((name) =>
    readdirSync(path.join(base, name), { recursive: true, withFileTypes: true }).map((entry) => {
      const at = path.join(entry.parentPath, entry.name);
      return { entry, at, name: path.relative(base, at) };
    }),
  );
  entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  return {
    folders: ['root', 'outside', 'arrivals', ...entries.flatMap(({ entry, name }) => (entry.isDirectory() ? [name] : []))],
    files: entries.flatMap(({ entry, at, name }) =>
      entry.isFile() ? [{ name, bytes: readFileSync(at), mode: statSync(at).mode & 0o777 }] : [],
    ),
    links: entries.flatMap(({ entry, at, name }) => (entry.isSymbolicLink() ? [{ name, target: readlinkSync(at) }] : [])),
    remote: path.join(base, 'remote'),
  };
}

/** The folder of all templates of this process; undefined before the first. */
export function templatesFolder(): string | undefined {
  return parent;
}

let number = 0;
const lines = (count: number, ending = '\n'): string =>
  Array.from({ length: count }, () => lineOf('u', 100_000 + number++, 'of the user') + ending).join('');

function make(base: string, kind: Kind): void {
  const put = (name: string, content: string | Uint8Array): void => {
    const file = path.join(base, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  };
  const root = path.join(base, 'root');
  put('outside/a.txt', `${lineOf('c', number++, 'canary')}\n`);
  put('outside/c.txt', `${lineOf('c', number++, 'canary')}\n`);
  put('outside/deep/x.txt', `${lineOf('c', number++, 'canary')}\n`);
  put('arrivals/in.txt', lines(2));
  put('root/a.txt', lines(4));
  put('root/b.txt', lines(3));
  put('root/src/c.txt', lines(3));
  put('root/src/deep/d.txt', lines(2));
  put('root/run.sh', lines(1));
  chmodSync(path.join(root, 'run.sh'), 0o755);
  chmodSync(path.join(root, 'b.txt'), 0o640);
  put('root/empty.txt', '');
  if (kind === 'plain') {
    put('root/big.txt', lines(120));
    symlinkSync('a.txt', path.join(root, 'link.txt'));
    return;
  }
  git(root, 'init', '-q', '-b', 'main', '--template=');
  put('root/.git/info/exclude', '*.excluded\n');
  git(root, 'config', 'user.email', 'user@example.com');
  git(root, 'config', 'user.name', 'User');
  put('root/.gitignore', '.env\nbuild/\n');
  beforeCommit(kind, root, put);
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '-m', 'first');
  git(root, 'checkout', '-q', '-b', 'side');
  put('root/b.txt', lines(2));
  put('root/side.txt', lines(1));
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '-m', 'side');
  git(root, 'checkout', '-q', 'main');
  git(base, 'clone', '-q', 'root', 'remote');
  put('remote/src/c.txt', lines(3));
  put('remote/pulled.txt', lines(1));
  git(path.join(base, 'remote'), 'add', '-A');
  git(path.join(base, 'remote'), 'commit', '-q', '-m', 'theirs');
  put('root/.env', lines(2));
  put('root/build/out.txt', lines(1));
  put('root/untracked.txt', lines(2));
  if (kind === 'git') {
    put('root/big.txt', lines(120));
    put('root/one.excluded', lines(1));
  }
  if (kind === 'nested') {
    makeRepository(path.join(root, 'lib'));
  }
  if (kind === 'skip') {
    git(root, 'update-index', '--skip-worktree', 'local.txt');
    git(root, 'update-index', '--assume-unchanged', 'assumed.txt');
    put('root/local.txt', lines(2));
    put('root/assumed.txt', lines(2));
  }
  if (kind === 'crlf') {
    // Git reports both as clean.
    put('root/lf.txt', lfOfCrlf);
  }
}

let lfOfCrlf = '';

function beforeCommit(kind: Kind, root: string, put: (name: string, content: string | Uint8Array) => void): void {
  switch (kind) {
    case 'submodule':
      makeRepository(path.join(root, '..', 'library'));
      git(root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', '../library', 'core');
      git(root, 'submodule', 'absorbgitdirs');
      put('root/core-utils/x.txt', lines(2));
      put('root/cor', lines(1));
      break;
    case 'nested':
      put('root/lib2/y.txt', lines(2));
      break;
    case 'filter':
      put('root/.gitattributes', '*.nb filter=strip\n');
      git(root, 'config', 'filter.strip.clean', 'grep -v OUTPUT || true');
      git(root, 'config', 'filter.strip.smudge', 'cat');
      put('root/book.nb', `${lines(1)}${lineOf('u', 100_000 + number++, 'OUTPUT')}\n${lines(1)}`);
      break;
    case 'attributes':
      put('root/.gitattributes', '*.auto text=auto\n*.crlf eol=crlf\n*.id ident\n');
      put('root/w.auto', lines(3, '\r\n'));
      put('root/w.crlf', lines(3, '\r\n'));
      put('root/l.crlf', lines(2));
      put('root/v.id', `${lines(1)}$Id$\n`);
      break;
    case 'crlf':
      git(root, 'config', 'core.autocrlf', 'true');
      put('root/crlf.txt', lines(3, '\r\n'));
      lfOfCrlf = lines(3);
      put('root/lf.txt', lfOfCrlf);
      break;
    case 'input':
      git(root, 'config', 'core.autocrlf', 'input');
      put('root/crlf.txt', lines(3, '\r\n'));
      break;
    case 'skip':
      put('root/local.txt', lines(1));
      put('root/assumed.txt', lines(1));
      break;
    case 'plain':
    case 'git':
      break;
  }
}

function makeRepository(folder: string): void {
  mkdirSync(folder, { recursive: true });
  git(folder, 'init', '-q', '-b', 'main', '--template=');
  git(folder, 'config', 'user.email', 'user@example.com');
  git(folder, 'config', 'user.name', 'User');
  writeFileSync(path.join(folder, 'in.txt'), lines(2));
  writeFileSync(path.join(folder, 'kept.txt'), lines(1));
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '-m', 'first');
}
