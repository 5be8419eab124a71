import assert from 'node:assert/strict';
import { failureOf } from '../../../src/core/model/failure';
import { resolveCommand, type CommandContext } from '../../../src/terminal/command';

describe('resolveCommand', () => {
  const context = (defaultShell: string, platform: NodeJS.Platform, environment: Record<string, string> = {}): CommandContext => ({
    cwd: '/',
    environment: { PATH: '/nowhere', ...environment },
    defaultShell,
    platform,
  });
  const line = 'echo "a b" | sort';

  it("passes a line to each shell in that shell's way", async () => {
    const cases: [CommandContext, file: string, args: string[], verbatim: boolean][] = [
      [context('/bin/zsh', 'darwin'), '/bin/zsh', ['-c', line], false],
      [context('/usr/bin/fish', 'linux'), '/usr/bin/fish', ['-c', line], false],
      [context('/usr/bin/pwsh', 'linux'), '/usr/bin/pwsh', ['-NoLogo', '-NoProfile', '-Command', line], false],
      [context('C:\\W\\PowerShell.EXE', 'win32'), 'C:\\W\\PowerShell.EXE', ['-NoLogo', '-NoProfile', '-Command', line], false],
      [context('C:\\W\\cmd.exe', 'win32'), 'C:\\W\\cmd.exe', ['/d', '/s', '/c', `"${line}"`], true],
      [context('C:\\Git\\bin\\bash.exe', 'win32'), 'C:\\Git\\bin\\bash.exe', ['-c', line], false],
      [context('', 'win32', { comspec: 'C:\\W\\cmd.exe' }), 'C:\\W\\cmd.exe', ['/d', '/s', '/c', `"${line}"`], true],
      [context('', 'linux', { SHELL: '/bin/dash' }), '/bin/dash', ['-c', line], false],
      [context('', 'linux'), '/bin/sh', ['-c', line], false],
    ];
    for (const [where, file, args, verbatim] of cases) {
      assert.deepEqual(await resolveCommand(line, [], where), { file, args, verbatim, shell: true, display: line, program: undefined });
    }
  });

  it('never runs a line when there are arguments', async () => {
    await assert.rejects(
      resolveCommand(line, ['x'], context('/bin/sh', 'linux')),
      (error) => failureOf(error).code === 'terminal.not_found',
    );
  });
});
