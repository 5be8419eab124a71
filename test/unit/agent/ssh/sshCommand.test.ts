import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { quoted, sshArguments, sshPreamble, sshTerminalArguments } from '../../../../src/agent/ssh/sshCommand';
import type { SshEndpoint } from '../../../../src/core/agents/endpoint';

const ODD = [
  `a b`,
  `it's`,
  `'`,
  `''`,
  `\\`,
  `a\\'b`,
  `$HOME`,
  '`id`',
  `$(id)`,
  `;id`,
  `&&`,
  `*`,
  `!x`,
  `"`,
  `ä\t€`,
  '',
  `-x`,
  `~`,
  '#',
  '\\\\',
];

const endpoint = (more: Partial<SshEndpoint> = {}): SshEndpoint => ({
  kind: 'ssh',
  host: 'me@build',
  command: 'agent',
  args: [],
  env: {},
  ...more,
});

/** The shells of this machine. */
const SHELLS = ['sh', 'bash', 'dash', 'zsh', 'fish', 'csh', 'tcsh'].filter(
  (shell) => spawnSync('which', [shell], { stdio: 'ignore' }).status === 0,
);

describe('the command of an agent on another host', function () {
  this.timeout(20_000);

  it('asks for no terminal, sends signs of life, and ends with host and command', () => {
    const args = sshArguments(endpoint({ forwardPorts: [8085] }), '/srv/shop');
    assert.deepEqual(args.slice(0, 9), [
      '-T',
      '-o',
      'ServerAliveInterval=15',
      '-o',
      'ServerAliveCountMax=3',
      '-o',
      'BatchMode=no',
      '-L',
      '127.0.0.1:8085:localhost:8085',
    ]);
    assert.deepEqual(args.slice(9, 11), ['me@build', '--']);
    assert.equal(args.length, 12);
  });

  for (const shell of SHELLS) {
    it(`reaches the program word for word through ${shell}`, () => {
      const print = 'for (const word of process.argv.slice(1)) process.stdout.write(JSON.stringify(word) + "\\n")';
      const remote = sshArguments(endpoint({ command: process.execPath, args: ['-e', print, '--', ...ODD] }), '/').at(-1)!;
      const output = execFileSync(shell, ['-c', remote], { input: sshPreamble({}), encoding: 'utf8' });
      assert.deepEqual(
        output
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as string),
        ODD,
      );
    });
  }

  it('gets its variables through stdin, and the rest of stdin as it is', () => {
    const env = { TOKEN: `s3cret '"$x\\ `, EMPTY: '', OTHER: 'a=b' };
    const print =
      'process.stdin.on("data", (text) => console.log(JSON.stringify([process.env.TOKEN, process.env.EMPTY, process.env.OTHER, `${text}`])))';
    const args = sshArguments(endpoint({ command: process.execPath, args: ['-e', print], env }), '/');
    assert.ok(!args.join(' ').includes('s3cret'));
    const output = execFileSync('sh', ['-c', args.at(-1)!], { input: `${sshPreamble(env)}{"first":1}\n`, encoding: 'utf8' });
    assert.deepEqual(JSON.parse(output), [env.TOKEN, '', 'a=b', '{"first":1}\n']);
  });

  it('has a terminal for a sign-in, and its variables on the command line', () => {
    const print = 'console.log(JSON.stringify([process.env.A, process.env.B, ...process.argv.slice(1)]))';
    const some: Record<string, string> = { A: "x '$y", B: 'z' };
    for (const env of [some, {} as typeof some]) {
      const args = sshTerminalArguments(endpoint({ command: process.execPath, args: ['-e', print, '--', 'login', ''] }), '/', env);
      assert.deepEqual([args[0], args.at(-2)], ['-t', '--']);
      const output = execFileSync('sh', ['-c', args.at(-1)!], { encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: '/' } });
      assert.deepEqual(JSON.parse(output), [env['A'] ?? null, env['B'] ?? null, 'login', '']);
    }
  });

  it('starts in the folder, and not without it', () => {
    const run = (folder: string) =>
      spawnSync('sh', ['-c', sshArguments(endpoint({ command: 'pwd' }), folder).at(-1)!], { input: sshPreamble({}), encoding: 'utf8' });
    assert.equal(run('/usr').stdout.trim(), '/usr');
    assert.deepEqual([run('/none such').status, run('/none such').stdout], [126, '']);
  });

  it('finds programs below the home folder', () => {
    const run = (command: string) =>
      spawnSync('sh', ['-c', sshArguments(endpoint({ command }), '/').at(-1)!], {
        input: sshPreamble({}),
        encoding: 'utf8',
        env: { ...process.env, HOME: '/usr' },
      }).status;
    assert.deepEqual([run('~/bin/true'), run('~/bin/none')], [0, 127]);
  });

  it('quotes every text as one word', () => {
    assert.equal(quoted('a'), `'a'`);
    assert.equal(quoted(`it's`), `'it'\\''s'`);
  });
});
