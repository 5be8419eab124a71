/** Durations in words, for host and page. Pure. */
import type { TranslateVerbatim } from './translate';

/** 900 → "0.9 s", 12000 → "12 s", 75000 → "1 min 15 s". A negative `ms` counts as zero. */
export function durationText(ms: number, t: TranslateVerbatim): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 60) {
    return t('{seconds} s', { seconds: seconds < 9.95 ? (Math.round(seconds * 10) / 10).toString() : Math.min(59, Math.round(seconds)) });
  }
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) {
    return t('{minutes} min {seconds} s', { minutes, seconds: Math.floor(seconds % 60) });
  }
  return t('{hours} h {minutes} min', { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}

/** Returns the text about the agent's thinking time, which is shown from one second on. */
export function thoughtText(ms: number, t: TranslateVerbatim): string {
  return ms >= 1000 ? t('Thought for {time}', { time: durationText(ms, t) }) : t('Thought');
}
