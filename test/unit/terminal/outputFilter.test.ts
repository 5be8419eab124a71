import assert from 'node:assert/strict';
import { Terminal } from '@xterm/xterm';
import fc from 'fast-check';
import { OutputFilter } from '../../../src/terminal/outputFilter';

const ALLOWED = [
  'plain größe\r\n',
  '\x1b[31mred\x1b[0m',
  '\x1b]0;title\x07',
  '\x1b[?1049h\x1b[2J',
  '\x1b7\x1b8',
  '\x1bPq#0\x1b\\',
  '\x9b1m',
  '\x1b]152;x\x07',
];
const TMUX = '\x1bPtmux;\x1b\x1b]52;c;aGVsbG8=\x07\x1b\\';
const CLIPBOARD = ['\x1b]52;c;aGVsbG8=\x07', '\x1b]52;;aGVsbG8=\x1b\\', '\x9d52;c;x\x9c', `\x1b]52;c;${'A'.repeat(100_000)}\x07`];
const QUESTIONS = [
  '\x1b[c',
  '\x1b[0c',
  '\x1b[>c',
  '\x1b[=c',
  '\x1b[6n',
  '\x1b[?6n',
  '\x1b[5n',
  '\x9b6n',
  '\x1b[18t',
  '\x1b[?2026$p',
  '\x1b[4$p',
  '\x1b[>q',
  '\x1b[>0q',
  '\x1b[?u',
  '\x1b]11;?\x07',
  '\x1b]4;1;?\x1b\\',
  '\x1bP$qm\x1b\\',
  '\x1bP+q544e\x1b\\',
  '\x1bZ',
];

describe('the output for a terminal of the window', () => {
  it('is unchanged, except for the clipboard', () => {
    const all = new OutputFilter();
    for (const text of [...ALLOWED, ...QUESTIONS]) {
      assert.equal(all.push(text, false), text);
    }
    for (const text of CLIPBOARD) {
      assert.equal(all.push(`a${text}b`, false), 'a\x18b');
    }
  });

  it('contains no sequence that could be taken for shell integration', () => {
    const sequences = [
      '\x1b]633;A\x07',
      '\x1b]633;E;rm -rf x;nonce\x1b\\',
      '\x1b]133;D;0\x07',
      '\x1b]1337;SetMark\x07',
      '\x1b]7;file://host/tmp\x07',
      '\x1b]9;9;C:\\\x07',
      '\x9d633;C\x9c',
      '\x1b]0633;A\x07',
      `\x1b]633;P;Cwd=${'x'.repeat(100_000)}\x07`,
    ];
    for (const text of sequences) {
      assert.equal(new OutputFilter().push(`a${text}b`, false), 'a\x18b', JSON.stringify(text.slice(0, 40)));
    }
  });

  it('shows the address of a link as text if the text names another one', () => {
    const shown = (text: string) => new OutputFilter().push(text, false).replaceAll('\x18', '');
    const link = (address: string, text: string, end = '\x1b]8;;\x07') => `\x1b]8;id=1;${address}\x07${text}${end}`;
    assert.equal(shown(`${link('https://evil.example/', 'https://bank.example')}.`), 'https://bank.example (https://evil.example/).');
    assert.equal(shown(link('https://a.b/x', 'see https://a.b/x')), 'see https://a.b/x');
    assert.equal(shown(link('vscode://evil', 'click')), 'click');
    assert.equal(shown(link('https://a.b/1', 'one', '') + link('https://a.b/2', 'two')), 'one (https://a.b/1)two (https://a.b/2)');
    assert.equal(shown(`\x1b[?1049h${link('https://a.b/', 'x')}`), '\x1b[?1049hx');
  });

  it('contains no queries when it is replayed', () => {
    const past = new OutputFilter();
    for (const text of ALLOWED) {
      assert.equal(past.push(text, true), text);
    }
    for (const text of [...QUESTIONS, ...CLIPBOARD]) {
      assert.equal(past.push(`a${text}b`, true), 'a\x18b', JSON.stringify(text));
    }
  });

  it('does not depend on how it is cut', () => {
    const piece = fc.oneof(
      fc.constantFrom(...ALLOWED, ...CLIPBOARD.slice(0, 3), ...QUESTIONS),
      fc.constantFrom('\x1b', '[', ']52;', 'x', '\x07', '?', '6n', '\\', '\x18'),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.array(fc.nat(100), { maxLength: 8 }), fc.boolean(), (pieces, cuts, past) => {
        // A sequence that waits for its end is not compared.
        const text = pieces.join('') + '\x18end';
        const whole = new OutputFilter().push(text, past);
        const parted = new OutputFilter();
        const places = [0, ...cuts.map((cut) => Math.min(cut, text.length)).sort((a, b) => a - b), text.length];
        const joined = places
          .slice(1)
          .map((place, index) => parted.push(text.slice(places[index], place), past))
          .join('');
        assert.equal(joined, whole);
      }),
      { numRuns: 2000 },
    );
  });

  it('gives a real terminal nothing to copy, and in a replay nothing to answer', async () => {
    const terminal = new Terminal({ cols: 20, rows: 5, allowProposedApi: true });
    const doings: string[] = [];
    terminal.parser.registerOscHandler(52, (data) => doings.push(`copies ${data}`) > 0);
    terminal.onData((data) => doings.push(`answers ${JSON.stringify(data)}`));
    const written = (text: string) => new Promise<void>((resolve) => terminal.write(text, resolve));
    await written('\x1b]52;c;eA==\x07\x1b[6n');
    assert.deepEqual(doings.splice(0), ['copies c;eA==', 'answers "\\u001b[1;1R"'], 'the terminal of this test does both');
    const piece = fc.constantFrom(
      '\x1b',
      '\x1b[',
      '\x9b',
      '\x1b]',
      '\x9d',
      '\x1bP',
      '52',
      '052',
      ';c;eA==',
      '6',
      '?',
      '>',
      '0',
      'n',
      'c',
      'q',
      '$',
      '$q',
      'm',
      '\x01',
      '\x07',
      '\x18',
      '\x1b\\',
      '\x9c',
      '\x1a',
      '\x1b_',
      '\x1bX',
      '\x1b^',
      '\x9f',
      '\x98',
      TMUX,
      '11;?',
      'x',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 9 }), async (pieces) => {
        await written('\x1bc');
        await written(`${new OutputFilter().push(pieces.join('') + '\x18', true)}`);
        assert.deepEqual(doings.splice(0), []);
      }),
      { numRuns: 2000 },
    );
    terminal.dispose();
  });

  it('does not wait forever, and forgets text before a gap', () => {
    const all = new OutputFilter();
    const endless = `\x1b]0;${'x'.repeat(100_000)}`;
    assert.equal(all.push(endless, false), endless);
    all.push('\x1b]52;c;', false);
    all.reset();
    assert.equal(all.push('next', false), 'next');
    // The cut is in the middle of the sequence's end.
    all.push(`\x1b]52;c;${'x'.repeat(100_000)}\x1b`, false);
    assert.equal(all.push('\\shown', false), '\x18shown');
  });
});
