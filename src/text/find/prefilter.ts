/**
 * Whether markdown can hold what is looked for, told from its source: lexing all of a long conversation for a word that is nowhere in it would take
 * some ten times as long. Never wrong about what can be there; often right about what cannot.
 */
import type { FindQuery } from '../../core/protocol/findQuery';
import { hasMisleading } from '../characters/characters';

/** Units of what is looked for that are heeded; more of them would make no difference. */
const MOST = 24;
const ROW = /[\p{L}\p{N}]+/gu;
/** A row of blanks, or any other character. */
const UNIT = /\s+|[^\s]/gu;
const BLANK = '\\s+';
/** What is in the source between characters that are shown side by side begins and ends with such a sign. Where a line begins it may be blanks, too. */
const BEGINS = '[*_~`[\\]!<\\\\]';
const ENDS = '[*_~`[\\])>\\\\]';
/** A character by its name or number. */
const REFERENCE = /&(?:#|[a-z])[\da-z]{1,32};/i;

/** Tells of a markdown text whether it has to be read for `query`. */
export function prefilterOf({ text, caseSensitive }: FindQuery): (markdown: string) => boolean {
  const flags = caseSensitive ? 'u' : 'iu';
  const parts = [...new Set([...(text.match(ROW) ?? []), text.trim()])].map((part) => mayHold(part, flags));
  return (markdown) => parts.every((mayBeIn) => mayBeIn(markdown)) || REFERENCE.test(markdown) || hasMisleading(markdown);
}

/** Whether `part` stands in a text as it is, or its beginning and its end do, each with signs where the other one is missing. */
function mayHold(part: string, flags: string): (markdown: string) => boolean {
  const units = (part.match(UNIT) ?? [])
    .slice(0, MOST)
    .map((unit) => (/\s/.test(unit) ? BLANK : unit.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&')));
  const whole = new RegExp(units.join(''), flags);
  if (units.length < 2) {
    return (markdown) => whole.test(markdown);
  }
  const lineEnd = (unit: string | undefined): string => (unit === BLANK ? '|\\s*\\n' : '');
  const blank = (unit: string | undefined): string => (unit === BLANK ? '|\\s' : '');
  const first = units
    .slice(0, -1)
    .reduceRight((rest, unit, at) => `${unit}(?:${BEGINS}${lineEnd(units[at + 1])}${rest === '' ? '' : `|${rest}`})`, '');
  const last = units.slice(1).reduce((rest, unit, at) => `(?:${ENDS}${blank(units[at])}${rest === '' ? '' : `|${rest}`})${unit}`, '');
  const begins = new RegExp(first, flags);
  const ends = new RegExp(last, flags);
  return (markdown) => whole.test(markdown) || (begins.test(markdown) && ends.test(markdown));
}
