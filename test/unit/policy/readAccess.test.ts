/** The check whether the text of a file may be sent to an agent. */
import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Consents } from '../../../src/policy/consents';
import { maySendText } from '../../../src/policy/readAccess';
import { identityOf } from '../../../src/util/checkedFiles';

describe('the text of a file', () => {
  let folder: string;
  let consents: Consents;
  const at = (name: string): string => path.join(folder, name);
  const maySend = (name: string, setting: () => unknown = () => undefined): Promise<boolean> =>
    maySendText(at(name), { roots: { cwd: folder, additionalDirectories: [] }, consents, setting });

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'acp-access-')));
    consents = new Consents();
    writeFileSync(at('.env'), 'KEY=1');
    writeFileSync(at('plain.txt'), 'plain');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('may be sent when no rule protects it from reading', async () => {
    assert.equal(await maySend('plain.txt'), true);
    assert.equal(await maySend('plain.txt', () => ({ '*.txt': 'read' })), false);
    assert.equal(await maySend('.env', () => ({ '.env*': 'off' })), true);
  });

  it('is withheld under each name that points to a protected file, until the user agrees to that file', async () => {
    symlinkSync('.env', at('notes.txt'));
    assert.deepEqual([await maySend('.env'), await maySend('notes.txt')], [false, false]);
    consents.agree((await identityOf(at('.env')))!);
    assert.deepEqual([await maySend('.env'), await maySend('notes.txt')], [true, true]);
    writeFileSync(at('other'), 'KEY=2');
    renameSync(at('other'), at('.env'));
    assert.deepEqual([await maySend('.env'), await maySend('notes.txt')], [false, false]);
  });

  it('is withheld when the check fails', async () => {
    symlinkSync('loop', at('loop'));
    assert.equal(await maySend('loop'), false);
    assert.equal(await maySend('plain.txt', () => assert.fail('no setting')), false);
  });
});
