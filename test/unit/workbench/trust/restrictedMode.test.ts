/** A window in Restricted Mode. The test replaces VS Code, and grants trust. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import Module from 'node:module';
import path from 'node:path';
import { RESTRICTED_COMMANDS } from '../../../../src/application/trust/restrictedCommands';

const source = (file: string): string => path.resolve(__dirname, '../../../../src/workbench', file);
const manifest = JSON.parse(readFileSync(path.resolve(__dirname, '../../../../package.json'), 'utf8')) as {
  contributes: { commands: { command: string }[] };
};
const names = manifest.contributes.commands.map(({ command }) => command.replace('acpHost.', ''));

describe('a window in Restricted Mode', () => {
  const loader = Module as unknown as { _load(request: string, ...rest: unknown[]): unknown };
  const load = loader._load;
  const grants: (() => void)[] = [];
  const asked: string[] = [];
  const workspace = {
    isTrusted: false,
    onDidGrantWorkspaceTrust: (listener: () => void) => (grants.push(listener), { dispose: () => undefined }),
    getConfiguration: () => ({ inspect: () => undefined }),
  };
  const vscode = {
    workspace,
    window: { showWarningMessage: (message: string, ...buttons: string[]) => (asked.push(message), Promise.resolve(buttons[0])) },
    commands: { executeCommand: (id: string) => (asked.push(id), Promise.resolve()) },
    l10n: { t: (message: string) => message },
    env: {},
  };
  let mode: typeof import('../../../../src/workbench/trust/restrictedMode');
  let git: typeof import('../../../../src/workbench/git/gitProgram');
  const own = () => Object.keys(require.cache).filter((file) => file.startsWith(source('.')));
  /** The modules that other tests have loaded with another `vscode`. */
  let others: readonly (readonly [string, NodeJS.Module])[] = [];
  before(() => {
    others = own().map((file) => [file, require.cache[file]!]);
    own().forEach((file) => delete require.cache[file]);
    loader._load = (request, ...rest) => (request === 'vscode' ? vscode : load.call(loader, request, ...rest));
    mode = require(source('trust/restrictedMode.ts')) as typeof mode;
    git = require(source('git/gitProgram.ts')) as typeof git;
  });
  beforeEach(() => {
    workspace.isTrusted = false;
    asked.length = grants.length = 0;
  });
  after(() => {
    loader._load = load;
    own().forEach((file) => delete require.cache[file]);
    others.forEach(([file, module]) => (require.cache[file] = module));
  });

  it('runs no command that is not known to be harmless, and offers to trust the workspace instead', async () => {
    const ran: string[] = [];
    for (const name of names) {
      await mode.unlessRestricted(name, () => Promise.resolve(ran.push(name)));
    }
    assert.deepEqual(ran.toSorted(), [...RESTRICTED_COMMANDS].toSorted(), 'every name is a command');
    for (const name of ['newSession', 'newAgentSession', 'newLastSession', 'newSessionWith', 'newDemoSession', 'newSessionInFolder']) {
      assert.ok(!ran.includes(name), name);
    }
    // These commands start programs, run Git, write files, or read those of the workspace.
    const unsafe =
      /worktree|compare|restart|fork|continue|sign(In|Out)$|replay|attach|^add(?!Agent)|apply|change|checkpoint|undo|keep(?!Open)|plan/i;
    assert.deepEqual(
      ran.filter((name) => unsafe.test(name)),
      [],
    );
    assert.ok(asked.includes("Agents don't start in Restricted Mode. Trust this folder to use them."));
    assert.ok(asked.includes('acpHost.manageWorkspaceTrust'), 'the button leads on');
  });

  it('runs no Git, because a repository may name programs that Git runs', async () => {
    assert.equal(await git.findGitProgram(), undefined);
    await assert.rejects(git.windowGit().run(__dirname, ['--version']), ({ failure }: { failure: { code: string } }) =>
      failure.code.startsWith('git.not_found'),
    );
  });

  it('is mentioned in the views until trust is granted, after which everything runs', async () => {
    const tree: { message: string | undefined } = { message: undefined };
    mode.showRestriction([tree]);
    assert.match(tree.message ?? '', /^Restricted Mode/);
    workspace.isTrusted = true;
    grants.forEach((grant) => grant());
    assert.equal(tree.message, undefined);
    assert.equal(await mode.unlessRestricted('newSession', () => Promise.resolve('ran')), 'ran');
    assert.equal(typeof (await git.findGitProgram()), 'string');
    assert.deepEqual(asked, []);
  });
});
