/** Lines: unreadable ones, ones that request nothing, and malformed bytes. */
import type { Case } from './rawCase';
import { READ, TEXT, utf8, bytes, read, line } from './rawCase';

export const UNPARSABLE: readonly Case[] = [
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

export const NOISE: readonly Case[] = [
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

export const NOTIFICATIONS: readonly Case[] = [
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

export const RESPONSES: readonly Case[] = [
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

export const CANCELLATIONS: readonly Case[] = [
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

export const BYTES: readonly Case[] = [
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

export const DEEP: readonly Case[] = [
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
