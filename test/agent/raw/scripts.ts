/** Scripts of the raw agent about order and exits: what it writes, in which order, and how it exits. */
import { closeSync, writeSync } from 'node:fs';
import type { Place, Wire } from './wire';

type Script = (wire: Wire, place: Place, promptId: unknown, args: readonly string[]) => void | Promise<void>;

/** One message of the `flood` script that a session must show at the same position. */
export type Flooded = { readonly update: number } | { readonly ask: number } | 'answer';

/** 10,000 updates, a permission request after every 400th, and the prompt's answer among the last of them. */
export function* flood(): Generator<Flooded> {
  for (let index = 1; index <= 10_000; index++) {
    yield { update: index };
    if (index % 400 === 0) {
      yield { ask: index };
    }
    if (index === 9_100) {
      yield 'answer';
    }
  }
}

const update = (session: string, body: object): string =>
  JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: session, update: body } }) + '\n';

/** An update of one of several kinds in turn, with its number. */
function numbered(session: string, index: number): string {
  switch (index % 4) {
    case 0:
      return update(session, { sessionUpdate: 'tool_call_update', toolCallId: 'call', title: String(index) });
    case 1:
      return update(session, { sessionUpdate: 'usage_update', used: index, size: 100_000 });
    case 2:
      return update(session, { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: String(index) } });
    default:
      return update(session, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: String(index) } });
  }
}

function ask(session: string, id: string, title: string): string {
  const options = [{ optionId: 'allow', name: 'Allow', kind: 'allow_once' }];
  const params = { sessionId: session, toolCall: { toolCallId: 'call', title }, options };
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'session/request_permission', params }) + '\n';
}

const ended = (id: unknown): string => JSON.stringify({ jsonrpc: '2.0', id, result: { stopReason: 'end_turn' } }) + '\n';

/** Exits once everything written is with the system, so that no byte is lost on our side. */
async function die(wire: Wire): Promise<never> {
  await wire.drained();
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
}

export const SCRIPTS: Readonly<Record<string, Script>> = {
  /** Answers the prompt with the argument, with `${id}` filled in, and then reports that it is still alive. */
  odd: async (wire, { session }, promptId, [answer = '']) => {
    wire.write(`${answer.replaceAll('${id}', String(promptId))}\n`);
    await wire.take(0);
    wire.write(update(session, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'after' } }));
  },

  /** Writes everything of {@link flood} without waiting, and then waits for all answers. */
  flood: async (wire, { session }, promptId) => {
    wire.write(update(session, { sessionUpdate: 'tool_call', toolCallId: 'call', title: '0', rawInput: { a: 1 } }));
    for (const each of flood()) {
      wire.write(
        each === 'answer'
          ? ended(promptId)
          : 'ask' in each
            ? ask(session, `ask-${each.ask}`, `ask ${each.ask}`)
            : numbered(session, each.update),
      );
    }
    const answers = await wire.take(25);
    wire.write(
      update(session, {
        sessionUpdate: 'session_info_update',
        title: `answered ${answers.filter((answer) => answer.includes('"allow"')).length}`,
      }),
    );
  },

  /** Writes 5,000 updates in one chunk and exits; `unterminated`: without the last line feed. */
  tail: async (wire, { session }, _promptId, [how]) => {
    const text = Array.from({ length: 5_000 }, (_, index) => numbered(session, index + 1)).join('');
    wire.write(how === 'unterminated' ? text.slice(0, -1) : text);
    await die(wire);
  },

  /** Exits while both sides owe answers. */
  'dies-owing': async (wire, { session, cwd }) => {
    wire.write(ask(session, 'q', 'wait'));
    wire.send({
      id: 'r',
      method: 'terminal/create',
      params: { sessionId: session, command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'], cwd },
    });
    await wire.answered('"r" ');
    wire.send({ id: 'w', method: 'terminal/wait_for_exit', params: { sessionId: session, terminalId: 'terminal-1' } });
    await wire.drained();
    writeSync(2, 'panic: out of luck\n');
    process.exit(3);
  },

  /** Exits in the middle of a line of 50 MB. */
  'dies-in-line': async (wire, { session }) => {
    wire.write(update(session, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'before' } }));
    wire.write(
      update(session, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'x'.repeat(50 * 1024 * 1024) } }).slice(
        0,
        25 * 1024 * 1024,
      ),
    );
    await die(wire);
  },

  /** Stays alive, but can never write again. */
  'closes-stdout': async (wire, { session }) => {
    wire.write(update(session, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'before' } }));
    await wire.drained();
    closeSync(1);
    setInterval(() => undefined, 1000);
  },

  /** Answers, stays alive and writes, but never reads again. */
  'closes-stdin': (wire, { session }, promptId) => {
    process.stdin.removeAllListeners('end');
    process.stdin.destroy();
    closeSync(0); // Node itself leaves the descriptor open.
    wire.write(ended(promptId));
    setInterval(() => wire.write(update(session, { sessionUpdate: 'usage_update', used: 1, size: 2 })), 20);
  },
};
