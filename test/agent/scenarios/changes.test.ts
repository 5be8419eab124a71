/** The record of turns in which the agent edits by every route. The review is in test/golden/scenarios/changes/. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Step } from '../scripted/steps';
import { entryIdOf, isAbsent } from '../../../src/core/model/state';
import { ChangesStage } from '../../support/scenario/changesStage';
import type { Stage } from '../../support/scenario/stage';
import { scenarios } from './suite';

const LARGE = 10 * 1024 * 1024;

function git(folder: string, ...args: string[]): void {
  execFileSync('git', ['-c', 'user.email=u@example.com', '-c', 'user.name=U', ...args], { cwd: folder, stdio: 'ignore' });
}

/** The initial files of a folder. */
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

/**
 * @param folder the folder as the agent names it.
 * @param move how it moves a file.
 * @param number in its tool calls' ids
 */
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

/** One turn. Early edits happen at once, the others when the copies are taken. */
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

/** Prints the user's changes that the agent received with each prompt: the blocks after the text. */
function told(stage: Stage): void {
  for (const { kind, text } of stage.frames) {
    const { method, params } = JSON.parse(text) as {
      method?: string;
      params?: { prompt: { type: string; text?: string; resource?: { text: string } }[] };
    };
    if (kind === 'c2a' && method === 'session/prompt') {
      const [, ...blocks] = params!.prompt;
      stage.note(`the agent got ${blocks.length} more`);
      blocks.forEach((block) => (block.resource?.text ?? block.text ?? '').split('\n').forEach((line) => stage.note(`  | ${line}`)));
    }
  }
}

/** Waits until this many turns are recorded and reviewed. */
async function reviewed(changes: ChangesStage, count: number, file: string): Promise<void> {
  for (let left = 500; (changes.turns.length < count || !changes.review!.file(file)?.hunks) && left > 0; left--) {
    await delay(20);
  }
}

