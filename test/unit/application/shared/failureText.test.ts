import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FailureCode } from '../../../../src/core/model/failure';
import { withCause } from '../../../../src/text/messages/recognizeCause';
import { failureSentence, failureText } from '../../../../src/application/shared/failureText';
import { english } from '../english';

const source = readFileSync(path.resolve(__dirname, '../../../../src/core/model/failure.ts'), 'utf8');
const codes = [...source.matchAll(/^ {2}\| '([\w.]+)'/gm)].map(([, code]) => code as FailureCode);

describe('texts of failures', () => {
  it('are a whole sentence for every code, even without parameters', () => {
    assert.ok(codes.length > 40, String(codes.length));
    for (const code of codes) {
      assert.match(failureSentence({ code }, english), /^[A-Z].*[\w.?)]$/, code);
      assert.doesNotMatch(failureSentence({ code }, english), /[{}]|undefined/, code);
    }
  });

  it('name the command line and how it ended', () => {
    assert.equal(
      failureSentence({ code: 'agent.exited_at_start', params: { command: 'npx', commandLine: 'npx agent@1', exitCode: 3 } }, english),
      "The agent exited before it was ready. Exit code: 3. Retry, or edit the agent's settings. Command: npx agent@1",
    );
    assert.equal(
      failureSentence({ code: 'agent.exited', params: { exitCode: 137, signal: 'SIGKILL' } }, english),
      "The agent's process exited. Terminated by SIGKILL.",
    );
  });

  it('name a known cause in one sentence, with external text escaped', () => {
    const failure = withCause({
      code: 'agent.exited_at_start',
      params: { exitCode: 1 },
      detail: 'getaddrinfo ENOTFOUND registry.npmjs.org',
    });
    assert.equal(failureSentence(failure, english), "registry.npmjs.org couldn't be reached: check your network connection, then retry.");
    assert.ok(failureText(failure, english).endsWith('then retry. getaddrinfo ENOTFOUND registry.npmjs.org'));
    const forged = { code: 'agent.exited', params: { cause: 'network', host: '$(zap)[x](command:y)\u202e' } } as const;
    assert.doesNotMatch(failureSentence(forged, english), /\$\(|\]\(|\u202e/);
  });

  it('begin with a capital, unless a name comes first', () => {
    assert.match(failureSentence({ code: 'agent.not_found' }, english), /^The command was not found/);
    assert.match(failureSentence({ code: 'agent.not_found', params: { command: 'npx' } }, english), /^npx was not found/);
  });

  it('name the invalid setting and its error', () => {
    const params = { setting: 'acpHost.agents', agentName: 'Mine', field: 'args[0]', expected: 'string' };
    assert.equal(
      failureSentence({ code: 'config.invalid', params }, english),
      "acpHost.agents › Mine › args[0] in your settings isn't valid: must be a string.",
    );
  });

  it('give times in seconds and conflicts with their lines', () => {
    assert.match(
      failureSentence({ code: 'request.timeout', params: { method: 'session/new', ms: 60_000 } }, english),
      /session\/new within 60 seconds/,
    );
    assert.match(
      failureSentence({ code: 'fs.conflict', params: { path: '/a', lines: '3–5' } }, english),
      /\/a wasn't applied.* lines 3–5 have changed in the meantime\.$/,
    );
    assert.match(
      failureSentence({ code: 'fs.conflict', params: { path: '/a', lines: '3' } }, english),
      / line 3 has changed in the meantime\.$/,
    );
  });

  it('show external text as one safe, limited line', () => {
    const text = failureText(
      { code: 'agent.not_found', params: { command: '$(x)\u202e' }, detail: 'one\ntwo ' + 'y'.repeat(10_000) },
      english,
    );
    assert.doesNotMatch(text, /\$\(|\u202e|\n/);
    assert.match(text, /one⏎two y/);
    assert.ok(text.length < 1_500);
  });
});
