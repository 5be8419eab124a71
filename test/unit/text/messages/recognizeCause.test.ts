/**
 * The causes of failures, recognized in real output of programs: test/fixtures/failures. `ACP_HOST_UPDATE_GOLDEN=1` writes the resulting text of
 * each.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import type { Failure } from '../../../../src/core/model/failure';
import { causeIn, type FailureCause } from '../../../../src/text/messages/causes';
import { shortFailure } from '../../../../src/text/messages/failures';
import { withCause } from '../../../../src/text/messages/recognizeCause';
import { englishVerbatim } from '../../application/english';

const folder = path.resolve('test/fixtures/failures');

interface Sample {
  readonly name: string;
  /** The cause and its sentence, or `-`. */
  readonly expected: string;
  readonly text: string;
}

/** The sample: `=== name`, a line with the resulting text, and the output. */
function samplesIn(file: string): Sample[] {
  return readFileSync(path.join(folder, file), 'utf8')
    .split(/^=== /m)
    .slice(1)
    .map((part) => {
      const [name = '', expected = '', ...text] = part.split('\n');
      return { name, expected, text: text.join('\n').trimEnd() };
    });
}

const files = readdirSync(folder).filter((name) => name.endsWith('.txt'));
const isRequest = (file: string): boolean => file.startsWith('answers');

function failureOf(file: string, text: string): Failure {
  if (isRequest(file)) {
    const [, code = '-32603', detail = text] = /^(-?\d+) (.*)$/s.exec(text) ?? [];
    return { code: 'request.failed', params: { method: 'session/prompt', code: Number(code) }, detail };
  }
  return { code: 'agent.exited_at_start', params: { exitCode: 1, command: 'agent', commandLine: 'agent --acp' }, detail: text };
}

function said(failure: Failure): string {
  const found = withCause(failure);
  const cause = causeIn(found.params);
  return cause === undefined ? '-' : `${cause}: ${shortFailure(found, englishVerbatim)}`;
}

