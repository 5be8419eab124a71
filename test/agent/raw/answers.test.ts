/** Malformed answers to a pending prompt: each ends the turn as the agent meant it, or does not affect it. */
import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { watchLeaks } from '../../support/leaks';
import { Stage } from '../../support/scenario/stage';
import { happened, rawAgent } from './launch';

describe('an odd answer', function () {
  this.timeout(60_000);
  watchLeaks();

  /** The events of the turn, up to the agent's next message. */
  async function answered(answer: string): Promise<{ readonly turn: string | undefined; readonly failure: string | undefined }> {
    const cwd = await realpath(await mkdtemp(path.join(tmpdir(), 'odd-')));
    const stage = new Stage(cwd, { launch: rawAgent('odd', answer) });
    try {
      await stage.ready();
      const seen = happened(stage);
      let failure: string | undefined;
      const after = new Promise<void>((resolve) =>
        stage.session.store.onEvents((_, events) =>
          events.forEach((event) => {
            if (event.type === 'turn_ended') {
              failure = event.failure && [event.failure.code, event.failure.detail].filter(Boolean).join(' ');
            }
            if (event.type === 'message_chunk') {
              resolve();
            }
          }),
        ),
      );
      stage.prompt('go');
      await after;
      return { turn: seen.find((line) => line.startsWith('turn_ended')), failure };
    } finally {
      await stage.close();
      await rm(cwd, { recursive: true, force: true });
      stage.checkFrames();
    }
  }

  const cases: readonly [name: string, answer: string, turn: string | undefined, failure?: string][] = [
    ['with the id as text, and no version', '{"id":"${id}","result":{"stopReason":"end_turn"}}', 'turn_ended end_turn'],
    [
      'with a result beside error null',
      '{"jsonrpc":"2.0","id":${id},"result":{"stopReason":"max_tokens"},"error":null}',
      'turn_ended max_tokens',
    ],
    [
      'with result null beside an error',
      '{"jsonrpc":"2.0","id":${id},"result":null,"error":{"code":-32050,"message":"no"}}',
      'turn_ended error',
      'request.failed no',
    ],
    [
      'with both',
      '{"jsonrpc":"2.0","id":${id},"result":{"stopReason":"end_turn"},"error":{"code":-32050,"message":"no"}}',
      'turn_ended error',
      'request.failed no',
    ],
    ['with neither', '{"jsonrpc":"2.0","id":${id}}', 'turn_ended unknown'],
    ['with an error without message', '{"jsonrpc":"2.0","id":${id},"error":{"code":-32000}}', 'turn_ended error', 'auth.required'],
    ['with an error without code', '{"jsonrpc":"2.0","id":${id},"error":{"message":"no"}}', 'turn_ended error', 'request.failed no'],
    ['with a text as error', '{"jsonrpc":"2.0","id":${id},"error":"no"}', 'turn_ended error', 'request.failed no'],
    [
      'twice',
      '{"jsonrpc":"2.0","id":${id},"result":{"stopReason":"end_turn"}}\n{"jsonrpc":"2.0","id":${id},"error":{"code":1,"message":"late"}}',
      'turn_ended end_turn',
    ],
    [
      'to somebody else',
      '{"jsonrpc":"2.0","id":"x${id}","result":{"stopReason":"end_turn"}}\n{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?"}}',
      undefined,
    ],
    ['that is a malformed request with the same id', '{"jsonrpc":"2.0","id":${id},"method":7,"params":{}}', undefined],
  ];
  for (const [name, answer, turn, failure] of cases) {
    it(name, async () => assert.deepEqual(await answered(answer), { turn, failure }));
  }
});
