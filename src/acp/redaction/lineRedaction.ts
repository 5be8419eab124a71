import type { Redaction } from './redact';
import { REDACTED } from './secretValues';

const BEGIN = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
const END = /-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
/** Base64, a header of it, or nothing. */
const BODY = /^\s{0,40}(?:[A-Za-z0-9+/=]{0,100}|[A-Za-z-]{1,40}: .{0,200})\s{0,4}$/;

/** Redacts lines that come one by one, as on stderr: of a private key each line after the first looks like nothing by itself. One per stream. */
export class LineRedaction {
  private isInKey = false;

  constructor(private readonly redaction: Redaction) {}

  line(text: string): string {
    const isEnd = this.isInKey && END.test(text);
    const isSecret = isEnd || (this.isInKey && BODY.test(text));
    const begin = text.lastIndexOf('-----BEGIN ');
    this.isInKey = (isSecret && !isEnd) || (begin >= 0 && BEGIN.test(text.slice(begin, begin + 100)) && !END.test(text.slice(begin)));
    return isSecret ? REDACTED : this.redaction.text(text);
  }
}
