import assert from 'node:assert/strict';
import { reasonIn } from '../../../../../webview/transcript/toolCalls/failureReason';

describe('the reason of a failure', () => {
  for (const [value, reason] of [
    ['no', 'no'],
    [{ error: 'no', output: 'x' }, 'no'],
    [{ error: '', message: ' ', stderr: 'no such file\n' }, 'no such file\n'],
    [{ error: { message: 'deep', code: 3 } }, 'deep'],
    [
      {
        content: [
          { type: 'text', text: 'MCP said' },
          { type: 'text', text: 'no' },
        ],
        isError: true,
      },
      'MCP said\nno',
    ],
    [{ error: { content: [{ type: 'image', data: '' }] } }, undefined],
    [{ error: { error: { error: { error: { error: { error: 'far in' } } } } } }, undefined],
    [{ code: 1, error: 2 }, undefined],
    [['a', 'b'], undefined],
    [JSON.parse('{"__proto__": {"error": "inherited"}}'), undefined],
    [null, undefined],
    [42, undefined],
    ['  ', undefined],
  ] as const) {
    it(`in ${JSON.stringify(value)} is ${JSON.stringify(reason)}`, () => assert.equal(reasonIn(value), reason));
  }
});