scenarios('changes', (scenario) => {
  let changes: ChangesStage;

  const BEFORE = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n';
  const AFTER = 'one\n2\nthree\nfour\nfive\nsix\nseven\neight\n9\nten\nmore\n';

  /** The agent writes to disk. The user undoes its first change and edits its last one. */
  async function changesOfBoth(stage: Stage, own: ChangesStage): Promise<string> {
    const file = path.join(stage.cwd, 'a.txt');
    writeFileSync(file, BEFORE);
    await stage.ready();
    await delay(50);
    const go = `${stage.cwd}-go`;
    stage.script(
      { shell: `while [ ! -e '${go}' ]; do sleep 0.05; done` },
      { shell: `printf '${AFTER.replaceAll('\n', '\\n')}' > '${file}'` },
    );
    own.openGate();
    await own.copied();
    await delay(50);
    writeFileSync(go, '');
    await stage.turnEnd();
    rmSync(go);
    await reviewed(own, 1, file);
    const { hunkId } = own.review!.file(file)!.hunks!.hunks[0]!;
    stage.note('> undo the first change, edit the last');
    own.edit(file, own.review!.undoEdits(file, [hunkId]));
    const at = readFileSync(file, 'utf8').indexOf('more');
    own.edit(file, [{ start: at, end: at + 4, text: 'less' }]);
    // A write just before a prompt could be attributed to the agent, because their times cannot be distinguished.
    await delay(50);
    return file;
  }

  const tells = (name: string, act: (stage: Stage, own: ChangesStage, file: string) => Promise<void>): void => {
    const own = new ChangesStage(0, true);
    after(() => own.dispose());
    const initialize = {
      agentCapabilities: { sessionCapabilities: { resume: {}, close: {} }, promptCapabilities: { embeddedContext: true } },
    };
    scenario(name, { changes: own, setup: { keeps: true, initialize } }, async (stage) => {
      await act(stage, own, await changesOfBoth(stage, own));
      told(stage);
    });
  };

  tells('undone-is-told-once', async (stage) => {
    await stage.turn({ say: 'I see.' });
    await stage.turn({ say: 'Nothing new.' });
  });

  tells('undone-and-taken-out-is-not-told', async (stage, own, file) => {
    own.report!.dismiss(file);
    await stage.turn({ say: 'I see nothing.' });
  });

  tells('undone-is-told-after-a-reload', async (stage) => {
    await stage.reload();
    stage.act('resume');
    await stage.ready();
    await stage.turn({ say: 'I see.' });
  });

  tells('undone-is-told-with-the-queued-message-that-is-sent', async (stage, own, file) => {
    own.report!.dismiss(file);
    await stage.ready();
    stage.script({ sleep: 300 });
    stage.say('@script [{"say":"I see."}]');
    // After the prompt was queued, but before it is sent.
    const { hunkId } = own.review!.file(file)!.hunks!.hunks[0]!;
    own.edit(file, own.review!.undoEdits(file, [hunkId]));
    await stage.turnEnd();
  });

  /** The agent computes the whole text, asks, writes it through the client, which merges it, and then writes the disk itself. */
  const overwritten = (name: string, mine: string, rejects = false): void => {
    const own = new ChangesStage(0, true);
    after(() => own.dispose());
    scenario(name, { changes: own, answer: () => undefined }, async (stage) => {
      const file = path.join(stage.cwd, 'a.txt');
      writeFileSync(file, BEFORE);
      const old = BEFORE.replace('two', '2');
      const merged = BEFORE.replace(mine, `${mine} by me`).replace('two', '2');
      await stage.ready();
      // A file that was written right before the turn has no certain earlier version.
      await delay(50);
      own.openGate();
      const call = { toolCallId: 'edit-1', title: 'Edit a.txt', kind: 'edit' } as const;
      const content = [{ type: 'diff' as const, path: file, oldText: BEFORE, newText: old }];
      const writes: Step[] = [{ shell: `printf '${old.replaceAll('\n', '\\n')}' > '${file}'` }];
      // Where the user wrote the same line, the agent's patch does not fit the file, and the agent sends no text.
      void (mine !== 'two' && writes.unshift({ write: { path: file, content: merged } }));
      stage.script(
        { tool: { ...call, status: 'pending', locations: [{ path: file }] } },
        { permission: { toolCall: { ...call, content } } },
        ...(rejects ? [] : writes),
        { toolUpdate: { toolCallId: 'edit-1', status: rejects ? 'failed' : 'completed' } },
        { sleep: 1500 },
      );
      await stage.seen('permission_requested');
      await own.copied();
      await delay(50);
      while (!own.followed.has(file)) {
        await delay(10);
      }
      const at = BEFORE.indexOf(mine) + mine.length;
      stage.note('> the user saves a line');
      own.edit(file, [{ start: at, end: at, text: ' by me' }]);
      const [permissionId] = stage.session.store.state.pendingPermissions;
      stage.session.answerPermission(permissionId!, rejects ? 'reject' : 'allow');
      await stage.turnEnd();
      await (!rejects && reviewed(own, 1, file));
      stage.note(`> the file: ${JSON.stringify(readFileSync(file, 'utf8'))}`);
    });
  };

  overwritten('overwritten-by-an-old-text', 'nine');
  overwritten('overwritten-in-the-same-line', 'two');
  overwritten('rejected-after-the-file-changed', 'nine', true);

  /** The agent writes the disk itself and reports each edit, then works on until its turn is ended in one of three ways. */
  const running = (
    name: string,
    end: (stage: Stage, go: string) => void,
    last: (go: string) => Step[] = (go) => [{ waitFile: go }],
  ): void => {
    const own = new ChangesStage(0, true);
    after(() => own.dispose());
    scenario(name, { changes: own }, async (stage) => {
      const file = path.join(stage.cwd, 'a.txt');
      const go = `${stage.cwd}-go`;
      writeFileSync(file, BEFORE);
      await stage.ready();
      // A file that was written right before the turn has no certain earlier version.
      await delay(50);
      own.openGate();
      const edit = (toolCallId: string, at: string, oldText: string | null, newText: string): Step[] => [
        { tool: { toolCallId, title: 'Edit', kind: 'edit', status: 'in_progress', locations: [{ path: at }] } },
        { sleep: 100 },
        { shell: `printf '${newText.replaceAll('\n', '\\n')}' > '${at}'` },
        { toolUpdate: { toolCallId, status: 'completed', content: [{ type: 'diff', path: at, oldText, newText }] } },
      ];
      const once = BEFORE.replace('two', '2');
      stage.script(
        { sleep: 300 },
        ...edit('edit-1', file, BEFORE, once),
        ...edit('edit-2', path.join(stage.cwd, 'new.txt'), null, 'new\n'),
        ...edit('edit-3', file, once, AFTER),
        { say: 'Now the tests.' },
        ...last(go),
      );
      const { store } = stage.session;
      const shown = (): string =>
        (store.state.runningChanges?.files ?? []).map(({ path: at, operation }) => `${operation} ${path.basename(at)}`).join();
      await stage.when('the third edit', () => {
        const call = store.state.entries.get(entryIdOf.toolCall('edit-3'));
        return call !== undefined && !isAbsent(call) && call.kind === 'tool_call' && call.status === 'completed';
      });
      await delay(200);
      stage.note(`> while it runs: ${shown()}; in the review: ${own.review!.files.length}`);
      end(stage, go);
      await stage.turnEnd();
      await reviewed(own, 1, file);
      await stage.when('the end of the list', () => shown() === '');
      rmSync(go, { force: true });
      stage.note(`> in the review: ${own.review!.files.map((each) => `${path.basename(each.path)} ${each.hunks?.hunks.length}`).join()}`);
      (await own.lines()).forEach((line) => stage.note(line));
    });
  };

  running('running-edits-of-the-disk', (_, go) => writeFileSync(go, ''));
  running(
    'running-edits-of-a-stopped-turn',
    (stage) => stage.cancel(),
    () => [{ waitCancel: true }],
  );
  running(
    'running-edits-of-an-agent-that-dies',
    (_, go) => writeFileSync(go, ''),
    (go) => [{ waitFile: go }, { exit: 3 }],
  );

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
