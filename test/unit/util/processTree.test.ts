import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { listProcesses, parsePs, parseStat } from '../../../src/util/processList';
import { endProcessTree, groupAlive } from '../../../src/util/processTree';

/** Runs `script` in a group of its own until it prints a line; the line's words. */
async function start(script: string): Promise<{ child: ChildProcess; words: string[] }> {
  const child = spawn('sh', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, words: chunk.toString().trim().split(' ') };
}

async function alive(pids: readonly string[]): Promise<string[]> {
  const rows = await listProcesses();
  return pids.filter((pid) => rows.some((row) => row.pid === Number(pid) && !row.zombie));
}

describe('endProcessTree', function () {
  this.timeout(20_000);
  if (process.platform === 'win32') {
    return;
  }

  it('ends a shell and its three children', async () => {
    const { child, words } = await start('sleep 300 & a=$!; sleep 300 & b=$!; sleep 300 & echo $$ $a $b $!; wait');
    assert.equal((await alive(words)).length, 4);
    assert.equal(await endProcessTree(child.pid!), true);
    assert.deepEqual(await alive(words), []);
  });

  it('insists with those that do not listen', async () => {
    const { child, words } = await start(`trap '' TERM; sleep 300 & echo $$ $!; while :; do sleep 300; done`);
    assert.equal(await endProcessTree(child.pid!, { graceMs: 100 }), true);
    assert.deepEqual(await alive(words), []);
  });

  it('asks first', async () => {
    const { child } = await start(`trap 'exit 7' TERM; echo ready; while :; do sleep 0.05; done`);
    const exit = once(child, 'exit');
    assert.equal(await endProcessTree(child.pid!, { graceMs: 10_000 }), true);
    assert.deepEqual(await exit, [7, null]);
  });

  it('finds children that moved to a group of their own', async () => {
    const script = `const c=require('child_process').spawn('sleep',['300'],{detached:true,stdio:'ignore'});console.log(process.pid,c.pid);setInterval(()=>{},1e6)`;
    const { child, words } = await start(`exec "${process.execPath}" -e "${script}"`);
    assert.equal((await alive(words)).length, 2);
    assert.equal(await endProcessTree(child.pid!), true);
    assert.deepEqual(await alive(words), []);
  });

  it('ends what is left of a group whose leader is gone', async () => {
    const { child, words } = await start('sleep 300 >/dev/null & echo $!');
    if (child.exitCode === null) {
      await once(child, 'exit');
    }
    assert.equal(groupAlive(child.pid!), true);
    assert.equal(await endProcessTree(child.pid!), true);
    assert.deepEqual(await alive(words), []);
  });

  it('never touches groups of others', async () => {
    assert.equal(await endProcessTree(0), true);
    assert.equal(await endProcessTree(1), true);
    assert.equal(await endProcessTree(-1), true);
    assert.equal(await endProcessTree(Number.NaN), true);
  });
});

describe('endWithHost', function () {
  this.timeout(20_000);
  if (process.platform === 'win32') {
    return;
  }

  it('takes the group along when the process exits', async () => {
    const source = `
      const { spawn } = require('node:child_process');
      const { endWithHost } = require(${JSON.stringify(path.join(__dirname, '../../../src/util/processTree.ts'))});
      const child = spawn('sh', ['-c', 'sleep 300 & echo $$ $!; wait'], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
      endWithHost(child.pid);
      child.stdout.once('data', (chunk) => { process.stdout.write(chunk, () => process.exit(0)); });
    `;
    const host = spawn(process.execPath, ['--import=tsx', '-e', source], { stdio: ['ignore', 'pipe', 'inherit'] });
    const chunks: Buffer[] = [];
    host.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(host, 'close');
    const words = Buffer.concat(chunks).toString().trim().split(' ');
    assert.equal(words.length, 2);
    for (let turn = 0; turn < 500 && (await alive(words)).length > 0; turn++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.deepEqual(await alive(words), []);
  });
});

describe('processList', () => {
  it('reads a name that looks like fields', () => {
    const line = '42 (a) R (b) S 7 40 39 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 123456 999 888 18446744073709551615';
    assert.deepEqual(parseStat(line), { pid: 42, parent: 7, group: 40, session: 39, zombie: false, started: '123456' });
  });

  it('reads ps', () => {
    assert.deepEqual(parsePs('  42     7    40 Z+   Fri Nov 20 10:00:00 2026 '), { pid: 42, parent: 7, group: 40, zombie: true, started: 'Fri Nov 20 10:00:00 2026' });
    assert.equal(parsePs(''), undefined);
  });
});
