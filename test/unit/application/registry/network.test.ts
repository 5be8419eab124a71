import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { certificateFile } from '../../../../src/application/registry/certificates';
import { beneath, proxySecrets, proxyVariables } from '../../../../src/application/registry/proxyVariables';

const PROXY = 'http://user:p%40ss@proxy.example:8080';

describe("VS Code's network settings for agents", () => {
  it('are variables in both spellings, and leave this machine out', () => {
    const none = 'corp.example,localhost,127.0.0.1,::1';
    assert.deepEqual(proxyVariables({ proxy: ` ${PROXY} `, noProxy: ['corp.example', ' ', 'localhost'] }, {}), {
      ...{ HTTP_PROXY: PROXY, http_proxy: PROXY, HTTPS_PROXY: PROXY, https_proxy: PROXY, NO_PROXY: none, no_proxy: none },
      NODE_USE_ENV_PROXY: '1',
    });
  });

  it('change nothing without a proxy, or when VS Code uses none', () => {
    assert.deepEqual(proxyVariables({ noProxy: ['x'] }, {}), {});
    assert.deepEqual(proxyVariables({ proxy: PROXY, support: 'off' }, {}), {});
  });

  it('name the certificates, unless the user has named others', () => {
    assert.deepEqual(proxyVariables({ certificates: '/c.pem' }, {}), { NODE_EXTRA_CA_CERTS: '/c.pem' });
    assert.deepEqual(proxyVariables({ certificates: '/c.pem' }, { NODE_EXTRA_CA_CERTS: '/own.pem' }), {});
  });

  it("give way to the user's own entry, in any spelling", () => {
    assert.deepEqual(beneath(proxyVariables({ proxy: PROXY }, {}), { https_PROXY: '', HTTP_PROXY: 'x', NO_proxy: 'y' }), {
      NODE_USE_ENV_PROXY: '1',
    });
  });

  it('have a secret in the address', () => {
    assert.deepEqual(proxySecrets(proxyVariables({ proxy: PROXY }, {})), ['p%40ss', 'p@ss', 'user:p%40ss']);
    assert.deepEqual(proxySecrets(proxyVariables({ proxy: 'http://proxy.example' }, {})), []);
    assert.deepEqual(proxySecrets({}), []);
  });

  describe('with certificates of the system', () => {
    let folder: string;
    beforeEach(async () => (folder = await mkdtemp(path.join(tmpdir(), 'certificates-'))));
    afterEach(() => rm(folder, { recursive: true, force: true }));
    const read = (own: string[]) => (type: 'system' | 'bundled') => (type === 'bundled' ? ['A'] : ['A', ...own]);

    it('write those that Node lacks to a file, once a day', async () => {
      const file = await certificateFile(folder, Date.now(), read(['B', 'C']));
      assert.equal(await readFile(file!, 'utf8'), 'B\nC');
      assert.equal(await certificateFile(folder, Date.now(), read(['D'])), file);
      assert.equal(await readFile(file!, 'utf8'), 'B\nC');
      await utimes(file!, 0, 0);
      await certificateFile(folder, Date.now(), read(['D']));
      assert.equal(await readFile(file!, 'utf8'), 'D');
    });

    it('write no file name when the system trusts no others, or refuses to answer', async () => {
      assert.equal(await certificateFile(folder, Date.now(), read([])), undefined);
      assert.equal(await certificateFile(folder, Date.now(), read(['B'])), undefined);
      const failing = () => {
        throw new Error('no access');
      };
      assert.equal(await certificateFile(path.join(folder, 'other'), Date.now(), failing), undefined);
    });
  });
});
