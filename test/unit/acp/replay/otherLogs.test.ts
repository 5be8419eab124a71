import assert from 'node:assert/strict';
import fc from 'fast-check';
import { toMarkdown } from '../../../../src/text/transcript/transcript';
import { LOGGED_V1 } from '../../../../src/acp/v1/clientFrames';
import { replayStream } from '../../../../src/acp/replay/replay';
import { START, ours, theirs, said, OPENED, PROMPT, replay, events, stateOf, markdown, only } from './logLines';

describe('logs of other kinds', () => {
  const bare = (lines: readonly object[]): object[] => lines.map((line) => (line as { msg: object }).msg);
  const whole = [...OPENED, PROMPT, theirs(said('Hello')), theirs({ id: 3, result: { stopReason: 'end_turn' } })];
  const expected = '## User\n\nDo it\n\n## Agent\n\nHello';

  it('include an agent’s stdout', () => {
    const { sessions } = replay(bare(whole.filter((line) => (line as { dir: string }).dir === 'a2c')));
    assert.deepEqual(
      sessions.map(({ state }) => [state.sessionId, state.agentName]),
      [['S', 'Agent A']],
    );
    assert.equal(toMarkdown(stateOf(sessions[0]!.events)), '## Agent\n\nHello');
    assert.deepEqual(
      only(sessions[0]!.events, 'turn_ended').map(({ stopReason }) => stopReason),
      ['end_turn'],
    );
  });

  it('include frames of both directions without a direction mark', () => assert.equal(markdown(bare(whole)), expected));

  for (const [name, wrap] of Object.entries<(dir: string, message: object) => object>({
    'direction and message': (dir, message) => ({ direction: dir === 'a2c' ? 'in' : 'out', message }),
    'words that mean the opposite': (dir, message) => ({ direction: dir === 'a2c' ? 'out' : 'in', message }),
    'frames as text': (dir, message) => ({ dir: dir === 'a2c' ? '<-' : '->', frame: JSON.stringify(message) }),
    'words of nobody': (dir, message) => ({ dir: dir === 'a2c' ? 'ping' : 'pong', payload: message }),
    'directions in the frame': (dir, message) => ({ ...message, direction: dir === 'a2c' ? 'recv' : 'send' }),
  })) {
    it(name, () => {
      const clash = [
        theirs({
          id: 3,
          method: 'session/request_permission',
          params: { sessionId: 'S', toolCall: { toolCallId: 't', title: 'T' }, options: [{ optionId: 'y', name: 'Yes' }] },
        }),
        ours({ id: 3, result: { outcome: { outcome: 'selected', optionId: 'y' } } }),
      ];
      const lines = [...whole.slice(0, 6), ...clash, whole[6]!].map((line) =>
        wrap((line as { dir: string }).dir, (line as { msg: object }).msg),
      );
      assert.equal(markdown(lines), `${expected}\n\n- T (background; asked: Yes)`);
    });
  }

  it('include times as numbers and as dates', () => {
    const at = (line: object): number | undefined =>
      only(events([{ ...theirs(said('x')), t: undefined, ...line }]), 'message_chunk')[0]?.at;
    assert.equal(at({ ts: 1_700_000_000 }), 1_700_000_000_000);
    assert.equal(at({ timestamp: 1_700_000_000_123 }), 1_700_000_000_123);
    assert.equal(at({ time: '2026-01-02T03:04:05.006Z' }), Date.UTC(2026, 0, 2, 3, 4, 5, 6));
    assert.equal(at({ time: 'yesterday' }), START);
  });

  it('include a journal', () => {
    const event = { type: 'message_chunk', at: 5, role: 'agent', messageId: 'm', content: { type: 'text', text: 'kept' } };
    const { sessions, damaged } = replay([
      { acpHostJournal: 1, key: 'k', agentName: 'J', cwd: '/j', createdAt: 1 },
      { seq: 0, event: { type: 'session_opened', at: 4, agentName: 'J', cwd: '/j' } },
      { seq: 1, event },
      { seq: 2, event: { ...event, content: null } },
      { seq: 3, event: { ...event, at: 'now' } },
      { seq: 4, event: { type: 'from_the_future', at: 6 } },
    ]);
    assert.equal(damaged, 3);
    const { agentName, cwd, failure, entries } = stateOf(sessions[0]!.events);
    assert.deepEqual([agentName, cwd, failure?.code, entries.length], ['J', '/j', 'session.replayed', 2]);
    assert.deepEqual(
      only(sessions[0]!.events, 'notice').map((notice) => notice.failure),
      [{ code: 'log.damaged', params: { lines: 3 } }],
    );
  });
});

