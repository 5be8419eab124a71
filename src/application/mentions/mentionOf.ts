/** Creates the mentions in a draft for items of the window: their token, name and reference. Independent of VS Code. */
import path from 'node:path';
import type { CellReference, Mention } from '../../core/mentions/mention';
import { attachmentUri } from '../../core/mentions/attachmentUri';
import { visibleLine } from '../shared/escape';
import type { TranslateVerbatim } from '../shared/translate';

const MAX_NAME = 80;
const MAX_PATH = 300;

/** A file or folder that can be mentioned. */
export interface MentionedFile {
  readonly uri: string;
  /** The path relative to its folder, with "/". A folder ends with "/". */
  readonly path: string;
}

/** A range of lines, 1-based and inclusive. */
export interface Lines {
  readonly line: number;
  readonly endLine: number;
}

export function fileMention({ uri, path: file }: MentionedFile, t: TranslateVerbatim, lines?: Lines): Mention {
  const isFolder = file.endsWith('/');
  const range = lines ? `:${rangeText(lines)}` : '';
  const base = short(path.posix.basename(file), MAX_NAME) || t('File');
  const name = (isFolder ? `${base}/` : base) + range;
  const whole = short(file, MAX_PATH) + range;
  return {
    type: 'mention',
    token: `@${name}`,
    longToken: `@${whole}`,
    name,
    about: isFolder
      ? t('Names of the files in {path}', { path: whole })
      : lines
        ? t('Lines {lines} of {path}', { lines: rangeText(lines), path: short(file, MAX_PATH) })
        : whole,
    ref: isFolder ? { kind: 'folder', uri } : { kind: 'file', uri, ...lines },
  };
}

/** Mentions a cell of a notebook, or lines in it. @param place the notebook */
export function cellMention({ uri, path: file }: MentionedFile, cell: CellReference, t: TranslateVerbatim, lines?: Lines): Mention {
  const range = lines ? `:${rangeText(lines)}` : '';
  const { number } = cell;
  const whole = short(file, MAX_PATH);
  const name = t('{file}, cell {number}', { file: short(path.posix.basename(file), MAX_NAME) || t('File'), number }) + range;
  return {
    type: 'mention',
    token: `[${name.replace(/[[\]]/g, '')}]`,
    longToken: `[${(t('{file}, cell {number}', { file: whole, number }) + range).replace(/[[\]]/g, '')}]`,
    name,
    about: lines
      ? t('Lines {lines} of cell {number} in {path}', { lines: rangeText(lines), number, path: whole })
      : t('Cell {number} of {path}', { number, path: whole }),
    ref: { kind: 'file', uri, ...lines, cell },
  };
}

