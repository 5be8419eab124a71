/** Texts of mention rows. */
import { cut, visibleLine } from '../shared/escape';

/** The maximum number of UTF-16 units in a row's label or detail. */
export const MAX_LABEL = 200;

/** Returns one visible line. */
export function line(text: string): string {
  return visibleLine(cut(text, MAX_LABEL)).trim();
}
