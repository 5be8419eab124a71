/** Selects the lines of a program's output that can explain its failure. Pure. */

/** UTF-16 units at the end of a text that are read. */
const MAX_TEXT = 16 * 1024;
/** UTF-16 units of a line that are read. */
const MAX_LINE = 1000;
/** A longer line that looks like code is a quotation from a bundle by Node.js, which may contain any word. */
const CODE_LINE = 300;
const CODE = /=>|\bfunction\b|[;{](?:var|let|const|return|if|import|export)\b|\}\)/;

/** A position in a program: file names may contain any word. */
const STACK = /^\s*(?:npm (?:ERR!|error)\s+)?at (?:async )?[^\n]{1,300}[:)]/;
/**
 * Lines with only a warning or an information do not explain an exit. The exception is pip, which reports failed and refused connections as warnings.
 */
const CHATTER =
  /^npm (?:verb|http|sill) |^\W{0,3}(?:npm )?(?:warn(?:ing)?|info|debug|trace|verbose|notice)\b(?!\W{0,3}(?:retrying|40[13] error))/i;
/** A log line such as `2026-01-01T00:00:00Z  WARN module: …`, as loggers of Rust and Go write. */
const LOGGED = /^\W{0,2}\d{4}[-/]\d\d[-/]\d\d[T ][\d:.,Z+-]{5,40}\s+\W{0,2}(?:warn(?:ing)?|info|debug|trace)\b/i;

/**
 * Returns the end of `text` without stack traces and quoted code.
 * @param isOutput true for a program's output, from which warnings and information are removed. An answer is about the error in any case.
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

/** True for code. The JSON of a provider's answer is not code. */
function isCode(line: string): boolean {
  const start = line.slice(0, MAX_LINE);
  return !/["'\\]{1,3}(?:error|message|code)["'\\]{1,3}\s?:/.test(start) && CODE.test(start);
}
