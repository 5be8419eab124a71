import assert from 'node:assert/strict';
import { SpokenText } from '../../../../webview/announcer/spokenText';
import { NO_CAPABILITIES } from '../../../../src/core/model/wellKnown';
import type { Failure, FailureCode } from '../../../../src/core/model/failure';
import { EMPTY_STATE, type SessionState } from '../../../../src/core/model/state';
import { resourceName } from '../../../../src/core/toolCalls/titles';
import type { FailureCause } from '../../../../src/text/messages/causes';
import { withCause } from '../../../../src/text/messages/recognizeCause';
import { disconnectedActions, startActions, type ViewAction, withCauseAction } from '../../../../webview/failures/failureActions';
import { adviceText, failureText } from '../../../../webview/failures/failures';
import { loadStrings, t } from '../../../../webview/base/l10n';
import { baseName, compactNumber, duration, shortPath, shortTitle } from '../../../../webview/base/strings';
import { matching } from '../../../../webview/composer/suggestions/suggestions';

describe('user-facing texts', () => {
  afterEach(() => loadStrings('{}'));

  it('come from the bundle, with English as the key and the fallback', () => {
    loadStrings('{"Stop":"Anhalten","{count} lines":"{count} Zeilen"}');
    assert.equal(t('Stop'), 'Anhalten');
    assert.equal(t('{count} lines', { count: 3 }), '3 Zeilen');
    assert.equal(t('Send'), 'Send');
    assert.equal(t('constructor'), 'constructor');
    loadStrings('not json');
    assert.equal(t('Stop'), 'Stop');
  });

  it('never mistake a parameter for a placeholder', () => {
    assert.equal(t('{a} and {b}', { a: '{b}', b: 'x' }), '{b} and x');
  });

  it('format durations', () => {
    assert.deepEqual([-5, 400, 9940, 59_000, 59_900, 61_000, 3_700_000].map(duration), [
      '0 s',
      '0.4 s',
      '9.9 s',
      '59 s',
      '59 s',
      '1 min 1 s',
      '1 h 1 min',
    ]);
  });

  it('shorten paths and numbers', () => {
    assert.equal(shortPath('/a/b/c.ts', '/a/b'), 'c.ts');
    assert.equal(shortPath('/a/bc/c.ts', '/a/b'), '/a/bc/c.ts');
    assert.equal(baseName('C:\\x\\y'), 'y');
    assert.equal(baseName(`${'/'.repeat(200_000)}x//`), 'x');
    assert.deepEqual(
      ['file:///a/b%20c.txt', 'https://x.y/d/e.md?f#g', 'C:\\x\\y', 'x', 'file:///100%.md', 'https://x.y/', ''].map(resourceName),
      ['b c.txt', 'e.md', 'y', 'x', '100%.md', 'x.y', ''],
    );
    assert.deepEqual([999, 1000, 43_120, 1_250_000].map(compactNumber), ['999', '1.0K', '43K', '1.3M']);
    assert.deepEqual([0, 12.34, -1234, 999.7, 999_500, 2.5e9, 1.5e12, 1e300].map(compactNumber), [
      '0',
      '12.3',
      '-1.2K',
      '1.0K',
      '1.0M',
      '2.5G',
      '1.5T',
      '1.0e+285P',
    ]);
  });

  it('shorten the paths of titles, but never a command', () => {
    const titles = ['/a/b.c/x.ts', 'Viewing /a/b.c/x.ts', "Read file '/a/b.c/x.ts'", '/other/a/b.c/x.ts', '/a/b.c', '/a/bxc/x.ts'];
    assert.deepEqual(
      titles.map((title) => shortTitle(title, '/a/b.c', 'read')),
      ['x.ts', 'Viewing x.ts', "Read file 'x.ts'", '/other/a/b.c/x.ts', '/a/b.c', '/a/bxc/x.ts'],
    );
    assert.equal(shortTitle('Edit C:\\w\\x.ts', 'C:\\w', 'edit'), 'Edit x.ts');
    assert.equal(shortTitle('cat /a/b.c/x.ts', '/a/b.c', 'execute'), 'cat /a/b.c/x.ts');
    assert.equal(shortTitle('cat /a/b.c/x.ts', '/a/b.c', undefined), 'cat /a/b.c/x.ts');
  });

  it('describe failures, with and without parameters, and unknown ones', () => {
    assert.match(failureText({ code: 'agent.not_found', params: { command: 'nope' } }), /^nope was not found/);
    assert.doesNotMatch(failureText({ code: 'agent.not_found' }), /[{}]/);
    assert.match(failureText({ code: 'agent.exited', params: { exitCode: 3 } }), /Exit code: 3/);
    assert.doesNotMatch(
      failureText({ code: 'request.failed', params: { method: 'session/new', code: -32603 } }),
      /exit|-32603/,
      'an error code is no exit code',
    );
    assert.match(failureText({ code: 'protocol.version', params: { expected: 1, actual: 9 } }), /version 9/);
    const conflict = (lines: string): string => failureText({ code: 'fs.conflict', params: { path: '/a', lines } });
    assert.match(conflict('3'), /line 3 has changed/);
    assert.match(conflict('3-5'), /lines 3-5 have changed/);
    assert.match(failureText({ code: 'new.code' as never }), /new\.code/);
  });

  it('give advice, and offer only actions that can work', () => {
    const explained = (failure: Failure): string => failureText(withCause(failure));
    assert.match(explained({ code: 'agent.not_found', params: { command: 'npx' } }), /Node\.js was not found: install it/);
    assert.equal(adviceText(withCause({ code: 'agent.not_found', params: { command: 'npx' } })), '', 'the sentence says it');
    assert.match(adviceText({ code: 'agent.not_found', params: { command: 'mine' } }), /Install it/);
    assert.match(
      explained({ code: 'agent.spawn_failed', detail: 'spawn /x/agent ENOENT\n#!/usr/bin/env node' }),
      /^Node\.js was not found/,
    );
    assert.doesNotMatch(explained({ code: 'agent.spawn_failed', detail: 'spawn E2BIG' }), /Node\.js/);
    for (const detail of [
      '/usr/bin/env: ‘node’: No such file or directory',
      'sh: 1: node: not found',
      'env: node: No such file or directory',
      'exec: node: not found',
    ]) {
      assert.match(explained({ code: 'agent.exited_at_start', detail }), /^Node\.js was not found/, detail);
    }
    const unknown = withCause({ code: 'agent.exited_at_start', detail: 'node: bad option: --x' });
    assert.match(adviceText(unknown), /^Check the output below, then retry or edit the agent's settings\.$/);
    assert.match(adviceText({ code: 'agent.exited_at_start' }), /^Retry, or edit/, 'there is no output');
    const lost = (code: FailureCode | undefined, over: Partial<SessionState> = {}): SessionState => ({
      ...EMPTY_STATE,
      status: 'disconnected',
      ...(code && { failure: { code } }),
      ...over,
    });
    assert.deepEqual(disconnectedActions(lost('session.interrupted')), ['resume', 'continue_in_new'], 'its agent never had it');
    assert.deepEqual(disconnectedActions(lost('session.interrupted', { sessionId: 'S' })), ['continue_in_new']);
    assert.equal(disconnectedActions(lost('agent.exited'))[0], 'restart');
    assert.deepEqual(disconnectedActions(lost('session.replayed')), []);
    const kept = { sessionId: 'S', capabilities: { ...NO_CAPABILITIES, resume: true } };
    assert.deepEqual(disconnectedActions(lost('session.interrupted', kept)), ['resume', 'continue_in_new']);
    assert.deepEqual(disconnectedActions(lost('session.agent_removed', kept)), ['continue_in_new']);
    assert.deepEqual(disconnectedActions(lost(undefined, { ...kept, status: 'ended' })), ['resume', 'continue_in_new']);
    assert.deepEqual(disconnectedActions(lost(undefined, { status: 'ended' })), ['continue_in_new']);
    assert.deepEqual(startActions(lost('agent.not_found', kept)), ['retry', 'open_settings', 'show_log']);
    assert.deepEqual(startActions(lost('request.failed')), ['retry', 'open_settings', 'show_log']);
    assert.deepEqual(startActions(lost('request.failed', kept)), ['retry', 'continue_in_new', 'show_log']);
    const installed = { code: 'agent.exited_at_start', params: { isInstalled: 'yes' } } as const;
    assert.deepEqual(startActions({ ...EMPTY_STATE, failure: installed }), ['retry', 'show_agent', 'show_log'], 'it has no settings');
    assert.deepEqual(startActions(lost('session.not_loaded', kept)), ['continue_in_new']);
    assert.deepEqual(startActions(lost('remote.denied', kept)), ['retry', 'continue_with', 'show_log']);
    assert.deepEqual(disconnectedActions(lost('remote.disconnected', kept)), ['reconnect', 'show_log']);
    assert.deepEqual(disconnectedActions(lost('remote.disconnected')), ['continue_in_new', 'show_log']);
    assert.deepEqual(startActions(lost('session.folder_untrusted', kept)), ['trust_folder']);
    assert.deepEqual(disconnectedActions(lost('session.restricted_mode', kept)), ['trust_folder']);
  });

  it('offer the action for the cause first', () => {
    const start = startActions(EMPTY_STATE);
    const first = (cause: FailureCause, actions: readonly ViewAction[] = start, canSignIn = false): readonly ViewAction[] =>
      withCauseAction({ code: 'agent.exited_at_start', params: { cause } }, actions, canSignIn);
    assert.deepEqual(first('network'), ['retry', 'open_settings', 'show_log']);
    assert.deepEqual(first('certificate'), ['open_settings', 'retry', 'show_log']);
    assert.deepEqual(first('node_missing'), ['install_node', 'retry', 'open_settings', 'show_log']);
    assert.deepEqual(first('sign_in', start, true), ['sign_in', 'retry', 'open_settings', 'show_log']);
    assert.deepEqual(first('sign_in'), start, 'the agent offers no way to');
    assert.deepEqual(
      withCauseAction({ code: 'agent.exited_at_start', params: { cause: 'node_missing', earlierVersion: '1.0.0' } }, start, false),
      ['roll_back', 'retry', 'open_settings', 'show_log'],
    );
    assert.deepEqual(first('overloaded', ['restart', 'show_log']), ['restart', 'continue_with', 'show_log']);
    for (const cause of ['rate_limit', 'usage_limit', 'credit'] as const) {
      assert.deepEqual(first(cause, ['show_log']), ['continue_with', 'show_log'], 'another agent has its own account');
    }
    assert.deepEqual(first('package', ['restart', 'show_log']), ['open_settings', 'restart', 'show_log']);
    assert.deepEqual(first('disk_full', ['show_log']), ['show_log'], 'a turn is tried again by sending');
    assert.deepEqual(withCauseAction({ code: 'auth.required' }, start, true), ['sign_in', ...start]);
    assert.deepEqual(withCauseAction({ code: 'agent.exited', params: { cause: 'of a later version' } }, start, true), start);
  });

  it('find the ends of spoken sentences', () => {
    const spoken = (text: string, final = false) => new SpokenText().hear(text, final);
    assert.equal(spoken('Half a sentence'), '');
    assert.equal(spoken('One. Two'), 'One.');
    assert.equal(spoken('```js\na. b\n'), '');
    assert.equal(spoken('# See **this** [link](http://x) and `code`\n```js\nlet a;\n```\n', true), 'See this link and code. Code block.');
  });

  it('match commands by their beginning, then by what they contain', () => {
    const commands = ['replan', 'plan', 'test'].map((name) => ({ name, description: '' }));
    assert.deepEqual(
      matching(commands, 'PLAN').map((command) => command.name),
      ['plan', 'replan'],
    );
  });
});
