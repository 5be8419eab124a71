import assert from 'node:assert/strict';
import { Redaction } from '../../../../src/acp/redaction/redact';
import type { TraceKind } from '../../../../src/acp/trace/trace';
import { TraceSummary } from '../../../../src/acp/trace/summary';

const NOON = new Date(2026, 10, 21, 12, 0, 0, 5).getTime();

/** A reader of one trace. Its lines are `level text`, without the time. */
function reader(secrets: readonly string[] = []): (kind: TraceKind, frame: object | string, after?: number, length?: number) => string {
  const summary = new TraceSummary(new Redaction(secrets));
  return (kind, frame, after = 0, length) => {
    const text = typeof frame === 'string' ? frame : JSON.stringify(frame);
    const line = summary.line({ at: NOON + after, kind, text, length: length ?? text.length, order: 0 });
    assert.match(line.text, /^12:0\d:\d\d\.\d{3} /);
    return `${line.level} ${line.text.slice(13)}`;
  };
}

const update = (sessionUpdate: string, more: object = {}, sessionId = 'S') => ({
  method: 'session/update',
  params: { sessionId, update: { sessionUpdate, ...more } },
});

describe('the summary of a trace', () => {
  it('shows requests with their parameters, and answers with their method and duration', () => {
    const read = reader();
    assert.equal(
      read('c2a', { id: 1, method: 'initialize', params: { protocolVersion: 1 } }),
      'info → initialize #1 (61 B) {"protocolVersion":1}',
    );
    assert.equal(
      read('a2c', { id: 1, method: 'fs/read_text_file', params: { path: '/é' } }, 5),
      'info ← fs/read_text_file #1 (61 B) {"path":"/é"}',
    );
    assert.equal(read('c2a', { id: 1, result: { content: '' } }, 10), 'info → answer to fs/read_text_file #1 5 ms (32 B) {"content":""}');
    assert.equal(read('a2c', { id: '1', result: null }, 30), 'info ← answer to initialize #"1" 30 ms (24 B) null');
    assert.equal(read('a2c', { id: 1, result: {} }, 31), 'info ← answer #1 (20 B) {}');
  });

  it('marks errors as errors, and keeps the digits of an id', () => {
    const read = reader();
    read('c2a', '{"id":18446744073709551616,"method":"session/new"}');
    const line = read('a2c', '{"id":18446744073709551616,"error":{"code":-32000,"message":"who are you"}}', 3);
    assert.equal(line, 'error ← error to session/new #18446744073709551616 3 ms (75 B) {"code":-32000,"message":"who are you"}');
    assert.match(read('a2c', { id: 9, result: 1, error: null }), /^info ← answer #9/);
    assert.match(read('a2c', { hello: 1 }), /^warn ← no message \(11 B\) \{"hello":1\}$/);
  });

  it('names an update’s kind, and shows only the first chunk of a stream at the default level', () => {
    const read = reader();
    const chunk = update('agent_message_chunk', { content: { type: 'text', text: 'a' } });
    assert.equal(
      read('a2c', chunk),
      `info ← session/update agent_message_chunk (${JSON.stringify(chunk).length} B) ${JSON.stringify(chunk.params.update)}`,
    );
    assert.match(read('a2c', chunk), /^debug /);
    assert.match(read('a2c', update('agent_message_chunk', {}, 'T')), /^info /);
    assert.match(read('a2c', update('agent_thought_chunk', {}, 'T')), /^info /);
    assert.match(read('a2c', update('tool_call')), /^info ← session\/update tool_call /);
    assert.match(read('a2c', update('tool_call')), /^info /);
    assert.match(read('a2c', { id: 3, method: 'terminal/output', params: {} }), /^debug /);
    assert.match(read('c2a', { id: 3, result: {} }), /^debug → answer to terminal\/output/);
    assert.match(read('a2c', { method: '$/cancel_request', params: { requestId: 1 } }), /^trace /);
  });

  it('marks lines that are not frames', () => {
    const read = reader();
    assert.equal(read('stderr', 'warming up'), 'info   stderr: warming up');
    assert.equal(read('noise', 'Hello, world'), 'warn ← no message: Hello, world');
    assert.equal(read('skipped', '{"id":1,"method":"x"', 0, 200_000_000), 'error ← skipped (200.0 MB): {"id":1,"method":"x"…');
    assert.equal(read('note', 'the agent ended'), 'info   the agent ended');
  });

  it('shows the beginning of a frame, even of one that was cut', () => {
    const read = reader();
    const long = read('a2c', update('plan', { entries: 'x'.repeat(100_000) }));
    assert.match(long, /^info ← session\/update plan \(100\.1 kB\) \{"sessionUpdate":"plan","entries":"x{100,}…$/);
    assert.ok(long.length < 300);
    const cut = JSON.stringify({ id: 7, method: 'fs/write_text_file', params: { path: '/a', content: 'y'.repeat(9000) } }).slice(0, 8000);
    assert.match(read('a2c', cut, 0, 9_000_000), /^info ← fs\/write_text_file #7 \(9\.0 MB, cut\) \{"path":"\/a","content":"y+…$/);
    assert.match(read('c2a', '{"id":7,"result":{}}'), /answer to fs\/write_text_file/);
  });

  it('shows no secret, and no answer that the user gave to a form', () => {
    const read = reader(['hush-hush']);
    const lines = [
      read('c2a', { id: 1, method: 'session/new', params: { mcpServers: [{ env: [{ name: 'A', value: 'v-1' }] }], x: 'hush-hush' } }),
      read('a2c', { id: 5, method: 'elicitation/create', params: { message: 'PIN?' } }),
      read('c2a', { id: 5, result: { action: 'accept', content: { pin: 'v-1' } } }),
      read('stderr', 'PASSWORD=v-1 hush-hush'),
      read('noise', 'Bearer v-123456'),
      read('skipped', '{"token":"v-1', 0, 99),
      read('a2c', { id: 7, method: 'x/hush-hush', params: { a: 'hush-hush' } }),
      // The frame is cut before the name that describes the value.
      read('a2c', { params: { list: [{ value: 'v-1', more: 'z'.repeat(8000), name: 'Authorization' }] } }),
    ];
    assert.deepEqual(
      lines.filter((line) => /v-1|hush/.test(line)),
      [],
    );
    assert.ok(lines.every((line) => line.includes('[redacted]') || line.includes('PIN?')));
  });

  it('forgets requests that are never answered', () => {
    const read = reader();
    for (let id = 0; id < 3000; id++) {
      read('c2a', { id, method: 'ask', params: {} });
    }
    assert.match(read('a2c', { id: 0, result: 1 }), /← answer #0/);
    assert.match(read('a2c', { id: 2999, result: 1 }), /← answer to ask #2999/);
  });
});
