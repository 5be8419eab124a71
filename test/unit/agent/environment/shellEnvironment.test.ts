import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readShellEnvironment, shellEnvironmentOnce } from '../../../../src/agent/environment/shellEnvironment';
import { listProcesses } from '../../../../src/util/processes/processList';

describe("the environment of the user's shell", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'acp-shell-'));
  const shell = (name: string, text: string): string => {
    const file = path.join(folder, name);
    writeFileSync(file, `#!/bin/sh\n${text}\n`);
    chmodSync(file, 0o755);
    return file;
  };
  const run = 'while [ "$1" != -c ]; do shift; done; exec /bin/sh "$@"';
  const environment = (file: string) => ({ SHELL: file, PATH: process.env['PATH'], HOME: folder, SHLVL: '1' });
  const node = process.execPath;

  it('is read once, without the variables of the run', async () => {
    const log = path.join(folder, 'runs');
    const file = shell(
      'one',
      `echo run >> '${log}'; export ADDED="a b
c"; ${run}`,
    );
    const read = shellEnvironmentOnce({ environment: environment(file), node });
    const [first, second] = await Promise.all([read(), read()]);
    assert.equal(first, second);
    assert.ok('environment' in first);
    const { ADDED, ELECTRON_RUN_AS_NODE, VSCODE_RESOLVING_ENVIRONMENT, SHLVL } = first.environment;
    assert.deepEqual([ADDED, ELECTRON_RUN_AS_NODE, VSCODE_RESOLVING_ENVIRONMENT, SHLVL], ['a b\nc', undefined, undefined, '1']);
    assert.equal(readFileSync(log, 'utf8'), 'run\n');
  });

  it('is found between the texts of startup files, and in spite of a program that keeps running', async () => {
    const file = shell('two', `echo '{"not":"it"}'; sleep 30 & ${run}`);
    const read = await readShellEnvironment({ environment: environment(file), node });
    assert.ok('environment' in read);
    assert.equal(read.environment['HOME'], folder);
  });

  it('is given up after its time, with all processes of the shell', async () => {
    const group = path.join(folder, 'group');
    const file = shell('three', `echo $$ > '${group}'; echo waiting >&2; sleep 60`);
    const read = await readShellEnvironment({ environment: environment(file), node, timeoutMs: 200 });
    assert.deepEqual(read, { failure: { shell: 'three', reason: 'timeout', detail: 'waiting' } });
    await new Promise((resolve) => setTimeout(resolve, 800));
    const left = (await listProcesses()).filter((each) => each.group === Number(readFileSync(group, 'utf8')) && !each.zombie);
    assert.deepEqual(left, []);
  });

  it('is missing when the shell fails, prints nothing, or is none', async () => {
    const read = async (file: string) => readShellEnvironment({ environment: environment(file), node });
    assert.deepEqual(await read(shell('four', 'exit 3')), { failure: { shell: 'four', reason: 'failed' } });
    assert.deepEqual(await read(shell('five', 'exit 0')), { failure: { shell: 'five', reason: 'silent' } });
    assert.deepEqual(await read('/usr/sbin/nologin'), { failure: { shell: '/usr/sbin/nologin', reason: 'none' } });
    assert.deepEqual(await read('/not/there'), { failure: { shell: 'there', reason: 'failed' } });
  });
});
