/** The judge of command lines with real parsers. Loaded with the first command that a rule may decide. */
import path from 'node:path';
import type { CommandPart } from '../rule';
import type { CommandJudge, CommandVerdict, CommandWrite, JudgedSegment } from '../rules/commandJudge';
import { isSteering } from '../matching';
import { realPathOf } from '../../util/realPath';
import { bashReader } from './bashReader';
import { cmdReader } from './cmdReader';
import { judgeLine, type LineVerdict } from './judgeLine';
import { looseSegments } from './looseSegments';
import { hasShare, namedFiles } from './namedFiles';
import { parsePattern } from './patterns';
import { nameOf, readsOnly } from './programs';
import { powershellReader } from './powershellReader';
import { type CommandReading, type CommandSegment, type LineReader, type Shell, unread, type Doubt } from './reading';
import { remembering } from './rememberedReadings';
import { risksOf } from './risks';
import { suggestPatterns } from './suggestions';
import type { SyntaxParser } from './syntaxNode';
import { unwrapped } from './wrappers';

export interface CommandJudgeDependencies {
  /** Undefined when the parser could not be loaded: each line is a doubt then. */
  readonly parsers: Readonly<Record<'bash' | 'powershell', SyntaxParser | undefined>>;
  /** True when a repository's own configuration or hooks let git run programs. @param cwd the folder of the command */
  runsPrograms(cwd: string | undefined, readsOnly: boolean): Promise<boolean>;
  readonly platform: NodeJS.Platform;
}

/** Files that keep nothing. */
const NOWHERE = /^(?:\/dev\/(?:null|stdout|stderr|tty|fd\/\d+)|nul)$/i;

export function commandJudge({ parsers, runsPrograms, platform }: CommandJudgeDependencies): CommandJudge {
  const readers: Readonly<Record<Shell, LineReader>> = {
    bash: parsers.bash ? remembering(bashReader(parsers.bash)) : NO_PARSER,
    powershell: parsers.powershell ? remembering(powershellReader(parsers.powershell)) : NO_PARSER,
    cmd: remembering(cmdReader()),
  };
  const read = (part: CommandPart): CommandReading => {
    const whole = (isDoubt: boolean, code: string): readonly Doubt[] => (isDoubt ? [{ code, start: 0, end: part.command.length }] : []);
    const shell = shellOf(part.shell, platform);
    if (part.argv && part.argv.length > 0) {
      return ofWords(part.argv, readers.bash);
    }
    const reading = readers[shell ?? 'bash'].read(part.command, { cwd: part.cwd, session: part.folder });
    const isOnWindows = platform === 'win32' || (shell ?? 'bash') !== 'bash';
    const doubts = [
      ...reading.doubts,
      ...whole(shell === undefined, 'shell'),
      ...whole(isOnWindows && reading.segments.some(hasShare), 'network'),
    ];
    // A denial must find its command in a line that is only read in part.
    return { segments: doubts.length > 0 ? [...reading.segments, ...looseSegments(part.command)] : reading.segments, doubts };
  };
  /** @param cwd the folder of the line */
  const areRisky = async (gits: readonly CommandSegment[], cwd: string | undefined): Promise<boolean> => {
    const readsAlone = gits.every(({ words }) => readsOnly(words));
    const folders = new Set(gits.map(({ folder }) => (folder === undefined || cwd === undefined ? undefined : path.resolve(cwd, folder))));
    const risky = await Promise.all([...folders].map((folder) => runsPrograms(folder, readsAlone)));
    return risky.includes(true);
  };
  return {
    judge: async (part, rules): Promise<CommandVerdict> => {
      const reading = read(part);
      const mayAllow = part.program === undefined && !(part.environment ?? []).some(isSteering);
      const verdict = judgeLine(part.command, reading, rules, mayAllow);
      const gits = verdict.effect === 'allow' ? gitsOf(reading.segments) : [];
      const cwd = part.cwd ?? part.folder;
      const isRisky =
        verdict.effect === 'allow' &&
        ((gits.length > 0 && (await areRisky(gits, cwd))) || !(await areInside(reading.segments, cwd, part.folder)));
      return {
        effect: isRisky ? undefined : verdict.effect,
        ruleIds: isRisky ? [] : verdict.ruleIds,
        writes: reading.segments.flatMap((segment) => writesOf(segment, part.cwd)),
        segments: judgedSegments(reading, verdict),
        names: namedFiles(reading.segments),
        isDoubtful: reading.doubts.length > 0,
      };
    },
    problemOf: (pattern) => (parsePattern(pattern) ? undefined : 'it names no program'),
    suggest: (part) =>
      part.argv || part.program !== undefined || (part.environment ?? []).length > 0 ? [] : suggestPatterns(part.command, read(part)),
    risks: (part, roots) => risksOf(read(part), (file) => roots.every((root) => !isInside(root, file))),
  };
}

