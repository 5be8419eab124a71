/** The words for the host's advice. */
import assert from 'node:assert/strict';
import type { Risk } from '../../../../src/core/advice/advice';
import { riskText } from '../../../../src/text/messages/risks';
import { whyText } from '../../../../src/text/messages/whyAsked';
import { englishVerbatim } from '../../application/english';

const RISKS: Record<Risk, true> = {
  outside_folders: true,
  deletes: true,
  network: true,
  installs_packages: true,
  writes_protected: true,
  administrator: true,
  runs_code: true,
  hidden_text: true,
};

describe('the advice in words', () => {
  it('has different words for each risk, and none for an unknown one', () => {
    const words = Object.keys(RISKS).map((risk) => riskText(risk, englishVerbatim));
    assert.equal(new Set(words).size, words.length);
    assert.ok(!words.includes(undefined));
    for (const unknown of ['', 'constructor', 'a risk of a newer version']) {
      assert.equal(riskText(unknown, englishVerbatim), undefined);
    }
  });

  it('says why the host asks, and nothing where only the agent does', () => {
    const why = (code: string, params?: Record<string, string>) =>
      whyText({ code, ...(params && { params }) }, englishVerbatim, (text) => `“${text}”`);
    assert.equal(why('rule', { text: 'Ask about `git push *`' }), 'The rule “Ask about `git push *`” requires your answer.');
    assert.equal(why('protected_path', { rule: '**/.env', path: '/w/.env' }), '“/w/.env” is protected by the rule “**/.env”.');
    assert.equal(why('agent_request'), undefined);
    assert.equal(why('a reason of a newer version', { text: 'x' }), undefined);
  });
});
