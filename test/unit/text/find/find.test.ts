import assert from 'node:assert/strict';
import type { EventInput } from '../../../../src/core/model/event';
import { ConversationTexts } from '../../../../src/text/find/conversationTexts';
import { findIn, type KnownCount, matcherFor } from '../../../../src/text/find/find';
import { findPattern, MAX_MATCHES } from '../../../../src/text/find/pattern';
import type { FindQuery, Found } from '../../../../src/core/protocol/messages/findQuery';
import type { SessionState } from '../../../../src/core/model/state';
import { chunk, permissionRequest, stateOf, toolCall, toolText } from '../../../support/events';

const say = (words: string, messageId = 'a', role: 'agent' | 'user' | 'thought' = 'agent') => chunk(words, messageId, role);

function find(
  state: SessionState,
  text: string,
  options: Partial<FindQuery> = {},
  known = new Map<string, KnownCount>(),
  texts = new ConversationTexts(),
): Found & { units: number; longest: number } {
  const run = findIn(state, matcherFor({ text, caseSensitive: false, wholeWord: false, ...options })!, known, texts);
  let units = 0;
  let longest = 0;
  for (;;) {
    const step = run.next();
    if (step.done) {
      return { ...step.value, units, longest };
    }
    units += step.value;
    longest = Math.max(longest, step.value);
  }
}
const counts = (state: SessionState, text: string, options?: Partial<FindQuery>) => Object.fromEntries(find(state, text, options).hits);

describe('findPattern', () => {
  const matches = (text: string, query: string, options: Partial<FindQuery> = {}) =>
    [...text.matchAll(findPattern({ text: query, caseSensitive: false, wholeWord: false, ...options })!)].map(([match]) => match);

  it('treats the typed characters as text, not as a regular expression', () => {
    assert.deepEqual(matches('a.b a+b (a|b) [x] {1} \\d ^$ a-b /', 'a.b'), ['a.b']);
    for (const literal of ['(a|b)', '[x]', '{1}', '\\d', '^$', 'a-b', '/']) {
      assert.deepEqual(matches('a.b a+b (a|b) [x] {1} \\d ^$ a-b /', literal), [literal]);
    }
  });

  it('ignores case by default, and supports whole words', () => {
    assert.equal(matches('Foo foo FOO', 'foo').length, 3);
    assert.equal(matches('Foo foo FOO', 'foo', { caseSensitive: true }).length, 1);
    assert.equal(matches('Straße ÉTÉ', 'été').length, 1);
    assert.deepEqual(matches('cat concat cat_ cat.', 'cat', { wholeWord: true }).length, 2);
    assert.equal(matches('naïve été', 'na', { wholeWord: true }).length, 0);
    assert.equal(matches('a.ts, b.ts', '.ts', { wholeWord: true }).length, 2);
  });

  it('matches a blank with any blanks that contain at most one line break', () => {
    assert.equal(matches('foo bar, foo  bar, foo\n  bar, foo\n\nbar, foobar', 'foo bar').length, 3);
  });

  it('returns no pattern for an empty, a blank or an overlong text', () => {
    for (const text of ['', '  ', 'x'.repeat(1001)]) {
      assert.equal(findPattern({ text, caseSensitive: false, wholeWord: false }), undefined);
    }
  });
});

