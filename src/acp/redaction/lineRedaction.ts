import type { Redaction } from './redact';
import { REDACTED } from './secretValues';

const BEGIN = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
const END = /-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
/** A line of base64, a header of it, or a blank line. */
const BODY = /^\s{0,40}(?:[A-Za-z0-9+/=]{0,100}|[A-Za-z-]{1,40}: .{0,200})\s{0,4}$/;

/**
 * Redacts a stream's lines one by one, as on stderr. A single line of a private key after its first does not look like a secret. One instance per
 * stream.
 */
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
