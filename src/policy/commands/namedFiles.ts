/** The files that the words of a command line name. Pure. */
import type { NamedFile } from '../rules/commandJudge';
import { nameOf } from './programs';
import type { CommandSegment } from './reading';

/** Programs that show no content of the files that they name. */
const SHOWS_NONE = new Set(
  (
    'echo printf true false : pwd cd test [ basename dirname realpath readlink which sleep seq expr ls dir stat find fd tree du df ' +
    'get-childitem gci get-item gi test-path resolve-path join-path split-path set-location sl chdir write-output write-host'
  ).split(' '),
);
/** Programs that write, move or delete the files that they name. */
const WRITES = new Set(
  (
    'cp mv install ln tee touch mkdir rm rmdir unlink chmod chown truncate shred dd rsync patch copy xcopy robocopy move ren rename md rd del erase ' +
    'new-item ni set-content add-content ac clear-content clc copy-item cpi move-item mi remove-item ri rename-item rni out-file tee-object export-csv'
  ).split(' '),
);
/** The words of one line that are looked up. */
const MAX_NAMES = 100;

export function namedFiles(segments: readonly CommandSegment[]): readonly NamedFile[] {
  return segments.flatMap(namesIn).slice(0, MAX_NAMES);
}

function namesIn({ words, redirections, folder, inner }: CommandSegment): readonly NamedFile[] {
  const [program = '', ...rest] = words;
  const name = nameOf(program);
  const read = redirections.flatMap(({ access, target }): NamedFile[] =>
    access === 'reads' && target !== undefined ? [{ text: target, folder, access: 'read' }] : [],
  );
  const access = WRITES.has(name) ? 'write' : 'read';
  const own = SHOWS_NONE.has(name) ? [] : rest.flatMap((word) => (word === undefined ? [] : textsIn(word)));
  return [...read, ...own.map((text): NamedFile => ({ text, folder, access })), ...inner.flatMap(namesIn)];
}

/** Returns the texts of a word that may be paths: the word, the value of an option, and the parts of a list. */
function textsIn(word: string): readonly string[] {
  const attached = /^-[A-Za-z]([^=-].*)$/s.exec(word)?.[1];
  const pieces = /[=:,@]/.test(word) ? word.split(/[=:,@]/).slice(0, 6) : [];
  return [...new Set([...(word.startsWith('-') ? [] : [word]), ...(attached === undefined ? [] : [attached]), ...pieces])].filter(
    (text) => text !== '' && !text.startsWith('-') && text.length < 4096,
  );
}

/** A share of another machine at the start of a word, behind a sign, or behind the name of a parameter or of a provider. `//` behind a colon is an address of the web. */
const SHARE = /^(?:[\\/]{2}|[\\/]\?\?)[^\s]|[=,;"'][\\/]{2}[^\\/\s]|:\\[\\/][^\\/\s]|::[\\/]{2}/;

/** True when a word or a redirection names a share of another machine, or a device. */
export function hasShare({ words, redirections, inner }: CommandSegment): boolean {
  return (
    [...words, ...redirections.map(({ target }) => target)].some((word) => word !== undefined && SHARE.test(word)) || inner.some(hasShare)
  );
}