describe('the cause of a failure', () => {
  const counts = new Map<FailureCause, number>();

  for (const file of files) {
    it(`matches the program's output: ${file}`, () => {
      const samples = samplesIn(file);
      if (process.env['ACP_HOST_UPDATE_GOLDEN'] === '1') {
        const text = samples.map((sample) => `=== ${sample.name}\n${said(failureOf(file, sample.text))}\n${sample.text}\n`);
        writeFileSync(path.join(folder, file), text.join(''));
      }
      for (const { name, expected, text } of samplesIn(file)) {
        assert.equal(said(failureOf(file, text)), expected, name);
        const cause = expected.split(':')[0] as FailureCause;
        counts.set(cause, (counts.get(cause) ?? 0) + 1);
      }
    });
  }

  /** Causes that the host names itself, because no program printed them. */
  const OURS: ReadonlySet<string> = new Set(['shell']);

  it('has at least three real samples of each kind', () => {
    const source = readFileSync(path.resolve('src/text/messages/causes.ts'), 'utf8');
    const causes = [...source.matchAll(/^ {2}\| '(\w+)'/gm)].map(([, cause]) => cause as FailureCause);
    assert.ok(causes.length > 20);
    const few = causes.filter((cause) => !OURS.has(cause) && (counts.get(cause) ?? 0) < 3);
    assert.deepEqual(few, []);
  });

  it('is not recognized in similar texts', () => {
    for (const { name, expected } of samplesIn('lookalikes.txt')) {
      assert.equal(expected, '-', name);
    }
  });

  it('is recognized for a start by its code alone', () => {
    const params = { command: '/opt/agent', commandLine: '/opt/agent --acp', cwd: '/w' };
    const of = (failure: Failure): string => said(failure);
    for (const command of ['node', 'npx', 'npm.cmd']) {
      assert.match(of({ code: 'agent.not_found', params: { ...params, command } }), /^node_missing: /);
    }
    assert.equal(of({ code: 'agent.not_found', params: { ...params, command: 'no-such-agent' } }), '-');
    assert.match(of({ code: 'agent.not_executable', params }), /^not_executable: \/opt\/agent isn't executable: /);
    for (const detail of ['spawn ENOEXEC', 'spawn /opt/agent EFTYPE', 'spawn Unknown system error -86']) {
      assert.match(of({ code: 'agent.spawn_failed', params, detail }), /^wrong_platform: \/opt\/agent wasn't built/, detail);
    }
    assert.match(of({ code: 'agent.spawn_failed', params, detail: 'spawn /opt/agent ENOENT\n#!/usr/local/bin/node' }), /^node_missing: /);
    assert.match(
      of({ code: 'agent.spawn_failed', params, detail: 'spawn /opt/agent ENOENT\n#!/usr/bin/env -S node --x' }),
      /^node_missing: /,
    );
    assert.match(
      of({ code: 'agent.spawn_failed', params, detail: 'spawn /opt/agent ENOENT\n#! /opt/python3.9/bin/python3' }),
      /^program_missing: python3, /,
    );
    assert.match(of({ code: 'agent.spawn_failed', params, detail: 'spawn /opt/agent ENOENT' }), /^program_missing: A program /);
    assert.equal(of({ code: 'agent.spawn_failed', params, detail: 'spawn E2BIG' }), '-');
    assert.match(of({ code: 'agent.exited_at_start', params: { ...params, signal: 'SIGILL' } }), /^wrong_platform: /);
  });

  it('follows an HTTP status that the agent sends as its code', () => {
    const of = (code: number, detail: string): string =>
      said({ code: 'request.failed', params: { method: 'session/prompt', code }, detail }).split(':')[0]!;
    assert.deepEqual(
      [of(401, 'no'), of(402, 'no'), of(429, 'no'), of(529, 'no'), of(429, 'insufficient_quota'), of(400, 'no'), of(-32603, 'no')],
      ['sign_in', 'credit', 'rate_limit', 'overloaded', 'credit', '-', '-'],
    );
  });

  it('is found in stderr when the answer only reports that a program exited', () => {
    const stderr = '--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons';
    const cause = (detail: string): unknown =>
      withCause({ code: 'request.failed', params: { method: 'session/new', code: -32603 }, detail }, stderr).params?.['cause'];
    assert.equal(cause('Internal error\nClaude Code process exited with code 1'), 'root_permissions');
    assert.equal(cause('Internal error'), 'root_permissions');
    assert.equal(cause('Invalid params: cwd'), undefined);
  });

  it('keeps the rest of the failure, and is determined only once', () => {
    const failure: Failure = { code: 'agent.exited', params: { exitCode: 7 }, detail: 'panic: out of cheese' };
    assert.equal(withCause(failure), failure);
    const known = withCause({ ...failure, detail: 'getaddrinfo ENOTFOUND a.example' });
    assert.deepEqual(known, {
      ...failure,
      params: { exitCode: 7, cause: 'network', host: 'a.example' },
      detail: 'getaddrinfo ENOTFOUND a.example',
    });
    assert.equal(withCause(known), known);
    assert.equal(withCause({ code: 'fs.unreadable', detail: 'ENOTFOUND' }).params, undefined);
  });

  it('extracts only parameters of the expected form', () => {
    const evil = [
      '<img src=x>',
      '[a](command:x)',
      '$(alert)',
      'a\u202eb',
      'x'.repeat(5000),
      '“quoted”',
      '`code`',
      'a b',
      '../../etc',
      'é.example',
    ];
    const texts = (word: string): string[] => [
      `getaddrinfo ENOTFOUND ${word}`,
      `npm error code E404\nnpm error 404 Not Found - GET https://${word}/${word} - Not found\nnpm error 404  '${word}@*' is not in this registry.`,
      `npm error code ETARGET\nnpm error notarget No matching version found for ${word}.`,
      `env: ‘${word}’: No such file or directory`,
      `sh: 1: ${word}: Permission denied`,
      `listen EADDRINUSE: address already in use ${word}:99999999`,
      `requires Node.js ${word}`,
      `Caused by: invalid peer certificate: UnknownIssuer for url (https://${word}/)`,
      `Cannot connect to proxy ${word}`,
    ];
    for (const text of evil.flatMap(texts)) {
      const { params } = withCause({ code: 'agent.exited_at_start', detail: text });
      for (const [name, value] of Object.entries(params ?? {})) {
        assert.match(String(value), /^[\w@.:/~^<>=*+[\]-]{1,190}$/, `${name} of ${text.slice(0, 100)}`);
      }
    }
  });

  it('accepts any text quickly', function () {
    this.timeout(60_000);
    const words = samplesIn('npm.txt').flatMap(({ text }) => text.split(/\b/).slice(0, 40));
    const piece = fc.oneof(
      fc.constantFrom(...words, '\n', ' ', '    at ', 'https://', ': ', "'", '"', '/', '(', '{', '-', '@'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 200 }), (pieces) => {
        withCause({ code: 'agent.exited_at_start', detail: pieces.join('') });
      }),
      { numRuns: 200 },
    );
    for (const unit of [
      'a',
      ' ',
      '\n',
      '/',
      '-',
      'a.',
      'a-',
      '@a/',
      'sh: 1: a',
      'rate ',
      'exceed ',
      'not ',
      'env: ',
      'GET https://a/',
      'error ',
      '4',
      "'",
      'run as ',
      'ENOT ',
      'node ',
      '?.\n^',
      'A_',
      'API_KEY',
      ': ',
      'request to https://a',
    ]) {
      const began = performance.now();
      withCause({ code: 'agent.exited_at_start', detail: unit.repeat(Math.ceil(1_000_000 / unit.length)) });
      assert.ok(performance.now() - began < 1000, `${unit}: ${performance.now() - began} ms`);
    }
  });
});
