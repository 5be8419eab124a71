/** The files of the permission audit under an agent that asks without end, and with entries that someone has changed. */
import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Audit } from '../../../../../src/application/permission/audit/audit';
import type { AuditEntry } from '../../../../../src/application/permission/audit/auditEntry';
import { AuditFiles } from '../../../../../src/application/permission/audit/auditFiles';
import { auditText } from '../../../../../src/application/permission/audit/auditText';
import { FakeClock } from '../../../session/permission/fakes';
import { englishVerbatim } from '../../english';

const NOW = Date.UTC(2026, 10, 27, 12);
const entry = (title: string, at = NOW): AuditEntry => ({ at, sessionId: 's', agent: 'Ada', kind: 'question', title });

describe('the files of the audit', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(os.tmpdir(), 'acp-audit-files-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const newAudit = (limits?: { file: number; total: number }) => {
    const clock = new FakeClock();
    clock.setBack(-NOW);
    return new Audit({ files: new AuditFiles(folder, () => 30, limits), clock, log: { warn: () => undefined }, secretsOf: () => [] });
  };
  const size = (): number => readdirSync(folder).reduce((sum, name) => sum + statSync(path.join(folder, name)).size, 0);

  it('stay below their total size within one day', async () => {
    const audit = newAudit({ file: 2000, total: 10_000 });
    for (let count = 0; count < 300; count++) {
      audit.record(entry(`${count} ${'z'.repeat(400)}`));
      await audit.flush();
    }
    assert.ok(size() <= 10_000 + 2000 + 1000, String(size()));
    assert.match((await audit.read()).at(-1)!.title, /^299 /);
  });

  it('are read in the order of time, whichever window wrote them', async () => {
    const line = (each: AuditEntry): string => `${JSON.stringify(each)}\n`;
    appendFileSync(path.join(folder, '2026-11-27.jsonl'), line(entry('third', NOW - 1)) + line(entry('first', NOW - 3)));
    appendFileSync(path.join(folder, '2026-11-27.1.jsonl'), line(entry('second', NOW - 2)));
    assert.deepEqual(
      (await newAudit().read()).map(({ title }) => title),
      ['first', 'second', 'third'],
    );
  });

  it('are shown though the time of an entry is not valid', async () => {
    appendFileSync(path.join(folder, '2026-11-27.jsonl'), `${JSON.stringify(entry('wrong', 1e300))}\n${JSON.stringify(entry('right'))}\n`);
    const text = auditText(await newAudit().read(), { days: 30, language: 'en', timeZone: 'UTC' }, englishVerbatim);
    assert.match(text, /right/);
    assert.doesNotMatch(text, /wrong/);
  });

  it('has each entry on a line of its own, whatever its title contains', () => {
    const title = 'a\nb\r\nc\u2028d\u2029e\u0085f\u000bg\u202eh\u001b[31m <b>[x](command:y)</b>';
    const text = auditText([entry(title)], { days: 30, language: 'en', timeZone: 'UTC' }, englishVerbatim);
    assert.equal(text.trimEnd().split(/[\n\r\u2028\u2029\u0085\u000b]/).length, 6, JSON.stringify(text));
    assert.doesNotMatch(text, /[\u202e\u001b]/);
  });
});
