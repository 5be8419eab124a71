/** Checks the assertion that other tests rely on: it finds a frame in a recording that the schema does not allow, or does not name. */
import assert from 'node:assert/strict';
import { Trace } from '../../../src/acp/trace/trace';
import { assertSentFrames, unnamedFields } from '../../support/schema';

const read = '{"jsonrpc":"2.0","id":"a","method":"fs/read_text_file","params":{"sessionId":"s","path":"/a"}}';

function recorded(...lines: readonly (readonly ['in' | 'out', string])[]): Trace {
  const trace = new Trace({ now: () => 0 }, { entries: Infinity, size: Infinity, entrySize: Infinity });
  for (const [way, line] of lines) {
    if (way === 'in') {
      trace.received(line);
    } else {
      trace.sent(line);
    }
  }
  return trace;
}

describe('the check of sent frames', () => {
  it('counts the checked frames', () => {
    const prompt = '{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"x"}]}}';
    assert.equal(
      assertSentFrames(recorded(['out', prompt], ['in', read], ['out', '{"jsonrpc":"2.0","id":"a","result":{"content":"x"}}']).entries()),
      2,
    );
    assert.equal(assertSentFrames(recorded(['in', read]).entries()), 0);
  });

  for (const [what, ...lines] of [
    ['a method that the schema does not have', ['out', '{"jsonrpc":"2.0","method":"session/shout","params":{}}']],
    ['parameters that lack one', ['out', '{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"s"}}']],
    ['parameters with one too many', ['out', '{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s","loud":true}}']],
    [
      'a field that is too much, deep in the parameters',
      [
        'out',
        '{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"x","tone":"a"}]}}',
      ],
    ],
    ['a result of the wrong form', ['in', read], ['out', '{"jsonrpc":"2.0","id":"a","result":{"text":"x"}}']],
    ['a result for a request that nobody made', ['in', read], ['out', '{"jsonrpc":"2.0","id":"b","result":{"content":"x"}}']],
    ['an error without a code', ['in', read], ['out', '{"jsonrpc":"2.0","id":"a","error":{"message":"no"}}']],
    ['another version of JSON-RPC', ['out', '{"method":"session/cancel","params":{"sessionId":"s"}}']],
  ] as const) {
    it(`finds ${what}`, () => {
      assert.throws(() => assertSentFrames(recorded(...lines).entries()), assert.AssertionError);
    });
  }

  it('accepts a result that fits any of the requests with its id', () => {
    const write = '{"jsonrpc":"2.0","id":"a","method":"fs/write_text_file","params":{"sessionId":"s","path":"/a","content":""}}';
    const answers: (readonly ['out', string])[] = [
      ['out', '{"jsonrpc":"2.0","id":"a","result":{"content":"x"}}'],
      ['out', '{"jsonrpc":"2.0","id":"a","result":{}}'],
    ];
    assert.equal(assertSentFrames(recorded(['in', read], ['in', write], ...answers).entries()), 2);
  });

  it('accepts any member in _meta and in the values of a form', () => {
    assert.deepEqual(unnamedFields('CancelNotification', { sessionId: 's', _meta: { any: { thing: 1 } } }), []);
    assert.deepEqual(unnamedFields('CreateElicitationResponse', { action: 'accept', content: { any: 'thing' } }), []);
    assert.deepEqual(unnamedFields('CreateElicitationResponse', { action: 'accept', contents: {} }), ['.contents']);
  });
});
