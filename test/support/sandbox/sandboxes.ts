/** Sandboxes for tests. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { ProtectedRules } from '../../../src/policy/protection/protectedRules';
import { Sandbox, type SandboxDependencies } from '../../../src/sandbox/sandbox';
import type { SandboxSettings } from '../../../src/sandbox/settings';

let helper: string | undefined;
const temporary: string[] = [];
process.on('exit', () => temporary.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

function temporaryFolder(name: string): string {
  const folder = mkdtempSync(path.join(realpathSync(tmpdir()), name));
  temporary.push(folder);
  return folder;
}

/** Builds the program that runs inside, as the package has it. */
export function builtHelper(): string {
  if (helper === undefined) {
    helper = path.join(temporaryFolder('sandbox-helper-'), 'helper.js');
    buildSync({ entryPoints: ['src/sandbox/helper.ts'], outfile: helper, bundle: true, platform: 'node', target: 'node20', format: 'cjs' });
  }
  return helper;
}

/** Returns why this machine has no sandbox; undefined when it has one. */
export function missingSandbox(): string | undefined {
  if (process.platform !== 'linux') {
    return 'these tests need Linux';
  }
  try {
    execFileSync(
      'bwrap',
      ['--unshare-user', '--unshare-pid', '--unshare-net', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', 'true'],
      {
        stdio: 'pipe',
      },
    );
    return undefined;
  } catch (error) {
    return `bubblewrap does not run here: ${(error as Error).message.split('\n')[0]}`;
  }
}

export interface TestSandbox {
  readonly sandbox: Sandbox;
  readonly settings: { -readonly [K in keyof SandboxSettings]: SandboxSettings[K] };
}

export function testSandbox(root: string, more: Partial<SandboxDependencies> = {}): TestSandbox {
  const settings: TestSandbox['settings'] = { modes: undefined, network: undefined, hosts: [], writable: [], unreadable: [] };
  const rules = new ProtectedRules();
  const sandbox = new Sandbox({
    roots: () => [root],
    agent: { agentId: 'scripted', agentName: 'Scripted', command: 'scripted', args: [] },
    isAgent: false,
    settings: () => settings,
    ruleFor: async () => (names, access) => rules.ruleFor(names, access),
    cacheFolder: temporaryFolder('sandbox-cache-'),
    helper: builtHelper(),
    environment: process.env,
    ...more,
  });
  return { sandbox, settings };
}
