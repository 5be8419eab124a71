/**
 * What an agent may put on the wire, byte by byte, and what it must get back: the JSON-RPC 2.0 specification with its examples, and what the
 * protocol's pages "Transports", "Cancellation", "Extensibility" and "Overview" (error handling) add. Played twice: against the dialect over a
 * transport in memory (test/unit/acp/v1/rawCases.test.ts), and by an agent's process against the whole stack (raw.test.ts beside this file).
 */

/** What the stage has: the file `${cwd}/calc.js` with the text `text\n`, and the session `${session}`. */
export interface Case {
  readonly name: string;
  /** A string is a line, its line feed is added; bytes go out as they are. Each is a piece of its own. */
  readonly send: readonly (string | Uint8Array)[];
  /** Instead, all of it in pieces of so many bytes. */
  readonly cut?: number;
  /** In any order: `<id as it is written> <code of the error>`, or `<id> <result as JSON>`. Nothing else may come. */
  readonly answers: readonly string[];
}

/** The params of a request that is in order; its answer is {@link TEXT}. */
const PARAMS = '{"sessionId":"${session}","path":"${cwd}/calc.js"}';
const READ = `"method":"fs/read_text_file","params":${PARAMS}`;
const TEXT = '{"content":"text\\n"}';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

/** A request in order, with this id. */
const read = (id: string): string => `{"jsonrpc":"2.0","id":${id},${READ}}`;

/** A request whose id is written so, and comes back so. */
const echoed = (name: string, id: string, back = id): Case => ({ name: `id: ${name}`, send: [read(id)], answers: [`${back} ${TEXT}`] });

/** One line, and one error or nothing. */
const line = (name: string, text: string, answer?: string): Case => ({ name, send: [text], answers: answer === undefined ? [] : [answer] });

const IDS: readonly Case[] = [
  echoed('a number', '1000'),
  echoed('zero', '0'),
  echoed('negative', '-7'),
  echoed('a fraction', '1.5'),
  echoed('an integer with a fraction', '1001.0'),
  echoed('an integer with an exponent', '1e3'),
  echoed('minus zero', '-0'),
  echoed('the largest safe integer', '9007199254740991'),
  echoed('2^53', '9007199254740992'),
  echoed('2^53 + 1', '9007199254740993'),
  echoed('-(2^53 + 1)', '-9007199254740993'),
  echoed('the largest of 64 bits', '9223372036854775807'),
  echoed('the smallest of 64 bits', '-9223372036854775808'),
  echoed('the largest of 64 bits without sign', '18446744073709551615'),
  echoed('thirty digits', '123456789012345678901234567890'),
  echoed('larger than any double', '1e400'),
  echoed('a large exponent', '-1.5E+300'),
  echoed('many decimals', '0.1234567890123456789'),
  echoed('null', 'null'),
  echoed('text', '"abc"'),
  echoed('empty text', '""'),
  echoed('a number as text', '"12"'),
  echoed('a UUID', '"0b6e4b3c-8a5e-4f0e-9d0a-3a8f1c0f6a11"'),
  echoed('a pair of escaped surrogates', '"\\ud83d\\ude00"', '"😀"'),
  echoed('an emoji', '"😀"'),
  echoed('quotes and backslashes', '"a\\"b\\\\c"'),
  echoed('control characters', '"\\u0000\\n"'),
  echoed('a lone surrogate', '"\\ud800"'),
  echoed('U+2028', '"\u2028"'),
  echoed('the name of a property of all objects', '"__proto__"'),
  {
    name: 'id: large, in the last member',
    send: [`{"jsonrpc":"2.0",${READ},"id":9007199254740993}`],
    answers: [`9007199254740993 ${TEXT}`],
  },
  {
    name: 'id: large, with others inside params',
    send: [`{"params":{"id":1,"sessionId":"\${session}","path":"\${cwd}/calc.js"},"method":"fs/read_text_file","id": 9007199254740993 }`],
    answers: [`9007199254740993 ${TEXT}`],
  },
  {
    name: 'id: large, under an escaped name',
    send: [`{"jsonrpc":"2.0","\\u0069d":9007199254740993,${READ}}`],
    answers: [`9007199254740993 ${TEXT}`],
  },
  {
    name: 'id: given twice, the last one counts',
    send: [`{"jsonrpc":"2.0","id":1,"id":9007199254740993,${READ}}`],
    answers: [`9007199254740993 ${TEXT}`],
  },
  line('id: an object', `{"jsonrpc":"2.0","id":{"a":1},${READ}}`, 'null -32600'),
  line('id: an array', `{"jsonrpc":"2.0","id":[1],${READ}}`, 'null -32600'),
  line('id: true', `{"jsonrpc":"2.0","id":true,${READ}}`, 'null -32600'),
  line('id: false', `{"jsonrpc":"2.0","id":false,${READ}}`, 'null -32600'),
];

