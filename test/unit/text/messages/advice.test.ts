/** The words for the host's advice. */
import assert from 'node:assert/strict';
import type { Risk } from '../../../../src/core/advice/advice';
import { shortFailure } from '../../../../src/text/messages/failures';
import { riskText } from '../../../../src/text/messages/risks';
import { failureAdvice } from '../../../../src/text/messages/advice';
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

  it('says where a refused token is corrected', () => {
    assert.equal(failureAdvice({ code: 'remote.denied' }, englishVerbatim), 'Check the token in the settings.');
    assert.equal(
      failureAdvice({ code: 'remote.denied', params: { isEntered: 'yes' } }, englishVerbatim),
      'Retry, then enter the token again.',
    );
  });

  it('says for each machine without a sandbox what is missing, and what to do', () => {
    for (const [code, missing, remedy] of [
      ['sandbox.not_installed', /bubblewrap/, /sudo apt install bubblewrap/],
      ['sandbox.no_namespaces', /^The sandbox can't start: .*user namespaces/, /sudo sysctl kernel\.unprivileged_userns_clone=1/],
      ['sandbox.restricted', /^The sandbox can't start: AppArmor/, /sudo sysctl kernel\.apparmor_restrict_unprivileged_userns=0/],
      ['sandbox.no_proc', /^The sandbox can't start: .*\/proc/, /Turn the sandbox off/],
    ] as const) {
      assert.match(shortFailure({ code }, englishVerbatim), missing);
      assert.match(failureAdvice({ code }, englishVerbatim) ?? '', remedy);
    }
  });

  it('says that the version before is still installed, whatever the cause', () => {
    const failure = { code: 'agent.exited_at_start', params: { cause: 'node_missing', earlierVersion: '1.0.0' } } as const;
    assert.equal(failureAdvice(failure, englishVerbatim), 'Version 1.0.0 is still installed: roll back to it, or retry.');
  });

  it('asks for a missing argument of a program that is no agent', () => {
    const text = "It prints text that isn't ACP. Is an argument such as --acp missing?";
    for (const code of ['agent.start_timeout', 'agent.exited_at_start'] as const) {
      assert.equal(failureAdvice({ code, params: { printsText: 'yes' } }, englishVerbatim), text);
      assert.notEqual(failureAdvice({ code, params: { printsText: 'yes', isInstalled: 'yes' } }, englishVerbatim), text);
    }
    assert.equal(
      failureAdvice({ code: 'protocol.echo' }, englishVerbatim),
      "It doesn't speak ACP. An argument such as --acp may be missing.",
    );
  });

  it('names no settings of an agent from a registry, which has none', () => {
    const codes = [
      'agent.not_found',
      'agent.not_executable',
      'agent.spawn_failed',
      'agent.exited_at_start',
      'agent.start_timeout',
    ] as const;
    for (const code of codes) {
      for (const detail of ['', 'boom']) {
        const advice = failureAdvice({ code, detail, params: { isInstalled: 'yes' } }, englishVerbatim);
        assert.match(advice, /\S/, code);
        assert.doesNotMatch(advice, /settings/, code);
      }
    }
    const failed = { code: 'agent.exited_at_start', detail: 'boom', params: { isInstalled: 'yes' } } as const;
    assert.equal(failureAdvice(failed, englishVerbatim), "Check the log, then retry or open the agent's page.");
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
