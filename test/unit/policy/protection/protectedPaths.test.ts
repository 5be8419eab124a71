/** Every default rule, with each way to write a path. Links, repositories and second names are on a real disk. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path, { posix, win32 } from 'node:path';
import { protectedFiles, ProtectedPaths } from '../../../../src/policy/protection/protectedPaths';
import type { FileAccess } from '../../../../src/core/model/roots';
import { DEFAULT_PROTECTED_PATHS, ProtectedRules, type Protection } from '../../../../src/policy/protection/protectedRules';
import type { PathSystem } from '../../../../src/util/realPath';

/** A path that matches a pattern, with every `*` filled in. */
const sampleOf = (pattern: string): string =>
  pattern.replace(/^\//, '').replaceAll('**', 'any/where').replaceAll('*', '7x').replaceAll('?', 'q');

const rules = new ProtectedRules();
const ruleFor = (name: string, access: FileAccess, own = rules) => own.ruleFor(name.split('/'), access);
const accesses = (protection: Protection): FileAccess[] =>
  protection === 'readWrite' ? ['read', 'write'] : protection === 'off' ? [] : [protection];

/** A file system in which every path is a real path, and no file exists. */
const system = (flavour: typeof posix): PathSystem => ({
  path: flavour,
  realpath: async (name) => flavour.normalize(name),
  linkOf: async () => null,
  inodeOf: () => Promise.reject(new Error('nothing')),
});

const DEFAULTS = Object.entries(DEFAULT_PROTECTED_PATHS).filter(([, protection]) => protection !== 'off');

/** The ways in which an agent may write the name of the same file on some system. */
const SPELLINGS: readonly (readonly [string, (name: string) => string])[] = [
  ['as it is', (name) => name],
  ['in capitals', (name) => name.toUpperCase()],
  ['with a dot at the end', (name) => `${name}.`],
  ['with spaces at the end', (name) => `${name}  `],
  ['as a stream', (name) => `${name}::$DATA`],
  ['with a character that is not seen', (name) => `${name.slice(0, 2)}\u200d${name.slice(2)}`],
  ['with a mark of direction', (name) => `\u202a${name}`],
  ['in full width', (name) => name.replace(/[a-z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0))],
  ['with letters of the same case', (name) => name.replaceAll('s', 'ſ').replaceAll('k', 'K')],
];

describe('protected paths, by name', () => {
  for (const [pattern, protection] of DEFAULTS) {
    it(`${pattern} (${protection})`, () => {
      const name = sampleOf(pattern);
      for (const access of accesses(protection)) {
        assert.equal(ruleFor(name, access), pattern);
        for (const place of [name, `deep/down/${name}`, `${name}/below/it`]) {
          for (const [how, spell] of SPELLINGS) {
            assert.notEqual(ruleFor(place.split('/').map(spell).join('/'), access), undefined, `${access} ${place} ${how}`);
          }
        }
      }
      for (const access of ['read', 'write'] as const) {
        assert.equal(ruleFor(`x-${name.replaceAll('/', '-')}-x`, access), undefined, 'a name that only holds it');
      }
    });
  }

  it('include each file of mise, which runs the commands in it before an agent starts', () => {
    const files = [
      ...['mise.toml', '.mise.toml', 'mise.local.toml', '.mise.local.toml', 'mise.dev.toml', 'mise/config.toml', '.mise/config.toml'],
      ...['.config/mise.toml', '.config/mise.local.toml', '.config/mise/config.toml', '.config/mise/conf.d/a.toml', '.tool-versions'],
    ];
    assert.deepEqual(
      files.filter((file) => ruleFor(file, 'write') === undefined),
      [],
    );
  });

  it('exclude similar paths', () => {
    const free = [
      'src/index.ts',
      'git',
      'vscode/settings.json',
      '.github/CODEOWNERS',
      '.github',
      'workflows/ci.yml',
      '.gitignore',
      'environment.ts',
      'key',
      'a.keys',
      'monkey',
      'code-workspace',
      'npmrc',
      'docs/id_ed25519.pub',
      'profile',
      '.ssh/id_rsa.pub',
    ];
    for (const name of free) {
      for (const access of ['read', 'write'] as const) {
        if (!(name.startsWith('.ssh') && access === 'write')) {
          assert.equal(ruleFor(name, access), undefined, `${access} ${name}`);
        }
      }
    }
    assert.equal(ruleFor('.env', 'write'), undefined);
    assert.equal(ruleFor('.vscode/settings.json', 'read'), undefined);
  });

  it('include files below a folder with the name of a public key', () => {
    for (const name of [
      '.claude/skills/id_a.pub/SKILL.md',
      '.git/modules/id_a.pub/hooks/pre-commit',
      '.ssh/id_a.pub',
      '.cursor/rules/id_a.pub',
    ]) {
      assert.notEqual(ruleFor(name, 'write'), undefined, name);
    }
    const own = new ProtectedRules({ 'id_*.pub': 'off' });
    assert.equal(own.ruleFor(['.ssh', 'id_a.pub'], 'write'), undefined, 'the user has said so');
  });

  it('include Windows’ short names', () => {
    for (const name of ['GIT~1/config', 'git~2', 'VSCODE~1/tasks.json', 'GI7D29~1/config', 'BASHRC~1', 'MCP~1.JSO']) {
      assert.notEqual(ruleFor(name, 'write'), undefined, name);
    }
    for (const name of ['notes~1', 'gi~1', 'digits~1.txt', 'g~1']) {
      assert.equal(ruleFor(name, 'write'), undefined, name);
    }
  });

  it('can be extended and reduced by the user', () => {
    const own = new ProtectedRules({
      '.husky': 'off',
      'docs/**/secret-?.md': 'readWrite',
      '/only/here': 'write',
      '.vscode/extensions.json': 'off',
      'src/': 'read',
      '': 'write',
      '**': 'write',
      '.git': 'nonsense',
      odd: 3,
    });
    assert.equal(ruleFor('.husky/pre-commit', 'write', own), undefined);
    assert.equal(ruleFor('.husky/.npmrc', 'write', own), '.npmrc', 'what lies in it is still what it is');
    assert.equal(ruleFor('a/docs/b/c/Secret-1.MD', 'read', own), 'docs/**/secret-?.md');
    assert.equal(ruleFor('docs/secret-1.md', 'write', own), 'docs/**/secret-?.md');
    assert.equal(ruleFor('docs/secret-12.md', 'write', own), undefined);
    assert.equal(ruleFor('only/here/x', 'write', own), '/only/here');
    assert.equal(ruleFor('not/only/here/x', 'write', own), undefined);
    assert.equal(ruleFor('.vscode/extensions.json', 'write', own), undefined);
    assert.equal(ruleFor('.vscode/settings.json', 'write', own), '.vscode');
    assert.equal(ruleFor('src/a.ts', 'read', own), 'src/');
    assert.equal(ruleFor('src/a.ts', 'write', own), undefined);
    assert.equal(ruleFor('.git/config', 'write', own), '.git', 'a value that is none changes nothing');
    for (const setting of [null, [], 'off', 7, true]) {
      assert.equal(ruleFor('.git/config', 'write', new ProtectedRules(setting)), '.git');
    }
  });

  it('include any path with a protected name in it, however it is spelled', () => {
    const plain = fc.stringMatching(/^[a-z]{1,6}$/);
    const spelling = fc.constantFrom(...SPELLINGS.map(([, spell]) => spell));
    const rule = fc.constantFrom(...DEFAULTS);
    fc.assert(
      fc.property(
        fc.array(plain, { maxLength: 4 }),
        rule,
        fc.array(spelling, { minLength: 4, maxLength: 4 }),
        fc.array(plain, { maxLength: 3 }),
        (above, [pattern, protection], spellings, below) => {
          const names = sampleOf(pattern)
            .split('/')
            .map((name, index) => spellings[index]!(name));
          for (const access of accesses(protection)) {
            assert.notEqual(rules.ruleFor([...above, ...names, ...below], access), undefined);
          }
        },
      ),
    );
    const free = fc.stringMatching(/^[b-d]{1,6}(?:\.(?:ts|md))?$/);
    fc.assert(
      fc.property(fc.array(free, { minLength: 1, maxLength: 6 }), fc.constantFrom<FileAccess>('read', 'write'), (names, access) =>
        assert.equal(rules.ruleFor(names, access), undefined),
      ),
    );
  });

  it('are checked quickly even for malicious names', () => {
    const own = new ProtectedRules({ '*a*a*a*a*a*a*a*b': 'write' });
    const start = Date.now();
    ruleFor(`${'a'.repeat(4000)}/${'a'.repeat(4000)}`, 'write', own);
    assert.ok(Date.now() - start < 2000);
  });
});

describe('protected paths, by location', () => {
  const check = (roots: string[], flavour = posix) =>
    new ProtectedPaths({ cwd: roots[0]!, additionalDirectories: roots.slice(1) }, rules, system(flavour), async () => []);

  it('apply below a root, not above it', async () => {
    const own = check(['/home/me/.config/fish', '/w']);
    assert.equal(await own.ruleFor('/home/me/.config/fish/a.fish', '/home/me/.config/fish/a.fish', 'write'), undefined);
    assert.equal(await own.ruleFor('/home/me/.config/fish/.git/x', '/home/me/.config/fish/.git/x', 'write'), '.git');
    assert.equal(await own.ruleFor('/w/x/../.git/x', '/w/.git/x', 'write'), '.git');
    assert.equal(
      await check(['/w', '/w/.vscode']).ruleFor('/w/.vscode/a', '/w/.vscode/a', 'write'),
      '.vscode',
      'of the outer root it is a part',
    );
    assert.equal(await check(['/']).ruleFor('/home/me/.bashrc', '/home/me/.bashrc', 'write'), '.bashrc');
  });

  it('apply to the requested name, too', async () => {
    const own = check(['/w']);
    assert.equal(await own.ruleFor('/w/.vscode/settings.json', '/w/conf/settings.json', 'write'), '.vscode');
    assert.equal(await own.ruleFor('/mnt/same/.vscode/settings.json', '/w/conf/settings.json', 'write'), '.vscode');
    assert.equal(await own.ruleFor('/w/.vscode/../src/a.ts', '/w/src/a.ts', 'write'), undefined);
  });

  it('apply on Windows', async () => {
    const own = check(['C:\\work'], win32);
    for (const asked of ['C:\\work\\.GIT\\config', 'C:/work/.git/config', 'c:\\work\\a\\..\\.git\\config', 'C:\\work\\GIT~1\\config']) {
      assert.equal(await own.ruleFor(asked, win32.normalize(asked), 'write'), '.git', asked);
    }
    assert.equal(await own.ruleFor('C:\\work\\src\\a.ts', 'C:\\work\\src\\a.ts', 'write'), undefined);
  });
});

describe('protected paths, on a disk', () => {
  let top: string;
  let paths: ProtectedPaths;
  const at = (name: string) => path.join(top, 'root', name);
  const rule = async (name: string, access: FileAccess = 'write', real = at(name)) => paths.ruleFor(at(name), real, access);

  beforeEach(async () => {
    top = await realpath(await mkdtemp(path.join(os.tmpdir(), 'protected-')));
    await mkdir(at('conf'), { recursive: true });
    paths = new ProtectedPaths({ cwd: path.join(top, 'root'), additionalDirectories: [] }, rules);
  });

  afterEach(() => rm(top, { recursive: true, force: true }));

  it('include a file through a protected link to it, or to a folder above it', async () => {
    await symlink('conf', at('.vscode'));
    await symlink(at('conf/prod.txt'), at('.env'));
    assert.equal(await rule('conf/settings.json'), '.vscode');
    assert.equal(await rule('conf/new/deep.json'), '.vscode');
    assert.equal(await rule('conf/prod.txt', 'read'), '.env*');
    assert.equal(await rule('conf/other.txt', 'read'), undefined);
    assert.equal(await rule('src/a.ts'), undefined);
  });

  it('include a chain of links', async () => {
    await symlink('conf', at('.husky'));
    await symlink('.husky', at('innocent'));
    assert.equal(await rule('innocent/pre-commit', 'write', at('conf/pre-commit')), '.husky');
  });

  it('include a repository by its contents, even before it is complete', async () => {
    await mkdir(at('bare/objects'), { recursive: true });
    await mkdir(at('bare/refs'));
    assert.equal(await rule('bare/config'), undefined);
    assert.equal(await rule('bare/HEAD'), '.git');
    await writeFile(at('bare/HEAD'), 'ref: refs/heads/main\n');
    assert.equal(await rule('bare/config'), '.git');
    assert.equal(await rule('bare/hooks/post-checkout'), '.git');
    assert.equal(await rule('bare/config', 'read'), undefined);
    const off = new ProtectedPaths({ cwd: at(''), additionalDirectories: [] }, new ProtectedRules({ '.git': 'off' }));
    assert.equal(await off.ruleFor(at('bare/config'), at('bare/config'), 'write'), undefined);
  });

  it('include the folder from which a repository runs its hooks', async () => {
    await mkdir(at('tools/hooks'), { recursive: true });
    await mkdir(at('.git'), { recursive: true });
    await writeFile(at('.git/config'), '[core]\n\tbare = false\n\thooksPath = tools/hooks\n');
    try {
      assert.equal(await rule('tools/hooks/pre-commit'), '.git');
      assert.equal(await rule('tools/hooks/pre-commit', 'read'), undefined);
      assert.equal(await rule('tools/other'), undefined);
      await writeFile(at('.git/config'), '[core]\n\tHooksPath = "tools/other"\n');
      assert.equal(await rule('tools/hooks/pre-commit'), undefined);
      assert.equal(await rule('tools/other'), '.git');
      for (const line of ['\thooksPath = tools/hooks ; ours', '[core] hooksPath = "tools/hooks" # ours']) {
        await writeFile(at('.git/config'), `[core]\n${line}\r\n`);
        assert.equal(await rule('tools/hooks/pre-commit'), '.git', line);
      }
    } finally {
      await rm(at('.git'), { recursive: true });
    }
  });
});

describe('protected files among many', () => {
  it('include files to which a link gives a protected name, even before they exist', async () => {
    const root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'acp-protected-')));
    try {
      await mkdir(path.join(root, 'config'));
      await symlink('config', path.join(root, '.vscode'));
      const [tasks, plain] = [path.join(root, 'config/tasks.json'), path.join(root, 'plain.txt')];
      const roots = { cwd: root, additionalDirectories: [] };
      assert.deepEqual(await protectedFiles([tasks, plain], roots, rules, { access: 'write' }), [tasks]);
      assert.deepEqual(await protectedFiles([tasks, plain], roots, rules, { access: 'write', isNear: () => false }), []);
    } finally {
      await rm(root, { recursive: true });
    }
  });
});