/** False when a command of the line runs in a folder that a link leads out of the session's folder to. */
async function areInside(segments: readonly CommandSegment[], cwd: string | undefined, session = cwd): Promise<boolean> {
  const folders = [...new Set(segments.map(({ folder }) => folder))].filter((folder) => folder !== undefined && folder !== '');
  if (cwd === undefined || session === undefined || folders.length === 0) {
    return true;
  }
  const real = (folder: string): Promise<string> => realPathOf(folder).catch(() => folder);
  const starts = await Promise.all([cwd, session].map(real));
  const targets = await Promise.all(folders.map((folder) => real(path.resolve(cwd, folder!))));
  return targets.every((target) => starts.some((start) => isInside(start, target)));
}

/** The commands of git, which runs programs that a repository names. */
function gitsOf(segments: readonly CommandSegment[]): readonly CommandSegment[] {
  return segments.flatMap((each) => [
    ...(each.words[0] !== undefined && nameOf(each.words[0]) === 'git' ? [each] : []),
    ...gitsOf(each.inner),
  ]);
}

const NO_PARSER: LineReader = { read: (line) => ({ ...unread(line, 'parser'), segments: looseSegments(line) }) };

/** Returns one segment for each start. A command inside another one has the offsets of that one. */
function judgedSegments({ segments }: CommandReading, verdict: LineVerdict): readonly JudgedSegment[] {
  const starts = new Set<number>();
  const judged: JudgedSegment[] = [];
  for (const [at, { start, end }] of segments.entries()) {
    if (!starts.has(start) && end > start) {
      judged.push({ start, end, effect: verdict.segments[at]?.effect });
    }
    starts.add(start);
  }
  return judged;
}

/** Undefined for a shell whose grammar is not known. */
function shellOf(shell: string | undefined, platform: NodeJS.Platform): Shell | undefined {
  const name = shell
    ?.split(/[\\/]/)
    .at(-1)
    ?.replace(/\.exe$/i, '')
    .toLowerCase();
  if (name === undefined || name === '') {
    return platform === 'win32' ? undefined : 'bash';
  }
  if (name === 'pwsh' || name === 'powershell') {
    return 'powershell';
  }
  return name === 'cmd' ? 'cmd' : /^(?:ba|z|da|k|a|mk)?sh$/.test(name) ? 'bash' : undefined;
}

/** A program and its arguments, which no shell reads. */
function ofWords(words: readonly string[], reader: LineReader): CommandReading {
  const { inner, isTransparent, doubt } = unwrapped(words, (line) => reader.read(line));
  const segment: CommandSegment = { start: 0, end: 0, words, assigns: [], redirections: [], folder: '', inner, isTransparent };
  return { segments: [segment], doubts: doubt === undefined ? [] : [{ code: doubt, start: 0, end: 0 }] };
}

function writesOf({ redirections, folder, inner }: CommandSegment, cwd: string | undefined): readonly CommandWrite[] {
  const own = redirections
    .filter(({ access, target }) => access === 'writes' && !(target !== undefined && NOWHERE.test(target)))
    .map(({ target }) => ({ path: target === undefined ? undefined : absolute(target, folder, cwd) }));
  return [...own, ...inner.flatMap((each) => writesOf(each, cwd))];
}

function absolute(target: string, folder: string | undefined, cwd: string | undefined): string | undefined {
  if (/^~/.test(target) || target === '') {
    return undefined;
  }
  if (path.isAbsolute(target)) {
    return path.normalize(target);
  }
  return cwd === undefined || folder === undefined ? undefined : path.resolve(cwd, folder, target);
}

function isInside(root: string, file: string): boolean {
  const relative = path.relative(root, path.normalize(file));
  return relative === '' || (relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative));
}
