import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isProcess } from '../../../../src/core/agents/endpoint';
import { PREDEFINED_AGENTS } from '../../../../src/agent/predefined';
import { LOCAL_PROGRAMS, LocalPrograms } from '../../../../src/application/agents/localPrograms';
import { FakeStorage } from '../mcp/fakes';

describe('the agents on this machine', () => {
  let home: string;
  let now = 0;
  const storage = new FakeStorage();

  beforeEach(() => {
    home = realpathSync(mkdtempSync(path.join(tmpdir(), 'local-')));
    storage.stored.clear();
    now += 3_600_000;
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  /** A program that would leave a file if it were started. */
  const program = (file: string): string => {
    const whole = path.join(home, file);
    mkdirSync(path.dirname(whole), { recursive: true });
    writeFileSync(whole, `#!/bin/sh\ntouch ${home}/started\n`);
    chmodSync(whole, 0o755);
    return whole;
  };
  /** A global npm package with a link in `bin`. */
  const npmPackage = (name: string, version: string, bin: string): string => {
    const target = program(`lib/node_modules/${name}/dist/cli.js`);
    writeFileSync(path.join(home, 'lib/node_modules', name, 'package.json'), JSON.stringify({ name, version }));
    mkdirSync(path.join(home, 'bin'), { recursive: true });
    const link = path.join(home, 'bin', bin);
    symlinkSync(target, link);
    return link;
  };
  const made = (projects: readonly string[] = [], searchPath = path.join(home, 'bin')): LocalPrograms =>
    new LocalPrograms({
      environment: { PATH: searchPath },
      home,
      platform: 'linux',
      storage,
      now: () => now,
      projects: () => projects,
    });
  const launchOf = (programs: LocalPrograms, id: string) => {
    const launch = programs.launches().find(({ agentId }) => agentId === id);
    return launch && isProcess(launch) ? [launch.command, ...launch.args] : undefined;
  };
  const pinOf = (id: string): string => {
    const { args } = PREDEFINED_AGENTS.find(({ agentId }) => agentId === id)!;
    return args[1]!.slice(args[1]!.lastIndexOf('@') + 1);
  };

  it('are found on PATH and in known places, without a start', async () => {
    const goose = program('bin/goose');
    const kimi = program('.local/bin/kimi');
    const claude = program('.claude/local/claude');
    const programs = made();
    assert.equal(programs.installed.size, 0);
    await programs.probe();
    const installed = programs.installed;
    assert.deepEqual([installed.get('Goose'), installed.get('Kimi CLI'), installed.get('Claude Code')], [goose, kimi, claude]);
    assert.deepEqual(
      [launchOf(programs, 'Goose'), launchOf(programs, 'Kimi CLI')],
      [
        [goose, 'acp'],
        [kimi, 'acp'],
      ],
    );
    assert.equal(launchOf(programs, 'Claude Code')?.[0], 'npx', 'Claude Code needs its adapter');
    assert.equal(existsSync(path.join(home, 'started')), false);
  });

  it('take the place of a download when they are the tested package or newer', async () => {
    const gemini = npmPackage('@google/gemini-cli', pinOf('Gemini CLI'), 'gemini');
    const copilot = npmPackage('@github/copilot', '999.0.0', 'copilot');
    npmPackage('@qwen-code/qwen-code', '0.1.0', 'qwen');
    npmPackage('someone-elses-cline', '999.0.0', 'cline');
    program('bin/auggie');
    const programs = made();
    await programs.probe();
    assert.deepEqual(launchOf(programs, 'Gemini CLI'), [gemini, '--acp']);
    assert.deepEqual(launchOf(programs, 'GitHub Copilot CLI'), [copilot, '--acp']);
    for (const id of ['Qwen Code', 'Cline', 'Auggie CLI']) {
      assert.equal(launchOf(programs, id)?.[0], 'npx', id);
      assert.ok(programs.installed.has(id), id);
    }
  });

  it('never come from the workspace', async () => {
    program('project/bin/goose');
    const programs = made([path.join(home, 'project')], path.join(home, 'project/bin'));
    await programs.probe();
    assert.equal(programs.installed.has('Goose'), false);
  });

  it('never come from a workspace that has a known place, or that another window has not open', async () => {
    program('.local/bin/goose');
    program('bin/kimi');
    const projects = [path.join(home, '.local'), path.join(home, 'bin')];
    const here = made(projects, '/nowhere');
    await here.probe();
    assert.deepEqual([...here.installed.keys()], []);
    const elsewhere = made([], '/nowhere');
    await elsewhere.probe();
    assert.deepEqual([...elsewhere.installed.keys()].sort(), ['Goose', 'Kimi CLI']);
    const later = made(projects, '/nowhere');
    await later.settle();
    assert.deepEqual([...later.installed.keys()], []);
  });

  it('are known in the next window without a probe, as long as they exist', async () => {
    const goose = program('bin/goose');
    const kimi = program('bin/kimi');
    await made().probe();
    rmSync(kimi);
    const next = made();
    await next.settle();
    assert.deepEqual([next.installed.get('Goose'), next.installed.has('Kimi CLI')], [goose, false]);
    storage.stored.set(LOCAL_PROGRAMS, { Goose: { file: 'relative' }, 'Kimi CLI': null, Other: { file: goose } });
    const broken = made();
    await broken.settle();
    assert.equal(broken.installed.size, 0);
  });

  it('are looked for once a minute at most', async () => {
    const programs = made();
    await programs.probe();
    program('bin/goose');
    await programs.probe();
    assert.equal(programs.installed.has('Goose'), false);
    now += 61_000;
    await programs.probe();
    assert.equal(programs.installed.has('Goose'), true);
  });

  it('include the Cursor CLI only where it is installed', async () => {
    const programs = made();
    await programs.probe();
    assert.equal(launchOf(programs, 'Cursor CLI'), undefined);
    const cursor = program('bin/cursor-agent');
    now += 61_000;
    await programs.probe();
    assert.deepEqual(launchOf(programs, 'Cursor CLI'), [cursor, 'acp']);
  });
});
