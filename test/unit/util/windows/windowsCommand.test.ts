import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { hasLineBreak, windowsCommand } from '../../../../src/util/windows/windowsCommand';

/** The texts between quotes, and outside of them, as `cmd.exe` sees a line. */
function partsOf(line: string): { readonly inside: string; readonly outside: string } {
  const parts = line.split('"');
  return { inside: parts.filter((_, index) => index % 2 === 1).join(''), outside: parts.filter((_, index) => index % 2 === 0).join('') };
}

/** The arguments that a C program reads from its command line: backslashes count before a quote only, and a doubled quote is one. */
function argvOf(line: string): string[] {
  const halved = (slashes: string): string => slashes.slice(slashes.length / 2);
  return [...line.matchAll(/"((?:[^"]|"")*)"(?=\s|$)/g)].map(([, word]) => word!.replace(/\\+(?="")|\\+$/g, halved).replaceAll('""', '"'));
}

/** The line after `cmd.exe` has replaced the variables. */
function expanded(line: string): string {
  return line.replaceAll('%cd:~,%', '');
}

describe('windowsCommand', function () {
  this.timeout(60_000);
  const file = 'C:\\tools\\agent.cmd';
  const lineOf = (...args: string[]): string => windowsCommand(file, args).args.at(-1)!.slice(1, -1);

  const table: [argument: string, escaped: string][] = [
    ['plain', '"plain"'],
    ['', '""'],
    ['a b', '"a b"'],
    ['a&b', '"a&b"'],
    ['a|b', '"a|b"'],
    ['a^b', '"a^b"'],
    ['%PATH%', '"%%cd:~,%PATH%%cd:~,%"'],
    ['hi!', '"hi!"'],
    ['say "x"', '"say ""x"""'],
    ['{"a":"b & c"}', '"{""a"":""b & c""}"'],
    ['<in >out', '"<in >out"'],
    ['(a;b,c*?)', '"(a;b,c*?)"'],
    ['C:\\dir\\', '"C:\\dir\\\\"'],
    ['tail\\"', '"tail\\\\"""'],
    ['a\\b', '"a\\b"'],
  ];
  for (const [argument, escaped] of table) {
    it(`keeps ${JSON.stringify(argument)} between quotes, however often it is parsed`, () => {
      assert.equal(lineOf(argument), `"${file}" ${escaped}`);
      assert.deepEqual(argvOf(expanded(escaped)), [argument]);
      assert.equal(partsOf(escaped).outside, '');
    });
  }

  it('is passed to cmd.exe with its extensions, already quoted', () => {
    const prepared = windowsCommand('C:/My Tools & 100%/a.BAT', ['x', 'y z'], 'C:\\Windows\\System32\\cmd.exe');
    assert.deepEqual(prepared, {
      file: 'C:\\Windows\\System32\\cmd.exe',
      args: ['/e:on', '/v:off', '/d', '/s', '/c', '""C:\\My Tools & 100%%cd:~,%\\a.BAT" "x" "y z""'],
      verbatim: true,
    });
  });

  (process.platform === 'win32' ? it : it.skip)('passes arguments on to a program, from a batch file in any folder', () => {
    const top = mkdtempSync(path.join(tmpdir(), 'batch-'));
    writeFileSync(path.join(top, 'echo.js'), 'console.log(JSON.stringify(process.argv.slice(2)))');
    for (const folder of ['plain', 'a b', 'ü', 'a&b', '100%', 'x%PATH%y', 'a^b', '(p)', 'ha!', 'node_modules\\.bin']) {
      const batch = path.join(top, folder, 'agent ü.cmd');
      mkdirSync(path.dirname(batch), { recursive: true });
      writeFileSync(batch, `@"${process.execPath}" echo.js %*\r\n`);
      // Wine replaces variables again in `%*`, which Windows does not.
      const args = [...table.map(([argument]) => argument).filter((argument) => !argument.includes('%')), 'grün & blau'];
      const command = windowsCommand(batch, args, process.env.ComSpec);
      const { stdout, stderr } = spawnSync(command.file, command.args, {
        cwd: top,
        windowsVerbatimArguments: command.verbatim,
        encoding: 'utf8',
      });
      assert.equal(stdout.trim(), JSON.stringify(args), `${folder} ${stderr}`);
    }
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
