import assert from 'node:assert/strict';
import type { ConfigOption } from '../../../src/core/model/content';
import type { EventInput } from '../../../src/core/model/event';
import { Sessions } from '../../../src/session/sessions';
import { back, setup } from './earlierScene';
import { fakeDependencies, launch } from './fakes';
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
  const fakes = fakeDependencies();
  const sessions = new Sessions({ ...fakes.deps, chosenOptions: (name) => (name === 'Fake' ? chosen : {}) });
  const configs = () =>
    fakes.agents.flatMap((agent) => agent.sent.filter(([what]) => what === 'setConfig').map(([, , id, value]) => [id, value]));
  return { fakes, sessions, configs, session: sessions.create(launch(), setup), agent: fakes.agents[0]! };
}

type Scene = ReturnType<typeof scene>;

describe("the user's last choices", () => {
  it('are set in a new session, one after the other, before queued messages are sent', () => {
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

  it('count more than the defaults that were shown before the session', () => {
    const { session, agent, configs } = scene({ model: 'large' });
    session.store.append(CONFIG);
    agent.open('S', [CONFIG]);
    assert.deepEqual(configs(), [['model', 'large']]);
  });

  it("are replaced by a preset's values, each for its option", () => {
    const fakes = fakeDependencies();
    const sessions = new Sessions({ ...fakes.deps, chosenOptions: () => ({ model: 'small', mode: 'code' }) });
    sessions.create(launch(), { ...setup, preferred: { model: 'large' } });
    const agent = fakes.agents[0]!;
    const asked = () => agent.sent.filter(([what]) => what === 'setConfig').map(([, , id, value]) => [id, value]);
    agent.open('S', [CONFIG]);
    agent.configs[0]!({ ok: true, value: [{ type: 'config_value', configId: 'mode', value: 'code' }] });
    assert.deepEqual(asked(), [
      ['mode', 'code'],
      ['model', 'large'],
    ]);
  });

  it('leave the value that the user chooses while they are set', () => {
    const { session, agent, configs } = scene({ model: 'large', mode: 'code' });
    const set = (configId: string, value: string): EventInput => ({ type: 'config_value', configId, value });
    agent.open('S', [{ ...CONFIG, options: [CONFIG.options[0], select('model', 'small', ['small', 'large', 'huge'])] }]);
    session.setConfig('model', 'huge');
    agent.configs[1]!({ ok: true, value: [set('model', 'huge')] });
    agent.configs[0]!({ ok: true, value: [set('mode', 'code')] });
    assert.deepEqual(configs(), [
      ['mode', 'code'],
      ['model', 'huge'],
    ]);
    say(session, 'go');
    assert.deepEqual(sent(agent), ['go']);
  });

  it('are omitted when the agent no longer offers them, or already has them', () => {
    const { session, agent, configs } = scene({ model: 'gone', mode: 'ask' });
    say(session, 'early');
    agent.open('S', [CONFIG]);
    assert.deepEqual([configs(), sent(agent)], [[], ['early']]);
  });

  it('are not set in a reopened session, which has its own', () => {
    const { session, configs } = reopened({ mode: 'code' }, []);
    session.store.append(CONFIG);
    assert.deepEqual(configs(), []);
  });
});

/** A session whose agent ended and that was resumed. The agent's response has these events. */
function reopened(chosen: Record<string, string>, response: EventInput[], act = (_session: Scene['session']): void => {}) {
  const made = scene(chosen);
  const { session, agent, fakes } = made;
  agent.offer('resume');
  agent.open('S', response);
  act(session);
  agent.end({ code: 'agent.exited' });
  session.resume();
  const next = fakes.agents[1]!;
  next.offer('resume');
  next.ready(next.dialect);
  next.again[0]!(back('S', response));
  return { ...made, next };
}

describe('the values that a conversation showed', () => {
  const choose = (session: Scene['session']): void => session.store.append({ type: 'config_value', configId: 'mode', value: 'code' });

  it('are set again when the agent has forgotten them, before the next message is sent', () => {
    const { session, configs, next } = reopened({}, [CONFIG], choose);
    say(session, 'hello');
    assert.deepEqual([configs(), sent(next)], [[['mode', 'code']], []]);
    next.configs[0]!({ ok: true, value: [{ type: 'config_value', configId: 'mode', value: 'code' }] });
    assert.deepEqual(sent(next), ['hello']);
  });

  it('count more than the choices for new sessions', () => {
    const { configs } = reopened({ mode: 'ask', model: 'large' }, [CONFIG], choose);
    assert.deepEqual(configs().slice(-1), [['mode', 'code']]);
  });

  it('are not set again when the agent remembers them', () => {
    const { session, configs, next } = reopened({}, [CONFIG]);
    say(session, 'hello');
    assert.deepEqual([configs(), sent(next)], [[], ['hello']]);
  });
});

describe('an option that the agent does not confirm', () => {
  const ok = (configId: string, value: string) => ({ ok: true, value: [{ type: 'config_value', configId, value } as const] }) as const;
  const TIMEOUT = { ok: false, failure: { code: 'request.timeout', params: { method: 'session/set_config_option', ms: 60_000 } } } as const;
  const noticesIn = (session: ReturnType<typeof scene>['session']) =>
    [...session.store.state.entries].flatMap((each) =>
      each.kind === 'notice' && 'title' in each ? [String(each.failure?.params?.['option'])] : [],
    );

  it('holds a manually sent message until it is confirmed', () => {
    const { session, agent } = scene({});
    agent.open('S', [CONFIG]);
    session.setConfig('model', 'large');
    say(session, 'hello');
    assert.deepEqual([sent(agent), queue(session).length], [[], 1]);
    agent.configs[0]!(ok('model', 'large'));
    assert.deepEqual(sent(agent), ['hello']);
  });

  it('counts with its newest value', () => {
    const { session, agent } = scene({});
    agent.open('S', [CONFIG]);
    session.setConfig('mode', 'code');
    session.setConfig('mode', 'ask');
    say(session, 'hello');
    agent.configs[0]!(ok('mode', 'code'));
    assert.deepEqual(sent(agent), []);
    agent.configs[1]!(ok('mode', 'ask'));
    assert.deepEqual(sent(agent), ['hello']);
  });

  it('is listed with the others after a few seconds in total, and messages wait for the user', () => {
    const { session, agent, fakes } = scene({ model: 'large', mode: 'code' });
    say(session, 'early');
    agent.open('S', [CONFIG]);
    say(session, 'by hand');
    fakes.clock.pass(4999);
    assert.deepEqual(noticesIn(session), []);
    fakes.clock.pass(1);
    assert.deepEqual(noticesIn(session).sort(), ['mode', 'model']);
    assert.equal(session.store.state.pendingConfig?.overdue, true);
    agent.configs[0]!(TIMEOUT);
    say(session, 'later');
    assert.deepEqual([sent(agent), noticesIn(session).length], [[], 2]);
    session.resumeQueue();
    assert.deepEqual([sent(agent), session.store.state.pendingConfig], [['early'], undefined]);
  });

  it('can be set again by the user, or late by the agent, and the messages follow', () => {
    for (const isRetried of [true, false]) {
      const { session, agent, fakes } = scene({});
      agent.open('S', [CONFIG]);
      session.setConfig('model', 'large');
      say(session, 'hello');
      fakes.clock.pass(5000);
      if (isRetried) {
        session.setConfig('model', 'large');
        assert.equal(session.store.state.pendingConfig?.overdue, false);
      }
      agent.configs.at(-1)!(ok('model', 'large'));
      assert.deepEqual([sent(agent), session.store.state.pendingConfig], [['hello'], undefined]);
    }
  });

  it('is forgotten when its agent exits', () => {
    const { session, agent } = scene({});
    agent.open('S', [CONFIG]);
    session.setConfig('model', 'large');
    agent.end({ code: 'agent.exited' });
    assert.equal(session.store.state.pendingConfig, undefined);
  });
});
