import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sendCallback } from '../../../../src/application/signIn/sendCallback';
import { callbackOf, pastedCallback, SignInOutput } from '../../../../src/application/signIn/signInOutput';

const page = (redirect: string) => `https://auth.example/authorize?client_id=x&redirect_uri=${encodeURIComponent(redirect)}&state=s`;

describe('the output of a sign-in', () => {
  it('names the port to which a page returns, once', () => {
    const output = new SignInOutput();
    assert.deepEqual(output.push('Open this page:\r\n'), {});
    const text = `\u001b[4m${page('http://localhost:1455/auth/callback')}\u001b[0m`;
    assert.deepEqual(output.push(text.slice(0, 40)), {});
    assert.deepEqual(output.push(`${text.slice(40)}\r\n`), { callback: { port: 1455 } });
    assert.deepEqual(output.push('Waiting…\r\n'), {});
    assert.deepEqual(output.push(`${page('http://127.0.0.1:1500/')}\n`), { callback: { port: 1500 } });
  });

  it('names a port only when a page returns to this machine', () => {
    for (const redirect of [
      'https://localhost:1455/',
      'http://evil.example:80/',
      'http://localhost/',
      'http://localhost.evil.example:1455/',
      'x',
    ]) {
      assert.equal(callbackOf(page(redirect)), undefined, redirect);
    }
    assert.equal(callbackOf('https://auth.example/?other=http%3A%2F%2Flocalhost%3A1455'), undefined);
    assert.equal(callbackOf('not an address'), undefined);
  });

  it('names a code and the page for it, once', () => {
    const output = new SignInOutput();
    const facts = output.push('Go to https://auth.example/device.\nand enter the one-time code: \u001b[1mABCD-EF12\u001b[0m \n');
    assert.deepEqual(facts, { device: { code: 'ABCD-EF12', page: 'https://auth.example/device' } });
    assert.deepEqual(output.push('Waiting…\n'), {});
    assert.deepEqual(output.push('Expired. New code: WXYZ-9876\n'), { device: { code: 'WXYZ-9876', page: 'https://auth.example/device' } });
  });

  it('names a code only beside a page and the word', () => {
    assert.deepEqual(new SignInOutput().push('Your code: ABCD-EFGH\n'), {});
    assert.deepEqual(new SignInOutput().push('https://a.example ABCD-EFGH\n'), {});
    assert.deepEqual(new SignInOutput().push('The code is in https://a.example/ABCD-EFGH \n'), {});
    assert.deepEqual(new SignInOutput().push('http://a.example code ABCD-EFGH\n'), {}, 'not encrypted');
  });
});

describe('a pasted callback', () => {
  it('is an address of this machine with a port and parameters', () => {
    assert.deepEqual(pastedCallback(' http://localhost:1455/auth/callback?code=c&state=s#x '), {
      port: 1455,
      host: '127.0.0.1',
      path: '/auth/callback?code=c&state=s',
    });
    assert.equal(pastedCallback('http://[::1]:1455/?code=c')?.host, '::1');
    for (const text of [
      '',
      'code=c',
      'https://localhost:1455/?code=c',
      'http://localhost/?code=c',
      'http://localhost:1455/',
      'http://169.254.169.254:80/?a',
      'http://localhost@evil.example:1455/?a',
      'http://user:pass@localhost:1455/?a',
      'http://localhost:1455/?a=b c',
      'http://127.0.0.2:1455/?a',
      'file:///etc/passwd?a',
    ]) {
      assert.equal(pastedCallback(text), undefined, text);
    }
  });

  describe('is requested at the port', () => {
    let server: Server;
    const requests: (string | undefined)[] = [];
    beforeEach(async () => {
      server = createServer(({ url }, response) => {
        requests.push(url);
        response.writeHead(302, { location: '/next' }).end();
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    });
    afterEach(() => server.close());

    it('once, without following redirects', async () => {
      const { port } = server.address() as AddressInfo;
      assert.equal(await sendCallback(pastedCallback(`http://localhost:${port}/cb?code=c`)!), 302);
      assert.deepEqual(requests, ['/cb?code=c']);
    });

    it('fails when no process listens', async () => {
      const { port } = server.address() as AddressInfo;
      await new Promise((resolve) => server.close(resolve));
      await assert.rejects(sendCallback({ port, host: '127.0.0.1', path: '/?a' }));
    });
  });
});
