import assert from 'node:assert/strict';
import { anyCharacter } from '../../../support/characters';
import fc from 'fast-check';
import { REDACTED, secretValues } from '../../../../src/acp/redaction/secretValues';
import type { SessionEvent } from '../../../../src/core/model/event';
import { reduce } from '../../../../src/core/reduce/reduce';
import { EMPTY_STATE, type SessionState } from '../../../../src/core/model/state';
import { JournalRedaction, withoutSecrets } from '../../../../src/session/journal/journalRedaction';
import { parseJournal } from '../../../../src/session/journal/journalReader';
import { eventSequence } from '../../core/arbitrary';
import { chunk as chunkOf, output as outputOf, stamped } from '../../../support/events';

const SECRET = 'zq"9\\Kx-secret\nvalue';
const HEADER = JSON.stringify({ acpHostJournal: 1, key: 'k', agentName: 'A', cwd: '/w', createdAt: 1 }) + '\n';

const written = (events: readonly SessionEvent[], values: readonly string[]): string => {
  const redaction = new JournalRedaction(() => values);
  return HEADER + events.map((event, seq) => redaction.lines(seq, event)).join('') + redaction.rest();
};
const folded = (journal: string): SessionState => {
  const { events, skipped } = parseJournal(journal)!;
  assert.equal(skipped, 0);
  return events.reduce(reduce, EMPTY_STATE);
};
const chunk = (words: string, messageId?: string, at = 1): SessionEvent => stamped([chunkOf(words, messageId)], at)[0]!;
const userSays = (messageId: string, text: string): SessionEvent => ({
  type: 'message_chunk',
  at: 1,
  role: 'user',
  messageId,
  content: { type: 'text', text },
});
const output = (words: string): SessionEvent => stamped([outputOf(words)])[0]!;

