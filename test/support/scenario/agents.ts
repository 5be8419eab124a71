/** The agents of the scenarios. */
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ProcessLaunch } from '../../../src/core/model/agentLaunch';

/** The agent on the official SDK: see test/agent/scripted/agent.ts. */
export const AGENT = path.resolve('out/test/scripted-agent.mjs');

interface Bundles {
  bundleScriptedAgent(wanted: { snapshot: boolean }): Promise<string | undefined>;
}

/** The build happens once per run: one from another run may have another source. */
let building: Promise<void> | undefined;
let snapshot: string | undefined;

/** Builds {@link AGENT}. Every test file that starts it calls this first, in any order. */
export async function buildAgent(): Promise<void> {
  await building;
  if (!building || !existsSync(AGENT)) {
    building = build();
    await building;
  }
}

async function build(): Promise<void> {
  if (process.env.ACP_HOST_WINDOWS_BUILT !== undefined) {
    return; // Windows' tier has built it on Linux.
  }
  const bundles = (await import(pathToFileURL(path.resolve('test/harness/lib/bundle.mjs')).href)) as Bundles;
  snapshot = await bundles.bundleScriptedAgent({ snapshot: true });
}

/** The command that starts agents: Node.js, on Windows by a batch file whose path has all that is special in `cmd.exe`. */
export const COMMAND = process.platform === 'win32' ? batchFile() : process.execPath;

function batchFile(): string {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'ägents & 100%PATH% (^!) ')), 'agent ü.cmd');
  writeFileSync(file, `@"${process.execPath.replaceAll('%', '%%')}" %*\r\n`);
  return file;
}

/** The Node.js arguments that start the scripted agent. */
export function agentArguments(): string[] {
  return snapshot === undefined ? [AGENT] : ['--snapshot-blob', snapshot, AGENT];
}

/** The agent without the SDK: see test/agent/scripted/bare.mjs. */
export const BARE = path.resolve('test/agent/scripted/bare.mjs');

/** Launches the bare agent. `answers`: the lines that it writes, by method; `$id` is the request's id. */
export function bareAgent(answers: Readonly<Record<string, readonly unknown[]>>): Partial<ProcessLaunch> {
  return { args: [BARE, '--setup', JSON.stringify(answers)] };
}

/** The agent that speaks the early dialect: see test/agent/scripted/early.mjs. */
const EARLY = path.resolve('test/agent/scripted/early.mjs');

/** Launches that agent. `takesLists`: it takes prompts of version 1, too. */
export function earlyAgent(takesLists = false): Partial<ProcessLaunch> {
  return { args: [EARLY, ...(takesLists ? ['--lists'] : [])] };
}
