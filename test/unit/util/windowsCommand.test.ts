import assert from 'node:assert/strict';
import { hasLineBreak, windowsCommand } from '../../../src/util/windowsCommand';

/** The first reading of cmd.exe: a caret makes the next character plain. */
const onceRead = (line: string): string => line.replace(/\^(.)/g, '$1');

/** The arguments that a C program reads from its command line (the rules of CommandLineToArgvW, as far as escaping uses them). */
function argvOf(line: string): string[] {
  const words: string[] = [];
  for (const [, word] of line.matchAll(/"((?:\\.|[^"\\]|\\(?="))*?(?:\\\\)*)"(?=\s|$)/g)) {
    words.push(
      word!
        .replace(/(\\+)"/g, (_, slashes: string) => '\\'.repeat(slashes.length >> 1) + '"')
        .replace(/(\\+)$/, (slashes) => slashes.slice(slashes.length / 2)),
    );
  }
  return words;
}

describe('windowsCommand', () => {
  const file = 'C:\\tools\\agent.cmd';
  const lineOf = (...args: string[]): string => windowsCommand(file, args).args[3]!;

  const table: [argument: string, escaped: string][] = [
    ['plain', '^"plain^"'],
    ['', '^"^"'],
    ['a b', '^"a^ b^"'],
    ['a&b', '^"a^&b^"'],
    ['a|b', '^"a^|b^"'],
    ['a^b', '^"a^^b^"'],
    ['%PATH%', '^"^%PATH^%^"'],
    ['hi!', '^"hi^!^"'],
    ['say "x"', '^"say^ \\^"x\\^"^"'],
    ['<in >out', '^"^<in^ ^>out^"'],
    ['(a;b,c*?)', '^"^(a^;b^,c^*^?^)^"'],
    ['C:\\dir\\', '^"C:\\dir\\\\^"'],
    ['tail\\"', '^"tail\\\\\\^"^"'],
    ['a\\b', '^"a\\b^"'],
  ];
  for (const [argument, escaped] of table) {
    it(`escapes ${JSON.stringify(argument)} once for a batch file`, () => {
      assert.equal(lineOf(argument), `"C:\\tools\\agent.cmd ${escaped}"`);
      assert.deepEqual(argvOf(onceRead(escaped)), [argument]);
    });

    it(`escapes ${JSON.stringify(argument)} twice for a script that passes it on`, () => {
      for (const shim of [
        'C:\\p\\node_modules\\.bin\\agent.cmd',
        'C:\\Users\\me\\AppData\\Roaming\\npm\\agent.cmd',
        'C:\\Program Files\\nodejs\\npx.cmd',
      ]) {
        const line = windowsCommand(shim, [argument]).args[3]!;
        const program = onceRead(line).slice(1, shim.length + 1);
        assert.equal(program, shim);
        assert.equal(onceRead(line), `"${shim} ${escaped}"`);
      }
    });
  }

  it('is passed to cmd.exe /d /s /c, already quoted', () => {
    const prepared = windowsCommand('C:/My Tools/a.BAT', ['x', 'y z'], 'C:\\Windows\\System32\\cmd.exe');
    assert.deepEqual(prepared, {
      file: 'C:\\Windows\\System32\\cmd.exe',
      args: ['/d', '/s', '/c', '"C:\\My^ Tools\\a.BAT ^"x^" ^"y^ z^""'],
      verbatim: true,
    });
  });

  it('leaves programs unchanged', () => {
    assert.deepEqual(windowsCommand('C:\\a.exe', ['a b', '%x%']), { file: 'C:\\a.exe', args: ['a b', '%x%'], verbatim: false });
  });

  it('rejects arguments that cannot be passed to cmd.exe', () => {
    assert.equal(hasLineBreak(['a\nb']), true);
    assert.equal(hasLineBreak(['a', 'b\r']), true);
    assert.equal(hasLineBreak(['a b', '%']), false);
  });
});
