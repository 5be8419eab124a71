/** The formats that a text field may name (JSON Schema 2020-12, section 7.3, as far as the RFD "Elicitation" goes). Pure; linear in the text. */

/** True when `text` matches `format`, and for every unknown format, which has no effect. */
export function hasFormat(text: string, format: string): boolean {
  switch (format) {
    case 'email':
      return isEmail(text);
    case 'uri':
      return isUri(text);
    case 'date':
      return isDate(text);
    case 'date-time':
      return isDateTime(text);
    default:
      return true;
  }
}

/** The longest address that can be written to (RFC 5321, section 4.5.3.1). */
const MAX_EMAIL = 320;

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  const [local, domain] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
  if (local === '' || text.length > MAX_EMAIL || /[\s@]|^\.|\.\.|\.$/.test(local)) {
    return false;
  }
  return domain.split('.').every((label) => /^[\p{L}\p{M}\p{N}-]+$/u.test(label) && !label.startsWith('-') && !label.endsWith('-'));
}

/** Accepts a whole address with its scheme (RFC 3986). Letters of all scripts are allowed: people paste what their browser shows. */
function isUri(text: string): boolean {
  const match = /^([a-z][a-z0-9+.-]*):([^\s\u0000-\u001f\u007f<>"{}|\\^`]+)$/i.exec(text);
  if (!match || /%(?![0-9a-f]{2})/i.test(text)) {
    return false;
  }
  return !/^https?$/i.test(match[1]!) || /^\/\/[^/?#]/.test(match[2]!);
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!match) {
    return false;
  }
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day >= 1 && day <= (month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? 0));
}

/** Accepts RFC 3339 with a time zone, and leap seconds. */
function isDateTime(text: string): boolean {
  const match = /^([\d-]{10})T(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:Z|[+-](\d{2}):(\d{2}))$/i.exec(text);
  if (!match || !isDate(match[1]!)) {
    return false;
  }
  const below = (group: number, limit: number): boolean => match[group] === undefined || Number(match[group]) < limit;
  return below(2, 24) && below(3, 60) && below(4, 61) && below(5, 24) && below(6, 60);
}
