import assert from 'node:assert/strict';
import fc from 'fast-check';
import { plainTitle } from '../../../../src/text/transcript/plainTitle';
import { messageTitle, promptTitle, readTitle, sessionTitle } from '../../../../src/text/transcript/sessionTitle';
import { text } from '../../../support/events';

describe('the title of a session', () => {
  it('is the agent’s title, or the beginning of the first prompt, or the agent’s name', () => {
    const firstPrompt = { messageId: 'm', text: 'Fix the **bug**' };
    assert.equal(sessionTitle({ title: ' Named ', firstPrompt, agentName: 'A' }), 'Named');
    assert.equal(sessionTitle({ title: ' ', firstPrompt, agentName: 'A' }), 'Fix the bug');
    assert.equal(sessionTitle({ firstPrompt: { messageId: 'm', text: ' \n' }, agentName: 'A' }), 'A');
    assert.equal(sessionTitle({ agentName: 'A' }), 'A');
  });

  it('is not the agent’s when that is the prompt, cut before a mention or within a sentence', () => {
    const titleOf = (title: string, prompt: string) =>
      sessionTitle({ title, firstPrompt: { messageId: 'm', text: prompt }, agentName: 'A' });
    assert.equal(titleOf('What does', 'What does calc.js do?'), 'What does calc.js do?');
    assert.equal(titleOf('Please fix the…', ' Please  fix the tests in **src**'), 'Please fix the tests in src');
    assert.equal(titleOf('Add a dark mode', 'Add a dark mode. Then test it.'), 'Add a dark mode');
    assert.equal(titleOf('Fix the bug', 'Fix the bug\n\nIt is in src.'), 'Fix the bug');
    assert.equal(titleOf('Fix the bug', 'Fix the bug'), 'Fix the bug');
    assert.equal(titleOf('Dark mode', 'Add a dark mode'), 'Dark mode');
    assert.equal(titleOf('…', 'Add a dark mode'), '…');
  });

  for (const [prompt, title] of [
    ['  Fix\n the bug ', 'Fix the bug'],
    ['Fix `add` in [calc](src/calc.js), **please**, _now_', 'Fix add in calc, please, now'],
    ['# Plan\n\n- one\n- two', 'Plan'],
    ['\n\n> quoted **words**\n\nmore', 'quoted words'],
    ['```js\nadd(1, 2);\n```\nWhy?', 'add(1, 2);'],
    ['What does __init__.py do?', 'What does __init__.py do?'],
    ['Rename my_old_name to `__main__`', 'Rename my_old_name to __main__'],
    ['/review src', '/review src'],
    ['- [ ] a task', 'a task'],
    ['\t \n', ''],
  ] as const) {
    it(`of ${JSON.stringify(prompt)}`, () => assert.equal(promptTitle(prompt), title));
  }

  it('names the files that a message mentions', () => {
    const link = { type: 'resource_link', uri: 'file:///w/calc.js', name: 'calc.js' } as const;
    assert.equal(messageTitle([text('Explain '), link, text(' please')]), 'Explain calc.js please');
    assert.equal(messageTitle([text('Explain '), link]), 'Explain calc.js');
    assert.equal(messageTitle([link]), 'calc.js');
    assert.equal(messageTitle([{ type: 'image', data: '', mimeType: 'image/png' }]), '');
    assert.equal(messageTitle([{ ...text('Context'), annotations: { audience: ['assistant'] } }, text('Fix it')]), 'Fix it');
  });

  it('is the same for a plain prompt whether or not its Markdown is read', () => {
    const words = fc.constantFrom(
      ...[
        'Fix',
        'the',
        'bug',
        ' ',
        ' ',
        '  ',
        '.',
        ', ',
        '?',
        '(c)',
        '-',
        '--',
        '1. ',
        ': ',
        "'",
        '"',
        '/',
        '\n',
        '\n\n',
        '\t',
        '&',
        '*',
        '`',
        '_',
        'é',
        '字',
      ],
    );
    let plain = 0;
    fc.assert(
      fc.property(fc.array(words, { maxLength: 30 }), (parts) => {
        const prompt = parts.join('');
        const title = plainTitle(prompt);
        plain += title === undefined ? 0 : 1;
        assert.equal(title ?? readTitle(prompt), readTitle(prompt));
      }),
      { numRuns: 2000 },
    );
    assert.ok(plain > 100, `${plain} of 2000`);
    assert.equal(plainTitle('Begin'), 'Begin');
    for (const marked of ['Fix `it`', 'see www.example.org', 'see https://a.example', '# Fix', '- a', '1. a', 'a\n===', '']) {
      assert.equal(plainTitle(marked), undefined, marked);
    }
  });

  it('is limited, and cut between words if possible', () => {
    const long = promptTitle('words of some length '.repeat(50));
    assert.ok(long.length <= 80 && long.endsWith('…') && !/\w{1,3}…$/.test(long.replace(/(words|of|some|length)…$/, '')), long);
    assert.match(promptTitle('words of some length '.repeat(50)), /(words|of|some|length)…$/);
    assert.equal(promptTitle('x'.repeat(500)), `${'x'.repeat(79)}…`);
    assert.ok(promptTitle('😀'.repeat(200)).isWellFormed());
  });
});
