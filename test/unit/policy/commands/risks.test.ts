import { strict as assert } from 'node:assert';
import { realJudge, type ShellName } from './commandJudges';

const risks = async (command: string, shell: ShellName = 'bash'): Promise<readonly string[]> =>
  [...(await realJudge()).risks({ kind: 'command', command, shell, cwd: '/work' }, ['/work'])].toSorted();

const RISKS: Readonly<Record<string, readonly string[]>> = {
  'npm test': [],
  'cat src/a.ts': [],
  'npm test 2>/dev/null': [],
  'rm -rf out': ['deletes'],
  'git clean -fd': ['deletes'],
  'git reset --hard': ['deletes'],
  'find . -delete': ['deletes'],
  'sudo rm x': ['administrator', 'deletes'],
  'timeout 5 rm x': ['deletes'],
  'curl https://example.com': ['network'],
  'git push': ['network'],
  'npm install': ['installs_packages', 'network'],
  'pip install x': ['installs_packages', 'network'],
  'npx x': ['installs_packages', 'network'],
  'cat /etc/passwd': ['outside_folders'],
  'cat /work/a.txt': [],
  'cat ../x': ['outside_folders'],
  'echo x > ~/x': ['outside_folders'],
  'echo $(date)': ['runs_code'],
};

describe('risks of command lines', () => {
  for (const [line, wanted] of Object.entries(RISKS)) {
    it(`are ${wanted.join(', ') || 'none'} for ${line}`, async () => {
      assert.deepEqual(await risks(line), wanted);
    });
  }

  it('know the commands of PowerShell and cmd.exe', async () => {
    assert.deepEqual(await risks('Remove-Item x', 'pwsh'), ['deletes']);
    assert.deepEqual(await risks('del x', 'cmd'), ['deletes']);
  });
});
