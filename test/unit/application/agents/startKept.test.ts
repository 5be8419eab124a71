/** Agents that start in a keeper, and without one when the keeper cannot start. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startKept, type StartKeptDependencies } from '../../../../src/application/agents/startKept';
import type { MessageTransport } from '../../../../src/core/model/transport';
import { systemClock } from '../../../../src/util/clock';

const transport: MessageTransport = {
  read: () => undefined,
  write: () => true,
  close: () => undefined,
  describe: () => ({}),
};

describe('an agent whose keeper cannot start', () => {
  let folder: string;
  let warnings: string[];

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'acp-host-kept-'));
    warnings = [];
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const start = (keepers: string, program: string, command = process.execPath): Promise<MessageTransport> => {
    const deps: StartKeptDependencies = {
      places: { program, folder: keepers, node: process.execPath },
      limits: { mode: 'reload', awayMs: 1000, idleMs: 1000, requestMs: 1000 },
      clock: systemClock,
      log: { debug: () => undefined, info: () => undefined, warn: (text) => warnings.push(text), error: () => undefined },
      environment: process.env,
      maxBytes: 1000,
      commandLine: 'agent',
      events: { onStderrLine: () => undefined },
      onKept: () => assert.fail('no keeper has the agent'),
      withoutKeeper: () => transport,
    };
    return startKept({ agentId: 'Agent', agentName: 'Agent', command, args: [], env: {}, cwd: folder, runAsNode: false }, deps);
  };

  it('starts without one when the keeper has no folder', async () => {
    await writeFile(path.join(folder, 'file'), '');
    assert.equal(await start(path.join(folder, 'file', 'keepers'), path.join(folder, 'keeper.js')), transport);
    assert.match(warnings.join(), /keeper/);
  });

  it('starts without one when the program of the keeper ends', async () => {
    const program = path.join(folder, 'keeper.js');
    await writeFile(program, 'console.error("ENOSPC: no space left on device"); process.exit(2);');
    assert.equal(await start(path.join(folder, 'keepers'), program), transport);
    assert.match(warnings.join(), /no space left on device/);
    assert.deepEqual(await readdir(path.join(folder, 'keepers')), []);
  });

  it('does not start when its own program does not exist', async () => {
    await assert.rejects(start(path.join(folder, 'keepers'), path.join(folder, 'keeper.js'), path.join(folder, 'none')));
    assert.deepEqual(warnings, []);
  });
});