describe('a damaged log', () => {
  it('loses only the damaged lines, and reports their number', () => {
    const { sessions, damaged, cut } = replay([
      ...OPENED,
      'npm warn something',
      '{"dir":"a2c","msg":{"jsonrpc":"2.0","method":"session/upd',
      '[1,2]',
      '"text"',
      '{"hello":1}',
      { t: 1, dir: 'stderr', text: 'warming up' },
      { t: 1, dir: 'noise', text: 'Hello' },
      { t: 1, dir: 'note', msg: { initialize: {} } },
      { t: 1, dir: 'skipped', text: '{"id":1', length: 500 },
      { t: 1, dir: 'a2c', text: '{"id":1', length: 500 },
      theirs(said('after')),
    ]);
    assert.deepEqual([damaged, cut], [5, 1]);
    assert.deepEqual(
      only(sessions[0]!.events, 'notice').map((notice) => notice.failure?.params),
      [{ lines: 6 }],
    );
    assert.match(toMarkdown(stateOf(sessions[0]!.events)), /after/);
  });

  it('never throws whatever the lines are, and gives events that can be reduced', () => {
    const word = fc.constantFrom(
      'S',
      'T',
      'session/new',
      'session/update',
      'session/prompt',
      'session/load',
      'session/request_permission',
      'elicitation/create',
      'terminal/create',
      '$/cancel_request',
      'a2c',
      'c2a',
    );
    const value = fc.oneof(
      word,
      fc.jsonValue({ maxDepth: 3 }),
      fc.constant({ sessionId: 'S', update: { sessionUpdate: 'tool_call', toolCallId: 't' } }),
      fc.constant({ sessionId: 'S' }),
    );
    const frame = fc.record(
      {
        id: fc.option(fc.oneof(fc.integer({ min: 0, max: 3 }), word), { nil: undefined }),
        method: fc.option(word, { nil: undefined }),
        params: value,
        result: value,
        error: fc.option(value, { nil: undefined }),
      },
      { requiredKeys: [] },
    );
    const line = fc.oneof(frame, fc.record({ dir: word, msg: frame }), fc.record({ event: value }), fc.jsonValue());
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        for (const session of replay(lines.map((each) => JSON.stringify(each))).sessions) {
          stateOf(session.events);
        }
      }),
    );
  });

  const stream = async function* (text: string, size: number): AsyncIterable<Uint8Array> {
    const bytes = Buffer.from(text);
    for (let start = 0; start < bytes.length; start += size) {
      yield bytes.subarray(start, start + size);
    }
  };
  const options = { startedAt: START, agentName: 'x', versions: [LOGGED_V1] as const, maxBytes: 1_000_000, pause: async () => {} };

  it('is read in pieces cut anywhere, with any line ends', async () => {
    const text = '\ufeff' + [...OPENED, theirs(said('grün')), ''].map((line) => (line === '' ? '' : JSON.stringify(line))).join('\r\n');
    const { sessions, isWhole } = await replayStream(stream(text, 7), options);
    assert.equal(isWhole, true);
    assert.equal(toMarkdown(stateOf(sessions[0]!.events)), '## Agent\n\ngrün');
  });

  it('is read up to a bound, yields meanwhile, and stops when its reader gives up', async () => {
    const line = JSON.stringify(said('x')) + '\n';
    let pauses = 0;
    const pause = async (): Promise<void> => void pauses++;
    const log = await replayStream(stream(line.repeat(1000), 100), { ...options, maxBytes: line.length * 10 + 5, pause });
    assert.equal(log.isWhole, false);
    assert.equal(only(log.sessions[0]!.events, 'message_chunk').length, 10);
    assert.equal(only(log.sessions[0]!.events, 'notice').length, 0, 'the line at the bound is not damaged');
    assert.equal(pauses, Math.floor((line.length * 10 + 5) / 100));
    await assert.rejects(replayStream(stream(line, 10), { ...options, pause: () => Promise.reject(new Error('enough')) }), /enough/);
  });
});
