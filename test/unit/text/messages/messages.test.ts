/** The table of texts for failures and statuses, `src/text/messages`. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Failure, FailureCode } from '../../../../src/core/model/failure';
import { durationText } from '../../../../src/text/messages/durations';
import { longFailure, shortFailure } from '../../../../src/text/messages/failures';
import { failureSentence, failureText } from '../../../../src/application/shared/failureText';
import { adviceText, failureText as failureWords } from '../../../../webview/failures/failures';
import { englishVerbatim } from '../../application/english';

const root = path.resolve(__dirname, '../../../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const codes = [...read('src/core/model/failure.ts').matchAll(/^ {2}\| '([\w.]+)'/gm)].map(([, code]) => code as FailureCode);
/** A value for every parameter that some failure has. */
const PARAMS = {
  command: 'npx',
  rule: 'no pushes',
  subject: 'git push',
  path: '/w/a.ts',
  cwd: '/w',
  folder: '/w',
  folders: '/x',
  method: 'session/new',
  methods: 'A, B',
  name: 'NODE_OPTIONS',
  agent: 'Ada',
  setting: 'acpHost.agents',
  agentName: 'Ada',
  field: 'args[0]',
  expected: 'string',
  lines: '3-5',
  count: 4,
  types: 'image',
  actual: 9,
  ms: 2500,
};

/** Variants of each failure: without details, with all details, with the end of the process, with the command, and with the output. */
const failures = (code: FailureCode): Failure[] => [
  { code },
  { code, params: PARAMS },
  { code, params: { exitCode: 3, commandLine: 'npx agent@1' } },
  { code, params: { ...PARAMS, signal: 'SIGKILL', methods: '' }, detail: 'spawn x ENOENT' },
  ...Object.keys(PARAMS).map((name): Failure => ({ code, params: { [name]: PARAMS[name as keyof typeof PARAMS] } })),
];

describe('text/messages', () => {
  it('has a short sentence for each code, with which the long one begins', () => {
    assert.ok(codes.length > 60, String(codes.length));
    for (const failure of codes.flatMap(failures)) {
      const [short, long] = [shortFailure(failure, englishVerbatim), longFailure(failure, englishVerbatim)];
      assert.match(short, /^.{10,}[.\w]$/, failure.code);
      assert.doesNotMatch(long, /[{}]|undefined| {2}|\.\./, failure.code);
      assert.ok(long.startsWith(short), `${failure.code}: ${short} — ${long}`);
    }
  });

  it('gives host and page the same texts', () => {
    for (const failure of codes.flatMap(failures)) {
      assert.equal(failureWords(failure), shortFailure(failure, englishVerbatim));
      assert.ok(failureSentence(failure, englishVerbatim).startsWith(failureWords(failure)), failure.code);
      assert.ok(failureText(failure, englishVerbatim).includes(adviceText(failure)), failure.code);
    }
  });

  it('has a text for a code of another version', () => {
    for (const code of ['new.code', 'constructor', '__proto__'] as unknown as FailureCode[]) {
      assert.equal(shortFailure({ code }, englishVerbatim), `Something went wrong (${code}).`);
      assert.equal(failureText({ code, detail: 'x' }, englishVerbatim), `Something went wrong (${code}). x`);
    }
  });

  it('begins with a capital, unless a name comes first', () => {
    assert.equal(shortFailure({ code: 'fs.is_directory' }, englishVerbatim), 'The file is a folder.');
    assert.equal(shortFailure({ code: 'fs.is_directory', params: { path: 'a/b' } }, englishVerbatim), 'a/b is a folder.');
    assert.equal(
      shortFailure({ code: 'session.not_listed', params: { agent: '' } }, englishVerbatim),
      "The agent can't list its sessions.",
    );
  });

  it('formats durations', () => {
    assert.deepEqual(
      [-5, 400, 9940, 9950, 59_900, 61_000, 3_700_000].map((ms) => durationText(ms, englishVerbatim)),
      ['0 s', '0.4 s', '9.9 s', '10 s', '59 s', '1 min 1 s', '1 h 1 min'],
    );
  });

  it('is the only place with its sentences, and names each code once', () => {
    const sources = ['src', 'webview'].flatMap((top) =>
      readdirSync(path.join(root, top), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('playground'))
        .map((name) => `${top}/${name.replaceAll('\\', '/')}`),
    );
    const said = (file: string): string[] =>
      [...read(file).matchAll(/\bt\(\s*(?:'([^']+)'|"([^"]+)")/g)].map(([, single, double]) => (single ?? double)!);
    const ours = sources.filter((file) => file.startsWith('src/text/messages/'));
    const sentences = ours.flatMap(said).filter((words) => /^[A-Z{]/.test(words));
    assert.ok(sentences.length > 100, String(sentences.length));
    assert.deepEqual(
      sentences.filter((words, index) => sentences.indexOf(words) !== index),
      [],
      'said twice in the table',
    );
    const others = sources.filter((file) => !ours.includes(file)).flatMap((file) => said(file).map((words) => ({ file, words })));
    assert.deepEqual(
      others.filter(({ words }) => sentences.includes(words)),
      [],
    );
    const table = read('src/text/messages/failures.ts');
    for (const code of codes) {
      assert.equal(table.split(new RegExp(`^  '?${code.replace('.', '\\.')}'?:`, 'm')).length, 2, code);
    }
  });
});
