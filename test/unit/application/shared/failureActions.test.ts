import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Failure, FailureCode } from '../../../../src/core/model/failure';
import { notificationActions } from '../../../../src/application/shared/failureActions';
import { FAILURES } from '../../../../webview/playground/galleryFailures';

const source = readFileSync(path.resolve(__dirname, '../../../../src/core/model/failure.ts'), 'utf8');
const codes = [...source.matchAll(/^ {2}\| '([\w.]+)'/gm)].map(([, code]) => code as FailureCode);
const actions = (failure: Failure, canRetry = true) => notificationActions(failure, canRetry).join(' ');

describe('the buttons of a failure’s notification', () => {
  it('depend on its code', () => {
    const table: Partial<Record<FailureCode, string>> = {
      'agent.not_found': 'retry open_settings show_log',
      'agent.exited': 'retry open_settings show_log',
      'agent.start_cancelled': '',
      'connection.closed': 'retry show_log',
      'connection.disposed': '',
      'protocol.bad_answer': 'retry show_log',
      'request.failed': 'retry show_log',
      'request.cancelled': '',
      'auth.required': 'sign_in',
      'queue.full': '',
      'session.folders_fixed': '',
      'fs.not_found': '',
      internal: 'show_log',
    };
    for (const [code, expected] of Object.entries(table) as [FailureCode, string][]) {
      assert.equal(actions({ code }), expected, code);
    }
  });

  it('exclude the settings for an agent from a registry, which has none there', () => {
    assert.equal(actions({ code: 'agent.exited_at_start', params: { isInstalled: 'yes' } }), 'retry show_log');
  });

  it('begin with the one for the cause', () => {
    const of = (name: string) => actions(FAILURES.find((each) => each.name === name)!.failure);
    assert.equal(of('no network'), 'retry open_settings show_log');
    assert.equal(of('a proxy that is not there'), 'open_settings retry show_log');
    assert.equal(of('no Node.js'), 'install_node retry open_settings');
    assert.equal(of('nobody is signed in'), 'sign_in retry open_settings');
  });

  it('exclude Retry when nothing can be repeated, and are never more than three', () => {
    for (const params of [{}, ...FAILURES.map(({ failure }) => failure.params ?? {})]) {
      for (const code of codes) {
        const all = notificationActions({ code, params }, true);
        assert.ok(all.length <= 3, code);
        assert.equal(new Set(all).size, all.length, code);
        assert.ok(!notificationActions({ code, params }, false).includes('retry'), code);
      }
    }
  });
});
