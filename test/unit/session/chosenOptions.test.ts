import assert from 'node:assert/strict';
import type { ConfigOption } from '../../../src/core/model/content';
import { Sessions } from '../../../src/session/sessions';
import { back, setup } from './earlierScene';
import { fakePorts, launch } from './fakes';
import { queue, say, sent } from './messageQueueScene';

const select = (configId: string, currentValue: string, values: readonly string[]): ConfigOption => ({
  type: 'select',
  configId,
  name: configId,
  currentValue,
  groups: [{ choices: values.map((value) => ({ value, name: value })) }],
});
const CONFIG = {
  type: 'config_options',
  options: [select('mode', 'ask', ['ask', 'code']), select('model', 'small', ['small', 'large'])],
} as const;

function scene(chosen: Record<string, string>) {
  const fakes = fakePorts();
  const sessions = new Sessions({ ...fakes.ports, chosenOptions: (name) => (name === 'Fake' ? chosen : {}) });
  const configs = () =>
    fakes.agents.flatMap((agent) => agent.sent.filter(([what]) => what === 'setConfig').map(([, , id, value]) => [id, value]));
  return { fakes, sessions, configs, session: sessions.create(launch(), setup), agent: fakes.agents[0]! };
}

describe('what the user chose last', () => {
  it('is set in a new session, one after the other, before what is queued is sent', () => {
    const { session, agent, configs } = scene({ model: 'large', mode: 'code', other: 'x' });
    say(session, 'early');
    agent.open('S', [CONFIG]);
    assert.deepEqual([configs(), sent(agent)], [[['mode', 'code']], []]);
    agent.configs[0]!({ ok: true, value: [{ type: 'config_value', configId: 'mode', value: 'code' }] });
    assert.deepEqual(configs(), [
      ['mode', 'code'],
      ['model', 'large'],
    ]);
    agent.configs[1]!({ ok: false, failure: { code: 'request.failed' } });
    assert.deepEqual([sent(agent), queue(session)], [['early'], []]);
    assert.equal(session.store.state.config[0]?.type === 'select' && session.store.state.config[0].currentValue, 'code');
  });

  it('is left out where the agent does not offer it any more, or has it already', () => {
    const { session, agent, configs } = scene({ model: 'gone', mode: 'ask' });
    say(session, 'early');
    agent.open('S', [CONFIG]);
    assert.deepEqual([configs(), sent(agent)], [[], ['early']]);
  });

  it('is not set in a session that is brought back: that one has its own', () => {
    const { session, agent, fakes, configs } = scene({ mode: 'code' });
    agent.offer('resume');
    agent.open('S');
    agent.end({ code: 'agent.exited' });
    session.resume();
    const next = fakes.agents[1]!;
    next.offer('resume');
    next.ready(next.dialect);
    next.again[0]!(back('S'));
    session.store.append(CONFIG);
    assert.deepEqual(configs(), []);
  });
});