const REQUESTS: readonly Case[] = [
  line('unknown method', '{"jsonrpc":"2.0","id":"u1","method":"foobar"}', '"u1" -32601'),
  line('unknown method with params by position', '{"jsonrpc":"2.0","id":"u2","method":"subtract","params":[42,23]}', '"u2" -32601'),
  line('unknown method of an existing group', '{"jsonrpc":"2.0","id":"u3","method":"fs/delete","params":{}}', '"u3" -32601'),
  line(
    'unknown extension request',
    '{"jsonrpc":"2.0","id":"u4","method":"_zed.dev/workspace/buffers","params":{"language":"rust"}}',
    '"u4" -32601',
  ),
  line('unknown $/ request', '{"jsonrpc":"2.0","id":"u5","method":"$/progress","params":{}}', '"u5" -32601'),
  line(
    'a method for agents',
    '{"jsonrpc":"2.0","id":"u6","method":"session/prompt","params":{"sessionId":"${session}","prompt":[]}}',
    '"u6" -32601',
  ),
  line('a reserved method', '{"jsonrpc":"2.0","id":"u7","method":"rpc.discover"}', '"u7" -32601'),
  line('an empty method', '{"jsonrpc":"2.0","id":"u8","method":""}', '"u8" -32601'),
  line('a method in other letters', '{"jsonrpc":"2.0","id":"u9","method":"FS/read_text_file","params":{}}', '"u9" -32601'),
  line(
    'the name of a property of all objects as method',
    '{"jsonrpc":"2.0","id":"u10","method":"constructor","params":{}}',
    '"u10" -32601',
  ),
  line('__proto__ as method', '{"jsonrpc":"2.0","id":"u11","method":"__proto__","params":{}}', '"u11" -32601'),
  line(
    "a notification's method as request",
    '{"jsonrpc":"2.0","id":"u12","method":"$/cancel_request","params":{"requestId":1}}',
    '"u12" -32601',
  ),
  line('params missing', '{"jsonrpc":"2.0","id":"p1","method":"fs/read_text_file"}', '"p1" -32602'),
  line('params null', '{"jsonrpc":"2.0","id":"p2","method":"fs/read_text_file","params":null}', '"p2" -32602'),
  line(
    'params by position',
    '{"jsonrpc":"2.0","id":"p3","method":"fs/read_text_file","params":["${session}","${cwd}/calc.js"]}',
    '"p3" -32602',
  ),
  line('params a text', '{"jsonrpc":"2.0","id":"p4","method":"fs/read_text_file","params":"bar"}', '"p4" -32602'),
  line('params a number', '{"jsonrpc":"2.0","id":"p5","method":"fs/read_text_file","params":5}', '"p5" -32602'),
  line('params true', '{"jsonrpc":"2.0","id":"p6","method":"fs/read_text_file","params":true}', '"p6" -32602'),
  line('params empty', '{"jsonrpc":"2.0","id":"p7","method":"fs/read_text_file","params":{}}', '"p7" -32602'),
  line(
    'a required field missing',
    '{"jsonrpc":"2.0","id":"p8","method":"fs/read_text_file","params":{"sessionId":"${session}"}}',
    '"p8" -32602',
  ),
  line(
    'a field of the wrong type',
    '{"jsonrpc":"2.0","id":"p9","method":"fs/read_text_file","params":{"sessionId":"${session}","path":7}}',
    '"p9" -32602',
  ),
  line('no session named', '{"jsonrpc":"2.0","id":"p10","method":"fs/read_text_file","params":{"path":"${cwd}/calc.js"}}', '"p10" -32602'),
  line(
    'a permission without options',
    '{"jsonrpc":"2.0","id":"p11","method":"session/request_permission","params":{"sessionId":"${session}","toolCall":{"toolCallId":"t"},"options":[]}}',
    '"p11" -32602',
  ),
  line(
    'a terminal without command',
    '{"jsonrpc":"2.0","id":"p12","method":"terminal/create","params":{"sessionId":"${session}"}}',
    '"p12" -32602',
  ),
  line(
    'further fields',
    `{"jsonrpc":"2.0","id":"f1","trace":{"a":1},"method":"fs/read_text_file","params":{"x":null,"sessionId":"\${session}","path":"\${cwd}/calc.js","_meta":{"__proto__":{"polluted":true},"constructor":{"prototype":{}}},"__proto__":{"line":5}}}`,
    `"f1" ${TEXT}`,
  ),
  line(
    'optional fields null',
    `{"jsonrpc":"2.0","id":"f2","method":"fs/read_text_file","params":{"sessionId":"\${session}","path":"\${cwd}/calc.js","line":null,"limit":null,"_meta":null}}`,
    `"f2" ${TEXT}`,
  ),
  line(
    'white space everywhere',
    `  { "jsonrpc" : "2.0" ,\t"id" : "f3" , "method" : "fs/read_text_file" , "params" : ${PARAMS} }  `,
    `"f3" ${TEXT}`,
  ),
  line('members in another order', `{"params":${PARAMS},"id":"f4","method":"fs/read_text_file","jsonrpc":"2.0"}`, `"f4" ${TEXT}`),
  { name: 'two requests with one id', send: [read('"twice"'), read('"twice"')], answers: [`"twice" ${TEXT}`, `"twice" ${TEXT}`] },
  { name: 'a number and the same as text are two ids', send: [read('77'), read('"77"')], answers: [`77 ${TEXT}`, `"77" ${TEXT}`] },
  {
    name: 'an id again once it was answered',
    send: [line('', '{"jsonrpc":"2.0","id":"again","method":"nothing"}').send[0]!, read('"again"')],
    answers: ['"again" -32601', `"again" ${TEXT}`],
  },
];

