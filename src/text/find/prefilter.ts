/**
 * Decides by the source whether markdown can match a query. Lexing all of a long conversation for a word that does not occur in it would take some
 * ten times as long. Never excludes a match, and often excludes markdown without one.
 */
import type { FindQuery } from '../../core/protocol/messages/findQuery';
import { hasMisleading } from '../characters/characters';

/** The most units of a query that are checked. More would make no difference. */
const MAX_UNITS = 24;
const ROW = /[\p{L}\p{N}]+/gu;
/** A run of white space, or any other character. */
const UNIT = /\s+|[^\s]/gu;
const BLANK = '\\s+';
/**
 * The signs that may be in the source between characters that are shown side by side. They begin and end with such a sign. White space is possible at
 * the beginning of a line.
 */
const BEGINS = '[*_~`[\\]!<\\\\]';
const ENDS = '[*_~`[\\])>\\\\]';
/** A character by its name or number. */
const REFERENCE = /&(?:#|[a-z])[\da-z]{1,32};/i;

/** Returns a function that decides whether a markdown text must be parsed for `query`. */
export function prefilterOf({ text, caseSensitive }: FindQuery): (markdown: string) => boolean {
  const flags = caseSensitive ? 'u' : 'iu';
  const parts = [...new Set([...(text.match(ROW) ?? []), text.trim()])].map((part) => mayHold(part, flags));
  return (markdown) => parts.every((mayBeIn) => mayBeIn(markdown)) || REFERENCE.test(markdown) || hasMisleading(markdown);
}

/** Matches a text that has `part` as it is, or its beginning and its end, each followed or preceded by Markdown signs. */
function mayHold(part: string, flags: string): (markdown: string) => boolean {
  const units = (part.match(UNIT) ?? [])
    .slice(0, MAX_UNITS)
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