describe('redaction of a journal', () => {
  it('gives the same conversation as without it when there are no secrets', () => {
    fc.assert(
      fc.property(eventSequence, (events) => {
        const values = ['no such value', 'x"y\\z'];
        assert.deepEqual(folded(written(events, values)), folded(written(events, [])));
      }),
      // All of the first message is held back, and the second one may be mistaken for the first with a text.
      {
        examples: [
          ...[' ', 'y', ''].map((second): [SessionEvent[]] => [
            [userSays('1', 'x'), userSays('2', second), userSays('3', 'z'), userSays('2', 'x')],
          ]),
          // A piece of a subagent that is announced only afterwards.
          [
            [
              { type: 'subagent_event', at: 1, subagentId: 's', event: userSays('s/1', 'x') },
              { type: 'subagent_update', at: 2, subagentId: 's', patch: { type: '', canCancel: false, work: { state: 'running' } } },
            ],
          ],
        ],
      },
    );
  });

  it('removes a value that a thousand subagents write in pieces at the same time', () => {
    const values = secretValues({ KEY: 'zq-Kx-secret-value' });
    const every = (words: string): SessionEvent[] =>
      Array.from({ length: 1000 }, (_, n) => ({ type: 'subagent_event', at: 1, subagentId: `s${n}`, event: chunkOf(words, `s${n}/1`) }));
    const journal = written([...every('It is zq-Kx-sec'), ...every('ret-value.')], values);
    assert.deepEqual(journal.match(/zq-Kx-sec|ret-value/), null);
  });

  it('removes the value wherever it occurs, and keeps valid JSON', () => {
    const values = secretValues({ KEY: SECRET });
    const events: SessionEvent[] = [
      chunk(`it is ${SECRET}!`),
      {
        type: 'tool_call_update',
        at: 2,
        toolCallId: SECRET,
        patch: {
          title: SECRET,
          rawInput: { [SECRET]: 1, deep: [{ env: SECRET }] },
          rawOutput: JSON.stringify({ key: SECRET }),
          content: [{ type: 'content', content: { type: 'text', text: SECRET } }],
        },
      },
      output(SECRET),
      { type: 'unknown', at: 3, unknownId: 'u', label: SECRET, raw: { a: encodeURIComponent(SECRET) } },
      {
        type: 'notice',
        at: 3,
        noticeId: 'n',
        severity: 'info',
        title: SECRET,
        failure: { code: 'request.failed', params: { a: SECRET }, detail: SECRET },
      },
      { type: 'turn_ended', at: 4, turnId: '1', stopReason: 'error', failure: { code: 'request.failed', detail: SECRET } },
    ];
    const journal = written(events, values);
    for (const each of [SECRET, JSON.stringify(SECRET).slice(1, -1), encodeURIComponent(SECRET), 'Kx-secret']) {
      assert.ok(!journal.includes(each), each);
    }
    assert.equal(parseJournal(journal)!.events.length, events.length);
    assert.equal(parseJournal(journal)!.skipped, 0);
  });

  it('finds a value in several chunks, however it was cut and whatever came between', () => {
    const values = secretValues({ KEY: 'topsecretvalue' });
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            { weight: 3, arbitrary: fc.constant('topsecretvalue') },
            fc.constantFrom(' tops', 'top', 'value ', 'x', 't', 'to ', 'secretvalue'),
          ),
          { maxLength: 8 },
        ),
        fc.array(fc.nat({ max: 30 }), { maxLength: 20 }),
        fc.boolean(),
        (parts, cuts, isTerminal) => {
          const text = parts.join('');
          const places = [...new Set([0, ...cuts.filter((cut) => cut < text.length), text.length])].sort((a, b) => a - b);
          const pieces = places.slice(1).map((end, index) => text.slice(places[index], end));
          const events = pieces.flatMap((piece, n): SessionEvent[] => [
            isTerminal ? output(piece) : chunk(piece),
            ...(n % 2 ? [chunk(`other ${n}`, 'other', n)] : [{ type: 'usage', at: n, usage: {} } as SessionEvent]),
          ]);
          const journal = written(events, values);
          const state = folded(journal);
          const slot =
            state.entries.get('message:agent:m') ?? state.entries.slice().find((entry) => 'messageId' in entry && entry.messageId === 'm');
          const content = (slot as { content?: readonly { text?: string }[] } | undefined)?.content ?? [];
          const now = isTerminal ? (state.terminals['t']?.output ?? '') : content.map((block) => block.text ?? '').join('');
          assert.equal(now, text.replaceAll('topsecretvalue', REDACTED));
        },
      ),
    );
  });

  it('finds a value in chunks between which the changes of an earlier turn are reported', () => {
    const values = secretValues({ KEY: SECRET });
    const counted: SessionEvent = { type: 'turn_changes', at: 1, turnId: 't', changes: { files: [{ path: '/w/a', operation: 'add' }] } };
    const journal = written([chunk(`it is ${SECRET.slice(0, 6)}`), counted, chunk(`${SECRET.slice(6)}!`)], values);
    assert.ok(!journal.includes(SECRET.slice(0, 4)), journal);
    assert.deepEqual(
      parseJournal(journal)!.events.map(({ type }) => type),
      ['message_chunk', 'turn_changes', 'message_chunk'],
    );
  });

  it('never breaks a line, whatever the value and the line', () => {
    const value = fc.oneof(
      fc.string({ minLength: 1, maxLength: 12, unit: anyCharacter }),
      fc.constantFrom('message_chunk', 'nabcdefgh', '"type":"text"', '\\', 'u0000000', '12345678', 'content', 'true', 'seq'),
    );
    fc.assert(
      fc.property(eventSequence, fc.array(value, { minLength: 1, maxLength: 3 }), (events, secrets) => {
        const journal = written(events, secretValues(Object.fromEntries(secrets.map((each, index) => [`KEY_${index}`, each]))));
        const { events: read, skipped } = parseJournal(journal)!;
        assert.equal(skipped, 0);
        assert.ok(read.length >= events.length);
        read.reduce(reduce, EMPTY_STATE);
        assert.deepEqual([...new Set(read.map(({ type }) => type))].sort(), [...new Set(events.map(({ type }) => type))].sort());
      }),
    );
  });

  it('is applied to existing lines', () => {
    assert.equal(withoutSecrets('{"a":"x hushhush y","n":1}\n', ['hushhush']), `{"a":"x ${REDACTED} y","n":1}\n`);
    assert.equal(withoutSecrets('{"a": 1}', ['hushhush']), '{"a": 1}');
    assert.equal(withoutSecrets('torn "hushhush', ['hushhush']), `torn "${REDACTED}`);
  });

  it('is fast for a text without secrets', () => {
    const redaction = new JournalRedaction(() => secretValues({ A_KEY: 'first-secret-value', B_KEY: 'second-secret-value' }));
    const start = performance.now();
    for (let n = 0; n < 50_000; n++) {
      redaction.lines(n, chunk('some words of a sentence that goes on and on, as they do'));
    }
    const took = performance.now() - start;
    assert.ok(took < 5000, `${took.toFixed(0)} ms for 50,000 pieces`);
  });

  it('removes secrets from the environment that an agent sets for a command', () => {
    const environment = [
      { name: 'PATH', value: '/w/bin' },
      { name: 'API_TOKEN', value: 'plain' },
      { name: 'DATABASE', value: 'postgres://me:hunter22@host/db' },
    ];
    const lines = written(
      stamped([
        { type: 'terminal_update', terminalId: 't', command: 'x', environment },
        { type: 'permission_requested', permissionId: 'p', title: 'Run', options: [], subject: { command: 'x', environment } },
      ]),
      [],
    );
    assert.doesNotMatch(lines, /plain|hunter22/);
    const state = folded(lines);
    const [path, token, database] = state.terminals['t']!.environment!;
    assert.deepEqual([path, token], [environment[0], { name: 'API_TOKEN', value: REDACTED }]);
    assert.ok(database!.value.includes('host/db'));
    assert.equal(lines.match(/host\/db/g)?.length, 2);
  });
});