const VERSIONS: readonly Case[] = [
  line('jsonrpc missing, as version 1 has it', `{"id":"v1",${READ}}`, `"v1" ${TEXT}`),
  line('jsonrpc "1.0"', `{"jsonrpc":"1.0","id":"v2",${READ}}`, '"v2" -32600'),
  line('jsonrpc "3.0"', `{"jsonrpc":"3.0","id":"v3",${READ}}`, '"v3" -32600'),
  line('jsonrpc 2.0, a number', `{"jsonrpc":2.0,"id":"v4",${READ}}`, '"v4" -32600'),
  line('jsonrpc null', `{"jsonrpc":null,"id":"v5",${READ}}`, '"v5" -32600'),
];

const INVALID: readonly Case[] = [
  line('method a number, without id', '{"jsonrpc":"2.0","method":1,"params":"bar"}', 'null -32600'),
  line('method a number', '{"jsonrpc":"2.0","id":"i1","method":7}', '"i1" -32600'),
  line('method null', '{"jsonrpc":"2.0","id":"i2","method":null}', '"i2" -32600'),
  line('method an object', '{"jsonrpc":"2.0","id":"i3","method":{"name":"x"}}', '"i3" -32600'),
  line('method an array', '{"jsonrpc":"2.0","id":"i4","method":["x"],"params":{}}', '"i4" -32600'),
  line('no method', '{"jsonrpc":"2.0","id":"i5","params":{}}', '"i5" -32600'),
  line('no method, large id', '{"jsonrpc":"2.0","id":9007199254740993}', '9007199254740993 -32600'),
  line('only jsonrpc', '{"jsonrpc":"2.0"}', 'null -32600'),
  line('only params', '{"params":{}}', 'null -32600'),
  line('only an id', '{"id":"i6"}', '"i6" -32600'),
  line('a method that is none, without jsonrpc', '{"id":"i7","method":7}', '"i7" -32600'),
  line('an empty object', '{}', 'null -32600'),
  line('an empty batch', '[]', 'null -32600'),
  line('a batch of a number', '[1]', 'null -32600'),
  line('a batch of numbers', '[1,2,3]', 'null -32600'),
  line('a number', '42', 'null -32600'),
  line('a negative number with an exponent', ' -1.5e3 ', 'null -32600'),
  line('null', 'null', 'null -32600'),
  line('true', 'true', 'null -32600'),
  line('false', '\tfalse', 'null -32600'),
  line('a text', '"x"', 'null -32600'),
  line('a text that looks like a message', JSON.stringify('{"jsonrpc":"2.0","id":1}'), 'null -32600'),
  line('noise: what begins as a value', '42 files\nnullable\n"x" is\n-\n1.2.3\ntrue story\n"open'),
  line('a batch of requests', `[${read('"b1"')},${read('"b2"')}]`, 'null -32600'),
  line(
    'a batch of notifications',
    '[{"jsonrpc":"2.0","method":"notify_sum","params":[1,2,4]},{"jsonrpc":"2.0","method":"notify_hello","params":[7]}]',
    'null -32600',
  ),
];

