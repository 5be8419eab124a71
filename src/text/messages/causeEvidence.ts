/** Which lines of a program's output can say why it failed. Pure. */

/** UTF-16 units from the end of a text that are looked at. */
const MAX_TEXT = 16 * 1024;
/** UTF-16 units of a line that are looked at. */
const MAX_LINE = 1000;
/** A longer line that looks like code is what Node.js quotes of a bundle: it may hold every word there is. */
const CODE_LINE = 300;
const CODE = /=>|\bfunction\b|[;{](?:var|let|const|return|if|import|export)\b|\}\)/;

/** A place in a program: file names hold any word. */
const STACK = /^\s*(?:npm (?:ERR!|error)\s+)?at (?:async )?[^\n]{1,300}[:)]/;
/** What is only a warning or an information is no reason to end. pip tells by warnings alone that it cannot connect or was refused. */
const CHATTER =
  /^npm (?:verb|http|sill) |^\W{0,3}(?:npm )?(?:warn(?:ing)?|info|debug|trace|verbose|notice)\b(?!\W{0,3}(?:retrying|40[13] error))/i;
/** `2026-01-01T00:00:00Z  WARN module: …`, as loggers of Rust and Go write. */
const LOGGED = /^\W{0,2}\d{4}[-/]\d\d[-/]\d\d[T ][\d:.,Z+-]{5,40}\s+\W{0,2}(?:warn(?:ing)?|info|debug|trace)\b/i;

/**
 * The end of `text` without stack traces and quoted code.
 * @param isOutput a program's output: without what it only warns or informs of. An answer is about the error whatever it begins with.
 */
export function evidenceIn(text: string, isOutput: boolean): string {
  return text
    .slice(-MAX_TEXT)
    .split(/\r\n|\n|\r/)
    .filter(
      (line) => !STACK.test(line) && !(isOutput && (CHATTER.test(line) || LOGGED.test(line))) && !(line.length > CODE_LINE && isCode(line)),
    )
    .map((line) => line.slice(0, MAX_LINE))
    .join('\n');
}

/** JSON is what a provider answers, and no code. */
function isCode(line: string): boolean {
  const start = line.slice(0, MAX_LINE);
  return !/["'\\]{1,3}(?:error|message|code)["'\\]{1,3}\s?:/.test(start) && CODE.test(start);
}
