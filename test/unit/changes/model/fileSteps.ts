/** The changes that agents and users make on the disk. A step that does not apply does nothing, so that a shortened sequence can still be played. */
import { execFile } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { lineOf, replacingLine, textOf, withLine } from './lines';
import type { FileStep } from './steps';
import type { World } from './world';
import { gitEnvironment } from './worldKinds';

export function statsOf(file: string): Stats | undefined {
  try {
    return lstatSync(file);
  } catch {
    return undefined;
  }
}

/** The bytes that a program reads at `file`, with links followed; undefined when nothing can be read. */
export function contentOf(file: string): string | undefined {
  try {
    return textOf(readFileSync(file));
  } catch {
    return undefined;
  }
}

/** Resolves to true when the step did something. Never rejects. */
export async function doFileStep(world: World, step: FileStep): Promise<boolean> {
  try {
    return await apply(world, step);
  } catch {
    // A path component is a file or missing: a program that tried this would fail too.
    return false;
  }
}

function lines({ by, number }: FileStep, count: number): string {
  const letter = by === 'agent' ? 'a' : 'u';
  return Array.from({ length: count }, (_, index) => `${lineOf(letter, number + index, `by ${by}`)}\n`).join('');
}

async function apply(world: World, step: FileStep): Promise<boolean> {
  const file = world.at(step.path);
  const content = contentOf(file);
  const write = (text: string | undefined): boolean => {
    if (text !== undefined) {
      writeFileSync(file, text, 'latin1');
    }
    return text !== undefined;
  };
  switch (step.do) {
    case 'write':
      mkdirSync(path.dirname(file), { recursive: true });
      return write(lines(step, 1 + ((step.at ?? 0) % 3)));
    case 'append':
      return content !== undefined && (appendFileSync(file, lines(step, 1)), true);
    case 'insert':
      return write(content === undefined ? undefined : withLine(content, step.at ?? 0, lines(step, 1).slice(0, -1)));
    case 'edit':
      return write(content === undefined ? undefined : replacingLine(content, step.at ?? 0, lines(step, 1).slice(0, -1)));
    case 'cut':
      return write(content === undefined ? undefined : replacingLine(content, step.at ?? 0, undefined));
    case 'sed':
      return content !== undefined && replaceFile(file, replacingLine(content, step.at ?? 0, lines(step, 1).slice(0, -1)));
    default:
      return step.do === 'commit' || step.do === 'checkout' || step.do === 'stash' || step.do === 'unstash' || step.do === 'pull'
        ? inRepository(world, step)
        : onNames(world, step, file);
  }
}

/** Replaces a file with another one under its name, as `sed -i` does. */
function replaceFile(file: string, text: string | undefined): boolean {
  if (text === undefined) {
    return false;
  }
  writeFileSync(`${file}.new`, text, 'latin1');
  chmodSync(`${file}.new`, statSync(file).mode & 0o777);
  renameSync(`${file}.new`, file);
  return true;
}

function onNames(world: World, step: FileStep, file: string): boolean {
  const stats = statsOf(file);
  const to = world.at(step.to ?? step.path);
  const isBlocked = to !== file && statsOf(to)?.isDirectory() === true;
  switch (step.do) {
    case 'move':
    case 'copy':
    case 'hardLink':
      if (!stats || isBlocked || (step.do !== 'move' && !stats.isFile()) || to === file) {
        return false;
      }
      mkdirSync(path.dirname(to), { recursive: true });
      if (step.do === 'move') {
        renameSync(file, to);
      } else if (step.do === 'copy') {
        writeFileSync(to, readFileSync(file));
      } else {
        linkSync(file, to);
      }
      return true;
    case 'moveIn':
      return !stats?.isDirectory() && (renameSync(path.join(world.base, 'arrivals', 'in.txt'), file), true);
    case 'moveOut':
      return stats !== undefined && (renameSync(file, path.join(world.base, 'arrivals', `out-${step.number}`)), true);
    case 'delete':
      return stats !== undefined && !stats.isDirectory() && (rmSync(file), true);
    case 'deleteFolder':
      return stats?.isDirectory() === true && (rmSync(file, { recursive: true }), true);
    case 'chmod':
      return stats?.isFile() === true && (chmodSync(file, (stats.mode & 0o777) ^ 0o100), true);
    case 'link':
    case 'linkOut':
    case 'linkFolder':
      return linkFile(world, step, file, stats);
    case 'toFolder':
      if (stats?.isDirectory()) {
        return false;
      }
      rmSync(file, { force: true });
      mkdirSync(file, { recursive: true });
      writeFileSync(path.join(file, 'below.txt'), lines(step, 1));
      return true;
    case 'toFile':
      if (stats?.isDirectory() !== true) {
        return false;
      }
      rmSync(file, { recursive: true });
      writeFileSync(file, lines(step, 1));
      return true;
    case 'ignore':
      return appendTo(world.at('.gitignore'), `${step.path}\n`);
    case 'exclude':
      return appendTo(world.at('.git/info/exclude'), `${step.path}\n`);
    case 'unignore':
      writeFileSync(world.at(step.at === 1 ? '.git/info/exclude' : '.gitignore'), '');
      return true;
    default:
      return false;
  }
}

function appendTo(file: string, text: string): boolean {
  appendFileSync(file, text);
  return true;
}

function linkFile(world: World, step: FileStep, file: string, stats: Stats | undefined): boolean {
  if (step.do === 'linkFolder') {
    if (stats?.isDirectory() !== true) {
      return false;
    }
    rmSync(file, { recursive: true });
    symlinkSync(path.join(world.outside, path.basename(file) === 'deep' ? 'deep' : ''), file);
    return true;
  }
  if (stats?.isDirectory()) {
    return false;
  }
  rmSync(file, { force: true });
  mkdirSync(path.dirname(file), { recursive: true });
  symlinkSync(
    step.do === 'linkOut' ? path.join(world.outside, 'a.txt') : path.relative(path.dirname(file), world.at(step.to ?? 'a.txt')),
    file,
  );
  return true;
}

function inRepository(world: World, step: FileStep): Promise<boolean> {
  switch (step.do) {
    case 'commit':
      return git(world, ['commit', '-q', '-a', '-m', `commit ${step.number}`]);
    case 'checkout':
      return git(world, ['checkout', '-q', step.at === 1 ? 'main' : 'side']);
    case 'stash':
      return git(world, ['stash', 'push', '-q', ...(step.at === 1 ? ['-u'] : [])]);
    case 'unstash':
      return git(world, ['stash', 'pop', '-q']);
    default:
      return git(world, ['pull', '-q', '--ff-only', world.remote, 'main']);
  }
}

function git(world: World, args: string[]): Promise<boolean> {
  return new Promise((resolve) => {
    execFile('git', args, { cwd: world.root, env: gitEnvironment, timeout: 20_000 }, (error) => resolve(!error));
  });
}
