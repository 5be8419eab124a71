/**
 * Turns and undos of thousands of files: their time, the longest block of the extension host, the number of processes, and files that are
 * read twice.
 */
import { renameSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type DiskFiles, diskFiles } from '../../src/changes/disk/diskFiles';
import type { RunGit } from '../../src/changes/disk/git';
import type { RecordedTurn } from '../../src/changes/turns/changeRecorder';
import { undoing } from '../support/changes/undoing';
import { run as git, Workspace, type WorkspaceSession } from '../support/changes/workspace';
import { held, heldLines } from './changesHold';
import type { BenchLine } from './run';

const RENAMED = 10_000;
const CRLF = 3000;
const UNDONE = 300;
const UNTRACKED = 20_000;
/** The maximum number of git processes for a turn, with any number of changed files. */
const MAX_PROCESSES = 60;

/** A measured time and the longest block in it, both in ms. */
type Held = Awaited<ReturnType<typeof held>>;

/** Runs every case, and fails after the last one if any is over its limits. */
export async function run(): Promise<readonly BenchLine[]> {
  const lines: BenchLine[] = [];
  const failures: string[] = [];
  for (const measure of [renamedFolder, crlfFiles, undoAll, untrackedFiles]) {
    try {
      lines.push(...(await measure()));
    } catch (error) {
      failures.push((error as Error).message);
    }
  }
  if (failures.length > 0) {
    throw new Error([...lines.map((line) => JSON.stringify(line)), ...failures].join('\n'));
  }
  return lines;
}

/** @throws Error when the value is larger */
function atMost(name: string, value: number, unit: string, most: number): BenchLine {
  if (value > most) {
    throw new Error(`${name}: ${value} ${unit} of ${most}`);
  }
  return { name: `changes: ${name}`, value, unit: `${unit} of ${most}` };
}

function fill(workspace: Workspace, count: number, content: (index: number) => string, folder = 'd'): void {
  for (let index = 0; index < count; index++) {
    workspace.write(`${folder}/${index % 100}/f${index}.txt`, content(index));
  }
}

async function turn(session: WorkspaceSession, act: () => void): Promise<{ readonly ended: Held; readonly turn: RecordedTurn }> {
  session.recorder.turnStarted('turn', Date.now());
  await session.recorder.copied();
  await delay(30);
  act();
  let found: RecordedTurn | undefined;
  const ended = await held(async () => (found = await session.recorder.turnEnded('turn')));
  return { ended, turn: found! };
}

function expectFiles(found: number, wanted: number): void {
  if (found !== wanted) {
    throw new Error(`${found} files were recorded, not ${wanted}`);
  }
}

export async function renamedFolder(): Promise<BenchLine[]> {
  const workspace = new Workspace(true);
  try {
    fill(workspace, RENAMED, (index) => `file ${index}\n`);
    workspace.commit();
    await workspace.settle();
    const { ended, turn: recorded } = await turn(workspace.session(), () => renameSync(workspace.at('d'), workspace.at('e')));
    expectFiles(recorded.files.filter(({ oldPath }) => oldPath !== undefined).length, RENAMED);
    return [...heldLines(`rename of a folder of ${RENAMED} tracked files`, ended)];
  } finally {
    workspace.dispose();
  }
}

export async function crlfFiles(): Promise<BenchLine[]> {
  const workspace = new Workspace(true);
  try {
    workspace.git('config', 'core.autocrlf', 'true');
    fill(workspace, CRLF, (index) => `file ${index}\r\nline\r\n`);
    workspace.commit();
    await workspace.settle();
    let processes = 0;
    const counting: RunGit = (...args) => {
      processes++;
      return git(...args);
    };
    const { ended, turn: recorded } = await turn(workspace.session({ run: counting }), () =>
      fill(workspace, CRLF, (index) => `file ${index}\r\nchanged\r\n`),
    );
    expectFiles(recorded.files.length, CRLF);
    const name = `${CRLF} changed files with autocrlf`;
    return [atMost(`${name}, processes`, processes, 'processes', MAX_PROCESSES), ...heldLines(name, ended)];
  } finally {
    workspace.dispose();
  }
}

export async function undoAll(): Promise<BenchLine[]> {
  const workspace = new Workspace(true);
  const user = undoing(workspace, workspace.session());
  try {
    const text = (index: number, word: string): string =>
      Array.from({ length: 100 }, (_, line) => `file ${index}, line ${line}${line % 20 === 0 ? word : ''}\n`).join('');
    fill(workspace, UNDONE, (index) => text(index, ''));
    workspace.commit();
    await workspace.settle();
    const before = workspace.tree();
    await user.turn(() => fill(workspace, UNDONE, (index) => text(index, ' changed')));
    const undone = await held(() => user.undoFiles());
    if (JSON.stringify(workspace.tree()) !== JSON.stringify(before)) {
      throw new Error('Not all files were undone');
    }
    return [...heldLines(`undo of all changes in ${UNDONE} files`, undone)];
  } finally {
    user.dispose();
    workspace.dispose();
  }
}

export async function untrackedFiles(): Promise<BenchLine[]> {
  const workspace = new Workspace(true);
  try {
    workspace.write('a.txt', 'a\n');
    workspace.commit();
    fill(workspace, UNTRACKED - 1, (index) => `untracked ${index}\n`);
    await delay(2100);
    const reads = new Map<string, number>();
    const count = (file: string): void => void reads.set(file, (reads.get(file) ?? 0) + 1);
    const files: DiskFiles = {
      ...diskFiles,
      read: (file, most) => {
        count(file);
        return diskFiles.read(file, most);
      },
      statAndRead: (file, most) => {
        count(file);
        return diskFiles.statAndRead(file, most);
      },
    };
    const session = workspace.session({ files });
    // The first turn may read each file once; the second reads only the changed ones.
    await turn(session, () => workspace.write('a.txt', 'changed\n'));
    const { ended } = await turn(session, () => workspace.write('a.txt', 'changed again\n'));
    const twice = [...reads].filter(([file, times]) => times > 1 && file !== path.join(workspace.folder, 'a.txt')).length;
    const name = `a turn among ${UNTRACKED} untracked files`;
    return [atMost(`${name}, read twice`, twice, 'files', 0), ...heldLines(name, ended)];
  } finally {
    workspace.dispose();
  }
}
