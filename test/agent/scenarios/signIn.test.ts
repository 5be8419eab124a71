/** Sign-in with a real process, in every way that an agent can offer and refuse it. The events are in test/golden/scenarios/signIn/. */
import assert from 'node:assert/strict';
import { spawn, type StdioOptions } from 'node:child_process';
import { prepareProgram } from '../../../src/agent/prepare';
import { isProcess } from '../../../src/core/agents/endpoint';
import { fault } from '../../../src/core/model/failure';
import type { SignInUi } from '../../../src/session/agent/signIn';
import type { Stage } from '../../support/scenario/stage';
import { setup } from './signInSetup';
import { scenarios } from './suite';

/** Runs the agent's own program as the window does, but on pipes. Knows one value. */
class TestAccount implements SignInUi {
  values: Record<string, string> = {};

  readonly runInTerminal: SignInUi['runInTerminal'] = async (launch, cwd, method, signal) => {
    assert.ok(isProcess(launch));
    const { file, args, verbatim, environment } = await prepareProgram(
      { ...launch, args: [...launch.args, ...(method.args ?? [])], cwd },
      process.env,
    );
    const stdio: StdioOptions = ['ignore', 'ignore', 'inherit'];
    const options = { cwd, env: { ...environment, ...method.env }, stdio, signal, windowsVerbatimArguments: verbatim };
    const child = spawn(file, args, options);
    const exitCode = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('exit', resolve));
    if (exitCode !== 0) {
      throw fault('auth.program_failed', { exitCode: exitCode ?? -1 });
    }
  };

  readonly askVariables: SignInUi['askVariables'] = async () => void (this.values = { SCRIPTED_KEY: 'sesame' });

  readonly hasVariables = (): boolean => 'SCRIPTED_KEY' in this.values;

  readonly askSecret: SignInUi['askSecret'] = () => Promise.resolve();

  readonly secret: SignInUi['secret'] = () => undefined;
}

const all = ['session/new', 'session/resume', 'session/prompt', 'session/set_config_option', 'session/set_mode', 'logout'];
const methodsSent = (stage: Stage, method: string): number =>
  stage.frames.filter(({ kind, text }) => kind === 'c2a' && text.includes(`"method":"${method}"`)).length;

