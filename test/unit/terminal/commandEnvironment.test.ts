/** The environment and the program of a command, as its permission request and its card show them. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { failureOf } from '../../../src/core/model/failure';
import type { CommandOperation, CreateTerminal } from '../../../src/terminal/terminalService';
import { brokenPty, testRoom } from './fakes';

describe('the environment of a command', () => {
  /** Creates a terminal in a folder with its own program `bin/git`. Returns the request that was shown and the contents of its card. */
  async function create(request: (cwd: string) => CreateTerminal, whileAsked: (cwd: string) => void = () => undefined) {
    const asked: CommandOperation[] = [];
    const test = testRoom({
      loadPty: brokenPty,
      guard: async (operation) => {
        asked.push(operation);
        whileAsked(test.cwd);
        return true;
      },
    });
    mkdirSync(path.join(test.cwd, 'bin'));
    plant(path.join(test.cwd, 'bin', 'git'));
    const failure = await test.room.create(request(test.cwd)).then(
      () => undefined,
      (error: unknown) => failureOf(error).code,
    );
    await test.room.dispose();
    const created = test.events.find((each) => each.type === 'terminal_update' && each.command !== undefined);
    return { ...test, asked: asked[0]!, created, failure };
  }

  function plant(file: string): void {
    writeFileSync(file, '#!/bin/sh\necho planted\n');
    chmodSync(file, 0o755);
  }

  const setPath = (cwd: string, more: CreateTerminal['env'] = []) => [
    ...more,
    { name: 'PATH', value: `${path.join(cwd, 'bin')}:${process.env['PATH']}` },
  ];

  it('comes with its values, first those that decide what runs', async () => {
    const { cwd, asked, created } = await create((folder) => ({
      command: 'git',
      args: ['--version'],
      env: setPath(folder, [
        { name: 'CI', value: '1' },
        { name: 'CI', value: '2' },
      ]),
    }));
    const environment = [setPath(cwd)[0]!, { name: 'CI', value: '2' }];
    assert.deepEqual(asked.environment, environment);
    assert.deepEqual(created?.type === 'terminal_update' && created.environment, environment);
  });

  it('comes with the file that its search path finds', async () => {
    const { cwd, asked, created } = await create((folder) => ({ command: 'git', args: ['--version'], env: setPath(folder) }));
    assert.equal(asked.program, path.join(cwd, 'bin', 'git'));
    assert.equal(created?.type === 'terminal_update' && created.program, path.join(cwd, 'bin', 'git'));
  });

  it('comes with the file that a shell line starts with', async () => {
    const { cwd, asked } = await create((folder) => ({ command: 'git --version', env: setPath(folder) }));
    assert.equal(asked.program, path.join(cwd, 'bin', 'git'));
  });

  it('has the program in a folder of the session, without a search path of the agent', async () => {
    const { cwd, asked } = await create(() => ({ command: 'bin/git', args: ['--version'] }));
    assert.equal(asked.program, path.join(cwd, 'bin', 'git'));
  });

  it('leaves out a program of the system', async () => {
    const { asked } = await create(() => ({ command: 'printf', args: ['x'], env: [{ name: 'CI', value: '1' }] }));
    assert.equal(asked.program, undefined);
  });

  it('runs nothing when a program replaced that of a shell line while the user was asked', async () => {
    const { failure, created } = await create(
      (folder) => ({
        command: 'git --version',
        env: [{ name: 'PATH', value: `${path.join(folder, 'first')}:${path.join(folder, 'bin')}:${process.env['PATH']}` }],
      }),
      (folder) => {
        mkdirSync(path.join(folder, 'first'));
        plant(path.join(folder, 'first', 'git'));
      },
    );
    assert.equal(failure, 'terminal.refused');
    assert.equal(created, undefined);
  });

  it('has the programs and variables of the project in its folder, before those of the agent', async () => {
    const asked: string[] = [];
    const { room, cwd, run } = testRoom({
      loadPty: brokenPty,
      commandEnvironment: async (folder) => {
        asked.push(folder);
        return { PATH: process.env['PATH']!, FROM_PROJECT: 'yes', PAGER: 'less' };
      },
    });
    assert.equal(await run('echo "$FROM_PROJECT $PAGER [$HOME]"'), 'yes cat []\n');
    assert.deepEqual(asked, [cwd]);
    const terminalId = await room.create({ command: 'echo "$FROM_PROJECT"', env: [{ name: 'FROM_PROJECT', value: 'agent' }] });
    await room.waitForExit(terminalId);
    assert.equal(room.output(terminalId).output, 'agent\n');
    await room.dispose();
  });
});
