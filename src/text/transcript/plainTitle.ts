/** A prompt's title without parsing Markdown, which most prompts do not need. Pure. */
import type { SessionState } from '../../core/model/state';

/** The most UTF-16 units of a title. */
const MAX_TITLE = 80;
/** A word at the cut is removed if at most this much goes with it. */
const MAX_WORD = 24;
/** One line that begins with a letter and has no Markdown signs: letters and digits of any script, spaces and the punctuation of prose. */
const PLAIN = /^\p{L}[\p{L}\p{M}\p{Nd} ,.;:?!'"’“”()/-]*$/u;
/** Text that Markdown turns into a link without any sign. */
const LINK = /:\/\/|\bwww\./i;
/** Longer first paragraphs are left to the Markdown reader, whose work is limited. */
const MAX_PLAIN = 1000;

/** Returns the first paragraph of a prompt as a title; undefined where it may have Markdown, which must be parsed. */
export function plainTitle(prompt: string): string | undefined {
  const [paragraph = ''] = prompt
    .slice(0, MAX_PLAIN)
    .trimStart()
    .split(/\n[ \t]*\r?\n/, 1);
  const line = paragraph.trim();
  return paragraph.length < MAX_PLAIN && PLAIN.test(line) && !LINK.test(line) ? shortened(line.replace(/ +/g, ' ')) : undefined;
}

/** Cached titles: every event of a session needs its title, and the prompt is always the same object. */
const known = new WeakMap<object, string | undefined>();

/** Returns the {@link plainTitle} of a prompt, computed once. */
export function plainTitleOf(firstPrompt: NonNullable<SessionState['firstPrompt']>): string | undefined {
  if (!known.has(firstPrompt)) {
    known.set(firstPrompt, plainTitle(firstPrompt.text));
  }
  return known.get(firstPrompt);
}

/**
 * Returns the agent's title of a session. Undefined for the beginning of the first prompt, cut within a sentence: some agents take the text before the
 * first mention, "What does" of "What does @calc.js do?". The title that is made from the prompt says more.
 */
export function agentTitle({
  title,
  firstPrompt,
}: {
  readonly title?: string | undefined;
  readonly firstPrompt?: SessionState['firstPrompt'] | undefined;
}): string | undefined {
  const own = title?.trim() || undefined;
  const begins =
    own
      ?.replace(/(?:…|\.{3})$/, '')
      .replace(/\s+/g, ' ')
      .trimEnd() ?? '';
  const prompt = begins === '' ? '' : (firstPrompt?.text.trimStart().replace(/[^\S\n]+/g, ' ') ?? '');
  return prompt.startsWith(begins) && /^ ?(?:[\p{L}\p{N}@#_/`]|\.\p{L})/u.test(prompt.slice(begins.length)) ? undefined : own;
}

/** Returns one line of text as a title of at most `max` UTF-16 units, cut between words where possible. */
export function shortened(line: string, max = MAX_TITLE): string {
  if (line.length <= max) {
    return line;
  }
  const cut = line.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '');
  const space = cut.lastIndexOf(' ');
  return `${(space > cut.length - Math.min(MAX_WORD, max / 2) ? cut.slice(0, space) : cut).trimEnd()}…`;
}
