import assert from 'node:assert/strict';
import type { Failure } from '../../../../src/core/model/failure';
import { failureAdvice } from '../../../../src/text/messages/advice';
import { shortFailure } from '../../../../src/text/messages/failures';
import { optionRefusal } from '../../../../src/core/preferences/optionRefusal';
import { english } from '../../application/english';

const METHOD = 'session/set_config_option';
const refused = (detail?: string, params: Failure['params'] = {}): Failure => ({
  code: 'request.failed',
  params: { method: METHOD, code: -32603, ...params },
  ...(detail !== undefined && { detail }),
});
const said = (failure: Failure, choice: string | boolean = 'Large') => {
  const refusal = optionRefusal({ option: 'Model', choice }, failure);
  assert.equal(failureAdvice(refusal, english), '');
  return [shortFailure(refusal, english), ...(refusal.detail === undefined ? [] : [refusal.detail])];
};

describe('an option that the agent refused', () => {
  it("shows the agent's reason, without the protocol's words", () => {
    for (const detail of [
      'Your plan does not include this model',
      'Internal error: Your plan does not include this model',
      'Internal error\nYour plan does not include this model',
      'Error: Internal error: Your plan does not include this model {}',
      'Invalid params - Your plan does not include this model\n{}',
      'Your plan does not include this model\n{"code":"plan_limit"}',
    ]) {
      assert.deepEqual(said(refused(detail)), ["Couldn't switch to Large: Your plan does not include this model"], detail);
    }
  });

  it('shows that the agent refused it when there is no reason', () => {
    for (const detail of [undefined, '', 'Internal error', 'Internal error\n{}', 'Error: {}']) {
      assert.deepEqual(said(refused(detail)), ["Couldn't switch to Large: The agent refused it."], String(detail));
    }
  });

  it('shows data and long texts below the sentence', () => {
    for (const detail of ['Internal error\n{"reason":"plan"}', 'word '.repeat(100)]) {
      assert.deepEqual(said(refused(detail)), ["Couldn't switch to Large: The agent refused it.", detail]);
    }
  });

  it("names a known cause instead of the agent's words", () => {
    const [sentence] = said(refused('429: rate limit exceeded', { cause: 'rate_limit' }));
    assert.equal(sentence, "Couldn't switch to Large: The provider's rate limit was reached: wait a moment, then retry.");
  });

  it('shows for a switch whether it was to be on', () => {
    assert.deepEqual(said(refused('No'), true), ["Couldn't turn on Model: No"]);
    assert.deepEqual(said(refused('No'), false), ["Couldn't turn off Model: No"]);
  });

  it('shows why there is no answer', () => {
    const reasonOf = (failure: Failure) => said(failure)[0]!.replace("Couldn't switch to Large: ", '');
    assert.equal(
      reasonOf({ code: 'request.timeout', params: { method: METHOD, ms: 5000 } }),
      "The agent hasn't responded within 5 seconds.",
    );
    assert.equal(reasonOf({ code: 'auth.required', params: { method: METHOD } }), "You aren't signed in.");
    assert.equal(reasonOf({ code: 'protocol.bad_answer', params: { method: METHOD } }), "The agent's response isn't valid.");
  });
});
