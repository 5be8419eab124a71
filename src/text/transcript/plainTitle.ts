/** A prompt's title where no Markdown has to be read for it, which most prompts need not. Pure. */
import type { SessionState } from '../../core/model/state';

/** UTF-16 units of a title that is made of a prompt. */
const MAX_TITLE = 80;
/** A word that would be cut is left out when no more than this goes with it. */
const MAX_WORD = 24;
/** One line that begins with a letter and has none of Markdown's signs: letters and digits of any script, spaces and the punctuation of prose. */
const PLAIN = /^\p{L}[\p{L}\p{M}\p{Nd} ,.;:?!'"’“”()/-]*$/u;
/** What Markdown makes a link of without any sign. */
const LINK = /:\/\/|\bwww\./i;
/** Longer first paragraphs are left to the reader of Markdown, which is bounded. */
const MAX_PLAIN = 1000;

/** The first paragraph of a prompt as a title; undefined where Markdown may stand in it, and its reader says what the words are. */
export function plainTitle(prompt: string): string | undefined {
  const [paragraph = ''] = prompt
    .slice(0, MAX_PLAIN)
    .trimStart()
    .split(/\n[ \t]*\r?\n/, 1);
  const line = paragraph.trim();
  return paragraph.length < MAX_PLAIN && PLAIN.test(line) && !LINK.test(line) ? shortened(line.replace(/ +/g, ' ')) : undefined;
}

/** Asked for with every event of a session, in all of which the prompt is the same object. */
const known = new WeakMap<object, string | undefined>();

/** See {@link plainTitle}; looked at once for each prompt. */
export function plainTitleOf(firstPrompt: NonNullable<SessionState['firstPrompt']>): string | undefined {
  if (!known.has(firstPrompt)) {
    known.set(firstPrompt, plainTitle(firstPrompt.text));
  }
  return known.get(firstPrompt);
}

/** One line of text as a title of at most 80 UTF-16 units, cut between words where there are any. */
export function shortened(line: string): string {
  if (line.length <= MAX_TITLE) {
    return line;
  }
  const cut = line.slice(0, MAX_TITLE - 1).replace(/[\ud800-\udbff]$/, '');
  const space = cut.lastIndexOf(' ');
  return `${(space > cut.length - MAX_WORD ? cut.slice(0, space) : cut).trimEnd()}…`;
}
