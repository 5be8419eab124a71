/**
 * Prepares batch files for their start on Windows. They cannot be started directly: `cmd.exe` reads them, and has quoting rules of its own. The
 * escaping is that of cross-spawn (MIT), which follows https://qntm.org/cmd.
 */

/** The arguments for the system. `verbatim`: `args` are already quoted and must be joined with spaces. */
export interface PreparedCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly verbatim: boolean;
}

const META = /([()\][%!^"`<>&|;, *?])/g;

/**
 * Scripts made by npm's cmd-shim pass their arguments on with `%*`, which `cmd.exe` parses a second time, so one level of escaping is not enough.
 * Such scripts are at these paths.
 */
const SHIM = /(?:[\\/]node_modules[\\/]\.bin[\\/][^\\/]+|[\\/]npm[\\/][^\\/]+|[\\/](?:npm|npx|pnpm|pnpx|yarn|yarnpkg|bunx))\.cmd$/i;

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
  const twice = SHIM.test(file);
  const line = [file.replaceAll('/', '\\').replace(META, '^$1'), ...args.map((argument) => escapeArgument(argument, twice))].join(' ');
  return { file: comSpec, args: ['/d', '/s', '/c', `"${line}"`], verbatim: true };
}

function escapeArgument(argument: string, twice: boolean): string {
  const quoted = argument
    // Backslashes before a quote are doubled and the quote is escaped. Those at the end precede our own quote.
    .replace(/(?=(\\+?)?)\1"/g, '$1$1\\"')
    .replace(/(?=(\\+?)?)\1$/, '$1$1');
  const escaped = `"${quoted}"`.replace(META, '^$1');
  return twice ? escaped.replace(META, '^$1') : escaped;
}
