import assert from 'node:assert/strict';
import { PREDEFINED_AGENTS } from '../../../src/agent/predefined';
import { typedCommand, typedVariables } from '../../../src/agent/typedCommand';
import { displayCommand } from '../../../src/util/commandLine';

describe('a command that the user types', () => {
  const read = (text: string, platform: NodeJS.Platform = 'linux') => {
    const typed = typedCommand(text, platform);
    return 'problem' in typed ? `${typed.problem} ${typed.part}`.trim() : [typed.command, ...typed.args];
  };

  it('is split like a shell splits it', () => {
    assert.deepEqual(read('  npx --yes  some-agent@1.2.3\t--acp '), ['npx', '--yes', 'some-agent@1.2.3', '--acp']);
    assert.deepEqual(read(`my-agent 'a b' "c \\"d\\"" e\\ f '' --x='y z'`), ['my-agent', 'a b', 'c "d"', 'e f', '', '--x=y z']);
    assert.deepEqual(read('"/Applications/My Agent/bin/agent" --acp'), ['/Applications/My Agent/bin/agent', '--acp']);
  });

  it('keeps the backslashes of a path on Windows', () => {
    assert.deepEqual(read('"C:\\Program Files\\agent.exe" \\\\server\\share', 'win32'), [
      'C:\\Program Files\\agent.exe',
      '\\\\server\\share',
    ]);
    assert.deepEqual(read('C:\\bin\\agent.exe --acp', 'win32'), ['C:\\bin\\agent.exe', '--acp']);
  });

  it('is refused when only a shell would understand it', () => {
    assert.equal(read('cd /w && agent'), 'shell &&');
    assert.equal(read('agent | tee log'), 'shell |');
    assert.equal(read('agent > log'), 'shell >');
    assert.equal(read('agent 2>&1'), 'shell 2>&1');
    assert.equal(read('agent; other'), 'shell agent;');
    assert.equal(read('agent $(pwd)'), 'shell $(pwd)');
    assert.equal(read('KEY=secret agent'), 'variable KEY=secret');
    assert.deepEqual(read(`agent '&&' '$(x)'`), ['agent', '&&', '$(x)'], 'quoted, they are arguments');
  });

  it('is refused when it is empty or not finished', () => {
    assert.deepEqual(
      ['', '   ', "''"].map((text) => read(text)),
      ['empty', 'empty', 'empty'],
    );
    assert.equal(read('agent "a b'), 'quote "');
  });

  it('can be the command of each known agent', () => {
    for (const { command, args } of PREDEFINED_AGENTS) {
      assert.deepEqual(read(displayCommand(command, args)), [command, ...args]);
    }
  });
});

describe('variables that the user types', () => {
  it('are pairs of name and value', () => {
    assert.deepEqual(typedVariables(`A=1 B_2="x y" C= D='a=b'`, 'linux'), { env: { A: '1', B_2: 'x y', C: '', D: 'a=b' } });
    assert.deepEqual(typedVariables('  ', 'linux'), { env: {} });
  });

  it('are refused without a name; the error does not repeat the value', () => {
    assert.deepEqual(typedVariables('A=1 secret', 'linux'), { problem: 'variable', part: 'secret' });
    assert.deepEqual(typedVariables('=secret', 'linux'), { problem: 'variable', part: '' });
    assert.deepEqual(typedVariables('1A=secret', 'linux'), { problem: 'variable', part: '1A' });
    assert.deepEqual(typedVariables(`A="secret`, 'linux'), { problem: 'quote', part: '"' });
  });
});
