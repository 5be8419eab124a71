/** Starts in broken environments: each agent starts, or the failure says in one sentence what to do. docs/agents.md has the table. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { nodeFailureText } from '../../../src/application/agents/nodeText';
import { watchLeaks } from '../../support/leaks';
import { english } from '../../unit/application/english';
import { Machine, type Conditions, type Started } from './machine';

describe('a start in a broken environment', function () {
  this.timeout(60_000);
  watchLeaks();
  let machine: Machine;
  const bin = (name: string): string => path.join(machine.root, name);

  beforeEach(() => (machine = new Machine()));
  afterEach(() => machine.dispose());

  async function starts(conditions: Conditions): Promise<Started> {
    const outcome = await machine.start(conditions);
    assert.ok('started' in outcome, JSON.stringify(outcome));
    return outcome.started;
  }

  async function fails(conditions: Conditions): Promise<string> {
    const outcome = await machine.start(conditions);
    assert.ok('sentence' in outcome, JSON.stringify(outcome));
    return outcome.sentence;
  }

  describe('without Node.js', () => {
    it('says so', async () => {
      assert.equal(await fails({ environment: machine.environment() }), 'Node.js was not found: install it, then retry.');
    });

    it('says so for npx', async () => {
      const launch = { command: 'npx', args: ['--yes', 'some-agent@1.0.0'] };
      assert.equal(await fails({ environment: machine.environment(), launch }), 'Node.js was not found: install it, then retry.');
    });

    it('runs on the one that was downloaded, also npx, whose commands have none', async () => {
      const { address, packages } = await machine.registry();
      const environment = machine.environment({ npm_config_registry: address });
      await machine.window(environment, { packages }).nodes.install(() => undefined);
      const own = await starts({ environment, window: { packages } });
      assert.deepEqual([own.commandNode, own.env['PATH']], ['', machine.tools]);
      const launch = { command: 'npx', args: ['--yes', 'some-agent@1.0.0'], env: { TEST_AGENT: machine.agent() } };
      const runner = await starts({ environment, launch, window: { packages } });
      assert.deepEqual([runner.commandNode, runner.env['PATH'], runner.cwd], ['', machine.tools, machine.project]);
      assert.deepEqual(
        Object.keys(runner.env).filter((name) => /^(?:ACP_HOST_(?!PROCESS)|NODE_OPTIONS)/.test(name)),
        [],
      );
    });
  });

  describe('with Node.js 16', () => {
    const withOld = (): Record<string, string> => {
      machine.node(bin('old/node'), 'v16.20.2', false);
      return machine.environment({ PATH: `${bin('old')}:${machine.tools}` });
    };

    it('says which version the agent needs', async () => {
      assert.equal(await fails({ environment: withOld() }), 'This agent needs Node.js 20 or newer: install it, then retry.');
    });

    it('runs on a newer one of a version manager, and the commands keep theirs', async () => {
      const newer = machine.node(path.join(machine.home, '.nvm/versions/node/v22.3.0/bin/node'), 'v22.3.0');
      machine.node(path.join(machine.home, '.nvm/versions/node/v18.3.0/bin/node'), 'v18.3.0', false);
      const environment = withOld();
      const { env, commandNode } = await starts({ environment });
      assert.equal(existsSync(newer), true);
      assert.deepEqual([env['PATH'], commandNode], [environment['PATH'], 'v16.20.2']);
    });

    it('runs through npx on the one that was downloaded, and the commands keep theirs', async () => {
      machine.program(bin('old/npx'), '#!/usr/bin/env node\nprocess.exit(1);\n');
      const { address, packages } = await machine.registry();
      const environment: Record<string, string> = { ...withOld(), npm_config_registry: address };
      const { nodes } = machine.window(environment, { packages });
      const { scripts } = await nodes.install(() => undefined);
      machine.program(bin('old/npx'), `#!/usr/bin/env node\nrequire(${JSON.stringify(scripts.npx)});\n`);
      const launch = { command: 'npx', args: ['--yes', '@google/gemini-cli@0.61.0'], env: { TEST_AGENT: machine.agent() } };
      const { env, commandNode } = await starts({ environment, launch, window: { packages } });
      assert.deepEqual([env['PATH'], commandNode], [environment['PATH'], 'v16.20.2']);
    });
  });

  it('passes over a Node.js that hangs, where there is another one', async () => {
    const hanging = machine.program(bin('hanging/node'), '#!/bin/sh\n[ "$1" = --version ] && exit 0\nexec sleep 60\n');
    const environment = machine.environment({ PATH: `${path.dirname(hanging)}:${machine.tools}` });
    const versions = path.join(machine.home, '.nvm/versions');
    machine.node(path.join(versions, 'node/v22.3.0/bin/node'), 'v22.3.0');
    await starts({ environment });
    rmSync(versions, { recursive: true });
    assert.equal(await fails({ environment, launch: { timeoutMs: 2000 } }), "The agent didn't respond within 2 seconds.");
  });

  describe('with an empty PATH', () => {
    it('uses the PATH of the shell', async () => {
      machine.node(bin('bin/node'), 'v22.0.0');
      const shell = machine.program(bin('bash'), '#!/bin/bash\nexec /bin/bash "$@"\n');
      writeFileSync(path.join(machine.home, '.bash_profile'), `export PATH="${bin('bin')}:${machine.tools}"\n`);
      const { commandNode } = await starts({ environment: machine.environment({ PATH: '/nowhere', SHELL: shell }) });
      assert.equal(commandNode, 'v22.0.0');
      // Without any PATH, the folders of the system come first.
      const { command } = { command: machine.program(bin('native'), `#!/bin/sh\nexec '${bin('bin/node')}' '${machine.agent()}'\n`) };
      await starts({ environment: machine.environment({ PATH: '' }), launch: { command } });
    });
  });

  for (const [name, file, text] of [
    ['zsh', '.zshrc', ''],
    ['bash', '.bash_profile', ''],
    ['bash', '.bashrc', '[ -z "$PS1" ] && return\n'],
    ['fish', '.config/fish/config.fish', ''],
  ] as const) {
    it(`finds nvm in ${file} of ${name} alone, and its variables reach the agent`, async function () {
      const shell = ['/usr/bin', '/bin', '/usr/local/bin'].map((each) => path.join(each, name)).find((each) => existsSync(each));
      if (shell === undefined) {
        this.skip();
      }
      machine.node(bin('versions/v22.4.0/bin/node'), 'v22.4.0');
      const environment = machine.environment({ SHELL: shell });
      const lines =
        name === 'fish'
          ? `set -gx PATH ${bin('versions/v22.4.0/bin')} $PATH\nset -gx SOME_API_KEY key\necho Welcome!\n`
          : `${text}export PATH="${bin('versions/v22.4.0/bin')}:$PATH" SOME_API_KEY=key\necho Welcome!\n`;
      machine.program(path.join(machine.home, file), lines);
      if (file === '.bashrc') {
        writeFileSync(path.join(machine.home, '.bash_profile'), '. ~/.bashrc\n');
      }
      const { env, commandNode } = await starts({ environment });
      assert.deepEqual([commandNode, env['SOME_API_KEY']], ['v22.4.0', 'key']);
    });
  }

  describe('with a shell that does not start', () => {
    it('says that it takes too long, and ends it', async () => {
      const shell = machine.program(bin('zsh'), '#!/bin/sh\nsleep 60\n');
      const environment = machine.environment({ SHELL: shell });
      assert.equal(
        await fails({ environment, window: { shellMs: 300 } }),
        'Node.js was not found, and zsh failed or took too long to start: check its startup files, then reload the window.',
      );
    });

    it('says that it fails', async () => {
      const shell = machine.program(bin('zsh'), '#!/bin/sh\necho "zshrc:3: no such file" >&2\nexit 3\n');
      const environment = machine.environment({ SHELL: shell });
      const launch = { command: 'goose', args: ['acp'] };
      const sentence = 'goose was not found, and zsh failed or took too long to start: check its startup files, then reload the window.';
      assert.equal(await fails({ environment, launch }), sentence);
    });
  });

  it('starts in a path with spaces and umlauts, in every place', async () => {
    await machine.dispose();
    machine = new Machine("Über uns (Ärger) & Co 'x'");
    const { address, packages } = await machine.registry();
    const environment = machine.environment({ npm_config_registry: address });
    await machine.window(environment, { packages }).nodes.install(() => undefined);
    const command = machine.agent(path.join(machine.home, 'Größe %PATH% $HOME'));
    const direct = await starts({ environment, launch: { command }, window: { packages } });
    const launch = { command: 'npx', args: ['--yes', 'some-agent@1.0.0'], env: { TEST_AGENT: machine.agent() } };
    const runner = await starts({ environment, launch, window: { packages } });
    assert.deepEqual([direct.cwd, runner.cwd], [machine.project, machine.project]);
  });

  it('starts with a home that cannot be written, and says so when a Node.js cannot be stored', async () => {
    machine.node(bin('bin/node'), 'v22.0.0');
    const readOnly = '/sys';
    const environment = machine.environment({ HOME: readOnly, PATH: `${bin('bin')}:${machine.tools}` });
    await starts({ environment });
    const { address, packages } = await machine.registry();
    const { nodes } = machine.window({ ...environment, npm_config_registry: address }, { packages, storage: readOnly });
    const error: unknown = await nodes.install(() => undefined).catch((thrown: unknown) => thrown);
    assert.equal(nodeFailureText(error, english), "/sys/node can't be written: correct its permissions, then retry.");
    assert.deepEqual(readdirSync(machine.storage), []);
  });
});
