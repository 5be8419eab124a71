// Agents for the user's settings, and their processes.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { scriptedAgent } from '../harness/lib/bundle.mjs';
import { until } from '../harness/lib/driver.mjs';
import { root } from '../harness/lib/paths.mjs';
import { strays } from '../harness/lib/proc.mjs';

/** A value that no message may show. */
export const secret = 'sesame-4711-open';
const env = { AGENT_API_KEY: secret };

/**
 * An `acpHost.agents` entry for the scripted agent.
 * @param setup the setup of test/agent/scripted/agent.ts.
 * @param tag makes its command line unique, and thereby its process findable.
 */
export function scripted(setup = {}, tag = 'good') {
  return { command: process.execPath, args: [scriptedAgent, tag, '--setup', JSON.stringify(setup)], env };
}

/** An `acpHost.agents` entry for one of agents/difficult.mjs. */
export function difficult(how, more = {}) {
  return { command: process.execPath, args: [join(root, 'test', 'e2e', 'agents', 'difficult.mjs'), how], env, ...more };
}

/** The processes of this run whose command line contains `text`. Linux only; elsewhere empty. */
export function processesOf(text) {
  return strays().filter(({ command }) => command.includes(text));
}

/**
 * The pid of the most recently started process whose command line contains `text`. Start times are compared, because pids wrap at 32,768.
 * Undefined without one.
 */
export function newestProcess(text) {
  const started = (pid) => Number(readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1).split(' ')[19]);
  const all = processesOf(text).map(({ pid }) => ({ pid, at: started(pid) }));
  return all.sort((a, b) => a.at - b.at).at(-1)?.pid;
}

/**
 * The keepers of the server with this folder, and the shells that watch them. They do not have the mark of the run in their environment, because a
 * keeper only gets the variables that it needs. Linux only; elsewhere empty.
 * @returns {{pid: number, command: string}[]}
 */
export function keepersOf(dir) {
  const all = (process.platform === 'linux' ? readdirSync('/proc') : []).flatMap((name) => {
    try {
      const status = readFileSync(`/proc/${name}/stat`, 'latin1').split(') ').at(-1).split(' ');
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      return /^\d+$/.test(name) && status[0] !== 'Z' ? [{ pid: Number(name), parent: Number(status[1]), command }] : [];
    } catch {
      return []; // No process, or it has ended meanwhile.
    }
  });
  const keepers = all.filter(({ command }) => command.includes(join(dir, 'ext')) && command.endsWith('keeper.js'));
  const pids = new Set(keepers.map(({ pid }) => pid));
  return [...keepers, ...all.filter(({ parent }) => pids.has(parent))].map(({ pid, command }) => ({ pid, command }));
}

/** Waits until the server with this folder has no keeper. */
export async function noKeeperLeft(dir, { timeoutMs = 20_000 } = {}) {
  await until('no keeper', () => keepersOf(dir).length === 0, { timeoutMs });
}

/** Waits until no process has `text` in its command line. */
export async function noneLeft(text, { timeoutMs = 6000 } = {}) {
  await until(`no process of "${text}"`, () => processesOf(text).length === 0, { timeoutMs });
}

/**
 * The processes with `text` in their command line that start after this call. On a bare reload VS Code's server may keep the old extension
 * host, and with it its agents, for minutes: only later ones count.
 */
export function laterProcesses(text) {
  const old = new Set(processesOf(text).map(({ pid }) => pid));
  return () => processesOf(text).filter(({ pid }) => !old.has(pid));
}

/** A prompt with a script for the scripted agent. */
export function script(...steps) {
  return `@script ${JSON.stringify(steps)}`;
}
