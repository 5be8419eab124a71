import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { testRoom, type TestRoom } from '../unit/terminal/fakes';

describe('many terminal commands', function () {
  this.timeout(120_000);
  let test: TestRoom;
  beforeEach(() => (test = testRoom()));
  afterEach(() => test.room.dispose());

  it('have complete output: 200 short ones', async () => {
    const pending = Array.from({ length: 200 }, (_, index) => index);
    const one = async (): Promise<void> => {
      for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
        const size = (index * 977) % 40_000;
        // Every fifth command starts other processes besides the shell, because those take most of the time.
        const written = index % 5 === 0 ? `head -c ${size} /dev/zero | tr '\\0' 0` : size > 0 ? `printf '%0${size}d' 0` : '';
        const output = await test.run('/bin/sh', ['-c', `${written}\nprintf 'END%s' ${index}`]);
        assert.equal(output, '0'.repeat(size) + `END${index}`);
      }
    };
    await Promise.all(Array.from({ length: 8 }, one));
  });

  it('end by themselves: git log in a long repository', async () => {
    const git = (...args: string[]): void => void execFileSync('git', args, { cwd: test.cwd, stdio: 'ignore' });
    git('init', '-q');
    const commits = Array.from(
      { length: 500 },
      (_, index) =>
        `commit refs/heads/main\ncommitter A <a@example.org> ${1_700_000_000 + index} +0000\ndata 8\nmsg ${String(index).padStart(4, '0')}\n`,
    );
    execFileSync('git', ['fast-import', '--quiet'], { cwd: test.cwd, input: commits.join('') });
    git('symbolic-ref', 'HEAD', 'refs/heads/main');
    const output = await test.run('git', ['log']);
    assert.equal(output.match(/^commit /gm)?.length, 500);
  });
});
