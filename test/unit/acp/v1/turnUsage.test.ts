import assert from 'node:assert/strict';
import { decodeTurnUsage } from '../../../../src/acp/v1/turnUsage';

describe('v1: usage with the end of a turn', () => {
  for (const [name, raw, expected] of [
    [
      'all of it',
      { totalTokens: 9, inputTokens: 1, outputTokens: 2, thoughtTokens: 3, cachedReadTokens: 4, cachedWriteTokens: 0 },
      { type: 'turn_usage', usage: { total: 9, input: 1, output: 2, thought: 3, cachedRead: 4, cachedWrite: 0 } },
    ],
    ['what is null is not told', { totalTokens: 9, thoughtTokens: null }, { type: 'turn_usage', usage: { total: 9 } }],
    [
      'what else it says is kept',
      { inputTokens: 1, outputTokens: -1, mood: 'good', _meta: { q: 1 } },
      { type: 'turn_usage', usage: { input: 1 }, meta: { q: 1 }, extra: { outputTokens: -1, mood: 'good' } },
    ],
    ['no number', { totalTokens: '9' }, undefined],
    ['nothing', {}, undefined],
    ['no object', 9, undefined],
    ['null', null, undefined],
  ] as const) {
    it(name, () => assert.deepEqual(decodeTurnUsage(raw), expected));
  }
});
