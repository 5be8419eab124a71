import assert from 'node:assert/strict';
import type { Failure } from '../../../src/core/model/failure';
import { Sessions } from '../../../src/session/sessions';
import { setup } from './earlierScene';
import { fakeDependencies, launch } from './fakes';

const MODEL = {
  type: 'select',
  configId: 'model',
  name: 'Model',
  currentValue: 's',
  groups: [{ choices: [['s', 'Small'] as const, ['l', 'Large'] as const].map(([value, name]) => ({ value, name })) }],
} as const;
const FAST = { type: 'boolean', configId: 'fast', name: 'Fast', currentValue: false } as const;

function scene() {
  const fakes = fakeDependencies();
  const refused: unknown[][] = [];
  const sessions = new Sessions({ ...fakes.deps, optionRefused: (...args) => refused.push(args) });
  const session = sessions.create(launch(), setup);
  const agent = fakes.agents[0]!;
  agent.open('S', [{ type: 'config_options', options: [MODEL, FAST] }]);
  const refuse = (configId: string, value: string | boolean, failure: Failure) => {
    session.setConfig(configId, value);
    agent.configs.at(-1)!({ ok: false, failure });
  };
  const notices = () =>
    [...session.store.state.entries].flatMap((each) => (each.kind === 'notice' && 'title' in each ? [[each.title, each.failure]] : []));
  return { session, refuse, refused, notices };
}

const PLAN: Failure = { code: 'request.failed', params: { method: 'session/set_config_option', code: -32603 }, detail: 'Not in your plan' };

describe('an option that the agent refuses', () => {
  it('is reported with the names that the user sees, and no longer waits', () => {
    const { session, refuse, notices } = scene();
    refuse('model', 'l', PLAN);
    refuse('fast', true, PLAN);
    const about = { code: -32603, refusal: 'request.failed', reason: 'Not in your plan' };
    assert.deepEqual(notices(), [
      ['', { code: 'option.refused', params: { ...about, option: 'Model', choice: 'Large' } }],
      ['', { code: 'option.refused', params: { ...about, option: 'Fast', turn: 'on' } }],
    ]);
    assert.equal(session.store.state.pendingConfig, undefined);
  });

  it('is not set in the next session either, unless the reason is temporary', () => {
    const { refuse, refused } = scene();
    refuse('model', 'l', PLAN);
    refuse('fast', true, { ...PLAN, params: { cause: 'rate_limit' } });
    refuse('fast', true, { code: 'request.timeout' });
    refuse('gone', 'x', PLAN);
    assert.deepEqual(refused, [
      ['Fake', 'model', 'l', 's'],
      ['Fake', 'gone', 'x', undefined],
    ]);
  });
});
