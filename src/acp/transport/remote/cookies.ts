/** The cookies of one connection. Servers use them to lead all requests of a connection to the same machine. */

/** A server may not make requests grow without a bound. */
const MAX_COOKIES = 50;
const MAX_LENGTH = 4096;

export class Cookies {
  private readonly values = new Map<string, string>();

  /** Takes the `Set-Cookie` headers of a response. Attributes are ignored: the cookies leave with their connection, and go to one address only. */
  store(headers: readonly string[]): void {
    for (const header of headers) {
      const pair = header.split(';', 1)[0] ?? '';
      const separator = pair.indexOf('=');
      const name = pair.slice(0, Math.max(separator, 0)).trim();
      if (name === '' || pair.length > MAX_LENGTH) {
        continue;
      }
      if (/;\s*max-age\s*=\s*(?:0|-\d+)\s*(?:;|$)/i.test(header)) {
        this.values.delete(name);
      } else if (this.values.has(name) || this.values.size < MAX_COOKIES) {
        this.values.set(name, pair.slice(separator + 1).trim());
      }
    }
  }

  /** The value of the `Cookie` header; undefined without cookies. @param own the cookies of the settings, which stay */
  header(own: string | undefined): string | undefined {
    const all = [...(own === undefined ? [] : [own]), ...Array.from(this.values, ([name, value]) => `${name}=${value}`)];
    return all.length === 0 ? undefined : all.join('; ');
  }
}
