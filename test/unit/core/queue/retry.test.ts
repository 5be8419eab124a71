import assert from 'node:assert/strict';
import { isPast } from '../../../../src/core/queue/retry';
import { retryAt } from '../../../../src/core/queue/retryTime';
import type { Failure } from '../../../../src/core/model/failure';
import { message, notice, stateOf } from '../../../support/events';

const LIMIT: Failure = { code: 'request.failed', params: { cause: 'rate_limit', retryAfter: 32 } };

describe('the time of the next retry', () => {
  it('is the end of the turn plus the seconds that the error names', () => {
    assert.equal(retryAt({ at: 1000, failure: LIMIT }), 33_000);
    assert.equal(retryAt({ at: 1000, failure: { code: 'request.failed', params: { retryAfter: 'soon' } } }), undefined);
    assert.equal(retryAt({ at: 1000, failure: { code: 'request.failed' } }), undefined);
    assert.equal(retryAt({ at: 1000 }), undefined);
    assert.equal(retryAt({ at: 1000, failure: { code: 'request.failed', params: { resetsAt: 9000, retryAfter: 1 } } }), 9000);
    assert.equal(retryAt({ at: 1000, failure: { code: 'request.failed', params: { resetsAt: 900 } } }), undefined);
  });
});

describe('an error of a turn', () => {
  const turn = [
    { type: 'turn_started', turnId: 't' },
    message('go', 't', 'user'),
    { type: 'turn_ended', turnId: 't', stopReason: 'error', failure: LIMIT },
  ] as const;

  it('is past once a message of the user follows, but not after notices or messages of the agent', () => {
    assert.equal(isPast(stateOf(turn), 'turn:t'), false);
    assert.equal(isPast(stateOf([...turn, notice('n', 'info', 'N'), message('late', 'a')]), 'turn:t'), false);
    assert.equal(isPast(stateOf([...turn, notice('n', 'info', 'N'), message('again', 'u', 'user')]), 'turn:t'), true);
  });
});
