import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { listProcesses } from '../../../../src/util/processes/processList';
import { markedEnvironment, newMark } from '../../../../src/util/processes/processMark';
import { groupAlive, ProcessTree } from '../../../../src/util/processes/processTree';

/** Runs `script` in a new process group until it prints a line. Returns the line's words. */
async function start(script: string): Promise<{ child: ChildProcess; tree: ProcessTree; words: string[] }> {
  const mark = newMark();
  const env = markedEnvironment(process.env as Record<string, string>, mark);
  const child = spawn('sh', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'], env });
  const tree = new ProcessTree(child.pid, mark);
  child.on('exit', () => tree.exited());
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, tree, words: chunk.toString().trim().split(' ') };
}

async function alive(pids: readonly string[]): Promise<string[]> {
  const rows = await listProcesses();
  return pids.filter((pid) => rows.some((row) => row.pid === Number(pid) && !row.zombie));
}

describe('ProcessTree', function () {
  this.timeout(20_000);

  it('ends a shell and its three children', async () => {
    const { tree, words } = await start('sleep 300 & a=$!; sleep 300 & b=$!; sleep 300 & echo $$ $a $b $!; wait');
    assert.equal((await alive(words)).length, 4);
    assert.equal(await tree.end(), true);
    assert.deepEqual(await alive(words), []);
  });

  it('kills processes that ignore signals', async () => {
    const { tree, words } = await start(`trap '' TERM; sleep 300 & echo $$ $!; while :; do sleep 300; done`);
    assert.equal(await tree.end({ graceMs: 100 }), true);
    assert.deepEqual(await alive(words), []);
  });

  it('sends a request before it kills', async () => {
    const { child, tree } = await start(`trap 'exit 7' TERM; echo ready; while :; do sleep 0.05; done`);
    const exit = once(child, 'exit');
    assert.equal(await tree.end({ graceMs: 10_000 }), true);
    assert.deepEqual(await exit, [7, null]);
  });

  it('finds children that moved to another group', async () => {
    const script = `const c=require('child_process').spawn('sleep',['300'],{detached:true,stdio:'ignore'});console.log(process.pid,c.pid);setInterval(()=>{},1e6)`;
    const { tree, words } = await start(`exec "${process.execPath}" -e "${script}"`);
    assert.equal((await alive(words)).length, 2);
    assert.equal(await tree.end(), true);
    assert.deepEqual(await alive(words), []);
  });

  it('ends the rest of a group whose leader is gone', async () => {
    const { child, tree, words } = await start('sleep 300 >/dev/null & echo $!');
    if (child.exitCode === null) {
      await once(child, 'exit');
    }
    assert.equal(groupAlive(child.pid!), true);
    assert.equal(await tree.end(), true);
    assert.deepEqual(await alive(words), []);
  });

  it('finds processes that no parent, group or session leads to', async function () {
    if (process.platform !== 'linux') {
      this.skip();
    }
    const { child, tree, words } = await start(`setsid sh -c 'setsid sh -c "echo \\$\\$; exec sleep 300" & exit 0' & exit 0`);
    if (child.exitCode === null) {
      await once(child, 'exit');
    }
    assert.equal(groupAlive(child.pid!), false);
    assert.equal((await alive(words)).length, 1);
    assert.equal(await tree.end(), true);
    assert.deepEqual(await alive(words), []);
  });

  it('ends a group without a mark whose leader is gone, by the processes seen at its exit', async () => {
    const { child, tree, words } = await start('env -i /bin/sh -c "sleep 300 >/dev/null & wait" >/dev/null & echo $!');
    if (child.exitCode === null) {
      await once(child, 'exit');
    }
    assert.equal((await alive(words)).length, 1);
    assert.equal(await tree.end(), true);
    assert.deepEqual(await alive(words), []);
  });

  it('leaves other launches alone', async () => {
    const mark = newMark();
    const stranger = spawn('sleep', ['300'], {
      detached: true,
      stdio: 'ignore',
      env: markedEnvironment({ PATH: process.env['PATH'] ?? '' }, newMark()),
    });
    try {
      assert.equal(await new ProcessTree(undefined, mark).end(), true);
      assert.deepEqual(await alive([String(stranger.pid)]), [String(stranger.pid)], 'another launch is not touched');
    } finally {
      process.kill(stranger.pid!, 'SIGKILL');
    }
  });

  it('never touches unrelated groups', async () => {
    for (const pid of [0, 1, -1, Number.NaN]) {
      assert.equal(await new ProcessTree(pid, newMark()).end(), true);
    }
  });
});

describe('a host that exits', function () {
  this.timeout(20_000);

  for (const ending of ['process.exit(0)', 'throw new Error("crashed")']) {
    it(`ends all processes that it started, in any group or session: ${ending}`, async () => {
      const file = (name: string): string => JSON.stringify(path.join(__dirname, `../../../../src/util/processes/${name}.ts`));
      const source = `
        const { spawn } = require('node:child_process');
        const { ProcessTree } = require(${file('processTree')});
        const { markedEnvironment, newMark } = require(${file('processMark')});
        const start = (script) => {
          const mark = newMark();
          const child = spawn('sh', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'], env: markedEnvironment(process.env, mark) });
          new ProcessTree(child.pid, mark);
          return new Promise((resolve) => child.stdout.once('data', (chunk) => resolve(chunk.toString().trim())));
        };
        const ended = 'sh -c "echo \\$\\$; exec sleep 300"';
        Promise.all([start('sleep 300 & echo $$ $!; wait'), start('setsid ' + ended + ' & exit 0')]).then((words) => {
          require('node:fs').writeSync(1, words.join(' '));
          setTimeout(() => { ${ending} }, 100);
        });
      `;
      const host = spawn(process.execPath, ['--require', path.resolve('test/support/tsx.cjs'), '-e', source], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const chunks: Buffer[] = [];
      host.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
      await once(host, 'close');
      const words = Buffer.concat(chunks).toString().trim().split(' ');
      assert.equal(words.length, 3);
      // Other systems do not search for marks at this moment.
      const known = process.platform === 'linux' ? words : words.slice(0, 2);
      for (let turn = 0; turn < 500 && (await alive(known)).length > 0; turn++) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      assert.deepEqual(await alive(known), []);
    });
  }
});
