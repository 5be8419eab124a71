import assert from 'node:assert/strict';
import { isTemporary, MAX_ATTEMPTS, pauseBefore } from '../../../../src/core/reconnect/reconnect';

describe('the pauses before a reconnect', () => {
  it('double up to a minute', () => {
    const pauses = Array.from({ length: 9 }, (_, index) => pauseBefore(index + 1, undefined, 0.5));
    assert.deepEqual(pauses, [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  });

  it('differ by a quarter, and never exceed a minute', () => {
    assert.deepEqual([pauseBefore(4, undefined, 0), pauseBefore(4, undefined, 1)], [6000, 10_000]);
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      for (const random of [0, 0.3, 1]) {
        const pause = pauseBefore(attempt, undefined, random);
        assert.ok(pause >= 750 && pause <= 60_000, `${pause}`);
      }
    }
  });

  it('are as long as a busy server asks for, up to ten minutes', () => {
    const busy = (seconds: string) => pauseBefore(1, { code: 'remote.busy', params: { seconds } }, 0.5);
    assert.deepEqual([busy('90'), busy('0'), busy('86400'), busy('soon')], [90_000, 1000, 600_000, 1000]);
  });
});

describe('the failures after which a connection is made again', () => {
  it('exclude each that needs the user', () => {
    for (const code of ['closed', 'unreachable', 'busy', 'error', 'conflict'] as const) {
      assert.equal(isTemporary({ code: `remote.${code}` }), true, code);
    }
    for (const code of ['denied', 'not_found', 'redirected', 'certificate', 'not_acp', 'too_large', 'no_secret'] as const) {
      assert.equal(isTemporary({ code: `remote.${code}` }), false, code);
    }
    assert.deepEqual([isTemporary({ code: 'agent.exited' }), isTemporary(undefined)], [false, false]);
  });

  it('include what a server answers while it starts, when an agent was at the address before', () => {
    for (const code of ['closed', 'not_found', 'not_acp'] as const) {
      assert.equal(isTemporary({ code: `remote.${code}` }, true), true, code);
    }
    for (const code of ['denied', 'redirected', 'certificate', 'too_large', 'no_secret'] as const) {
      assert.equal(isTemporary({ code: `remote.${code}` }, true), false, code);
    }
  });
});
