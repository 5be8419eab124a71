/** The tooltip of a link, and the detection of code that is a file's path. */
import { linkKind } from '../../src/text/links/linkKind';

/**
 * Returns a link's target for its tooltip. An address is shown as the browser parses it, with its host in ASCII, so that neither look-alike letters
 * nor escapes hide anything. A path is shown as written.
 */
export function linkTitle(href: string): string {
  const trimmed = href.trim();
  if (linkKind(trimmed) !== 'web' || !URL.canParse(trimmed)) {
    return trimmed;
  }
  const { href: read } = new URL(trimmed);
  return read === trimmed || read === `${trimmed}/` ? trimmed : `${read}\n(${trimmed})`;
}

const PLACE = /(?::\d{1,9}(?::\d{1,9})?(?:-\d{1,9}(?::\d{1,9})?)?|#L\d{1,9}(?:C\d{1,9})?(?:-L?\d{1,9}(?:C\d{1,9})?)?)$/;
/** A path without brackets, quotes and other signs of code. */
const PATH = /^(?:~|\.{1,2}|[a-z]:)?[\\/]?(?:[\p{L}\p{N}_@+.-]+[\\/])*[\p{L}\p{N}_@+.-]+$/iu;
/** Extensions of names without another sign of a file: `notes.md` is a file, `console.log` is not. */
const KNOWN =
  /\.(?:[cm]?[jt]sx?|json[5c]?|md|mdx|txt|ya?ml|toml|ini|cfg|conf|env|lock|xml|html?|css|s[ac]ss|less|vue|svelte|py|ipynb|rb|rs|go|java|kts?|swift|c|cc|cpp|h|hpp|cs|fs|php|lua|pl|sh|bash|zsh|fish|ps1|bat|sql|graphql|proto|tf|gradle|csv|svg|png|jpe?g|gif|pdf)$/i;
const LONGEST_PATH = 400;

/** True for code that is exactly a file's path, with or without a line number. The file's existence is checked when it is opened. */
export function isFilePath(code: string): boolean {
  if (code.length > LONGEST_PATH) {
    return false;
  }
  const place = PLACE.exec(code);
  const path = place ? code.slice(0, place.index) : code;
  if (!PATH.test(path) || linkKind(code) !== 'path') {
    return false;
  }
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  if (!/\p{L}/u.test(name) || /^\.+$/.test(name)) {
    return false;
  }
  if (KNOWN.test(name)) {
    return true;
  }
  if (place) {
    return /[./\\]/.test(path) || /^[A-Z]\w+$/.test(path);
  }
  return name !== path && /\.[a-z]\w{0,9}$/i.test(name);
}

/** Names of files that are known without an extension. */
const NAME_ALONE = /^(?:\.[A-Za-z][\w.-]*|[A-Z][a-z]+file|LICEN[CS]E|COPYING|NOTICE|README|CHANGELOG|CODEOWNERS)$/;

/** True for code that may be the path of a file with blanks, brackets, `$` or other signs in its name. Only the host can check it. */
export function mayBeFilePath(code: string): boolean {
  if (code.length > LONGEST_PATH || code.trim() !== code || /[\r\n\t"`<>|*?;]|\s=|=\s|:\/\//.test(code)) {
    return false;
  }
  const path = code.replace(/\(\d{1,9}(?:,\s?\d{1,9})?\)$/, '').replace(PLACE, '');
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  const isName = /[^\s.]\.[A-Za-z0-9]{1,10}$/.test(name) || (name !== path && NAME_ALONE.test(name));
  return isName && /[^\p{L}\p{N}_@+./\\:-]|\(\d/u.test(code) && linkKind(code) === 'path';
}
