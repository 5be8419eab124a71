import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { namesProgram } from '../../../../src/application/agents/programs';

describe('the program that an agent names', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'programs-'));
    await writeFile(path.join(folder, 'agent-1.2'), '#!/bin/sh\n');
    await chmod(path.join(folder, 'agent-1.2'), 0o755);
    await symlink('agent-1.2', path.join(folder, 'agent'));
    await writeFile(path.join(folder, 'other'), '#!/bin/sh\n');
    await chmod(path.join(folder, 'other'), 0o755);
  });
  after(() => rm(folder, { recursive: true }));

  const same = (configured: string, named: string): Promise<boolean> =>
    namesProgram({ agentId: 'A', agentName: 'A', command: configured, args: ['--acp'], env: { PATH: folder }, cwd: folder }, named, {
      PATH: '/nowhere',
    });

  it('is the configured one by its name, or by the file that it points to', async () => {
    assert.ok(await same('opencode', 'opencode'));
    assert.ok(await same('/home/ada/.opencode/bin/opencode', 'opencode'));
    assert.ok(await same('C:\\Tools\\opencode.cmd', 'opencode'));
    assert.ok(await same('agent', path.join(folder, 'agent-1.2')));
  });

  it('is otherwise a different one', async () => {
    for (const [configured, named] of [
      ['agent', 'other'],
      ['npx', 'opencode'],
      ['agent', '/bin/agent'],
      ['agent', 'missing'],
      ['missing', 'other'],
    ] as const) {
      assert.equal(await same(configured, named), false, `${configured} ${named}`);
    }
  });
});
