/** The agents at the other end of the scenarios. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ProcessLaunch } from '../../../src/core/model/ports';

/** The one on the official SDK: see test/agent/scripted/agent.ts. */
export const AGENT = path.resolve('out/test/scripted-agent.mjs');

interface Bundles {
  bundleScriptedAgent(wanted: { snapshot: boolean }): Promise<string | undefined>;
}

/** Once in a run of the tests: one from another run may be of another source. */
let building: Promise<void> | undefined;
let snapshot: string | undefined;

/** Makes {@link AGENT}; every test file that starts it asks for it first, whichever runs first. */
export async function buildAgent(): Promise<void> {
  await building;
  if (!building || !existsSync(AGENT)) {
    building = build();
    await building;
  }
}

async function build(): Promise<void> {
  const bundles = (await import(pathToFileURL(path.resolve('test/harness/lib/bundle.mjs')).href)) as Bundles;
  snapshot = await bundles.bundleScriptedAgent({ snapshot: true });
}

/** What Node takes to be the scripted agent. */
export function agentArguments(): string[] {
  return snapshot === undefined ? [AGENT] : ['--snapshot-blob', snapshot, AGENT];
}

/** The agent without the SDK: see test/agent/scripted/bare.mjs. */
export const BARE = path.resolve('test/agent/scripted/bare.mjs');

/** Launches the bare agent. `answers`: by method, the lines it writes; `$id` is the request's id. */
export function bareAgent(answers: Readonly<Record<string, readonly unknown[]>>): Partial<ProcessLaunch> {
  return { args: [BARE, '--setup', JSON.stringify(answers)] };
}
