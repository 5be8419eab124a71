/**
 * Returns the time of day, with the date unless it is today. Both times are in ms since the epoch.
 *
 * @param language BCP 47; absent: that of the page
 */
export function clockTime(at: number, now: number, language?: string): string {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date(now).toDateString();
  return isToday
    ? date.toLocaleTimeString(language, { hour: 'numeric', minute: '2-digit' })
    : date.toLocaleString(language, { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' });
}