scenarios(
  'signIn',
  (scenario) => {
    scenario('new-session', { setup: setup({ needed: all }) }, async (stage) => {
      await stage.signInStands('required');
      stage.signIn('browser');
      await stage.turn({ say: 'I know you' });
    });

    scenario('prompt-with-attachment', { setup: setup({ needed: ['session/prompt'] }, { script: [{ say: 'seen' }] }) }, async (stage) => {
      await stage.ready();
      stage.session.prompt([
        { type: 'text', text: 'Look' },
        { type: 'resource', uri: 'file:///a.txt', text: 'a' },
      ]);
      await stage.signInStands('required');
      stage.signIn('browser');
      await stage.when('the turn to end', () => !stage.session.store.state.turn);
      assert.equal(methodsSent(stage, 'session/prompt'), 2);
    });

    scenario(
      'option',
      {
        setup: setup(
          { needed: ['session/set_config_option'] },
          {
            new: {
              configOptions: [
                {
                  type: 'select',
                  id: 'model',
                  name: 'Model',
                  currentValue: 'a',
                  options: [
                    { value: 'a', name: 'A' },
                    { value: 'b', name: 'B' },
                  ],
                },
              ],
            },
          },
        ),
      },
      async (stage) => {
        await stage.ready();
        stage.setConfig('model', 'b');
        await stage.signInStands('required');
        stage.signIn('browser');
        await stage.seen('config_options', ({ options }) =>
          options.some((option) => 'currentValue' in option && option.currentValue === 'b'),
        );
      },
    );

    scenario(
      'mode',
      {
        setup: setup(
          { needed: ['session/set_mode'] },
          {
            new: {
              modes: {
                currentModeId: 'ask',
                availableModes: [
                  { id: 'ask', name: 'Ask' },
                  { id: 'code', name: 'Code' },
                ],
              },
            },
          },
        ),
      },
      async (stage) => {
        await stage.ready();
        stage.setConfig('$mode', 'code');
        await stage.signInStands('required');
        stage.signIn('browser');
        await stage.seen('config_value', ({ value }) => value === 'code');
      },
    );

    scenario('asked-again', { setup: setup({ needed: ['session/new'], doubts: 1 }) }, async (stage) => {
      await stage.signInStands('required');
      stage.signIn('browser');
      await stage.signInStands('required', 2);
      assert.equal(methodsSent(stage, 'session/new'), 2);
      stage.signIn('browser');
      await stage.ready();
    });

    scenario('authenticate-fails', { setup: setup({ needed: ['session/new'], variable: 'SCRIPTED_KEY' }) }, async (stage) => {
      await stage.signInStands('required');
      stage.signIn('browser');
      await stage.signInStands('failed');
      stage.signIn();
      await stage.seen('session_failed');
    });

    scenario(
      'authenticate-never-answers',
      { account: new TestAccount(), setup: setup({ needed: ['session/new'] }, { authenticate: [{ waitCancel: true }] }) },
      async (stage) => {
        await stage.signInStands('required');
        stage.signIn('browser');
        stage.signIn();
        await stage.signInStands('required', 2);
        await stage.when('the request to be given up', () => methodsSent(stage, '$/cancel_request') === 1);
        stage.signIn('login');
        await stage.ready();
        assert.equal(methodsSent(stage, 'authenticate'), 1);
      },
    );

    scenario('no-way-offered', { setup: setup({ needed: ['session/new'] }, { initialize: { authMethods: [] } }) }, async (stage) => {
      await stage.seen('session_failed');
    });

    scenario(
      'refused-at-initialize',
      {
        launch: {
          command: process.execPath,
          args: [
            '-e',
            `process.stdin.once('data', () => console.log('{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"Sign in first"}}'))`,
          ],
        },
      },
      async (stage) => {
        await stage.seen('session_failed');
      },
    );

    scenario(
      'exits-when-not-signed-in',
      { setup: setup({ needed: ['session/new'], exits: 9 }), account: new TestAccount() },
      async (stage) => {
        await stage.signInStands('required');
        stage.signIn('login');
        await stage.turn({ say: 'back again' });
      },
    );

    scenario('terminal', { setup: setup({ needed: all }), account: new TestAccount() }, async (stage) => {
      await stage.signInStands('required');
      stage.signIn('wrong');
      await stage.signInStands('failed');
      stage.signIn('login');
      await stage.turn({ say: 'I know you' });
      assert.equal(methodsSent(stage, 'authenticate'), 0);
    });

    scenario('terminal-in-a-turn', { setup: setup({ needed: ['session/prompt'] }), account: new TestAccount() }, async (stage) => {
      await stage.ready();
      stage.script({ say: 'at last' });
      await stage.signInStands('required');
      stage.signIn('login');
      await stage.when('the turn to end', () => !stage.session.store.state.turn);
      await stage.turn({ say: 'and on' });
    });

    scenario(
      'terminal-with-a-shared-process',
      { setup: setup({ needed: ['session/prompt'] }), account: new TestAccount() },
      async (stage) => {
        await stage.ready();
        const other = await stage.another();
        other.prompt([{ type: 'text', text: '@script [{"say":"me too"}]' }]);
        await stage.when('the other to wait', () => other.store.state.signIn?.status === 'required');
        stage.script({ sleep: 400 }, { say: 'at last' });
        await stage.signInStands('required');
        stage.signIn('login');
        await stage.when('the turn to end', () => !stage.session.store.state.turn);
        await stage.when('the other to be done', () => !other.store.state.turn);
        assert.equal(methodsSent(stage, 'initialize'), 2);
      },
    );

    scenario(
      'values',
      { setup: setup({ needed: ['session/new'], variable: 'SCRIPTED_KEY' }), account: new TestAccount() },
      async (stage) => {
        await stage.signInStands('required');
        stage.signIn('key');
        await stage.turn({ say: 'I know you' });
        assert.ok(stage.frames.every(({ text }) => !text.includes('sesame')));
      },
    );

    scenario(
      'values-that-the-agent-quotes',
      {
        setup: setup({ needed: ['session/new'] }, { authenticate: [{ stderr: 'no such key: sesame\n' }, { sleep: 50 }, { exit: 4 }] }),
        account: new TestAccount(),
      },
      async (stage) => {
        await stage.signInStands('required');
        stage.signIn('key');
        await stage.signInStands('failed');
        assert.ok(stage.lines.every((line) => !line.includes('sesame')));
      },
    );

    scenario('stopped', { setup: setup({ needed: ['session/prompt'] }) }, async (stage) => {
      await stage.ready();
      stage.script({ say: 'never' });
      await stage.signInStands('required');
      stage.cancel();
      await stage.turnEnd();
      assert.equal(methodsSent(stage, 'session/cancel'), 0);
    });

    scenario('signed-out', { setup: setup({ needed: all }) }, async (stage) => {
      await stage.signInStands('required');
      stage.signIn('browser');
      await stage.turn({ say: 'I know you' });
      stage.session.act('sign_out');
      await stage.signInStands('signed_out');
      stage.script({ say: 'again' });
      await stage.signInStands('required', 2);
      stage.signIn('browser');
      await stage.turnEnd();
      assert.equal(methodsSent(stage, 'logout'), 1);
    });
  },
  'signIn',
);
