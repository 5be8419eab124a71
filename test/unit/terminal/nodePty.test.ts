import assert from 'node:assert/strict';
import { loadNodePty } from '../../../src/terminal/nodePty';

/** Exits after input and a smaller size, in either order. */
const PROGRAM = `
  let typed;
  const end = () => {
    if (typed === undefined || process.stdout.columns === 120) return;
    console.log('[' + typed + ']', process.stdout.columns, process.stdout.rows);
    process.exit(3);
  };
  process.stdout.on('resize', end);
  process.stdin.once('data', (data) => {
    typed = String(data).trim();
    end();
  });
  console.log('ready');
`;

describe('a terminal with input', () => {
  it('passes on input and size', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    const pty = (await loadNodePty())({
      file: process.execPath,
      args: ['-e', PROGRAM],
      verbatim: false,
      cwd: process.cwd(),
      environment: { PATH: process.env.PATH ?? '' },
    });
    const decoder = new TextDecoder();
    let said = '';
    pty.onData((chunk) => {
      const was = said;
      said += decoder.decode(chunk, { stream: true });
      if (!was.includes('ready') && said.includes('ready')) {
        pty.resize!(61, 17);
        pty.write!('größe\r');
      }
    });
    const status = await new Promise<unknown>((resolve) => pty.onExit(resolve));
    assert.match(said, /\[größe\] 61 17/);
    assert.deepEqual(status, { exitCode: 3 });
    // The process has ended.
    pty.write!('more');
    pty.resize!(10, 10);
    await pty.end();
  });
});
