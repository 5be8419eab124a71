import assert from 'node:assert/strict';
import {
  missingOptions,
  type Preset,
  presetOf,
  presetsIn,
  withoutPreset,
  withPreset,
  withRenamedPreset,
} from '../../../../src/application/presets/preset';
import { presetRows, suggestedName } from '../../../../src/application/presets/presetRows';
import type { ConfigOption } from '../../../../src/core/model/content';
import { english, englishVerbatim } from '../english';

const CONFIG: readonly ConfigOption[] = [
  {
    type: 'select',
    configId: 'model',
    name: 'Model',
    category: 'model',
    currentValue: 'large',
    groups: [{ choices: [{ value: 'large', name: 'Large' }] }],
  },
  {
    type: 'select',
    configId: 'mode',
    name: 'Mode',
    category: 'mode',
    currentValue: 'plan',
    groups: [{ choices: ['code', 'plan'].map((value) => ({ value, name: value })) }],
  },
  { type: 'boolean', configId: 'think', name: 'Think', currentValue: true },
];
const PRESET: Preset = {
  name: 'Review',
  agent: 'Claude Code',
  options: { model: 'large' },
  mcpServers: ['git'],
  permissionMode: 'planOnly',
};

describe('a preset', () => {
  it('is the session as it is, with the mode that Plan only has replaced', () => {
    const state = { config: CONFIG, permissionMode: { mode: 'planOnly', earlier: { configId: 'mode', value: 'code' } } } as const;
    assert.deepEqual(presetOf('Review', 'Claude Code', state, ['git', 'git']), {
      ...PRESET,
      options: { model: 'large', mode: 'code', think: true },
    });
    assert.deepEqual(presetOf('P', 'A', { config: [] }, undefined), { name: 'P', agent: 'A', options: {}, permissionMode: 'ask' });
  });

  it('never allows everything, which ends with its session', () => {
    assert.deepEqual(presetOf('P', 'A', { config: [], permissionMode: { mode: 'allowEverything' } }, []), {
      name: 'P',
      agent: 'A',
      options: {},
      mcpServers: [],
    });
    assert.deepEqual(presetsIn({ P: { agent: 'A', permissionMode: 'allowEverything' } }), [{ name: 'P', agent: 'A', options: {} }]);
  });

  it('is read as it was written', () => {
    const value = withPreset({ Other: { agent: 'A' } }, PRESET);
    assert.deepEqual(presetsIn(value), [{ name: 'Other', agent: 'A', options: {} }, PRESET]);
    assert.deepEqual(
      presetsIn(withPreset(value, { ...PRESET, name: 'Other' })).map(({ name }) => name),
      ['Other', 'Review'],
    );
    assert.equal(withPreset([], PRESET), undefined);
  });

  it('is removed or renamed at its place, and what is no preset stays', () => {
    const value = { A: { agent: 'A' }, odd: 1, B: { agent: 'B' }, C: { agent: 'C' } };
    assert.deepEqual(withoutPreset(value, 'B'), { A: { agent: 'A' }, odd: 1, C: { agent: 'C' } });
    const renamed = withRenamedPreset(value, 'A', 'Z');
    assert.deepEqual(Object.entries(renamed!), [['Z', { agent: 'A' }], ...Object.entries(value).slice(1)]);
    assert.deepEqual(withRenamedPreset(value, 'A', 'C'), { C: { agent: 'A' }, odd: 1, B: { agent: 'B' } });
    const own = withRenamedPreset(value, 'A', '__proto__')!;
    assert.deepEqual([Object.keys(own)[0], Object.getPrototypeOf(own)], ['__proto__', Object.prototype]);
    for (const wrong of [undefined, null, 'x', []]) {
      assert.deepEqual([withoutPreset(wrong, 'A'), withRenamedPreset(wrong, 'A', 'B')], [undefined, undefined]);
    }
  });

  it('is left out without an agent, and other mistakes only cost themselves', () => {
    const hostile = JSON.parse('{"__proto__": {"agent": "A"}, "": {"agent": "A"}, "no": {}, "text": "A", "null": null}') as unknown;
    assert.deepEqual(
      presetsIn(hostile).map(({ name }) => name),
      ['__proto__'],
    );
    const partial = { P: { agent: 'A', options: { a: 1, b: 'x', c: false }, mcpServers: ['s', 1], permissionMode: 'some' } };
    assert.deepEqual(presetsIn(partial), [{ name: 'P', agent: 'A', options: { b: 'x', c: false }, mcpServers: ['s'] }]);
    for (const value of [undefined, null, 1, 'x', []]) {
      assert.deepEqual(presetsIn(value), []);
    }
  });

  it('names its values that the agent does not offer', () => {
    const options = { model: 'huge', mode: 'code', think: 'yes', gone: 'x' };
    assert.deepEqual(missingOptions({ ...PRESET, options }, CONFIG), ['Model: huge', 'Think: yes', 'gone']);
    assert.deepEqual(missingOptions({ ...PRESET, options: { model: 'large', think: false } }, CONFIG), []);
  });
});

describe('the rows of presets', () => {
  it('show the agent, or that it is not configured, and the parts', () => {
    const entries = [{ agentId: 'Claude Code', agentName: 'Claude' }];
    const rows = presetRows(
      [PRESET, { name: 'B', agent: 'Gone', options: { on: true, off: false }, mcpServers: [] }],
      entries,
      english,
      englishVerbatim,
    );
    assert.deepEqual(
      rows.map(({ label, description, detail, entry }) => [label, description, detail, entry !== undefined]),
      [
        ['Review', 'Claude', 'large · MCP servers: git · Plan only', true],
        ['B', "Gone isn't configured", 'on · No MCP servers', false],
      ],
    );
  });

  it('name the values of an agent whose options are known', () => {
    const entries = [{ agentId: 'Claude Code', agentName: 'Claude' }];
    const preset = { name: 'B', agent: 'Claude Code', options: { model: 'large', think: true, other: 'x' } };
    const config = (agentId: string) => (agentId === 'Claude Code' ? CONFIG : []);
    assert.equal(presetRows([preset], entries, english, englishVerbatim, config)[0]!.detail, 'Large · Think · x');
    assert.equal(presetRows([preset], [], english, englishVerbatim, config)[0]!.detail, 'large · think · x');
  });

  it('have a name to begin with', () => {
    assert.equal(suggestedName('Claude', ['Opus', 'Plan', 'More']), 'Claude · Opus · Plan');
  });
});