describe('findIn', () => {
  const conversation = stateOf([
    { type: 'session_opened', agentName: 'Fake', cwd: '/w' },
    say('Find the needle', '1', 'user'),
    say('needle? A **nee**dle, `needle`.', '2', 'thought'),
    {
      type: 'tool_call_update',
      toolCallId: 'c',
      patch: { title: 'Read /w/needle.ts', name: 'needle_tool', locations: [{ path: '/w/needle.ts', line: 3 }] },
    },
    {
      type: 'tool_call_update',
      toolCallId: 'c',
      patch: {
        content: [
          { type: 'content', content: { type: 'text', text: 'a needle' } },
          { type: 'diff', changes: [{ operation: 'modify', path: '/w/needle.ts', oldText: 'needle', newText: 'needle needle' }] },
          { type: 'terminal', terminalId: 't' },
        ],
      },
    },
    { type: 'terminal_update', terminalId: 't', command: 'grep needle', output: '\u001b[31mneedle\u001b[0m and need\u001b[1mle' },
    permissionRequest('p', 'Needle?', { subject: { command: 'cut needle' } }),
    { type: 'notice', noticeId: 'n', severity: 'info', title: 'A needle', description: 'is a needle' } as EventInput,
    { type: 'unknown', unknownId: 'u', label: 'needle_update', raw: {} },
  ]);

  it('searches all kinds of entries, in their visible text', () => {
    assert.deepEqual(counts(conversation, 'needle'), {
      'user:1': 1,
      'thought:2': 3,
      // Title, location, name, text, path of the change, command, output twice.
      'tool_call:c': 8,
      'permission:p': 2,
      'notice:n': 2,
      'unknown:u': 1,
    });
  });

  it('searches the visible text, not the source', () => {
    assert.equal(find(conversation, '**nee').count, 0);
    assert.equal(find(conversation, '/w/needle').count, 0);
    assert.equal(find(conversation, 'needle.ts:3').count, 1);
  });

  it('uses paths and titles as they are displayed', () => {
    const state = stateOf([
      { type: 'session_opened', agentName: 'Fake', cwd: '/w' },
      { type: 'tool_call_update', toolCallId: 'r', patch: { kind: 'read', title: 'Read `a b.ts` of /w/src' } },
      { type: 'tool_call_update', toolCallId: 'x', patch: { kind: 'execute', title: 'cat `which x` /w/a.ts' } },
      { type: 'tool_call_update', toolCallId: 'n', patch: { kind: 'other', title: '', name: 'lookup' } },
    ]);
    assert.deepEqual(counts(state, 'Read a b.ts of src'), { 'tool_call:r': 1 });
    assert.deepEqual(counts(state, 'cat `which x` /w/a.ts'), { 'tool_call:x': 1 });
    // The tool's name is the title, and is not repeated below it.
    assert.deepEqual(counts(state, 'lookup'), { 'tool_call:n': 1 });
  });

  it('finds a command that the title does not say, and its description once', () => {
    const rawInput = { command: 'wc -l src/*.ts', description: 'Count the lines' };
    const call = { kind: 'execute', title: 'Bash', name: 'Bash', rawInput, content: [toolText('Count the lines')] };
    const options = [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }];
    const waiting = stateOf([toolCall('c', call), permissionRequest('p', 'Bash', { options, subject: { toolCallId: 'c' } })]);
    const allowed = stateOf([{ type: 'permission_resolved', permissionId: 'p', outcome: 'selected', optionId: 'y' }], waiting);
    const titled = stateOf([toolCall('c', { ...call, title: 'Count the lines' })]);
    for (const state of [waiting, allowed, titled]) {
      assert.deepEqual(counts(state, 'wc -l'), { 'tool_call:c': 1 });
      assert.deepEqual(counts(state, 'count the lines'), { 'tool_call:c': 1 });
    }
    const said = stateOf([toolCall('c', { ...call, title: '`wc -l src/*.ts`' })]);
    assert.deepEqual(counts(said, 'wc -l'), { 'tool_call:c': 1 });
  });

  it('returns the entries in their order and stops at its limit', () => {
    const many = stateOf([say('x'.repeat(MAX_MATCHES - 5), '1'), say('xxx', '2'), say('xxxxx', '3'), say('x', '4')]);
    const found = find(many, 'x');
    assert.deepEqual([found.count, found.capped], [MAX_MATCHES, true]);
    assert.deepEqual(found.hits, [
      ['agent:1', MAX_MATCHES - 5],
      ['agent:2', 3],
      ['agent:3', 2],
    ]);
    assert.equal(find(stateOf([say('x')]), 'x').capped, false);
  });

  it('pauses often enough, also in one huge text', () => {
    const found = find(stateOf([say('word and another\n'.repeat(50_000))]), 'another');
    assert.equal(found.count, MAX_MATCHES);
    assert.ok(found.longest <= 64 * 1024, String(found.longest));
    assert.ok(find(stateOf([say('no line break '.repeat(20_000))]), 'absent').longest <= 64 * 1024);
  });

  it('finds the same in portions of one huge text as in the whole', () => {
    const code = `${'a 😀 word and\nanother '.repeat(20_000)}end`;
    const state = stateOf([say(`\`\`\`\n${code}\n\`\`\``), say(code, 'u', 'user')]);
    for (const text of ['😀', 'and another', 'd and another a', 'another end', 'a']) {
      const expected = Math.min(MAX_MATCHES, 2 * (code.match(findPattern({ text, caseSensitive: false, wholeWord: true })!)?.length ?? 0));
      assert.equal(find(state, text, { wholeWord: true }).count, expected, text);
    }
  });

  it('searches only changed entries when it is repeated', () => {
    const known = new Map<string, KnownCount>();
    const texts = new ConversationTexts();
    const first = find(conversation, 'needle', {}, known, texts);
    assert.ok(first.units > 0);
    assert.equal(find(conversation, 'needle', {}, known, texts).units, 0);
    const later = stateOf([say('one more needle', '9'), { type: 'terminal_output', terminalId: 't', text: ' needle' }], conversation);
    const second = find(later, 'needle', {}, known, texts);
    assert.equal(second.count, first.count + 2);
    assert.ok(second.units < first.units);
    assert.deepEqual(second.hits, find(later, 'needle').hits);
  });

  it('is not slowed down by malicious texts', function () {
    this.timeout(30_000); // Quadratic time for such a length would be minutes.
    const hostile = [
      '*'.repeat(200_000),
      '[a]('.repeat(60_000),
      '**a '.repeat(60_000),
      '_a_b'.repeat(60_000),
      '`'.repeat(200_000),
      '| '.repeat(60_000),
      '\u001b]0;'.repeat(50_000),
      ' '.repeat(200_000) + 'b',
      'a '.repeat(100_000),
      '$'.repeat(200_000),
      '$a '.repeat(60_000),
      '\\('.repeat(100_000),
      '$$ a\n'.repeat(40_000),
      '[a]: '.repeat(40_000),
      '[a]: b\n'.repeat(30_000),
      '[a][a'.repeat(40_000),
      `[a]: b\n${'[a'.repeat(60_000)}`,
      '[a](<'.repeat(40_000),
      '* '.repeat(100_000) + 'b',
      '~a'.repeat(60_000),
      '&amp'.repeat(40_000),
      '\\'.repeat(200_000),
      '\\$'.repeat(100_000),
      '\n\\[ x'.repeat(40_000),
      '$\\'.repeat(100_000),
    ];
    for (const text of hostile) {
      find(stateOf([say(text), say(text, 'u', 'user')]), 'a a a a a a a a a a b');
    }
  });
});
