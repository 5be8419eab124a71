/**
 * Prepares batch files for their start on Windows. They cannot be started directly: `cmd.exe` reads them, and has quoting rules of its own. A batch
 * file passes its arguments on with `%*`, which `cmd.exe` parses again. So the quoting must hold however often it is parsed, as that of Rust's
 * standard library does: every special character stays between quotes.
 */

/** The arguments for the system. `verbatim`: `args` are already quoted and must be joined with spaces. */
export interface PreparedCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly verbatim: boolean;
}

/** True for files that only `cmd.exe` can run. */
export function isBatchFile(file: string): boolean {
  return /\.(?:cmd|bat)$/i.test(file);
}

/** True when an argument cannot be passed through `cmd.exe`: a line break ends its command line, and no escape helps. */
export function hasLineBreak(args: readonly string[]): boolean {
  return args.some((argument) => /[\r\n\0]/.test(argument));
}

/**
 * Returns how to start `file` with exactly `args` on Windows. Batch files are run by `cmd.exe /d /s /c`; everything else is unchanged. The caller
 * must refuse arguments with a line break first ({@link hasLineBreak}).
 */
export function windowsCommand(file: string, args: readonly string[], comSpec = 'cmd.exe'): PreparedCommand {
  if (!isBatchFile(file)) {
    return { file, args, verbatim: false };
  }
  const line = [file.replaceAll('/', '\\'), ...args].map(quoted).join(' ');
  return { file: comSpec, args: ['/e:on', '/v:off', '/d', '/s', '/c', `"${line}"`], verbatim: true };
}

/**
 * A quote is doubled, which programs read as one, and after which `cmd.exe` is between quotes again. Backslashes before a quote are doubled. Variables
 * are replaced between quotes, too: after a percent sign an empty part of `cd` prevents that.
 */
function quoted(argument: string): string {
  const escaped = argument.replace(/(\\*)("|$)/g, (_, backslashes: string, quote: string) => backslashes.repeat(2) + quote.repeat(2));
  return `"${escaped.replaceAll('%', '%%cd:~,%')}"`;
}
