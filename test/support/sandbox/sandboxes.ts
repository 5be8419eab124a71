/** Sandboxes for tests. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { ProtectedRules } from '../../../src/policy/protection/protectedRules';
import { Sandbox, type SandboxDependencies } from '../../../src/sandbox/sandbox';
import type { SandboxSettings } from '../../../src/sandbox/settings';

let helper: string | undefined;

/** Builds the program that runs inside, as the package has it. */
export function builtHelper(): string {
  if (helper === undefined) {
    helper = path.join(mkdtempSync(path.join(realpathSync(tmpdir()), 'sandbox-helper-')), 'helper.js');
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
    cacheFolder: mkdtempSync(path.join(realpathSync(tmpdir()), 'sandbox-cache-')),
    helper: builtHelper(),
    environment: process.env,
    ...more,
  });
  return { sandbox, settings };
}
