import assert from 'node:assert/strict';
import {
  NO_PREFERENCES,
  nextDefault,
  nextMode,
  preferencesIn,
  withFavorite,
  withRecentCommand,
  withoutValue,
  withValue,
} from '../../../../src/core/preferences/agentPreferences';
import type { ConfigOption } from '../../../../src/core/model/content';

const select = (configId: string, currentValue: string, values: readonly string[], category?: string): ConfigOption => ({
  type: 'select',
  configId,
  name: configId,
  currentValue,
  groups: [{ choices: values.map((value) => ({ value, name: value })) }],
  ...(category !== undefined && { category }),
});

describe('the stored preferences of an agent', () => {
  it('are the last values, the favorites and the recent commands, the newest first', () => {
    let kept = withValue(withValue(NO_PREFERENCES, 'model', 'a'), 'model', 'b');
    kept = withFavorite(withFavorite(kept, 'model', 'x', true), 'model', 'y', true);
    kept = withFavorite(kept, 'model', 'x', false);
    kept = ['plan', 'go', 'plan'].reduce(withRecentCommand, kept);
    assert.deepEqual(kept, { values: { model: 'b' }, favorites: { model: ['y'] }, recentCommands: ['plan', 'go'] });
    assert.deepEqual(preferencesIn(JSON.parse(JSON.stringify(kept))), kept);
  });

  it('keep the value that remains set when the agent refuses a choice', () => {
    const chosen = withValue(NO_PREFERENCES, 'model', 'large');
    assert.deepEqual(withoutValue(chosen, 'model', 'large', 'small').values, { model: 'small' });
    assert.deepEqual(withoutValue(chosen, 'model', 'large', undefined).values, {});
    assert.equal(withoutValue(chosen, 'model', 'huge', 'small'), chosen, 'the user has chosen something else since');
    assert.equal(withoutValue(chosen, 'mode', 'large', 'small'), chosen);
  });

  it('are bounded, and malformed stored data counts as none', () => {
    let kept = NO_PREFERENCES;
    for (let index = 0; index < 200; index++) {
      kept = withRecentCommand(withFavorite(withValue(kept, `o${index}`, true), 'm', `v${index}`, true), `c${index}`);
    }
    assert.deepEqual([Object.keys(kept.values).length, kept.favorites['m']!.length, kept.recentCommands.length], [50, 50, 10]);
    assert.equal(withValue(NO_PREFERENCES, 'x'.repeat(501), 'a'), NO_PREFERENCES);
    for (const odd of [undefined, null, 3, 'x', [], { values: 3, favorites: { a: 'b' }, recentCommands: {} }, { values: { a: {} } }]) {
      assert.deepEqual(preferencesIn(odd), NO_PREFERENCES, JSON.stringify(odd));
    }
    assert.deepEqual(preferencesIn({ values: JSON.parse('{"__proto__":"x"}') as unknown }).values['__proto__' as 'a'], 'x');
  });

  it('take any name of an option', () => {
    for (const configId of ['__proto__', 'constructor', 'toString']) {
      assert.deepEqual(Object.entries(withFavorite(NO_PREFERENCES, configId, 'a', true).favorites), [[configId, ['a']]]);
    }
  });
});

describe('the values that a new session begins with', () => {
  const flag: ConfigOption = { type: 'boolean', configId: 'think', name: 'Think', currentValue: false };
  const config = [select('mode', 'ask', ['ask', 'code']), select('model', 'small', ['small', 'large']), flag];

  it('are set if the agent offers them and they differ, in the agent’s order', () => {
    assert.deepEqual(nextDefault(config, { think: true, model: 'large', mode: 'ask' }), { configId: 'model', value: 'large' });
    assert.deepEqual(nextDefault(config, { think: true }), { configId: 'think', value: true });
    assert.equal(nextDefault(config, { model: 'gone', other: 'x', mode: true, think: 'yes' }), undefined);
    assert.equal(nextDefault(config, {}), undefined);
  });
});

describe('the next mode', () => {
  it('is the one after the current mode, and the first after the last', () => {
    assert.deepEqual(nextMode([select('m', 'a', ['a', 'b'], 'mode')]), { configId: 'm', value: 'b' });
    assert.deepEqual(nextMode([select('m', 'b', ['a', 'b'], 'mode')]), { configId: 'm', value: 'a' });
    assert.deepEqual(nextMode([select('m', 'gone', ['a', 'b'], 'mode')]), { configId: 'm', value: 'a' });
    assert.equal(nextMode([select('m', 'a', ['a'], 'mode')]), undefined);
    assert.equal(nextMode([select('m', 'a', ['a', 'b'], 'model')]), undefined);
    assert.equal(nextMode([select('m', 'a', [], 'mode')]), undefined);
  });
});
