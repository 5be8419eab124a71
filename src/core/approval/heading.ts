/** The heading of a permission question whose command, paths and changes are shown below it. Pure. */
import { shortTitle, withoutSigns } from '../toolCalls/titles';

/** UTF-16 units of a title that are searched. A heading cuts longer titles anyway. */
const MAX_TITLE = 4000;
/** Texts that are searched in a title. */
const MAX_TEXTS = 50;
/** Units that a title ending in dots needs to count as the beginning of a command. A shorter match may be chance. */
const MIN_BEGINNING = 8;

/** A title that says only that a command would run. */
const RUNS = /^(?:run|running|exec|execute|executing|bash|shell|sh|zsh|terminal|command|run (?:a )?command)$/i;

/**
 * Returns a title for display on one line, without the session's folder and without Markdown's signs.
 * @param command the command that the title may be, word for word
 */
export function plainTitle(title: string, folder: string, kind: string | undefined, command?: string): string {
  const line = collapsed(shortTitle(title.slice(0, MAX_TITLE), folder, kind));
  // Markdown's signs have a meaning of their own in a command.
  return command !== undefined && line === collapsed(command)
    ? line
    : withoutEmphasis(withoutSigns(line, command === undefined ? (kind ?? 'other') : 'other'));
}

/**
 * Returns `title` (see {@link plainTitle}) without those texts, because they are shown below it. Returns '' when the rest says only that a command
 * would run.
 */
export function headingOf(title: string, texts: readonly string[]): string {
  let rest = title;
  for (const text of texts
    .slice(0, MAX_TEXTS)
    .map(collapsed)
    .filter(Boolean)
    .toSorted((one, other) => other.length - one.length)) {
    rest = without(rest, text);
    if (isBeginning(rest, text)) {
      return '';
    }
  }
  if (rest === title) {
    return title;
  }
  const heading = withoutEnd(rest);
  return RUNS.test(heading) || !/[\p{L}\p{N}]/u.test(heading) ? '' : heading;
}

/** A preposition at the end, which introduced the removed text. */
const LEADS = /\s(?:at|for|from|in|inside|into|of|on|to|with|within)$/i;

/** Returns `text` without the dots at its end and the prepositions before them. */
function withoutEnd(text: string): string {
  const rest = withoutDots(text);
  const lead = rest === text.trim() ? undefined : LEADS.exec(rest);
  return lead ? withoutEnd(`${rest.slice(0, lead.index)}…`) : rest;
}

function withoutDots(text: string): string {
  let [end, kept] = [text.length, text.length];
  while (end > 0 && /[\s.:;,=>→–—…-]/.test(text[end - 1]!)) {
    end--;
    kept = text[end] === '…' ? end : kept;
  }
  return text.slice(0, kept === text.length ? kept : end).trim();
}

/** Returns `title` with an ellipsis in place of each separate occurrence of `text`, including the quotes around it. */
function without(title: string, text: string): string {
  const parts: string[] = [];
  let start = 0;
  for (let at = title.indexOf(text); at >= 0; at = title.indexOf(text, at + 1)) {
    const end = at + text.length;
    if (at < start || isWord(title[at - 1], text[0]) || isWord(title[end], text.at(-1))) {
      continue;
    }
    const isQuoted = at > start && end < title.length && CLOSING[title[at - 1]!] === title[end];
    parts.push(title.slice(start, isQuoted ? at - 1 : at), '…');
    start = isQuoted ? end + 1 : end;
  }
  return start === 0 ? title : parts.join('') + title.slice(start);
}

const CLOSING: Readonly<Record<string, string>> = { '`': '`', "'": "'", '"': '"', '“': '”', '‘': '’', '«': '»', '(': ')', '[': ']' };

/** True when the text continues at this edge, as part of a longer word or path. */
function isWord(next: string | undefined, edge: string | undefined): boolean {
  return next !== undefined && edge !== undefined && /[\p{L}\p{N}_/\\-]/u.test(next) && /[\p{L}\p{N}_/\\-]/u.test(edge);
}

function isBeginning(title: string, text: string): boolean {
  const beginning = title.replace(/\s*(?:…|\.\.\.)$/, '');
  return beginning.length < title.length && beginning.length >= MIN_BEGINNING && text.startsWith(beginning);
}

/** Removes the Markdown of bold, italic, struck out and linked words. Keeps such signs inside words, paths and patterns. */
function withoutEmphasis(text: string): string {
  return text
    .replace(/(?<![\p{L}\p{N}_*/\\])(\*{1,3}|_{1,3}|~~)(?=[^\s*_~/.])([^*_~\n/]{1,500}?)(?<=[^\s*_~])\1(?![\p{L}\p{N}_*/\\.])/gu, '$2')
    .replace(/\[([^[\]\n]{1,500})\]\((?:[^()\s]|\([^()\s]{0,200}\)){1,1000}\)/g, '$1');
}

export function collapsed(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
