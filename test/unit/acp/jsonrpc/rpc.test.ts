/** The failure that an agent's error becomes. */
import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { failureOfError } from '../../../../src/acp/jsonrpc/rpc';

describe('the failure of an error', () => {
  const detailOf = (data: unknown): string | undefined => failureOfError('m', { code: 1, message: 'No', data }).detail;

  it('leaves out data without content', () => {
    for (const data of [null, '', ' \n', '{}', ' { } ', '[ ]', 'null', {}, [], { a: [{}, '{ }'] }]) {
      assert.equal(detailOf(data), 'No', JSON.stringify(data));
    }
    assert.equal(detailOf('{ x }'), 'No\n{ x }');
  });

  it('reads long runs of blanks in linear time', () => {
    const start = performance.now();
    for (const data of [`${' '.repeat(400_000)}x`, `{${' '.repeat(400_000)}x`, `x${' '.repeat(400_000)}x`]) {
      detailOf(data);
    }
    assert.ok(performance.now() - start < 1000);
  });
});
