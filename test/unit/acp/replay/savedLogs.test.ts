/**
 * Logs and journals from reports or recordings: each replays as the conversation in test/golden/replay. To add one, put the file into
 * test/fixtures/frames (`<name>.log.ndjson`) or test/fixtures/journals (`<name>.jsonl`) and write its golden text with ACP_HOST_UPDATE_GOLDEN=1.
 */
import assert from 'node:assert/strict';
import { createReadStream, readdirSync } from 'node:fs';
import path from 'node:path';
import { LOGGED_V1 } from '../../../../src/acp/v1/clientFrames';
import { replayStream } from '../../../../src/acp/replay/replay';
import { isSessionEvent } from '../../../../src/core/model/event';
import { reduce } from '../../../../src/core/reduce/reduce';
import { EMPTY_STATE } from '../../../../src/core/model/state';
import { toMarkdown } from '../../../../src/text/transcript/transcript';
import { assertGolden, hasGolden, readGolden } from '../../../support/golden';

const FIXTURES = path.join(__dirname, '../../../fixtures');
const GOLDEN = path.join(__dirname, '../../../golden/replay');

const files = [
  ...readdirSync(path.join(FIXTURES, 'frames'))
    .filter((name) => name.endsWith('.ndjson'))
    .map((name) => path.join('frames', name)),
  ...readdirSync(path.join(FIXTURES, 'journals'))
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => path.join('journals', name)),
];

const goldenOf = (file: string): string => `${path.basename(file).replace(/\.(ndjson|jsonl)$/, '')}.txt`;

/**
 * The log of a session of an earlier version, whose journal is stored too. When both hold the same conversation, its golden text exists once, in
 * test/golden/restored.
 */
function asRestored(file: string, [header, ...conversation]: readonly string[]): string[] | undefined {
  const name = `restored/${path.basename(file, '.log.ndjson')}.txt`;
  if (!hasGolden(name)) {
    return undefined;
  }
  const restored = readGolden(name);
  const same = [...restored.slice(restored.indexOf('')), ''].join('\n');
  return conversation.join('\n') === same ? [header!, '', `(the conversation of ${name})`] : undefined;
}

describe('saved logs', () => {
  for (const file of files) {
    it(`replay: ${file}`, async () => {
      // An odd chunk size, so that lines and characters are cut.
      const chunks = createReadStream(path.join(FIXTURES, file), { highWaterMark: 1009 }) as AsyncIterable<Uint8Array>;
      const log = await replayStream(chunks, {
        startedAt: 0,
        agentName: 'Agent',
        versions: [LOGGED_V1],
        maxBytes: Infinity,
        pause: async () => {},
      });
      assert.ok(log.isWhole && log.sessions.length > 0);
      const lines = log.sessions.flatMap(({ events, state: { sessionId } }) => {
        events.forEach((event) => assert.ok(isSessionEvent(JSON.parse(JSON.stringify(event))), JSON.stringify(event)));
        const state = events.reduce(reduce, EMPTY_STATE);
        assert.equal(state.failure?.code, 'session.replayed');
        return [`# ${state.agentName}, session ${sessionId}, in ${state.cwd}`, '', ...toMarkdown(state).split('\n'), ''];
      });
      assertGolden(`replay/${goldenOf(file)}`, asRestored(file, lines) ?? lines);
    });
  }

  it('have a log for every golden text', () => {
    assert.deepEqual(readdirSync(GOLDEN).sort(), files.map(goldenOf).sort());
  });
});
