import assert from 'node:assert/strict';
import { failureOfError } from '../../../../src/acp/jsonrpc/rpc';
import { explainFailure } from '../../../../src/text/messages/explainFailure';
import { resetTimeIn } from '../../../../src/text/messages/resetTime';

/** 25 November 2026, 14:30 in UTC, which is 15:30 in Berlin. */
const NOW = Date.UTC(2026, 10, 25, 14, 30);
const HOUR = 3_600_000;
/** ms from the time that a clock shows to the end of that minute. */
const MINUTE_END = 59_999;

const at = (text: string): string | undefined => {
  const time = resetTimeIn(text, NOW);
  return time === undefined ? undefined : new Date(time).toISOString();
};

describe('the reset of a limit in an error', () => {
  it('is a time of day in the zone that the text names, today or tomorrow', () => {
    assert.equal(at("You've hit your limit · resets 4pm (Europe/Berlin)"), '2026-11-25T15:00:59.999Z');
    assert.equal(at('5-hour limit reached ∙ resets 3:15pm (Europe/Berlin)'), '2026-11-26T14:15:59.999Z');
    assert.equal(at('Usage limit reached. Resets at 15:00 (UTC).'), '2026-11-25T15:00:59.999Z');
    assert.equal(at('limit reached, resets 12am (America/New_York)'), '2026-11-26T05:00:59.999Z');
  });

  it('can have a date, which is in the next year when it has passed', () => {
    assert.equal(at('Weekly limit reached · resets Nov 28 at 9am (UTC)'), '2026-11-28T09:00:59.999Z');
    assert.equal(at('Try again at Dec 1st, 2026 3:05 PM (UTC).'), '2026-12-01T15:05:59.999Z');
    assert.equal(resetTimeIn('resets Jan 2, 3pm (UTC)', NOW), Date.UTC(2027, 0, 2, 15) + MINUTE_END);
  });

  it('is an instant, a number of seconds or a compound duration', () => {
    assert.equal(at('quota exceeded, resets at 2026-11-25T18:00:00Z'), '2026-11-25T18:00:00.000Z');
    assert.equal(at(`Claude AI usage limit reached|${NOW / 1000 + 60}`), '2026-11-25T14:31:00.000Z');
    assert.equal(resetTimeIn("You've hit your usage limit. Try again in 2 days 3 hours 12 minutes.", NOW), NOW + 51 * HOUR + 720_000);
  });

  it('uses the zone of the computer when the text names none', () => {
    const local = new Date(NOW);
    local.setHours(23, 59, 0, 0);
    assert.equal(resetTimeIn('limit reached, resets 11:59pm', NOW), local.getTime() + MINUTE_END);
  });

  it('is the end of the minute that the text names, because agents leave the seconds out', () => {
    const claude = "Internal error: You've hit your 5-hour limit · resets 2:31pm (UTC)";
    const codex = 'You’ve hit your usage limit. Upgrade to Pro (https://chatgpt.com/explore/pro) or try again at 2:31 PM (UTC).';
    for (const text of [claude, codex]) {
      for (const seconds of [0, 60, 119]) {
        assert.equal(resetTimeIn(text, NOW + seconds * 1000), NOW + 60_000 + MINUTE_END, `${seconds} s before it`);
      }
      assert.equal(resetTimeIn(text, NOW + 120_000), NOW + 24 * HOUR + 60_000 + MINUTE_END);
    }
  });

  it('is undefined for another number, an unknown zone, and a time that is past or far away', () => {
    for (const text of [
      'try again 3 times',
      'resets 25:00',
      'resets 3pm (Mars/Olympus)',
      'resets at 2026-11-25T10:00:00Z',
      'resets at 2028-01-01T00:00:00Z',
      'reset the limit',
      '',
    ]) {
      assert.equal(at(text), undefined, text);
    }
  });

  it('is added only to a request that failed at a limit', () => {
    const failure = { code: 'request.failed', params: { method: 'session/prompt', code: -32603 } } as const;
    const limit = explainFailure({ ...failure, detail: "You've hit your limit · resets 4pm (Europe/Berlin)" }, '', NOW);
    assert.deepEqual([limit.params?.['cause'], limit.params?.['resetsAt']], ['usage_limit', Date.UTC(2026, 10, 25, 15) + MINUTE_END]);
    assert.equal(explainFailure({ ...failure, detail: 'The alarm resets at 4pm (UTC)' }, '', NOW).params?.['resetsAt'], undefined);
  });

  it('is in the errors of claude-agent-acp 0.100 and codex-acp 2.6', () => {
    const claude = {
      code: -32603,
      message: "Internal error: You've hit your 5-hour limit · resets 12:59am (UTC)",
      data: { errorKind: 'rate_limit' },
    };
    const message =
      'You’ve hit your usage limit. Upgrade to Pro (https://chatgpt.com/explore/pro), visit https://chatgpt.com/settings/usage to purchase more credits or try again at 12:59 AM.';
    const codex = { code: -32603, message: 'Internal error', data: { message, codexErrorInfo: 'usageLimitExceeded' } };
    const now = new Date(2026, 10, 27, 0, 58, 15).getTime();
    const utc = Date.UTC(2026, 10, 27, 0, 58, 15);
    for (const [error, at] of [[claude, utc] as const, [codex, now] as const]) {
      const { params } = explainFailure(failureOfError('session/prompt', error), '', at);
      assert.deepEqual([params?.['cause'], params?.['resetsAt']], ['usage_limit', at + 45_000 + MINUTE_END], error.message);
    }
  });

  it('makes an error a limit when its data names one', () => {
    const params = { method: 'session/prompt', code: -32003, resetsAt: NOW + HOUR };
    assert.equal(explainFailure({ code: 'request.failed', params, detail: 'no more' }, '', NOW).params?.['cause'], 'usage_limit');
  });

  it('takes no more than a moment for a long text', () => {
    const started = performance.now();
    resetTimeIn(`resets ${'1 h '.repeat(5000)}`, NOW);
    resetTimeIn('try again in '.repeat(5000), NOW);
    assert.ok(performance.now() - started < 100);
  });
});
