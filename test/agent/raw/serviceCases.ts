/** Cases that only the whole stack can answer: the rooms' own errors, cancellation of slow requests, and answers out of order. */
import type { Place, Wire } from './wire';

export interface RoomCase {
  readonly name: string;
  /** Like `Case.answers`. */
  readonly answers: readonly string[];
  /** Sends the messages; the answers are collected afterwards. */
  run(wire: Wire, place: Place): void | Promise<void>;
}

const OPTIONS = [
  { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
  { optionId: 'odd', name: 'For a minute', kind: 'allow_for_a_minute' },
];

/** The user of the stage answers requests named `ask…`, and ignores those named `wait…`. */
function permission(id: string, title: string, { session }: Place, options: unknown = OPTIONS): string {
  const params = { sessionId: session, toolCall: { toolCallId: `call-${title}`, title }, options };
  return `{"jsonrpc":"2.0","id":${id},"method":"session/request_permission","params":${JSON.stringify(params)}}\n`;
}

const cancel = (id: string): string => `{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":${id}}}\n`;

function call(id: string, method: string, params: object): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${JSON.stringify(params)}}\n`;
}

const CANCELLED = '{"outcome":{"outcome":"cancelled"}}';
const ALLOWED = '{"outcome":{"outcome":"selected","optionId":"allow"}}';

export const ROOM_CASES: readonly RoomCase[] = [
  {
    name: 'a file that is not there',
    answers: ['"r1" -32002'],
    run: (wire, { session, cwd }) => wire.write(call('"r1"', 'fs/read_text_file', { sessionId: session, path: `${cwd}/none.js` })),
  },
  {
    name: "a file outside the session's folder",
    answers: ['"r2" -32602'],
    run: (wire, { session }) => wire.write(call('"r2"', 'fs/read_text_file', { sessionId: session, path: '/etc/passwd' })),
  },
  {
    name: 'a path that is not absolute',
    answers: ['"r3" -32602'],
    run: (wire, { session }) => wire.write(call('"r3"', 'fs/read_text_file', { sessionId: session, path: 'calc.js' })),
  },
  {
    name: 'a line that is no number',
    answers: ['"r4" -32602'],
    run: (wire, { session, cwd }) =>
      wire.write(call('"r4"', 'fs/read_text_file', { sessionId: session, path: `${cwd}/calc.js`, line: 'one' })),
  },
  {
    name: 'a sub-session of the only session',
    answers: ['"r5" {"content":"text\\n"}'],
    run: (wire, { cwd }) => wire.write(call('"r5"', 'fs/read_text_file', { sessionId: 'nobody', path: `${cwd}/calc.js` })),
  },
  {
    name: 'a sub-session in a permission request',
    answers: ['9007199254740993 {"outcome":{"outcome":"selected","optionId":"allow"}}'],
    run: (wire, place) => wire.write(permission('9007199254740993', 'ask', { ...place, session: 'nobody' })),
  },
  {
    name: 'a file is written, and read again',
    answers: ['"w1" {}', '"w2" {"content":"new\\n"}'],
    run: (wire, { session, cwd }) => {
      wire.write(call('"w1"', 'fs/write_text_file', { sessionId: session, path: `${cwd}/new.js`, content: 'new\n' }));
      wire.write(call('"w2"', 'fs/read_text_file', { sessionId: session, path: `${cwd}/new.js` }));
    },
  },
  {
    name: 'an unknown terminal',
    answers: ['"t1" -32002', '"t2" -32002', '"t3" -32002', '"t4" -32002'],
    run: (wire, { session }) =>
      ['terminal/output', 'terminal/wait_for_exit', 'terminal/kill', 'terminal/release'].forEach((method, index) =>
        wire.write(call(`"t${index + 1}"`, method, { sessionId: session, terminalId: 'none' })),
      ),
  },
  {
    name: 'a terminal, from its start to its release',
    answers: ['1 {"terminalId":"terminal-1"}', '2 {"exitCode":3,"signal":null}', '3 {}', '4 -32002'],
    run: async (wire, { session }) => {
      wire.write(call('1', 'terminal/create', { sessionId: session, command: process.execPath, args: ['-e', 'process.exit(3)'] }));
      const terminal = { sessionId: session, terminalId: 'terminal-1' };
      await wire.answered('1 ');
      wire.write(call('2', 'terminal/wait_for_exit', terminal));
      await wire.answered('2 ');
      wire.write(call('3', 'terminal/release', terminal));
      await wire.answered('3 ');
      wire.write(call('4', 'terminal/output', terminal));
    },
  },
  {
    name: 'waiting for a terminal is cancelled, and the terminal runs on',
    answers: ['"c1" {"terminalId":"terminal-2"}', '"c2" -32800', '"c3" {}', '"c4" {}'],
    run: async (wire, { session }) => {
      wire.write(
        call('"c1"', 'terminal/create', { sessionId: session, command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] }),
      );
      const terminal = { sessionId: session, terminalId: 'terminal-2' };
      await wire.answered('"c1" ');
      wire.write(call('"c2"', 'terminal/wait_for_exit', terminal));
      wire.write(cancel('"c2"'));
      await wire.answered('"c2" ');
      wire.write(call('"c3"', 'terminal/kill', terminal));
      await wire.answered('"c3" ');
      wire.write(call('"c4"', 'terminal/release', terminal));
    },
  },
  {
    name: 'a write that the user is asked about is taken back',
    answers: ['"p1" -32800', '"p2" -32002'],
    run: (wire, { session, cwd }) => {
      const path = `${cwd}/.git/config`;
      wire.write(call('"p1"', 'fs/write_text_file', { sessionId: session, path, content: 'planted' }) + cancel('"p1"'));
      wire.write(call('"p2"', 'fs/read_text_file', { sessionId: session, path }));
    },
  },
  { name: 'a permission', answers: [`"a1" ${ALLOWED}`], run: (wire, place) => wire.write(permission('"a1"', 'ask', place)) },
  {
    name: 'a permission with a large id and an unknown kind of option',
    answers: ['9223372036854775807 {"outcome":{"outcome":"selected","optionId":"odd"}}'],
    run: (wire, place) => wire.write(permission('9223372036854775807', 'ask odd', place, [OPTIONS[2]])),
  },
  {
    name: 'a permission is taken back',
    answers: [`"b1" ${CANCELLED}`],
    run: (wire, place) => wire.write(permission('"b1"', 'wait', place) + cancel('"b1"')),
  },
  {
    name: 'of two permissions with neighbouring large ids one is taken back, the other answered',
    answers: [`9007199254740993 ${CANCELLED}`, `9007199254740992 ${ALLOWED}`],
    run: (wire, place) =>
      wire.write(permission('9007199254740993', 'wait', place) + permission('9007199254740992', 'ask', place) + cancel('9007199254740993')),
  },
  {
    name: 'a permission is not taken back by its id as text',
    answers: [`7 ${CANCELLED}`],
    run: async (wire, place) => {
      wire.write(permission('7', 'wait', place) + cancel('"7"'));
      if (await wire.isAnswered('7 ')) {
        throw new Error('it was');
      }
      wire.write(cancel('7'));
    },
  },
  {
    name: 'others are answered while a permission waits',
    answers: ['"e2" {"content":"text\\n"}', `"e1" ${CANCELLED}`],
    run: async (wire, place) => {
      wire.write(permission('"e1"', 'wait', place));
      wire.write(call('"e2"', 'fs/read_text_file', { sessionId: place.session, path: `${place.cwd}/calc.js` }));
      await wire.answered('"e2" ');
      wire.write(cancel('"e1"'));
    },
  },
  {
    name: 'a line of 50 MB',
    answers: ['"l1" {"content":"text\\n"}'],
    run: (wire, { session, cwd }) =>
      wire.write(
        call('"l1"', 'fs/read_text_file', { _meta: { pad: 'é'.repeat(25 * 1024 * 1024) }, sessionId: session, path: `${cwd}/calc.js` }),
      ),
  },
  {
    name: 'an update of 50 MB',
    answers: [],
    run: (wire, { session }) =>
      wire.send({
        method: 'session/update',
        params: { sessionId: session, update: { sessionUpdate: 'tool_call', toolCallId: 'large', title: 'é'.repeat(25 * 1024 * 1024) } },
      }),
  },
  {
    name: 'a line of 129 MB, its id at the beginning',
    answers: ['9007199254740993 -32600'],
    run: (wire) => long(wire, '{"jsonrpc":"2.0","id":9007199254740993,"method":"fs/write_text_file","params":{"content":"', '"}}\n'),
  },
  {
    name: 'a line of 129 MB, its id at the end',
    answers: ['"l2" -32600'],
    run: (wire) => long(wire, '{"jsonrpc":"2.0","method":"fs/write_text_file","params":{"content":"', '"},"id":"l2"}\n'),
  },
  {
    name: 'a notification of 129 MB',
    answers: [],
    run: (wire) => long(wire, '{"jsonrpc":"2.0","method":"session/update","params":{"content":"', '"}}\n'),
  },
];

/** Writes a line longer than the client reads, without having all of it in memory. */
async function long(wire: Wire, start: string, end: string): Promise<void> {
  const megabyte = Buffer.alloc(1024 * 1024, 'x');
  wire.write(start);
  for (let count = 0; count < 129; count++) {
    wire.write(megabyte);
    await wire.drained();
  }
  wire.write(end);
}
