import assert from 'node:assert/strict';
import { isOfProcess } from '../../../src/policy/matching';

describe('paths under which each process has another file', () => {
  it('begin with /proc or /dev, however they are written, except for shared memory', () => {
    const given = [
      '/proc/self/cwd/a',
      '/dev/fd/3',
      '/dev/shm/../fd/3',
      '/tmp/../proc/self/cwd',
      '/dev/shm/project/a',
      '/dev/null2/a',
      '/w/dev/a',
    ];
    assert.deepEqual(given.map(isOfProcess), [true, true, true, true, false, true, false]);
  });
});