export function symbolMention({ uri, path: file }: MentionedFile, symbol: string, lines: Lines): Mention {
  const name = short(symbol.replace(/\(.*$/s, ''), MAX_NAME) || 'symbol';
  const where = `${short(file, MAX_PATH)}:${rangeText(lines)}`;
  return {
    type: 'mention',
    token: `@${name}`,
    longToken: `@${name} (${short(path.posix.basename(file), MAX_NAME)})`,
    name,
    about: where,
    ref: { kind: 'symbol', uri, symbol: name, ...lines },
  };
}

/** Mentions the problems of one file, or of all files. */
export function problemsMention(file: MentionedFile | undefined, t: TranslateVerbatim): Mention {
  const name = file ? `problems:${short(path.posix.basename(file.path), MAX_NAME)}` : 'problems';
  const about = file ? t('Problems of {path}', { path: short(file.path, MAX_PATH) }) : t('Problems of all files');
  return { type: 'mention', token: `@${name}`, name, about, ref: { kind: 'problems', ...(file && { uri: file.uri }) } };
}

/** Mentions the changes of a folder, or of one file. */
export function changesMention(file: MentionedFile, isFolder: boolean, t: TranslateVerbatim): Mention {
  const base = short(path.posix.basename(file.path), MAX_NAME);
  const name = isFolder ? 'changes' : `changes:${base}`;
  const about = isFolder
    ? t('All changes that are not committed, as a diff')
    : t('Changes of {path}, as a diff', { path: short(file.path, MAX_PATH) });
  return {
    type: 'mention',
    token: `@${name}`,
    ...(isFolder && { longToken: `@changes:${base}` }),
    name,
    about,
    ref: { kind: 'changes', uri: file.uri },
  };
}

export function commitMention(folder: string, { hash, subject }: { readonly hash: string; readonly subject: string }): Mention {
  const id = hash.slice(0, 8);
  return {
    type: 'mention',
    token: `@commit:${id}`,
    name: `commit:${id}`,
    about: short(subject, MAX_PATH),
    ref: { kind: 'commit', uri: folder, hash },
  };
}

export function sessionMention(sessionKey: string, title: string, t: TranslateVerbatim): Mention {
  const name = short(title, 40) || 'session';
  return {
    type: 'mention',
    token: `[${name.replace(/[[\]]/g, '')}]`,
    name,
    about: t('The conversation, as text'),
    ref: { kind: 'session', sessionKey },
  };
}

export function urlMention(uri: string): Mention {
  return { type: 'mention', token: `@${uri}`, name: short(uri, MAX_NAME), about: uri, ref: { kind: 'url', uri } };
}

/** Mentions a fixed text. @param file its name as a file */
export function textMention(name: string, about: string, file: string, text: string, mimeType = 'text/plain'): Mention {
  const shown = short(name, 60);
  return {
    type: 'mention',
    token: `[${shown.replace(/[[\]]/g, '')}]`,
    name: shown,
    about: short(about, MAX_PATH),
    ref: { kind: 'content', block: { type: 'resource', uri: attachmentUri(file, shown), mimeType, text } },
  };
}

export function rangeText({ line, endLine }: Lines): string {
  return endLine > line ? `${line}-${endLine}` : String(line);
}

/** Returns one visible line, shortened in the middle. */
function short(text: string, max: number): string {
  const line = visibleLine(text.slice(0, 4 * MAX_PATH)).trim();
  const half = Math.floor((max - 1) / 2);
  return line.length <= max ? line : `${line.slice(0, half).toWellFormed()}…${line.slice(-half).toWellFormed()}`;
}

/** VS Code's selection; lines and characters are 0-based. */
interface Selection {
  readonly isEmpty: boolean;
  readonly start: { readonly line: number };
  readonly end: { readonly line: number; readonly character: number };
}

/** Returns the selected lines, or undefined for none. A selection that ends before a line's first character ends in the line before. */
export function selectedLines({ selection }: { readonly selection: Selection }): Lines | undefined {
  if (selection.isEmpty) {
    return undefined;
  }
  const { start, end } = selection;
  return { line: start.line + 1, endLine: Math.max(start.line, end.character === 0 ? end.line - 1 : end.line) + 1 };
}

/** Returns the lines of several selections, sorted and without duplicates. Empty when nothing is selected. */
export function selectedParts(selections: readonly Selection[]): Lines[] {
  const all = selections.flatMap((selection) => selectedLines({ selection }) ?? []);
  const unique = new Map(all.map((lines) => [rangeText(lines), lines]));
  return [...unique.values()].toSorted((a, b) => a.line - b.line || a.endLine - b.endLine);
}

/** Returns the common folder of these files. A file on another drive yields the root of the first drive. @param files absolute paths, at least one */
export function commonFolder(files: readonly string[]): string {
  const holds = (folder: string, other: string): boolean => {
    const inside = path.relative(folder, other);
    return !/^\.\.(?:$|[\\/])/.test(inside) && !path.isAbsolute(inside);
  };
  return files
    .map((file) => path.dirname(file))
    .reduce((folder, other) => {
      let common = folder;
      while (!holds(common, other) && path.dirname(common) !== common) {
        common = path.dirname(common);
      }
      return common;
    });
}