const UNPARSABLE: readonly Case[] = [
  line("the specification's broken call", '{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]', 'null -32700'),
  line(
    "the specification's broken batch",
    '[{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},{"jsonrpc": "2.0", "method"',
    'null -32700',
  ),
  line('cut off', '{"jsonrpc":"2.0","id":5,"method":"fs/read', 'null -32700'),
  line('a word that is no JSON', '{"method": "test", "id": 1, INVALID}', 'null -32700'),
  line('braces around no JSON', '{not json}', 'null -32700'),
  line('a comma too many', `{"jsonrpc":"2.0","id":"x1",${READ},}`, 'null -32700'),
  line('single quotes', `{'jsonrpc':'2.0','id':1,'method':'x'}`, 'null -32700'),
  line('two messages on one line', `${read('"x2"')}${read('"x3"')}`, 'null -32700'),
  line('something after a message', `${read('"x4"')} ok`, 'null -32700'),
  line('a control character in a text', '{"jsonrpc":"2.0","id":"x5","method":"a\tb"}', 'null -32700'),
];

const NOISE: readonly Case[] = [
  line('noise: a line of a log', 'npm warn deprecated something@1.0.0'),
  line('noise: a level in brackets', '[INFO] listening on port 3000'),
  line('noise: a date in brackets', '[2026-11-21T10:00:00Z] started'),
  line('noise: colours', '\u001b[32minfo\u001b[0m: ready'),
  line('noise: a structured log', '{"level":30,"time":1700000000000,"msg":"started","pid":7}'),
  line('noise: a structured log with an id', '{"level":30,"id":"open","msg":"answered","params":{}}'),
  line('noise: a structured log with an error', '{"level":50,"error":"boom","msg":"failed"}'),
  line('noise: an object printed by console.log', "{ level: 'info', nested: { a: [Object] } }"),
  line('noise: the first line of such an object', '{'),
  line('noise: an object printed by Python', "{'level': 'info'}"),
  line('noise: a mention of jsonrpc', 'sending {"jsonrpc":"2.0","id":1,"method":"initialize"}'),
  line('noise: NUL characters', '\0\0\0'),
  line('noise: only white space', ' \t '),
  line('noise: U+2028 alone', '\u2028'),
  { name: 'noise: bytes that are no UTF-8', send: [bytes(0xff, 0xfe, 0x80, 10)], answers: [] },
  line('a message behind a window title', `\u001b]0;agent\u0007\u001b[?25h${read('"n1"')}`, `"n1" ${TEXT}`),
  line('a message between colours', `\u001b[2K\u001b[1G\u001b[32m${read('"n2"')}\u001b[0m`, `"n2" ${TEXT}`),
  line('a message behind a carriage return and NUL', `\r\0${read('"n3"')}`, `"n3" ${TEXT}`),
];

const NOTIFICATIONS: readonly Case[] = [
  line('unknown notification', '{"jsonrpc":"2.0","method":"foobar","params":[1,2]}'),
  line('unknown extension notification', '{"jsonrpc":"2.0","method":"_zed.dev/file_opened","params":{"path":"/x"}}'),
  line('unknown $/ notification', '{"jsonrpc":"2.0","method":"$/progress","params":{"token":1}}'),
  line('a notification with params by position', '{"jsonrpc":"2.0","method":"session/update","params":[1]}'),
  line('a notification with a scalar as params', '{"jsonrpc":"2.0","method":"session/update","params":"what"}'),
  line('a notification without params', '{"jsonrpc":"2.0","method":"session/update"}'),
  line('a notification of another version', '{"jsonrpc":"1.0","method":"session/update","params":{}}'),
  line('an update without an update', '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"${session}","update":null}}'),
  line(
    'an update of an unknown session',
    '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"nobody","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"?"}}}}',
  ),
  line('a request sent as notification', `{"jsonrpc":"2.0",${READ}}`),
  line(
    'a write sent as notification',
    '{"jsonrpc":"2.0","method":"fs/write_text_file","params":{"sessionId":"${session}","path":"${cwd}/calc.js","content":"never"}}',
  ),
];

