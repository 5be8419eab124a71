/** The file with environment variables of a server (`envFile`): `NAME=value` in each line, as in VS Code. */

const LINE = /^\s*(?:export\s+)?([\w.-]+)\s*=\s*(.*)$/;

/** The names of the variables in a file, for the question about a server. */
export function variablesIn(text: string): string[] {
  return Object.keys(parseEnvFile(text));
}

export function parseEnvFile(text: string): Record<string, string> {
  const result: Record<string, string> = {};
  for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const [, name, rest] = LINE.exec(line) ?? [];
    if (name !== undefined && rest !== undefined && name !== '__proto__') {
      result[name] = valueOf(rest.trim());
    }
  }
  return result;
}

function valueOf(text: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"|^'([^']*)'/.exec(text);
  if (!quoted) {
    // An expression that takes all of the blanks needs hours for a hostile line.
    const comment = text.search(/\s#/);
    return comment < 0 ? text : text.slice(0, comment).trimEnd();
  }
  const [, double, single] = quoted;
  return single ?? double!.replace(/\\n/g, '\n').replace(/\\r/g, '\r').replace(/\\(.)/g, '$1');
}
