import assert from 'node:assert/strict';
import { Redaction } from '../../../src/acp/redact';
import { secretValues } from '../../../src/acp/secrets';
import { LogReplay } from '../../../src/acp/replay';
import type { SessionHappening } from '../../../src/core/event';
import { reduce } from '../../../src/core/reduce';
import { EMPTY_STATE } from '../../../src/core/state';
import { bundleLines, jsonPieces, markdownPieces, withoutHome, withoutHomes } from '../../../src/workbench/exportLines';
import { transcriptWords } from '../../../src/workbench/transcriptWords';
import { english } from './english';

const header = { acpHostJournal: 1, key: 'k', agentName: 'Fake', cwd: '/home/ada/w', createdAt: 1 };
const journal = (...happenings: SessionHappening[]): string[] => [
  JSON.stringify(header),
  ...happenings.map((happening, seq) => JSON.stringify({ seq, event: { ...happening, at: 1000 + seq } })),
];
async function* from(lines: readonly string[]): AsyncIterable<string> {
  yield* lines;
}
async function all(pieces: AsyncIterable<string>): Promise<string> {
  const result: string[] = [];
  for await (const piece of pieces) result.push(piece);
  return result.join('');
}
const say = (text: string, messageId = '1'): SessionHappening => ({ type: 'message_chunk', role: 'agent', messageId, content: { type: 'text', text } });
const bundle = (lines: readonly string[], env: Record<string, string> = {}) =>
  all(bundleLines(from(lines), { vscode: '1.2.3', extension: '0.1.0', platform: 'linux x64', agentInfo: { name: 'fake', version: '9' } }, new Redaction(secretValues(env)), '/home/ada'));
const linesOf = (text: string) => text.trimEnd().split('\n').map((line) => JSON.parse(line) as Record<string, never>);

describe('an exported conversation', () => {
  it('as JSON is the header and every event', async () => {
    const lines = journal(say('One'), say('Two', '2'));
    const text = await all(jsonPieces(from([...lines.slice(0, 2), '{"torn', ...lines.slice(2)])));
    assert.deepEqual(JSON.parse(text), { header, events: [{ ...say('One'), at: 1000 }, { ...say('Two', '2'), at: 1001 }] });
    assert.deepEqual(JSON.parse(await all(jsonPieces(from([])))), { header: null, events: [] });
    assert.deepEqual(JSON.parse(await all(jsonPieces(from(lines.slice(0, 1))))), { header, events: [] });
  });

  it('as markdown begins with its title', () => {
    const state = reduce(EMPTY_STATE, { ...say('Hello.'), at: 1 } as never);
    assert.equal([...markdownPieces(state, transcriptWords('Fake', english), 'A title')].join(''), '# A title\n\n## Fake\n\nHello.\n');
  });

  describe('as a bundle', () => {
    it('says what ran where', async () => {
      const [first] = linesOf(await bundle(journal()));
      assert.deepEqual(first, { ...header, cwd: '~/w', acpHostBundle: 1, vscode: '1.2.3', extension: '0.1.0', platform: 'linux x64', agentInfo: { name: 'fake', version: '9' } });
    });

    it('has no secrets, not even those that came in pieces', async () => {
      const text = await bundle(
        journal(
          say('The key is sk-abc'),
          say('defghijklmnop'),
          say('qrstuvwx, and hunt'),
          say('er2hunter2 is the value.'),
          { type: 'tool_call_update', toolCallId: 'c', patch: { rawInput: { env: { SOME: 'value of it' }, apiKey: 'abc' } } },
          { type: 'elicitation_resolved', requestKey: 'e', outcome: 'accepted', content: { name: 'Ada Lovelace' } },
          { type: 'message', role: 'user', messageId: 'u', content: [{ type: 'image', mimeType: 'image/png', data: 'QUJD' }, { type: 'text', text: 'data: QUJD' }] },
        ),
        { HIDDEN: 'hunter2hunter2' },
      );
      for (const secret of ['abcdef', 'qrstuvwx', 'hunter2', 'value of it', 'Lovelace', '"QUJD']) assert.ok(!text.includes(secret), secret);
      assert.ok(text.includes('data: QUJD'));
      assert.equal(linesOf(text).length, 6);
    });

    it('has no name of the user’s folder, however it is written', () => {
      const posix = (text: string) => withoutHome(text, '/home/ada');
      assert.equal(posix('"/home/ada/x" "/home/ada" file:///home/ada/x /home/adam /home/ada-b /data/home/ada'), '"~/x" "~" file://~/x /home/adam /home/ada-b /data~');
      const windows = (value: unknown) => withoutHome(JSON.stringify(value), 'C:\\Users\\ada');
      assert.equal(windows('C:\\Users\\ada\\x'), '"~\\\\x"');
      assert.equal(windows('c:/users/ADA/x'), '"~/x"');
      assert.equal(windows(JSON.stringify({ p: 'C:\\Users\\ada\\x' })), JSON.stringify(JSON.stringify({ p: '~\\x' })));
      assert.equal(windows('file:///c%3A/Users/ada/x'), '"file://~/x"');
      assert.equal(withoutHome('/', '/'), '/');
      assert.deepEqual([...withoutHomes(['{"cwd":"/home/ada"}'], '/home/ada')], ['{"cwd":"~"}\n']);
    });

    it('replays as the conversation that it was', async () => {
      const text = await bundle(
        journal(
          { type: 'session_opened', agentName: 'Fake', cwd: '/home/ada/w' },
          ...['A', ' long', ' answer.'].map((piece) => say(piece)),
          { type: 'terminal_update', terminalId: 't', command: 'ls' },
          ...['a', 'b'].map((piece): SessionHappening => ({ type: 'terminal_output', terminalId: 't', text: piece })),
          say('Another.', '2'),
        ),
      );
      const replay = new LogReplay({ startedAt: 0, agentName: 'log' });
      text.trimEnd().split('\n').forEach((line) => replay.push(line));
      const [recording] = replay.end();
      const state = recording!.events.reduce(reduce, EMPTY_STATE);
      assert.equal(state.agentName, 'Fake');
      assert.equal(state.terminals['t']!.output, 'ab');
      const answer = state.entries.get('agent:1');
      assert.ok(answer && 'content' in answer && answer.kind === 'message');
      assert.deepEqual([answer.content, answer.at, answer.updatedAt], [[{ type: 'text', text: 'A long answer.' }], 1001, 1003]);
      assert.equal(replay.damaged, 0);
    });
  });
});
