import assert from 'node:assert/strict';
import { PREDEFINED_AGENTS } from '../../../../src/agent/predefined';
import type { ProcessLaunch } from '../../../../src/core/model/agentLaunch';
import { fingerprintOf, SavedCredentials } from '../../../../src/workbench/signIn/savedCredentials';

describe('values typed to sign in', () => {
  const launch = (more: Partial<ProcessLaunch> = {}): ProcessLaunch => ({
    agentId: 'A',
    agentName: 'A',
    command: 'agent',
    args: ['--acp'],
    env: {},
    ...more,
  });
  let kept: Map<string, string>;
  let state: Map<string, unknown>;
  let fails: boolean;

  const window = (remoteName?: string): SavedCredentials =>
    new SavedCredentials({
      secrets: {
        get: async (key) => {
          if (fails) {
            throw new Error('no keyring');
          }
          return kept.get(key);
        },
        store: async (key, value) => {
          if (fails) {
            throw new Error('no keyring');
          }
          kept.set(key, value);
        },
        delete: async (key) => void kept.delete(key),
      },
      globalState: {
        get: <T>(key: string, otherwise: T) => (state.get(key) as T | undefined) ?? otherwise,
        update: async (key, value) => void state.set(key, value),
      },
      remoteName,
    });
  /** The values that an agent receives when it is started in another window. */
  const given = async (to: ProcessLaunch, remoteName?: string): Promise<object> => {
    const values = window(remoteName);
    await values.load(to);
    return values.of(to);
  };

  beforeEach(() => {
    kept = new Map();
    state = new Map();
    fails = false;
  });

  it('are available for the same launch, in every window', async () => {
    const first = window();
    assert.equal(await first.keep(launch(), { K: 'v' }), true);
    assert.deepEqual(first.of(launch()), { K: 'v' });
    assert.deepEqual(await given(launch({ env: { OTHER: '1' }, timeoutMs: 5 })), { K: 'v' });
    assert.deepEqual(first.agents, ['A']);
  });

  it('are not given to another launch of the same name', async () => {
    await window().keep(launch(), { K: 'v' });
    const others: Partial<ProcessLaunch>[] = [
      { command: '/tmp/agent' },
      { args: [] },
      { args: ['--acp', 'x'] },
      { args: ['--ac', 'p'] },
      { cwd: '/elsewhere' },
      { agentId: 'B' },
    ];
    for (const other of others) {
      assert.deepEqual(await given(launch(other)), {}, JSON.stringify(other));
    }
    for (const remoteName of ['ssh-remote', 'dev-container', '']) {
      assert.deepEqual(await given(launch(), remoteName), {}, remoteName);
    }
    assert.deepEqual(await given(launch()), { K: 'v' });
  });

  it('are stored separately for each launch, even by two windows at once, up to a limit', async () => {
    const [one, two] = [window(), window('wsl')];
    await one.load(launch());
    await two.keep(launch(), { K: 'wsl' });
    await one.keep(launch(), { K: 'v' });
    assert.deepEqual(await given(launch()), { K: 'v' });
    assert.deepEqual(await given(launch(), 'wsl'), { K: 'wsl' });
    for (let n = 0; n < 30; n++) {
      await one.keep(launch({ args: [`${n}`] }), { K: `${n}` });
    }
    assert.equal((JSON.parse(kept.get('acpHost.signIn.A')!) as unknown[]).length, 10);
    assert.deepEqual(await given(launch({ args: ['29'] })), { K: '29' });
  });

  it('belong to the agent, whatever its name is', async () => {
    const [one, two] = [launch({ agentId: 'one', agentName: 'Same' }), launch({ agentId: 'two', agentName: 'Same' })];
    await window().keep(one, { K: '1' });
    await window().keep(two, { K: '2' });
    assert.deepEqual([await given(one), await given(two)], [{ K: '1' }, { K: '2' }]);
    assert.deepEqual(await given({ ...one, agentName: 'Renamed' }), { K: '1' });
    assert.deepEqual(window().agents, ['one', 'two']);
  });

  it('are read from the name of an earlier version, and move to the id when others are saved', async () => {
    const before = launch({ agentId: 'Helper', agentName: 'Helper' });
    await window().keep(before, { K: 'v' });
    await window('wsl').keep(before, { K: 'wsl' });
    const now = launch({ agentId: 'extension/acme.helper', agentName: 'Helper', earlierId: 'Helper' });
    assert.deepEqual(await given(now), { K: 'v' });
    await window().keep(now, { K: 'new' });
    assert.deepEqual([await given(now), await given(now, 'wsl'), await given(before)], [{ K: 'new' }, { K: 'wsl' }, {}]);
    assert.deepEqual(window().agents, ['extension/acme.helper']);
    kept.set('acpHost.signIn.Helper', '[]');
    await window().forget(now);
    assert.deepEqual([...kept], []);
  });

  it('are forgotten together, including those of earlier versions', async () => {
    const values = window();
    await values.keep(launch(), { K: 'v' });
    await window('wsl').keep(launch(), { K: 'wsl' });
    kept.set('acpHost.environment.A', '{"K":"old"}');
    await values.forget(launch());
    assert.deepEqual([...kept], []);
    assert.deepEqual(values.of(launch()), {});
    assert.deepEqual(values.agents, []);
    assert.deepEqual(await given(launch(), 'wsl'), {});
  });

  it('are deleted with one notice, and never used, when they were stored by name only', async () => {
    kept.set('acpHost.environment.A', '{"K":"old"}');
    state.set('agentsWithValues', ['A', 'B']);
    const values = window();
    assert.equal(await values.load(launch()), true);
    assert.deepEqual(values.of(launch()), {});
    assert.deepEqual([...kept], []);
    assert.deepEqual(values.agents, ['B']);
    assert.equal(await values.load(launch()), false);
  });

  it('stay until the window closes when nothing can be stored', async () => {
    fails = true;
    const values = window();
    assert.equal(await values.load(launch()), false);
    assert.equal(await values.keep(launch(), { K: 'v' }), false);
    await values.load(launch());
    assert.deepEqual(values.of(launch()), { K: 'v' });
  });

  it('are empty when the stored data is malformed', async () => {
    for (const text of [
      '',
      'x',
      '{}',
      '[null,1,{"launch":1}]',
      JSON.stringify([{ launch: fingerprintOf(launch(), undefined), values: { K: 1, L: 'l' } }]),
    ]) {
      kept.set('acpHost.signIn.A', text);
      assert.deepEqual(await given(launch()), text.includes('"L"') ? { L: 'l' } : {});
    }
  });

  it('survive an update of a predefined agent, but no other change of it', () => {
    const own = PREDEFINED_AGENTS.find(({ args }) => args.some((argument) => /@\d/.test(argument)))!;
    const older = { ...own, args: own.args.map((argument) => argument.replace(/@\d[\w.+-]*$/, '@0.0.1')) };
    assert.notEqual(fingerprintOf(own, undefined), fingerprintOf(older, undefined), 'one of the settings is what it says');
    assert.equal(fingerprintOf(own, undefined), fingerprintOf({ ...own, env: { X: '1' } }, undefined));
    assert.notEqual(fingerprintOf(own, undefined), fingerprintOf({ ...own, args: [...own.args, 'x'] }, undefined));
  });
});
