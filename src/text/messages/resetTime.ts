/**
 * Reads from an agent's error when a limit resets: a date, a time of day such as `resets 3pm (Europe/Berlin)`, a duration or a number of seconds. The
 * text is untrusted. Pure.
 */
import type { Failure } from '../../core/model/failure';
import { causeIn, isAgentSpecific } from './causes';

/** UTF-16 units of the text that are searched. */
const MAX_TEXT = 4096;
/** ms; limits reset within weeks. */
const MAX_WAIT = 62 * 24 * 60 * 60 * 1000;

const LEAD = String.raw`\b(?:resets?|renews?|try again|retry|available again|continue)(?: again)?(?: (?:at|on|after))?[: ]{1,2}`;
const SECONDS = /limit reached\|(\d{10})(?!\d)/;
const DATE = new RegExp(String.raw`${LEAD}(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)? ?(?:[Zz]|[+-]\d\d:?\d\d))`, 'i');
const MONTHS = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec';
const DAY = String.raw`(?:(${MONTHS})[a-z]{0,6}\.? (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?,?(?: at)? )?`;
const TIME = String.raw`(\d{1,2})(?::(\d\d))? ?([ap]\.?m\b\.?)?(?: ?\(([A-Za-z_]{1,30}(?:[/+-][A-Za-z0-9_+-]{1,30}){0,2})\))?`;
const CLOCK = new RegExp(`${LEAD}${DAY}${TIME}`, 'i');
const DURATION =
  /\b(?:resets?|try again|retry|available again)(?: again)? (?:in|after) ((?:\d{1,5} ?(?:days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)\b,?(?: and)? ?){2,4})/i;
const PART = /(\d{1,5}) ?(d|h|m|s)/gi;
const UNITS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 };

/** Adds the time of the reset to a request that failed at a limit, in ms since the epoch, unless the failure has one. Its cause must be known. */
export function withResetTime(failure: Failure, now: number): Failure {
  const { code, params = {}, detail } = failure;
  const cause = causeIn(params);
  if (
    code !== 'request.failed' ||
    cause === undefined ||
    !isAgentSpecific(cause) ||
    detail === undefined ||
    params['resetsAt'] !== undefined
  ) {
    return failure;
  }
  const resetsAt = resetTimeIn(detail, now);
  return resetsAt === undefined ? failure : { ...failure, params: { ...params, resetsAt } };
}

/** Returns ms since the epoch; undefined when the text names no time that is soon. */
export function resetTimeIn(text: string, now: number): number | undefined {
  const searched = text.slice(0, MAX_TEXT);
  const seconds = SECONDS.exec(searched)?.[1];
  const date = DATE.exec(searched)?.[1];
  const duration = DURATION.exec(searched)?.[1];
  const at =
    seconds !== undefined
      ? Number(seconds) * 1000
      : date !== undefined
        ? Date.parse(date.replace(' ', 'T').replace(/ (?=[Zz+-])/, ''))
        : duration !== undefined
          ? now + durationOf(duration)
          : clockTime(CLOCK.exec(searched), now);
  return at !== undefined && at > now && at - now <= MAX_WAIT ? at : undefined;
}

function durationOf(text: string): number {
  let ms = 0;
  for (const [, amount, unit] of text.matchAll(PART)) {
    ms += Number(amount) * UNITS[unit!.toLowerCase()]!;
  }
  return ms;
}

/**
 * The end of the next minute that the clock shows, in the named zone or the user's own, because agents leave the seconds out. A number without minutes
 * or am and pm is no time.
 */
function clockTime(match: RegExpExecArray | null, now: number): number | undefined {
  const [, month, day, year, hours, minutes, half, zone] = match ?? [];
  if (hours === undefined || (minutes === undefined && half === undefined) || Number(hours) > 23 || Number(minutes ?? 0) > 59) {
    return undefined;
  }
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (/^p/i.test(half) ? 12 : 0);
  const today = wallTime(now, zone);
  if (!today) {
    return undefined;
  }
  const minute = Number(minutes ?? 0);
  if (month === undefined) {
    const at = endOfMinute([today[0], today[1], today[2], hour, minute], zone);
    return at > now ? at : endOfMinute([today[0], today[1], today[2] + 1, hour, minute], zone);
  }
  const index = MONTHS.toLowerCase().split('|').indexOf(month.slice(0, 3).toLowerCase());
  const at = endOfMinute([year === undefined ? today[0] : Number(year), index, Number(day), hour, minute], zone);
  return year === undefined && at <= now ? endOfMinute([today[0] + 1, index, Number(day), hour, minute], zone) : at;
}

/** Year, month from 0, day, hour and minute. */
type WallTime = readonly [number, number, number, number, number];

/** Undefined for a zone that the platform does not know. */
function wallTime(at: number, zone: string | undefined): WallTime | undefined {
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      ...(zone !== undefined && { timeZone: zone }),
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    });
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const of = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
    return [of('year'), of('month') - 1, of('day'), of('hour'), of('minute')];
  } catch {
    return undefined;
  }
}

/** Returns its last millisecond, which is displayed as the same minute. */
function endOfMinute(wanted: WallTime, zone: string | undefined): number {
  return instantAt(wanted, zone) + 59_999;
}

/** Applies the zone's offset twice, because the first guess may be on the other side of a change of the clocks. */
function instantAt(wanted: WallTime, zone: string | undefined): number {
  const utc = Date.UTC(...wanted);
  let at = utc;
  for (let round = 0; round < 2; round++) {
    at = utc - (Date.UTC(...wallTime(at, zone)!) - at);
  }
  return at;
}