const RESPONSES: readonly Case[] = [
  line('a stray result', '{"jsonrpc":"2.0","id":4242,"result":{}}'),
  line('a stray error', '{"jsonrpc":"2.0","id":4242,"error":{"code":-32603,"message":"?"}}'),
  line('a stray result with a text as id', '{"jsonrpc":"2.0","id":"nobody","result":{}}'),
  line('an error without an id', '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}'),
  line('an error whose id is null', '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}'),
  line('a result whose id is null', '{"jsonrpc":"2.0","id":null,"result":null}'),
  line('a result whose id is an object', '{"jsonrpc":"2.0","id":{"x":[1]},"result":null}'),
  line('a stray result and error', '{"jsonrpc":"2.0","id":4242,"result":{},"error":{"code":1,"message":"?"}}'),
  line('the answer to initialize again', '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":99}}'),
];

const CANCELLATIONS: readonly Case[] = [
  line('cancel: an unknown id', '{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":987654}}'),
  line('cancel: an unknown large id', '{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":9007199254740993}}'),
  line('cancel: null', '{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":null}}'),
  line('cancel: an object', '{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":{}}}'),
  line('cancel: without an id', '{"jsonrpc":"2.0","method":"$/cancel_request","params":{}}'),
  line('cancel: without params', '{"jsonrpc":"2.0","method":"$/cancel_request"}'),
  line('cancel: params by position', '{"jsonrpc":"2.0","method":"$/cancel_request","params":[1]}'),
  {
    name: 'cancel: what is answered already',
    send: ['{"jsonrpc":"2.0","id":"c1","method":"nothing"}', '{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":"c1"}}'],
    answers: ['"c1" -32601'],
  },
];

const BYTES: readonly Case[] = [
  { name: 'CRLF', send: [utf8(`${read('"y1"')}\r\n${read('"y2"')}\r\n`)], answers: [`"y1" ${TEXT}`, `"y2" ${TEXT}`] },
  { name: 'blank lines', send: [utf8(`\n\r\n\n${read('"y3"')}\n\n`)], answers: [`"y3" ${TEXT}`] },
  { name: 'a byte order mark', send: [`\ufeff${read('"y4"')}`], answers: [`"y4" ${TEXT}`] },
  { name: 'byte by byte', send: [read('"é€😀"'), read('"z"')], cut: 1, answers: [`"é€😀" ${TEXT}`, `"z" ${TEXT}`] },
  {
    name: 'three bytes at a time',
    send: [utf8(`${read('"€€€"')}\r\n${read('"😀😀"')}\r\n`)],
    cut: 3,
    answers: [`"€€€" ${TEXT}`, `"😀😀" ${TEXT}`],
  },
  {
    name: 'several lines in one piece, the last in two',
    send: [utf8(`${read('"y5"')}\n${read('"y6"')}\n{"json`), utf8(`rpc":"2.0","id":"y7",${READ}}\n`)],
    answers: [`"y5" ${TEXT}`, `"y6" ${TEXT}`, `"y7" ${TEXT}`],
  },
  { name: 'a raw U+2028 in a text', send: [`{"jsonrpc":"2.0","id":"y8","note":"\u2028\u2029",${READ}}`], answers: [`"y8" ${TEXT}`] },
  {
    name: 'invalid UTF-8 in a request',
    send: [utf8('{"jsonrpc":"2.0","id":"y9","x":"'), bytes(0xff), utf8(`",${READ}}\n`)],
    answers: ['"y9" -32700'],
  },
  {
    name: 'half a character in a request',
    send: [utf8('{"jsonrpc":"2.0","id":"y10","x":"'), bytes(0xe2, 0x82), utf8(`",${READ}}\n`)],
    answers: ['"y10" -32700'],
  },
  {
    name: 'an encoded surrogate in a request',
    send: [utf8('{"jsonrpc":"2.0","id":"y11","x":"'), bytes(0xed, 0xa0, 0x80), utf8(`",${READ}}\n`)],
    answers: ['"y11" -32700'],
  },
  { name: 'invalid UTF-8 in an id', send: [utf8('{"jsonrpc":"2.0","id":"'), bytes(0xff), utf8(`",${READ}}\n`)], answers: ['null -32700'] },
  {
    name: 'invalid UTF-8 in a notification',
    send: [utf8('{"jsonrpc":"2.0","method":"_x","params":{"a":"'), bytes(0xff), utf8('"}}\n')],
    answers: [],
  },
  {
    name: 'invalid UTF-8 in a stray response',
    send: [utf8('{"jsonrpc":"2.0","id":4242,"result":"'), bytes(0xff), utf8('"}\n')],
    answers: [],
  },
  { name: 'U+FFFD that was sent as such', send: [`{"jsonrpc":"2.0","id":"\ufffd",${READ}}`], answers: [`"\ufffd" ${TEXT}`] },
];

