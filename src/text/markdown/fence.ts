/** Text that is put into markdown as it is: nothing in it can end what it stands in. */
import { withoutRunningLinks } from './sanitize';

/** A block of code that holds `text`. Its fence is longer than any run of backticks inside. */
export function fenced(text: string, info = ''): string {
  const runs = text.match(/`{3,}/g) ?? [];
  const fence = '`'.repeat(runs.reduce((longest, run) => Math.max(longest, run.length + 1), 3));
  return `${fence}${info}\n${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${fence}`;
}

/** Code in a line. */
export function codeSpan(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim() || ' '; // Two backticks with nothing between them are no code.
  const runs = line.match(/`+/g) ?? [];
  const mark = '`'.repeat(runs.reduce((longest, run) => Math.max(longest, run.length + 1), 1));
  return line.startsWith('`') || line.endsWith('`') ? `${mark} ${line} ${mark}` : `${mark}${line}${mark}`;
}

/** Every line as a quote. */
export function quoted(text: string): string {
  return text.replace(/^/gm, '> ').replace(/^> $/gm, '>');
}

/** `text` as one line that is a line of prose: no heading, list, quote or link. */
export function proseLine(text: string): string {
  const line = text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]<>]/g, '\\$&')
    .replace(/^(?=[#+~|-]|\d+[.)])/, '\\');
  // Editors make links of the attributes of escaped HTML, too.
  return withoutRunningLinks(line);
}
