/**
 * The memory of a session in the extension host after 200 turns of 100 tool calls with diffs and outputs, beside that after 20 turns. The session writes its
 * journal to the disk, counts the changes of its turns, and swaps out its old entries, as in a window.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { EventInput } from '../../src/core/model/event';
import { SessionStorage } from '../../src/session/storage/sessionStorage';
import { Sessions } from '../../src/session/sessions';
import { systemClock } from '../../src/util/clock';
import { fakeDependencies, launch } from '../unit/session/fakes';
import type { BenchLine } from './run';

const FEW = 20;
const MANY = 200;
const CALLS = 100;

export async function run(): Promise<readonly BenchLine[]> {
  const root = mkdtempSync(path.join(os.tmpdir(), 'acp-host-memory-'));
  const { deps } = fakeDependencies();
  const journals = new SessionStorage({
    root: path.join(root, 'store'),
    earlier: { globalStorage: root },
    maxBytes: () => 1024 ** 3,
    log: deps.log,
  });
  const sessions = new Sessions({ ...deps, clock: systemClock, journals, swapFolder: path.join(root, 'swap') });
  try {
    const { store } = sessions.create(launch(), { cwd: root, additionalDirectories: [], mcpServers: [] });
    let few = 0;
    for (let turn = 0; turn < MANY; turn++) {
      for (const event of turnOf(turn, root)) {
        store.append(event);
      }
      await pause(20);
      if (turn === FEW - 1) {
        few = await memory(sessions);
      }
    }
    const many = await memory(sessions);
    if (store.state.entries.length < MANY * CALLS) {
      throw new Error(`${store.state.entries.length} entries`);
    }
    return [
      {
        name: `memory: ${MANY} turns of ${CALLS} calls beside ${FEW}`,
        value: many,
        unit: 'bytes',
        baseline: few,
        ratio: many / few,
        limit: 1.3,
      },
    ];
  } finally {
    sessions.dispose();
    rmSync(root, { recursive: true, force: true });
  }
}

function turnOf(turn: number, root: string): EventInput[] {
  const turnId = `t${turn}`;
  const events: EventInput[] = [
    { type: 'message_chunk', role: 'user', messageId: turnId, content: { type: 'text', text: `Question ${turn}` } },
    { type: 'turn_started', turnId },
    { type: 'message_chunk', role: 'agent', messageId: `m${turn}`, content: { type: 'text', text: `Answer ${turn}. `.repeat(100) } },
  ];
  for (let call = 0; call < CALLS; call++) {
    const text = Array.from({ length: 60 }, (_, line) => `export const value${line} = ${turn * call * line};`).join('\n');
    const toolCallId = `${turnId}c${call}`;
    events.push({ type: 'tool_call_update', toolCallId, patch: { title: `Edit ${call}.ts`, kind: 'edit', status: 'in_progress' } }, {
      type: 'tool_call_update',
      toolCallId,
      patch: {
        status: 'completed',
        content: [
          {
            type: 'diff',
            changes: [
              { operation: 'modify', path: path.join(root, `${call}.ts`), oldText: text.replaceAll('const', 'let'), newText: text },
            ],
          },
          { type: 'content', content: { type: 'text', text: `done ${call}\n`.repeat(200) } },
        ],
        rawOutput: { text: `line ${turn} ${call}\n`.repeat(200) },
      },
    } as EventInput);
  }
  return [...events, { type: 'turn_ended', turnId, stopReason: 'end_turn' }];
}

/** Returns the bytes of all objects and buffers after a collection, once everything is on the disk. */
async function memory(sessions: Sessions): Promise<number> {
  await sessions.flush();
  await pause(1500);
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  await pause(100);
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