const nested = (depth: number): string => '[{"a":'.repeat(depth) + '1' + '}]'.repeat(depth);

const DEEP: readonly Case[] = [
  {
    name: 'nested 100,000 levels in a request',
    send: [
      `{"jsonrpc":"2.0","id":"d1","method":"fs/read_text_file","params":{"_meta":{"a":${nested(50_000)}},"sessionId":"\${session}","path":"\${cwd}/calc.js"}}`,
    ],
    answers: [`"d1" ${TEXT}`],
  },
  {
    name: 'nested 100,000 levels in an unknown request',
    send: [`{"jsonrpc":"2.0","id":"d2","method":"x","params":${nested(50_000)}}`],
    answers: ['"d2" -32601'],
  },
  {
    name: 'nested 100,000 levels in an update',
    send: [
      `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"\${session}","update":{"sessionUpdate":"tool_call","toolCallId":"deep","title":"Deep","rawInput":${nested(50_000)}}}}`,
    ],
    answers: [],
  },
  {
    name: 'nested 100,000 levels in an unknown update',
    send: [
      `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"\${session}","update":{"sessionUpdate":"deep","x":${nested(50_000)}}}}`,
    ],
    answers: [],
  },
  { name: 'nested 100,000 levels in an id', send: [`{"jsonrpc":"2.0","id":${nested(50_000)},"method":"x"}`], answers: ['null -32600'] },
  { name: 'nested 100,000 levels in the id of a response', send: [`{"jsonrpc":"2.0","id":${nested(50_000)},"result":{}}`], answers: [] },
  { name: 'a deep batch', send: [nested(50_000)], answers: ['null -32600'] },
  { name: '100,000 opening brackets', send: ['['.repeat(100_000)], answers: [] },
  { name: '100,000 opening braces', send: ['{"a":'.repeat(100_000)], answers: ['null -32700'] },
];

export const CASES: readonly Case[] = [
  ...IDS,
  ...REQUESTS,
  ...VERSIONS,
  ...INVALID,
  ...UNPARSABLE,
  ...NOISE,
  ...NOTIFICATIONS,
  ...RESPONSES,
  ...CANCELLATIONS,
  ...BYTES,
  ...DEEP,
];

/** The pieces to write, with the stage's names put in. */
export function piecesOf({ send, cut }: Case, { session, cwd }: { session: string; cwd: string }): Uint8Array[] {
  // Byte for character and back, so that bytes that are no UTF-8 stay what they are.
  const placed = send.map((part) => {
    const text = Buffer.from(typeof part === 'string' ? part + '\n' : part).toString('latin1');
    return Buffer.from(text.replaceAll('${session}', session).replaceAll('${cwd}', cwd), 'latin1');
  });
  if (cut === undefined) {
    return placed;
  }
  const whole = Buffer.concat(placed);
  return Array.from({ length: Math.ceil(whole.length / cut) }, (_, index) => whole.subarray(index * cut, (index + 1) * cut));
}

/** One frame of the client in the words of {@link Case.answers}; `undefined` for its own requests and notifications. */
export function answerOf(frame: string): string | undefined {
  const { id, method, error, result } = JSON.parse(frame) as { id?: unknown; method?: string; error?: { code: number }; result?: unknown };
  if (method !== undefined || id === undefined) {
    return undefined;
  }
  // As it is written: a parsed number would have lost digits.
  const literal = /^\{"jsonrpc":"2\.0","id":("(?:[^"\\]|\\.)*"|[^,]*)/.exec(frame)?.[1] ?? JSON.stringify(id);
  return `${literal} ${error === undefined ? JSON.stringify(result) : error.code}`;
}
