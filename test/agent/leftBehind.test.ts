/**
 * Agents and commands that leave processes behind by every known way out of a process group, ended at every moment. No process may remain.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import os from 'node:os';
import { spawnAgent } from '../../src/agent/spawn';
import { systemClock } from '../../src/util/clock';
import { brokenPty, testRoom, type TestRoom } from '../unit/terminal/fakes';

const STARTS = 60;
const AT_ONCE = 10;
const VARIABLE = 'LEFT_BEHIND_TEST';

/** A number of seconds to sleep that no other process uses: leftovers are counted by this argument, besides the variable. */
const TAG = String(randomInt(1e8, 1e9));
const ID = randomUUID();

const has = (program: string): boolean => {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
const node = (script: string): string => `"${process.execPath}" -e '${script}'`;
const LEAF = `sleep ${TAG}`;
const DETACHED = `require("child_process").spawn("sleep", ["${TAG}"], { detached: true, stdio: "ignore" }).unref();`;
const DOUBLE_FORK = {
  perl: `perl -MPOSIX -e 'if (!fork) { POSIX::setsid(); if (!fork) { exec "sleep", "${TAG}" } exit } wait'`,
  python3: `python3 -c 'import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0: os.execvp("sleep", ["sleep", "${TAG}"])
    os._exit(0)
os.wait()'`,
};

/** Without the variable and in a session of its own, but still a child of a live parent: it can be found through its parent. */
const NAMELESS = `env -i "$(command -v setsid)" /bin/sh -c 'echo ready; exec /bin/sleep ${TAG}' & wait`;

/** Lines of a shell. After each, the shell reports that it is ready, and then stays or exits as the test wants. */
const WAYS: readonly string[] = [
  `${LEAF} & ${LEAF} &`,
  `nohup ${LEAF} >/dev/null 2>&1 &`,
  `(trap '' TERM HUP; ${LEAF} & while :; do sleep ${TAG}; done) &`,
  node(`${DETACHED} ${DETACHED}`),
  node(
    `require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(DETACHED)}], { detached: true, stdio: "ignore" }).unref();`,
  ),
  ...(has('setsid')
    ? [
        `setsid ${LEAF} &`,
        `setsid -f ${LEAF}; setsid -f sh -c '${LEAF} & ${LEAF}'`,
        `setsid -f sh -c 'trap "" TERM HUP INT; while :; do ${LEAF}; done'`,
        // Leaves another process as long as it lives.
        `i=0; while [ $i -lt 40 ]; do setsid -f ${LEAF}; i=$((i+1)); done &`,
        `setsid -f sh -c 'i=0; while [ $i -lt 30 ]; do setsid -f ${LEAF}; i=$((i+1)); done'`,
      ]
    : []),
  ...Object.entries(DOUBLE_FORK).flatMap(([program, line]) => (has(program) ? [line] : [])),
];

type Moment = 'at once' | 'soon' | 'when ready' | 'after its end' | 'crash';
const MOMENTS: readonly Moment[] = ['at once', 'soon', 'when ready', 'after its end', 'crash'];

interface Case {
  readonly line: string;
  readonly moment: Moment;
  readonly index: number;
}

/** Combines each way with each moment. */
function cases(): Case[] {
  return Array.from({ length: STARTS }, (_, index) => {
    const moment = MOMENTS[index % MOMENTS.length]!;
    const way = WAYS[Math.floor(index / MOMENTS.length) % WAYS.length]!;
    if (index % 20 === 12 && has('setsid')) {
      return { line: NAMELESS, moment: 'when ready', index };
    }
    return { line: `${way}\necho ready\n${moment === 'after its end' ? 'exit 0' : 'cat; wait; sleep 60'}`, moment, index };
  });
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function each(work: (each: Case) => Promise<void>): Promise<void> {
  const pending = cases();
  const one = async (): Promise<void> => {
    for (let next = pending.pop(); next; next = pending.pop()) {
      await work(next);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

/** The live processes that have the variable or the argument. */
async function left(): Promise<string[]> {
  const found: string[] = [];
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) {
      continue;
    }
    const read = (name: string): Promise<string> => readFile(`/proc/${pid}/${name}`, 'latin1').catch(() => '');
    const [stat, environment, words] = [await read('stat'), await read('environ'), await read('cmdline')];
    const zombie = /\) [ZX] /.test(stat);
    if (!zombie && (environment.includes(`${VARIABLE}=${ID}`) || words.split('\0').includes(TAG))) {
      found.push(`${pid} ${words.replaceAll('\0', ' ')}`);
    }
  }
  return found;
}

async function expectNoneLeft(): Promise<void> {
  assert.deepEqual(await left(), []);
  await pause(300);
  assert.deepEqual(await left(), [], 'born late');
}

describe(`${STARTS} starts and kills that leave processes in other groups and sessions`, function () {
  this.timeout(120_000);
  before(function () {
    // The variable and the argument can be read on Linux only; docs/decisions/processes lists what survives on other systems.
    if (process.platform !== 'linux') {
      this.skip();
    }
  });

  it('are checked by a count that detects leftovers', async () => {
    const { spawn } = await import('node:child_process');
    const plain = spawn('sleep', [TAG], { stdio: 'ignore', detached: true });
    const named = spawn('sleep', ['299'], { stdio: 'ignore', detached: true, env: { ...process.env, [VARIABLE]: ID } });
    await pause(100);
    assert.equal((await left()).length, 2);
    for (const { pid } of [plain, named]) {
      process.kill(pid!, 'SIGKILL');
    }
    await pause(100);
    assert.deepEqual(await left(), []);
  });

  it('leave no process of an agent behind', async () => {
    const ready: boolean[] = [];
    await each(async ({ line, moment, index }) => {
      const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
      const launch = { agentId: 'Test', agentName: 'Test', command: 'sh', args: ['-c', line], env: { [VARIABLE]: ID }, cwd: os.tmpdir() };
      const agent = spawnAgent(launch, { clock: systemClock, log: quiet, environment: process.env, onStderrLine: () => {} });
      let text = '';
      const end = new Promise((resolve) =>
        agent.transport.read({ chunk: (chunk) => (text += Buffer.from(chunk).toString()), end: resolve }),
      );
      if (moment === 'soon') {
        await pause(randomInt(60));
      }
      if (moment === 'when ready' || moment === 'crash') {
        while (!text.includes('ready')) {
          await pause(2);
        }
      }
      if (moment === 'crash') {
        process.kill(agent.pid!, 'SIGKILL');
      }
      if (moment === 'after its end') {
        await end;
      }
      await agent.dispose();
      ready[index] = text.includes('ready');
    });
    assert.ok(ready.filter(Boolean).length >= STARTS / 2, 'they did start');
    await expectNoneLeft();
  });

  for (const [name, overrides] of [
    ['a pseudo terminal', {}],
    ['a pipe', { loadPty: brokenPty }],
  ] as const) {
    it(`leave no process of a command on ${name} behind`, async () => {
      const room: TestRoom = testRoom(overrides);
      const ready: boolean[] = [];
      await each(async ({ line, moment, index }) => {
        const terminalId = await room.room.create({ command: 'sh', args: ['-c', line], env: [{ name: VARIABLE, value: ID }] });
        const isReady = (): boolean => room.room.output(terminalId).output.includes('ready');
        if (moment === 'soon') {
          await pause(randomInt(60));
        }
        if (moment === 'when ready' || moment === 'crash') {
          while (!isReady()) {
            await pause(2);
          }
        }
        if (moment === 'after its end') {
          await room.room.waitForExit(terminalId);
        }
        ready[index] = isReady();
        if (index % 3 > 0) {
          await room.room[index % 3 === 1 ? 'kill' : 'release'](terminalId);
        }
        // The other commands end when the room is disposed.
      });
      await room.room.dispose();
      assert.ok(ready.filter(Boolean).length >= STARTS / 2, 'they did start');
      await expectNoneLeft();
    });
  }
});
