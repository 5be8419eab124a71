/** What is known of a turn in which the agent edits by every route there is. The review is in test/golden/scenarios/changes/. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Step } from '../scripted/steps';
import { ChangesStage } from '../../support/scenario/changesStage';
import type { Stage } from '../../support/scenario/stage';
import { scenarios } from './suite';

const LARGE = 10 * 1024 * 1024;

function git(folder: string, ...args: string[]): void {
  execFileSync('git', ['-c', 'user.email=u@example.com', '-c', 'user.name=U', ...args], { cwd: folder, stdio: 'ignore' });
}

/** The files that a folder begins with. */
function fill(folder: string, isRepository: boolean): void {
  const write = (name: string, content: string): void => writeFileSync(path.join(folder, name), content);
  write('early.txt', 'before\n');
  write('written.txt', 'one\ntwo\n');
  write('announced.txt', 'one\ntwo\n');
  write('sed.txt', 'sad\r\nhappy\r\n');
  write('moved.txt', 'a line that moves\n');
  write('deleted.txt', 'going\n');
  write('large.txt', 'large\n'.repeat(LARGE / 6));
  write('untouched.txt', 'stays\n');
  if (isRepository) {
    git(folder, 'init', '-q');
    git(folder, 'add', '-A');
    git(folder, 'commit', '-q', '-m', 'first');
    write('dirty.txt', 'not committed\n');
    git(folder, 'config', 'user.name', 'U');
  }
}

/** @param folder as the agent names it. @param move how it moves a file. @param number in its tool calls' ids */
function everyRoute(folder: string, move: string, number: number): Step[] {
  const tool = (toolCallId: string, kind: string, name: string): Step => ({
    tool: { toolCallId, title: `${kind} ${name}`, kind, status: 'in_progress', locations: [{ path: `${folder}/${name}` }] },
  });
  return [
    { write: { path: `${folder}/written.txt`, content: 'one\n2\n' } },
    tool(`edit-${number}`, 'edit', 'announced.txt'),
    { shell: `printf 'one\\nTWO\\n' > '${folder}/announced.txt'` },
    { toolUpdate: { toolCallId: `edit-${number}`, status: 'completed' } },
    tool(`delete-${number}`, 'delete', 'deleted.txt'),
    { shell: `rm '${folder}/deleted.txt'` },
    { toolUpdate: { toolCallId: `delete-${number}`, status: 'completed' } },
    { shell: `sed -i 's/sad/glad/' '${folder}/sed.txt'` },
    { shell: `cd '${folder}' && ${move} moved.txt to.txt` },
    { shell: `printf '\\000\\001\\002' > '${folder}/new.bin'` },
    { shell: `echo more >> '${folder}/large.txt'` },
    { shell: `test ! -e '${folder}/dirty.txt' || echo changed > '${folder}/dirty.txt'` },
  ];
}

/** One turn. Early edits come at once, the others when the copies are taken. */
async function play(
  stage: Stage,
  changes: ChangesStage,
  folders: readonly (readonly [folder: string, isRepository: boolean])[],
): Promise<void> {
  const go = `${stage.cwd}-go`;
  folders.forEach(([folder, isRepository]) => fill(folder, isRepository));
  await stage.ready();
  await delay(50);
  try {
    stage.script(
      ...folders.map(([folder]): Step => ({ shell: `echo early > '${folder}/early.txt'` })),
      { shell: `while [ ! -e '${go}' ]; do sleep 0.05; done` },
      ...folders.flatMap(([folder, isRepository], index) => everyRoute(folder, isRepository ? 'git mv' : 'mv', index + 1)),
    );
    while (folders.some(([folder]) => readFileSync(path.join(folder, 'early.txt'), 'utf8') !== 'early\n')) {
      await delay(10);
    }
    changes.openGate();
    await changes.copied();
    await delay(50);
    writeFileSync(go, '');
    await stage.turnEnd();
  } finally {
    rmSync(go, { force: true });
  }
  for (let left = 500; changes.turns.length === 0 && left > 0; left--) {
    await delay(20);
  }
  (await changes.lines()).forEach((line) => stage.note(line));
}

scenarios('changes', (scenario) => {
  let changes: ChangesStage;

  const played = (name: string, isRepository: boolean, slowness = 0): void => {
    changes = new ChangesStage(slowness);
    const own = changes;
    scenario(name, { changes: own }, async (stage) => {
      await play(stage, own, [[stage.cwd, isRepository]]);
      own.dispose();
    });
  };

  played('in-a-repository', true);
  played('in-a-plain-folder', false);
  played('in-a-slow-repository', true, 200);
  played('in-a-slow-folder', false, 200);

  const [other, roots] = [realpathSync(mkdtempSync(path.join(tmpdir(), 'other-root-'))), new ChangesStage()];
  after(() => rmSync(other, { recursive: true, force: true }));
  scenario('in-several-folders', { changes: roots, additionalDirectories: [other] }, async (stage) => {
    mkdirSync(other, { recursive: true });
    await play(stage, roots, [
      [stage.cwd, true],
      [other, false],
    ]);
    roots.dispose();
  });
});
