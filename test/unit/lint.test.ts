import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const PLANTED = `
async function slow(): Promise<number> { return 1; }
export function plant(value: any, take: (text: string) => void): string {
  slow();
  if (slow()) { take(value); }
  const kept = value;
  return value || kept;
}
`;

describe('the rules that need types', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(path.join(tmpdir(), 'lint-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('are seen to, those about `any` where text is shown', async () => {
    await cp('.oxlintrc.json', path.join(folder, '.oxlintrc.json'));
    await symlink(path.resolve('node_modules'), path.join(folder, 'node_modules'), 'junction');
    await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { strict: true }, include: ['src'] }));
    for (const place of ['src/workbench', 'src/core']) {
      await mkdir(path.join(folder, place), { recursive: true });
      await writeFile(path.join(folder, place, 'planted.ts'), PLANTED);
    }
    const run = promisify(execFile)(process.execPath, [path.resolve('node_modules/oxlint/bin/oxlint'), '-f', 'unix', 'src'], {
      cwd: folder,
    });
    const { code, stdout } = (await run.catch((error: unknown) => error)) as { code?: number; stdout: string };
    const found = [...stdout.matchAll(/^(\S+?):(\d+):.*typescript\(([\w-]+)\)/gm)].map(([, file, line, rule]) => `${file}:${line} ${rule}`);
    assert.deepEqual(found.sort(), [
      'src/core/planted.ts:4 no-floating-promises',
      'src/core/planted.ts:5 no-misused-promises',
      'src/workbench/planted.ts:4 no-floating-promises',
      'src/workbench/planted.ts:5 no-misused-promises',
      'src/workbench/planted.ts:5 no-unsafe-argument',
      'src/workbench/planted.ts:6 no-unsafe-assignment',
      'src/workbench/planted.ts:7 no-unsafe-return',
    ]);
    assert.equal(code, 1);
  });
});
