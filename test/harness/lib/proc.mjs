// Child processes that cannot be left behind: each leads its own group, has a mark in its environment, and ends with us, however we end.
import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createWriteStream, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

const windows = process.platform === 'win32';

/**
 * Set on every child. Grandchildren inherit it, so a process that left its group can still be found. Each process of the harness appends to
 * the mark that it was given. Two parallel ones do not mistake each other's children for their own, and their common parent knows all.
 */
const MARK = 'ACP_HOST_HARNESS_RUN';
const mark = `${process.env[MARK] ?? ''}/${randomUUID()}`;
process.env[MARK] = mark;

const live = new Map();
const cleanups = [];
let ending = false;

/** Runs `fn` (may be async) once when the process ends normally, by SIGINT or by SIGTERM. Last registered runs first. */
export function onEnd(fn) {
  cleanups.push(fn);
  return () => {
    const at = cleanups.indexOf(fn);
    if (at >= 0) cleanups.splice(at, 1);
  };
}

/** Runs every clean-up and ends every remaining child. Safe to call twice. */
export async function endAll() {
  ending = true;
  for (let fn = cleanups.pop(); fn; fn = cleanups.pop()) {
    try {
      await fn();
    } catch (error) {
      console.error(`clean-up failed: ${error.message}`);
    }
  }
  await Promise.all([...live.values()].map((child) => stop(child)));
  // A browser's helpers outlive it by a moment: a later check should find no process.
  for (let tries = 0; tries < 20 && strays().length > 0; tries++) await wait(50);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (ending) return;
    void endAll().finally(() => process.exit(signal === 'SIGINT' ? 130 : 143));
  });
}
process.on('exit', () => {
  for (const child of live.values()) signalAll([child.pid, ...descendants(child.pid)], 'SIGKILL');
});

/**
 * The environment for a child: ours plus `extra`, without the variables of an outer VS Code or test runner. `undefined` removes a variable.
 */
export function cleanEnv(extra = {}) {
  const env = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (!/^(VSCODE_|ELECTRON_|NODE_OPTIONS$|npm_(lifecycle|package|command|execpath|node_execpath))/i.test(name)) env[name] = value;
  }
  for (const [name, value] of Object.entries(extra)) {
    if (value === undefined) delete env[name];
    else env[name] = value;
  }
  env[MARK] = mark;
  return env;
}

/** Starts a process as leader of its own group and tracks it until it ends. */
export function start(command, args, options = {}) {
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: cleanEnv(options.env),
    stdio: options.stdio ?? ['ignore', 'pipe', 'pipe'],
    shell: options.shell ?? false,
    detached: !windows,
    windowsHide: true,
  });
  child.gone = new Promise((resolve) => {
    child.once('error', (error) => {
      live.delete(child.pid);
      resolve({ code: 127, signal: null, error });
    });
    child.once('close', (code, signal) => {
      live.delete(child.pid);
      resolve({ code, signal });
    });
  });
  if (child.pid) live.set(child.pid, child);
  return child;
}

/** Ends a process, its group and all its descendants: SIGTERM, then SIGKILL after `graceMs`. */
export async function stop(child, graceMs = 3000) {
  if (!child?.pid) return;
  const pids = [child.pid, ...descendants(child.pid)];
  signalAll(pids, 'SIGTERM');
  const timer = setTimeout(() => signalAll([...new Set([...pids, ...descendants(child.pid)])], 'SIGKILL'), graceMs);
  await Promise.race([child.gone, wait(graceMs + 2000)]);
  clearTimeout(timer);
  signalAll(pids.filter(alive), 'SIGKILL');
  live.delete(child.pid);
}

/**
 * Runs a process to its end.
 * @returns {Promise<{code: number|null, timedOut: boolean, ms: number, tail: string}>} `tail` is the last 60 lines of its output.
 */
export async function run(command, args, { timeoutMs = 300_000, logFile, echo = false, ...options } = {}) {
  const began = Date.now();
  const child = start(command, args, options);
  let tail = '';
  let log;
  if (logFile) {
    mkdirSync(dirname(logFile), { recursive: true });
    log = createWriteStream(logFile);
  }
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8');
    stream?.on('data', (text) => {
      tail = (tail + text).slice(-16_384);
      log?.write(text);
      if (echo) process.stdout.write(text);
    });
  }
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    void stop(child);
  }, timeoutMs);
  const end = await child.gone;
  clearTimeout(timer);
  log?.end();
  if (end.error) tail += `\n${command}: ${end.error.message}`;
  return { code: end.code, timedOut, ms: Date.now() - began, tail: tail.trimEnd().split('\n').slice(-60).join('\n') };
}

/** Like {@link run}, but throws a failure as an Error with the command and the tail of its output. */
export async function mustRun(command, args, options = {}) {
  const end = await run(command, args, options);
  if (end.code !== 0) {
    const why = end.timedOut ? `no end after ${Math.round(end.ms / 1000)} s` : `exit ${end.code}`;
    throw new Error(`${[command, ...args].join(' ')}: ${why}\n${end.tail}`);
  }
  return end;
}

/** Returns `[command, args, options]` that run npm, whatever started us. */
export function npm(args) {
  const script = process.env.npm_execpath;
  if (script && /npm-cli\.js$/.test(script)) return [process.execPath, [script, ...args], {}];
  return ['npm', args, { shell: windows }];
}

/** Resolves after `ms` milliseconds. */
export function wait(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** True while the process exists and is not a zombie. */
export function alive(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
  return status(pid)?.state !== 'Z';
}

/**
 * Processes of this run (by the mark in their environment) that are not this process or one of its ancestors. Linux only; elsewhere empty.
 * @returns {{pid: number, command: string}[]}
 */
export function strays() {
  const own = new Set();
  for (let pid = process.pid; pid > 1; pid = status(pid)?.parent ?? 0) own.add(pid);
  const found = [];
  for (const pid of allPids()) {
    if (own.has(pid) || status(pid)?.state === 'Z') continue;
    try {
      if (
        !readFileSync(`/proc/${pid}/environ`, 'utf8')
          .split('\0')
          .some((entry) => entry.startsWith(`${MARK}=${mark}`))
      )
        continue;
      found.push({ pid, command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim() });
    } catch {
      // The process ended meanwhile, or we may not read it.
    }
  }
  return found;
}

function signalAll(pids, signal) {
  for (const pid of pids) {
    if (!pid) continue;
    if (windows) {
      try {
        execFileSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' });
      } catch {
        // The process has already ended.
      }
      continue;
    }
    for (const target of [-pid, pid]) {
      try {
        process.kill(target, signal);
      } catch {
        // The process has already ended, or is not a group leader.
      }
    }
  }
}

function descendants(pid) {
  if (process.platform !== 'linux') return [];
  const children = new Map();
  for (const each of allPids()) {
    const parent = status(each)?.parent;
    if (parent) children.set(parent, [...(children.get(parent) ?? []), each]);
  }
  const found = [];
  for (const queue = [pid]; queue.length > 0; ) {
    for (const each of children.get(queue.shift()) ?? []) {
      found.push(each);
      queue.push(each);
    }
  }
  return found;
}

function allPids() {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function status(pid) {
  try {
    // The command between parentheses may contain spaces and parentheses.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return { state: fields[0], parent: Number(fields[1]) };
  } catch {
    return undefined;
  }
}
