/** Embeds text in markdown so that nothing in it can end the block or line that contains it. */
import { withoutRunningLinks } from './sanitize';

/** Returns a code block with `text`. Its fence is longer than any run of backticks in the text. */
export function fenced(text: string, info = ''): string {
  const runs = text.match(/`{3,}/g) ?? [];
  const fence = '`'.repeat(runs.reduce((longest, run) => Math.max(longest, run.length + 1), 3));
  return `${fence}${info}\n${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${fence}`;
}

/** Returns a code span. */
export function codeSpan(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim() || ' '; // Two backticks with nothing between them are not a code span.
  const runs = line.match(/`+/g) ?? [];
  const mark = '`'.repeat(runs.reduce((longest, run) => Math.max(longest, run.length + 1), 1));
  return line.startsWith('`') || line.endsWith('`') ? `${mark} ${line} ${mark}` : `${mark}${line}${mark}`;
}

/** Returns every line as a quote. */
export function quoted(text: string): string {
  return text.replace(/^/gm, '> ').replace(/^> $/gm, '>');
}

/** Returns `text` as one line of prose, not a heading, list, quote or link. */
export function proseLine(text: string): string {
  const line = text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]<>]/g, '\\$&')
    .replace(/^(?=[#+~|-]|\d+[.)])/, '\\');
  // Editors also turn the attributes of escaped HTML into links.
  return withoutRunningLinks(line);
}
