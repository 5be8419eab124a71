import assert from 'node:assert/strict';
import { packageRunnerOf, runnerStart, type PackageRunner } from '../../../src/agent/packageRunner';

const LINES: Readonly<Record<string, PackageRunner | undefined>> = {
  'npx -y x': 'npm',
  '/usr/bin/npx x': 'npm',
  'C:\\node\\npx.CMD x': 'npm',
  'npm exec x': 'npm',
  'npm x -- y': 'npm',
  'npm --yes exec x': 'npm',
  'npm --loglevel silent exec x': 'npm',
  'npm.cmd exec x': 'npm',
  'pnpm dlx x': 'pnpm',
  'pnpm --silent dlx x': 'pnpm',
  'pnpx x': 'pnpm',
  'yarn dlx x': 'yarn',
  'bunx x': 'bun',
  'bun x y': 'bun',
  'bun --silent x y': 'bun',
  'uvx x': 'uv',
  'uv tool run x': 'uv',
  'uv --quiet tool run x': 'uv',
  'cmd /c npx x': 'npm',
  'cmd.exe /d /s /c npx.cmd x': 'npm',
  'env A=1 npx x': 'npm',
  '/usr/bin/env -i A=1 npx x': 'npm',
  'env -u B npx x': 'npm',
  'mise exec -- npx x': 'npm',
  'mise x node@22 -- npx x': 'npm',
  'volta run npx x': 'npm',
  'corepack pnpm dlx x': 'pnpm',
  'nice -n 5 env npx x': 'npm',
  'npm run exec': undefined,
  'npm start': undefined,
  'yarn x': undefined,
  'bun run x': undefined,
  'uv run x': undefined,
  'node npx': undefined,
  'env node agent.js npx': undefined,
  'my-npx x': undefined,
  'constructor x': undefined,
  goose: undefined,
};

describe('package runners', () => {
  for (const [line, runner] of Object.entries(LINES)) {
    it(`${line} is ${runner ?? 'none'}`, () => {
      const [command = '', ...args] = line.split(' ');
      assert.equal(packageRunnerOf({ command, args }), runner);
    });
  }

  it('are recognized in the script of a shell', () => {
    assert.equal(packageRunnerOf({ command: 'bash', args: ['-lc', 'exec npx -y x --acp'] }), 'npm');
    assert.equal(packageRunnerOf({ command: '/bin/sh', args: ['-c', 'pnpm dlx x'] }), 'pnpm');
    assert.equal(packageRunnerOf({ command: 'pwsh', args: ['-NoProfile', '-Command', 'uvx x'] }), 'uv');
    assert.equal(packageRunnerOf({ command: 'cmd', args: ['/c', 'npx x'] }), 'npm');
    assert.equal(packageRunnerOf({ command: 'bash', args: ['agent.sh', 'npx'] }), undefined);
  });

  it("start in the empty folder, and pass the agent's folder on through a module that Node preloads", () => {
    const home = { folder: '/ours/empty', preload: 'C:\\with "quotes" and space\\p.js' };
    for (const [runner, mode] of [
      ['npm', 'spawn'],
      ['pnpm', 'spawn'],
      ['yarn', 'spawn'],
      ['bun', 'start'],
    ] as const) {
      const start = runnerStart(runner, '/project', home, '--max-old-space-size=8');
      assert.equal(start?.cwd, '/ours/empty', runner);
      assert.deepEqual(start?.env, {
        NODE_OPTIONS: '--require "C:\\\\with \\"quotes\\" and space\\\\p.js" --max-old-space-size=8',
        ACP_HOST_NODE_OPTIONS: '--max-old-space-size=8',
        ACP_HOST_AGENT_FOLDER: '/project',
        ACP_HOST_RUNNER_FOLDER: '/ours/empty',
        ACP_HOST_PRELOAD: mode,
      });
    }
    assert.equal(runnerStart('uv', '/project', home), undefined);
  });
});
