/** The programs that a project's version manager chooses: they are for the agent's commands, and the agent itself runs on its own Node.js. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { watchLeaks } from '../../support/leaks';
import { Machine, type Conditions, type Started } from './machine';

describe('the programs of a project', function () {
  this.timeout(60_000);
  watchLeaks();
  let machine: Machine;

  beforeEach(() => {
    machine = new Machine();
    machine.node(own('node'), 'v24.0.0');
  });
  afterEach(() => machine.dispose());

  const own = (name: string): string => path.join(machine.root, 'own', name);
  const inHome = (...names: readonly string[]): string => path.join(machine.home, ...names);
  const inProject = (name: string, text: string): void => {
    mkdirSync(path.dirname(path.join(machine.project, name)), { recursive: true });
    writeFileSync(path.join(machine.project, name), text);
  };
  /** A Node.js 16, on which an agent would not run. */
  const old = (...names: readonly string[]): string => machine.node(inHome(...names), 'v16.20.2', false);
  const environment = (more: Readonly<Record<string, string>> = {}): Record<string, string> =>
    machine.environment({ PATH: `${own('.')}:${machine.tools}`, ...more });

  async function starts(conditions: Partial<Conditions> = {}): Promise<Started> {
    const outcome = await machine.start({ environment: environment(), ...conditions });
    assert.ok('started' in outcome, JSON.stringify(outcome));
    return outcome.started;
  }

  /** The output of `node --version` in a command that the agent runs through the host. */
  async function terminalNode(folder = machine.project, started = environment()): Promise<string> {
    const env = await machine.window(started).commandEnvironment(folder);
    return execFileSync('node', ['--version'], { env, cwd: folder }).toString().trim();
  }

  const MANAGERS: Readonly<Record<string, () => void>> = {
    'nvm by .nvmrc': () => {
      old('.nvm/versions/node/v16.20.2/bin/node');
      inProject('.nvmrc', 'v16\n');
    },
    'nvm by a name of .nvmrc': () => {
      old('.nvm/versions/node/v16.20.2/bin/node');
      machine.program(inHome('.nvm/alias/lts/gallium'), 'v16.20.2\n');
      inProject('.nvmrc', 'lts/gallium # the last one\n');
    },
    'fnm by .node-version': () => {
      old('.local/share/fnm/node-versions/v16.20.2/installation/bin/node');
      inProject('.node-version', '16.20.2');
    },
    'asdf by .tool-versions': () => {
      old('.asdf/installs/nodejs/16.20.2/bin/node');
      inProject('.tool-versions', 'python 3.1.0\nnodejs 16.20.2\n');
    },
    'volta by package.json': () => {
      old('.volta/tools/image/node/16.20.2/bin/node');
      inProject('package.json', '{ "volta": { "node": "16.20.2" } }');
    },
    'mise by mise.toml': () => {
      old('mise/bin/node');
      machine.program(own('mise'), `#!/bin/sh\n[ "$*" = "env --json" ] && echo '{"PATH":"${inHome('mise/bin')}:'"$PATH"'"}'\n`);
      inProject('mise.toml', '[tools]\nnode = "16"\n');
    },
  };
  for (const [name, prepare] of Object.entries(MANAGERS)) {
    it(`come from ${name}, for its commands alone`, async () => {
      prepare();
      const { commandNode } = await starts();
      assert.equal(commandNode, 'v16.20.2');
      assert.equal(await terminalNode(), 'v16.20.2');
    });
  }

  it('come from the folder above', async () => {
    MANAGERS['nvm by .nvmrc']!();
    const inner = path.join(machine.project, 'packages', 'one');
    mkdirSync(inner, { recursive: true });
    assert.deepEqual([(await starts({ cwd: inner })).commandNode, await terminalNode(inner)], ['v16.20.2', 'v16.20.2']);
  });

  it('are for the commands of an agent that npx starts, too', async () => {
    MANAGERS['nvm by .nvmrc']!();
    const { address, packages } = await machine.registry();
    const { scripts } = await machine.window(environment({ npm_config_registry: address }), { packages }).nodes.install(() => undefined);
    machine.program(own('npx'), `#!/usr/bin/env node\nrequire(${JSON.stringify(scripts.npx)});\n`);
    const started = await starts({ launch: { command: 'npx', args: ['--yes', 'some-agent'], env: { TEST_AGENT: machine.agent() } } });
    const PATH = [inHome('.nvm/versions/node/v16.20.2/bin'), own('.'), machine.tools].join(':');
    assert.deepEqual([started.commandNode, started.cwd, started.env['PATH']], ['v16.20.2', machine.project, PATH]);
  });

  it('do not change an agent whose version is not installed, and never leave the folders of the version manager', async () => {
    for (const wanted of ['99', '../../../evil', 'lts/../../../evil', 'system']) {
      inProject('.nvmrc', wanted);
      assert.equal((await starts()).commandNode, 'v24.0.0');
    }
    inProject('.tool-versions', 'nodejs ..\n../evil 1\n');
    assert.equal((await starts()).commandNode, 'v24.0.0');
  });

  it('do not choose the server from which a package runner gets the agent', async () => {
    inProject('mise.toml', '');
    machine.program(
      own('mise'),
      `#!/bin/sh\necho '{"npm_config_registry":"http://127.0.0.1:1","UV_INDEX_URL":"http://127.0.0.1:1","API_URL":"here"}'\n`,
    );
    const { env } = await starts();
    assert.deepEqual([env['npm_config_registry'], env['UV_INDEX_URL'], env['API_URL']], [undefined, undefined, 'here']);
  });

  describe('with direnv', () => {
    const DIRENV = ['/usr/bin/direnv', '/usr/local/bin/direnv', '/opt/homebrew/bin/direnv'].find((each) => existsSync(each));

    beforeEach(function () {
      if (DIRENV === undefined) {
        this.skip();
      }
      symlinkSync(DIRENV, own('direnv'));
      symlinkSync('/bin/bash', own('bash'));
      old('tools/node');
      inProject('.envrc', `PATH_add '${inHome('tools')}'\nexport API_URL=here NODE_OPTIONS=--no-such-option\ntouch '${own('ran')}'\n`);
    });

    const allow = (): void =>
      void execFileSync(DIRENV!, ['allow'], { cwd: machine.project, env: environment({ PATH: process.env['PATH']! }), stdio: 'ignore' });

    it('come from an .envrc that the user has allowed', async () => {
      allow();
      const { commandNode, env } = await starts();
      assert.deepEqual([commandNode, env['API_URL']], ['v16.20.2', 'here']);
      // Options for the project's Node.js would end the agent's own one.
      assert.equal(env['NODE_OPTIONS'], undefined);
      const { API_URL, NODE_OPTIONS } = await machine.window(environment()).commandEnvironment(machine.project);
      assert.deepEqual([API_URL, NODE_OPTIONS], ['here', '--no-such-option']);
    });

    it('do not come from an .envrc that is not allowed, which does not run', async () => {
      const { commandNode, env } = await starts();
      assert.deepEqual([commandNode, env['API_URL'], existsSync(own('ran'))], ['v24.0.0', undefined, false]);
    });

    it('do not come from an .envrc that was changed after the user had allowed it', async () => {
      allow();
      inProject('.envrc', `export API_URL=evil\ntouch '${own('ran')}'\n`);
      const { env } = await starts();
      assert.deepEqual([env['API_URL'], existsSync(own('ran'))], [undefined, false]);
    });

    it('do not come from a direnv that the project has put on the PATH', async () => {
      const planted = machine.program(path.join(machine.project, 'bin', 'direnv'), `#!/bin/sh\ntouch '${own('ran')}'\n`);
      const inner = path.join(machine.project, 'inner');
      mkdirSync(inner);
      const PATH = `${path.dirname(planted)}:${machine.tools}`;
      const { PATH: kept } = await machine.window(environment({ PATH })).commandEnvironment(inner);
      assert.deepEqual([existsSync(own('ran')), kept], [false, PATH]);
    });

    it("leave the variables of the user's own entry", async () => {
      allow();
      const { env } = await starts({ launch: { env: { API_URL: 'mine' } } });
      assert.equal(env['API_URL'], 'mine');
    });
  });
});
