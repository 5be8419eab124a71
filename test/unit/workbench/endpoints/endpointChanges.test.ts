import assert from 'node:assert/strict';
import type { ProviderChoice } from '../../../../src/core/account/provider';
import type { AgentLaunch } from '../../../../src/core/model/agentLaunch';
import { fault } from '../../../../src/core/model/failure';
import type { EndpointChangeDependencies } from '../../../../src/workbench/endpoints/endpointChanges';
import type { EndpointChoices } from '../../../../src/workbench/signIn/endpointChoices';
import { withVscode } from '../../../support/fakeVscode';

const LAUNCH: AgentLaunch = { agentId: 'A', agentName: 'A', command: 'agent', args: [], env: {} };
const choice = (providerId: string, baseUrl: string): ProviderChoice => ({
  providerId,
  apiType: 'a',
  baseUrl,
  headers: { 'x-api-key': 'k' },
});

/** The window's secret storage is that of all windows. */
function scene(secrets = new Map<string, string>()) {
  const vscode = { l10n: { t: (words: string) => words }, window: {}, env: {} };
  const { EndpointChanges, Choices } = withVscode(vscode, () => ({
    EndpointChanges: (
      require('../../../../src/workbench/endpoints/endpointChanges') as typeof import('../../../../src/workbench/endpoints/endpointChanges')
    ).EndpointChanges,
    Choices: (
      require('../../../../src/workbench/signIn/endpointChoices') as typeof import('../../../../src/workbench/signIn/endpointChoices')
    ).EndpointChoices,
  }));
  const state = new Map<string, unknown>();
  const choices: EndpointChoices = new Choices({
    secrets: {
      get: async (key) => secrets.get(key),
      store: async (key, value) => void secrets.set(key, value),
      delete: async (key) => void secrets.delete(key),
    },
    globalState: {
      get: <T>(key: string, otherwise: T) => (state.get(key) as T | undefined) ?? otherwise,
      update: async (key, value) => void state.set(key, value),
    },
    remoteName: undefined,
  });
  const answers: ((failed: boolean) => void)[] = [];
  let refuses = false;
  const deps: EndpointChangeDependencies = {
    account: {
      load: (launch: AgentLaunch) => choices.load(launch),
      endpointsOf: (launch: AgentLaunch) => choices.of(launch),
      endpoints: async () => choices,
    } as never,
    connect: async () => {
      if (refuses) {
        throw fault('agent.exited');
      }
      return {
        providers: () =>
          new Promise((resolve, reject) => answers.push((failed) => (failed ? reject(fault('agent.endpoint_refused')) : resolve([])))),
        dispose: () => undefined,
      };
    },
    markStale: () => undefined,
  };
  const addresses = (): string[] => choices.of(LAUNCH).map((each) => ('isOff' in each ? 'off' : each.baseUrl));
  return { changes: new EndpointChanges(deps), choices, addresses, answers, secrets, refuse: () => void (refuses = true) };
}

const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

describe('a change of an endpoint', () => {
  it('leaves a change that the user made meanwhile when the agent refuses it', async () => {
    const { changes, addresses, answers } = scene();
    const first = changes.change(LAUNCH, 'main', choice('main', 'https://bad'));
    await later();
    const other = changes.change(LAUNCH, 'other', choice('other', 'https://other'));
    await later();
    answers[0]!(true);
    await assert.rejects(first);
    answers[1]!(false);
    await other;
    assert.deepEqual(addresses(), ['https://other']);
    const second = changes.change(LAUNCH, 'other', choice('other', 'https://bad'));
    await later();
    const third = changes.change(LAUNCH, 'other', choice('other', 'https://good'));
    await later();
    answers[2]!(true);
    await assert.rejects(second);
    answers[3]!(false);
    await third;
    assert.deepEqual(addresses(), ['https://good']);
  });

  it('is reverted when the agent cannot be started for it', async () => {
    const { changes, addresses, refuse } = scene();
    refuse();
    await assert.rejects(changes.change(LAUNCH, 'main', choice('main', 'https://bad')));
    assert.deepEqual(addresses(), []);
  });

  it('applies in the other windows, and leaves what they have changed', async () => {
    const first = scene();
    const second = scene(first.secrets);
    await second.choices.load(LAUNCH);
    assert.deepEqual(second.addresses(), []);
    await first.choices.load(LAUNCH);
    await first.choices.keep(LAUNCH, [choice('main', 'https://gateway')]);
    await second.choices.load(LAUNCH);
    assert.deepEqual(second.addresses(), ['https://gateway']);
    const change = second.changes.change(LAUNCH, 'other', choice('other', 'https://other'));
    await later();
    second.answers[0]!(false);
    await change;
    await first.choices.load(LAUNCH);
    assert.deepEqual(first.addresses(), ['https://gateway', 'https://other']);
    await second.choices.forget(LAUNCH);
    await first.choices.load(LAUNCH);
    assert.deepEqual(first.addresses(), []);
  });

  it('stays in this window without a working secret storage', async () => {
    const { choices, secrets, addresses } = scene();
    secrets.set = secrets.get = () => {
      throw new Error('no keyring');
    };
    assert.equal(await choices.keep(LAUNCH, [choice('main', 'https://gateway')]), false);
    await choices.load(LAUNCH);
    assert.deepEqual(addresses(), ['https://gateway']);
  });
});
