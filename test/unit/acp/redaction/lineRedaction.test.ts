import { jsonLines } from '../../../../src/acp/trace/exportLines';
import assert from 'node:assert/strict';
import { LineRedaction } from '../../../../src/acp/redaction/lineRedaction';
import { Redaction } from '../../../../src/acp/redaction/redact';
import { REDACTED } from '../../../../src/acp/redaction/secretValues';
import { Trace } from '../../../../src/acp/trace/trace';
import { TraceSummary } from '../../../../src/acp/trace/summary';

const BODY = ['b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAAB', 'QyNTUxOQ=='];
const KEY = ['-----BEGIN OPENSSH PRIVATE KEY-----', ...BODY, '-----END OPENSSH PRIVATE KEY-----'];

describe('a private key that is printed line by line', () => {
  const redacted = (lines: readonly string[]): string[] => {
    const redaction = new LineRedaction(new Redaction());
    return lines.map((line) => redaction.line(line));
  };

  it('is redacted line by line', () => {
    assert.deepEqual(redacted(['before', ...KEY, 'after', 'd29yZHM=']), [
      'before',
      REDACTED,
      REDACTED,
      REDACTED,
      REDACTED,
      'after',
      'd29yZHM=',
    ]);
    assert.deepEqual(
      redacted(['key: -----BEGIN RSA PRIVATE KEY-----', 'Proc-Type: 4,ENCRYPTED', '', '  MIIE', '-----END RSA PRIVATE KEY-----', 'x']),
      [`key: ${REDACTED}`, REDACTED, REDACTED, REDACTED, REDACTED, 'x'],
    );
  });

  it('ends at the first line that is not part of the key, and before that when the key does', () => {
    assert.deepEqual(redacted([...KEY.slice(0, 2), 'it broke off here', 'MIIE']), [REDACTED, REDACTED, 'it broke off here', 'MIIE']);
    assert.deepEqual(redacted([KEY.join('\\n'), 'MIIE']), [REDACTED, 'MIIE']);
    assert.deepEqual(redacted(['-----BEGIN CERTIFICATE-----', 'MIIE']), ['-----BEGIN CERTIFICATE-----', 'MIIE']);
    assert.deepEqual(redacted([...KEY.slice(0, 2), ...KEY, 'x']).slice(-1), ['x']);
  });

  it('takes linear time for long lines', () => {
    for (const unit of ['a', '-----BEGIN ', '-----END ', ' ', 'a: ']) {
      redacted([KEY[0]!, unit.repeat(300_000), unit.repeat(300_000)]);
    }
  });

  it('appears in no protocol log, exported or shown, whatever comes between its lines', () => {
    const trace = new Trace({ now: () => 0 });
    for (const line of KEY) {
      trace.stderr(line);
      trace.received('{"jsonrpc":"2.0","method":"x"}');
    }
    KEY.forEach((line) => trace.noise(line));
    const summary = new TraceSummary(new Redaction());
    const shown = [
      ...jsonLines(trace, { redaction: new Redaction() }),
      ...[...trace.entries()].map((entry) => summary.line(entry).text),
    ].join('\n');
    for (const line of BODY) {
      assert.ok(!shown.includes(line), shown);
    }
  });
});
