/** The agents at the other end of the scenarios. */
import path from 'node:path';
import type { AgentLaunch } from '../../../src/core/model/ports';

/** The one on the official SDK: see test/agent/scripted/agent.ts. */
export const AGENT = path.resolve('out/test/scripted-agent.mjs');

/** The agent without the SDK: see test/agent/scripted/bare.mjs. */
export const BARE = path.resolve('test/agent/scripted/bare.mjs');

/** Launches the bare agent. `answers`: by method, the lines it writes; `$id` is the request's id. */
export function bareAgent(answers: Readonly<Record<string, readonly unknown[]>>): Partial<AgentLaunch> {
  return { args: [BARE, '--setup', JSON.stringify(answers)] };
}
