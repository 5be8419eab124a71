import assert from 'node:assert/strict';
import { loadNodePty } from '../../../src/terminal/nodePty';

const onLinux = process.platform === 'linux' ? describe : describe.skip;

onLinux('a real terminal', function () {
  this.timeout(20_000);

  async function readsOf(script: string, ready: string): Promise<boolean | undefined> {
    const start = await loadNodePty();
    const pty = start({
      file: '/bin/sh',
      args: ['-c', script],
      verbatim: false,
      cwd: '/',
      environment: { PATH: process.env['PATH'] ?? '' },
    });
    try {
      await new Promise<void>((resolve) => {
        let output = '';
        pty.onData((chunk) => {
          output += Buffer.from(chunk).toString();
          if (output.includes(ready)) {
            resolve();
          }
        });
      });
      // The process reaches its read, or its sleep, after it wrote.
      for (let look = 0; look < 20; look++) {
        const reads = await pty.readsInput?.();
        if (reads === true || look === 19) {
          return reads;
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return undefined;
    } finally {
      await pty.end();
    }
  }

  it('is read by a shell that asks, and by a program that the shell waits for', async () => {
    assert.equal(await readsOf('printf "Ok? "; read x', 'Ok?'), true);
    assert.equal(await readsOf('printf "go"; cat; true', 'go'), true);
  });

  it('is not read by a working command', async () => {
    assert.equal(await readsOf('printf "go"; sleep 30; true', 'go'), false);
  });
});
