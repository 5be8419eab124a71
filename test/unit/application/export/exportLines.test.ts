import assert from 'node:assert/strict';
import { LOGGED_V1 } from '../../../../src/acp/v1/clientFrames';
import { LogReplay } from '../../../../src/acp/replay/replay';
import type { EventInput } from '../../../../src/core/model/event';
import { reduce } from '../../../../src/core/reduce/reduce';
import { EMPTY_STATE } from '../../../../src/core/model/state';
import { jsonPieces, markdownPieces } from '../../../../src/application/export/exportLines';
import { transcriptStrings } from '../../../../src/application/export/transcriptStrings';
import { parseJournal } from '../../../../webview/playground/player';
import { english } from '../english';
import { chunk } from '../../../support/events';

const header = { acpHostJournal: 1, key: 'k', agentName: 'Fake', cwd: '/home/ada/w', createdAt: 1 };
const journal = (...events: EventInput[]): string[] => [
  JSON.stringify(header),
  ...events.map((event, seq) => JSON.stringify({ seq, event: { ...event, at: 1000 + seq } })),
];
async function* from(lines: readonly string[]): AsyncIterable<string> {
  yield* lines;
}
async function all(pieces: AsyncIterable<string>): Promise<string> {
  const result: string[] = [];
  for await (const piece of pieces) {
    result.push(piece);
  }
  return result.join('');
}
const say = (words: string, messageId = '1') => chunk(words, messageId);

describe('an exported conversation', () => {
  it('in JSON is the header and every event', async () => {
    const lines = journal(say('One'), say('Two', '2'));
    const text = await all(jsonPieces(from([...lines.slice(0, 2), '{"torn', ...lines.slice(2)]), []));
    assert.deepEqual(JSON.parse(text), {
      header,
      events: [
        { ...say('One'), at: 1000 },
        { ...say('Two', '2'), at: 1001 },
      ],
    });
    assert.deepEqual(JSON.parse(await all(jsonPieces(from([]), []))), { header: null, events: [] });
    assert.deepEqual(JSON.parse(await all(jsonPieces(from(lines.slice(0, 1)), []))), { header, events: [] });
  });

  it('in JSON can be replayed as the same conversation, also in the playground', async () => {
    const events: EventInput[] = [
      { type: 'session_opened', agentName: 'Fake', cwd: '/home/ada/w' },
      {
        type: 'message',
        role: 'user',
        messageId: 'u',
        content: [
          { type: 'text', text: 'A "quoted",\n],\u2028 text ]}' },
          { type: 'image', mimeType: 'image/png', data: 'QUJD' },
        ],
      },
      say('Hello'),
      {
        type: 'tool_call_update',
        toolCallId: 'c',
        patch: {
          title: 'T',
          rawInput: { __proto__x: 1, big: 1e21 },
          content: [{ type: 'content', content: { type: 'text', text: '{"event": 1}' } }],
        },
        meta: { kept: [1] },
        extra: { odd: null },
      },
      { type: 'unknown', unknownId: 'x', label: 'odd', raw: { jsonrpc: '2.0', method: 'no/frame' } },
      say(' again.'),
    ];
    const text = await all(jsonPieces(from(journal(...events)), []));
    const expected = events.map((event, index) => ({ ...event, at: 1000 + index }));
    assert.deepEqual(parseJournal(text), expected);
    const replay = new LogReplay({ startedAt: 0, agentName: 'log', versions: [LOGGED_V1] });
    text.split('\n').forEach((line) => line !== '' && replay.push(line));
    const recordings = replay.end();
    assert.equal(recordings.length, 1);
    assert.deepEqual(recordings[0]!.events.slice(0, -1), expected);
    assert.equal(replay.damaged, 0);
    assert.equal(recordings[0]!.state.cwd, '/home/ada/w');
  });

  it('in JSON ends with the permission audit, which a replay leaves out', async () => {
    const audit = [{ at: 1, sessionId: 'k', agent: 'Fake', kind: 'mode', title: 'planOnly' }];
    for (const lines of [journal(say('Hello')), journal(), []]) {
      const text = await all(jsonPieces(from(lines), [], async () => audit));
      assert.deepEqual((JSON.parse(text) as { audit: unknown }).audit, audit);
      const replay = new LogReplay({ startedAt: 0, agentName: 'log', versions: [LOGGED_V1] });
      text.split('\n').forEach((line) => line !== '' && replay.push(line));
      assert.deepEqual([replay.end().length, replay.damaged], [lines.length > 1 ? 1 : 0, 0]);
      assert.equal(parseJournal(text).length, Math.max(0, lines.length - 1));
    }
  });

  it('in JSON without a message is no conversation, and does not break a replay', async () => {
    const replay = new LogReplay({ startedAt: 0, agentName: 'log', versions: [LOGGED_V1] });
    for (const lines of [[], journal()]) {
      (await all(jsonPieces(from(lines), []))).split('\n').forEach((line) => line !== '' && replay.push(line));
    }
    assert.deepEqual([replay.end().length, replay.damaged], [0, 0]);
  });

  it('in Markdown begins with its title', () => {
    const state = reduce(EMPTY_STATE, { ...say('Hello.'), at: 1 } as never);
    assert.equal(
      [...markdownPieces(state, transcriptStrings('Fake', english), 'A title', [])].join(''),
      '# A title\n\n## Fake\n\nHello.\n',
    );
  });
});
