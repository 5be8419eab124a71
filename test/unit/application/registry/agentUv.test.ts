import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { agentUv } from '../../../../src/application/registry/agentUv';

describe('the uv of installed agents', function () {
  let root: string;
  before(function () {
    if (process.platform === 'win32') {
      this.skip();
    }
  });
  beforeEach(async () => (root = await realpath(await mkdtemp(path.join(tmpdir(), 'agent-uv-')))));
  afterEach(() => rm(root, { recursive: true, force: true }));

  async function uvIn(folder: string): Promise<string> {
    const file = path.join(root, folder, 'uv');
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, '#!/bin/sh\n', { mode: 0o755 });
    return file;
  }

  const find = (shell: string | undefined, PATH = path.join(root, 'empty')) =>
    agentUv({
      services: shell === undefined ? {} : { shell: async () => ({ environment: { PATH: shell } }) },
      environment: { PATH },
      folder: root,
      home: path.join(root, 'home'),
      projects: [path.join(root, 'project')],
    });

  it('is the one on the PATH, then that of the shell, then that of the installer', async () => {
    const usual = await uvIn('home/.local/bin');
    assert.equal(await find(undefined), usual);
    const inShell = await uvIn('shell');
    assert.equal(await find(path.dirname(inShell)), inShell);
    const onPath = await uvIn('path');
    assert.equal(await find(path.dirname(inShell), path.dirname(onPath)), onPath);
  });

  it('is never one of a project', async () => {
    const planted = await uvIn('project/bin');
    assert.notEqual(await find(path.dirname(planted)), planted);
    assert.notEqual(await find('project/bin:.'), planted);
  });
});
