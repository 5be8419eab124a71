import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Failure } from '../../../../src/core/model/failure';
import { type StartTrustDependencies, startTrust } from '../../../../src/application/trust/startTrust';

describe('trust at the start of an agent', () => {
  let root: string;
  let trusted: string[];
  let asked: string[];
  let answer: boolean;
  let isWindowTrusted: boolean;
  let whileAsked: () => Promise<void>;
  const at = (...names: string[]): string => path.join(root, ...names);
  const deps: StartTrustDependencies = {
    isWindowTrusted: () => isWindowTrusted,
    trusted: () => trusted,
    ask: async (folder) => {
      asked.push(folder);
      const shown = await realpath(folder);
      await whileAsked();
      if (answer) {
        trusted = [...trusted, shown];
      }
      return answer;
    },
  };

  beforeEach(async () => {
    root = await realpath(await mkdtemp(path.join(tmpdir(), 'start-trust-')));
    await mkdir(at('work', 'inner'), { recursive: true });
    await mkdir(at('other'));
    trusted = [at('work')];
    asked = [];
    answer = false;
    isWindowTrusted = true;
    whileAsked = () => new Promise((resolve) => setImmediate(resolve));
  });

  afterEach(() => rm(root, { recursive: true, force: true }));

  const check = (folders: readonly string[], byUser: boolean, gate = startTrust(deps)): Promise<Failure | undefined> =>
    new Promise((resolve) => gate.check({ folders, byUser }, resolve));
  const refused = (folder: string): Failure => ({ code: 'session.folder_untrusted', params: { folder } });

  it('needs no question in a trusted folder or below it', async () => {
    assert.equal(await check([at('work'), at('work', 'inner')], true), undefined);
    assert.deepEqual(asked, []);
  });

  it('asks about each other folder, both the working folder and the further ones', async () => {
    answer = true;
    assert.equal(await check([at('work'), at('other')], true), undefined);
    assert.deepEqual(asked, [at('other')]);
    answer = false;
    trusted = [at('work')];
    assert.deepEqual(await check([at('work'), at('other')], true), refused(at('other')));
  });

  it('refuses the start when the link points elsewhere after the answer', async () => {
    await mkdir(at('evil'));
    await symlink(at('other'), at('link'));
    answer = true;
    whileAsked = async () => {
      await rm(at('link'));
      await symlink(at('evil'), at('link'));
    };
    assert.deepEqual(await check([at('link')], true), refused(at('link')));
  });

  it('refuses the start when trust in an earlier folder is revoked during the next question', async () => {
    answer = true;
    whileAsked = async () => void (trusted = []);
    assert.deepEqual(await check([at('work'), at('other')], true), refused(at('work')));
  });

  it('refuses the start when an earlier folder becomes a link during the next question', async () => {
    await mkdir(at('evil'));
    answer = true;
    whileAsked = async () => {
      await rm(at('work', 'inner'), { recursive: true });
      await symlink(at('evil'), at('work', 'inner'));
    };
    assert.deepEqual(await check([at('work', 'inner'), at('other')], true), refused(at('work', 'inner')));
  });

  it('shows no question for an automatic start', async () => {
    assert.deepEqual(await check([at('other')], false), refused(at('other')));
    assert.deepEqual(asked, []);
  });

  it('applies revoked trust at once', async () => {
    const gate = startTrust(deps);
    assert.equal(await check([at('work')], false, gate), undefined);
    trusted = [];
    assert.deepEqual(await check([at('work')], false, gate), refused(at('work')));
  });

  it('refuses every start in Restricted Mode, without a question', async () => {
    isWindowTrusted = false;
    assert.deepEqual(await check([at('work')], true), { code: 'session.restricted_mode' });
    assert.deepEqual(asked, []);
  });

  it('refuses the start when Restricted Mode begins while the question is open', async () => {
    answer = true;
    const refusal = check([at('other')], true);
    await new Promise((resolve) => setImmediate(resolve));
    isWindowTrusted = false;
    assert.deepEqual(await refusal, { code: 'session.restricted_mode' });
  });

  it('asks about the target of a link in a trusted folder', async () => {
    await symlink(at('other'), at('work', 'link'));
    assert.deepEqual(await check([at('work', 'link')], true), refused(at('work', 'link')));
    assert.equal(asked.length, 1);
  });

  it('shows one question for simultaneous starts, and asks again later', async () => {
    let close!: (isTrusted: boolean) => void;
    const question = new Promise<boolean>((resolve) => (close = resolve));
    const gate = startTrust({ ...deps, ask: (folder) => (asked.push(folder), question) });
    const starts = [check([at('other')], true, gate), check([at('other')], true, gate)];
    // Both starts have read the disk by then.
    for (let reads = 0; reads < 50; reads++) {
      await realpath(at('other'));
    }
    close(false);
    const both = await Promise.all(starts);
    assert.deepEqual(both, [refused(at('other')), refused(at('other'))]);
    assert.equal(asked.length, 1);
    await check([at('other')], true, gate);
    assert.equal(asked.length, 2);
  });

  it('trusts no path that is not absolute, and no folder on another machine', async () => {
    for (const folder of ['', 'work', '.', '//evil/share', '\\\\evil\\share', '/net/evil/share']) {
      assert.deepEqual(await check([folder], false), refused(folder));
    }
    await symlink('/net/evil/share', at('work', 'away'));
    assert.deepEqual(await check([at('work', 'away')], false), refused(at('work', 'away')));
  });

  it('refuses the start when the question cannot be shown', async () => {
    const gate = startTrust({ ...deps, ask: () => Promise.reject(new Error('no window')) });
    assert.deepEqual(await check([at('other')], true, gate), { ...refused(at('other')), detail: 'Error: no window' });
  });
});
