import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { isOwnPort, listenersOn } from '../../../src/util/processes/portOwners';

const LISTEN = `const s = require('node:net').createServer().listen(0, '127.0.0.1', () => process.stdout.write(String(s.address().port) + '\\n'))`;

describe('the owner of a port', function () {
  before(function () {
    if (process.platform === 'win32') {
      this.skip();
    }
  });

  it('is the process that listens', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    assert.deepEqual(await listenersOn(port), [process.pid]);
    assert.equal(await isOwnPort(port), true);
    await new Promise((resolve) => server.close(resolve));
    assert.deepEqual(await listenersOn(port), []);
    assert.equal(await isOwnPort(port), undefined);
  });

  it('may be a child, but no process of another parent', async () => {
    const child = spawn(process.execPath, ['-e', LISTEN], { stdio: ['ignore', 'pipe', 'ignore'] });
    const [data] = (await once(child.stdout, 'data')) as [Buffer];
    assert.equal(await isOwnPort(Number(data.toString())), true);
    child.kill();
    // The shell ends, so that its child gets another parent.
    const shell = spawn('sh', ['-c', `${JSON.stringify(process.execPath)} -e "$0" & echo $!`, LISTEN], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let text = '';
    shell.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    while (text.trim().split('\n').length < 2) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const [pid, port] = text.trim().split('\n').map(Number);
    try {
      assert.equal(await isOwnPort(port!), false);
    } finally {
      process.kill(pid!);
    }
  });
});
