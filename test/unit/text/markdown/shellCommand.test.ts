import assert from 'node:assert/strict';
import { isShell, shellCommand } from '../../../../src/text/markdown/shellCommand';

describe('what a block of code for a shell has typed into it', () => {
  const command = (...lines: string[]) => {
    const found = shellCommand(lines.join('\n'));
    return 'command' in found ? found.command : found.refused;
  };

  it('is the block as it stands, without the space around it', () => {
    assert.equal(command('npm test', ''), 'npm test');
    assert.equal(command('', 'cd a \\', '  && npm test', ''), 'cd a \\\n  && npm test');
    assert.equal(command('echo a\r\necho b\r\n'), 'echo a\necho b');
  });

  it('has no prompts, and nothing of what was printed', () => {
    assert.equal(command('$ npm test'), 'npm test');
    assert.equal(command('$ npm ci', '', 'added 3 packages', '', '$ npm test', 'ok'), 'npm ci\nnpm test');
    assert.equal(command('ada@host:~/src$ ls -la', 'total 8'), 'ls -la');
    assert.equal(command('PS C:\\work> Get-Item .', '  Directory: C:\\'), 'Get-Item .');
    assert.equal(command('C:\\work> dir /b'), 'dir /b');
    assert.equal(command('$ docker run \\', '>   -it x', '$ ls'), 'docker run \\\n  -it x\nls');
    assert.equal(command('$ a |', '    b', 'printed'), 'a |\n    b');
  });

  it('keeps what only looks like a prompt', () => {
    assert.equal(command('echo $HOME', '$HOME/bin/x'), 'echo $HOME\n$HOME/bin/x');
    assert.equal(command('> out.txt'), '> out.txt');
    assert.equal(command('cat a', '$ b'), 'cat a\n$ b', 'the first line decides');
  });

  it('has no lines of comments, unless they may be part of a text', () => {
    assert.equal(command('# First', 'npm ci', '  # then', 'npm test # all'), 'npm ci\nnpm test # all');
    assert.equal(command('cat <<END', '# Title', 'END'), 'cat <<END\n# Title\nEND');
    assert.equal(command('echo "', '# a"'), 'echo "\n# a"');
  });

  it('is nothing where there is nothing to run, too much, or anything unseen', () => {
    assert.equal(command('', '# only words'), 'empty');
    assert.equal(command('x'.repeat(40_000)), 'too_long');
    for (const unseen of [
      'ls\u0003',
      'ls\u001b[201~\nrm x',
      'ls \u202efdp',
      'ls\u200b',
      'ls\rrm x',
      'ls\u0000',
      'a\u2028b',
      'ls\u007f',
      'x\u{e0041}',
    ]) {
      assert.equal(command(unseen), 'unseen', JSON.stringify(unseen));
    }
    assert.equal(command('echo "Grüße 👋🏽"\tx'), 'echo "Grüße 👋🏽"\tx');
  });

  it('is known by its language', () => {
    assert.deepEqual(['bash', 'SH', 'zsh', 'powershell', 'console', 'shell', 'js', 'python', '', 'makefile'].map(isShell), [
      true,
      true,
      true,
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
