/** A log is checked like a live connection: the nesting depth of its messages, and the addresses that they name. */
import assert from 'node:assert/strict';
import type { SessionEvent } from '../../../../src/core/model/event';
import { MAX_DEPTH } from '../../../../src/acp/json/depth';
import { reducePortions } from '../../../../src/session/journal/journalReader';
import { OPENED, PROMPT, replay, theirs } from './logLines';

const DEEP = 100_000;
const nested = `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`;
const json = (value: unknown): string => JSON.stringify(value, (_, each: unknown) => each).replace('"DEEP"', nested);
const frame = theirs({
  method: 'session/update',
  params: { sessionId: 'S', update: { sessionUpdate: 'tool_call', toolCallId: 't', title: 'T', rawInput: 'DEEP' } },
});
const event = { at: 2, type: 'tool_call_update', toolCallId: 't', patch: { title: 'T', rawInput: 'DEEP' } };
const header = { acpHostJournal: 1, key: 'k', agentName: 'J', cwd: '/j', createdAt: 1 };

/** The number of nested levels of a value. Iterative, because the value may be too deep for recursion. */
function depthOf(value: unknown): number {
  let levels = 0;
  for (let each: unknown[] = [value]; each.length > 0; levels++) {
    each = each.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return levels;
}

describe('a log that is nested too deeply', () => {
  const logs: Record<string, string[]> = {
    'frames of a trace': [...OPENED, PROMPT].map(json).concat(json(frame)),
    'frames without direction': [...OPENED, PROMPT].map(json).concat(json((frame as { msg: object }).msg)),
    'frames as text': [...OPENED, PROMPT].map(json).concat(JSON.stringify({ dir: 'a2c', frame: json((frame as { msg: object }).msg) })),
    'events of a journal': [json(header), json({ seq: 0, event })],
    'an exported conversation': [`{"header": ${json(header)},`, '"events": [', `${json(event)},`, ']}'],
  };
  for (const [name, lines] of Object.entries(logs)) {
    it(`is cut so that it can be written again: ${name}`, () => {
      const { sessions } = replay(lines);
      const { events } = sessions[0]!;
      assert.ok(
        events.some(({ type }) => type.startsWith('tool_call')),
        'the event is kept',
      );
      assert.ok(Math.max(...events.map(depthOf)) <= MAX_DEPTH + 10);
      assert.doesNotThrow(() => structuredClone(JSON.parse(JSON.stringify(events))));
    });
  }

  it('is cut in a stored journal too', async () => {
    async function* portions() {
      yield [json(header), json({ seq: 0, event })];
    }
    const journal = (await reducePortions(portions()))!;
    assert.doesNotThrow(() => JSON.stringify([...journal.state.entries]));
  });
});

describe('a log that names an address', () => {
  const asked = (url: string): SessionEvent[] => {
    const elicitation = {
      at: 2,
      type: 'elicitation_requested',
      requestKey: 'r',
      message: 'M',
      body: { mode: 'url', elicitationId: 'e', url },
    };
    const { sessions } = replay(
      [header, { seq: 0, event: { at: 1, type: 'session_ready', sessionId: 'S' } }, { seq: 1, event: elicitation }].map(json),
    );
    return sessions.flatMap(({ events }) => events.filter(({ type }) => type === 'elicitation_requested'));
  };

  it('keeps the address of a web page', () => {
    assert.equal(asked('https://example.com/a?b#c').length, 1);
    assert.equal(asked('HTTP://example.com').length, 1);
  });

  for (const url of [
    'file:///etc/passwd',
    'vscode://x/y',
    'ms-msdt:/id',
    'command:x',
    'javascript:1',
    'https:x',
    'http:///x',
    '//evil/share',
    '',
  ]) {
    it(`shows no question that would open ${url || 'an empty address'}`, () => assert.deepEqual(asked(url), []));
  }
});
