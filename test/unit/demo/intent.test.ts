import assert from 'node:assert/strict';
import { parseCommand, harmlessCommand } from '../../../src/demo/command';
import { intentOf } from '../../../src/demo/intent';

const of = (text: string) => intentOf([{ type: 'text', text }]);

describe('a prompt to the demo agent', () => {
  it('is classified by its earliest keyword', () => {
    for (const [text, topic] of [
      ['Explain how to fix src/calc.js', 'read'],
      ['fix the bug in src/calc.js', 'edit'],
      ['please run `npm test`', 'run'],
      ['Give me a tour', 'tour'],
      ['Show me what you can do', 'tour'],
      ['Can you show me what you can do with calc.js?', 'tour'],
      ['What can you do?', 'help'],
      ['Find a bug in calc.js and explain how to fix it.', 'edit'],
      ['Run a command in the terminal.', 'run'],
      ['make a plan', 'plan'],
      ['Ask me a form', 'form'],
      ['show me a form', 'form'],
      ['edit src/form.js', 'edit'],
      ['help', 'help'],
      ['Hello there', 'greeting'],
      ['Why is the sky blue', 'other'],
      ['/edit run.js', 'edit'],
      ['/tour', 'tour'],
      ['/unknown', 'other'],
    ] as const) {
      assert.equal(of(text).topic, topic, text);
    }
  });

  it('names the file as it was written', () => {
    for (const [text, target] of [
      ['read src/calc.js', 'src/calc.js'],
      ['explain "my-file.test.ts".', 'my-file.test.ts'],
      ['look at README.md, please', 'README.md'],
      ['what is in /abs/x.py?', '/abs/x.py'],
      ['open C:\\w\\a.ts', 'C:\\w\\a.ts'],
      ['fix it', undefined],
    ] as const) {
      assert.equal(of(text).target, target, text);
    }
  });

  it('prefers an attachment to the text', () => {
    const link = { type: 'resource_link' as const, uri: 'file:///w/a.js', name: 'a.js' };
    assert.equal(intentOf([{ type: 'text', text: 'read b.js' }, link]).target, 'file:///w/a.js');
    assert.deepEqual(intentOf([{ type: 'image', data: '', mimeType: 'image/png' }]).unseen, ['an image (image/png)']);
  });

  it('names the command', () => {
    for (const [text, command] of [
      ['/run ls -la', 'ls -la'],
      ['/run', undefined],
      ['run npm test', 'npm test'],
      ['run the command `git status` please', 'git status'],
      ['run a command in a terminal', undefined],
      ['execute git log in the terminal', 'git log'],
    ] as const) {
      assert.equal(of(text).command, command, text);
    }
  });
});

describe('a command line', () => {
  it('has arguments when it consists of plain words', () => {
    assert.deepEqual(parseCommand('git commit -m "two words"'), {
      command: 'git',
      args: ['commit', '-m', 'two words'],
      shown: 'git commit -m "two words"',
    });
  });

  it('stays whole when only a shell understands it', () => {
    for (const line of ['ls | wc', 'a && b', 'echo $HOME', 'ls *.js', 'echo "$HOME"', 'A=1 b', "it's", 'a"b c"']) {
      assert.deepEqual(parseCommand(line), { command: line, shown: line }, line);
    }
  });

  it('changes nothing when the demo agent chooses it', () => {
    assert.equal(harmlessCommand({ PATH: '' }, 'linux').shown, 'ls -l');
    assert.equal(harmlessCommand({ PATH: '' }, 'win32').shown, 'cmd /c dir');
  });
});
