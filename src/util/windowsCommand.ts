/**
 * Batch files cannot be started directly on Windows: `cmd.exe` reads them, and its rules for quoting are its own. The escaping is
 * that of cross-spawn (MIT), which follows https://qntm.org/cmd.
 */

/** What to hand to the system. `verbatim`: `args` are already quoted and must be joined with spaces as they are. */
export interface PreparedCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly verbatim: boolean;
}

const META = /([()\][%!^"`<>&|;, *?])/g;

/**
 * Scripts made by npm's cmd-shim pass their arguments on with `%*`, which `cmd.exe` reads a second time: what is escaped once
 * would be bare there. These places hold such scripts.
 */
const SHIM = /(?:[\\/]node_modules[\\/]\.bin[\\/][^\\/]+|[\\/]npm[\\/][^\\/]+|[\\/](?:npm|npx|pnpm|pnpx|yarn|yarnpkg|bunx))\.cmd$/i;

/** True for what only `cmd.exe` can run. */
export function isBatchFile(file: string): boolean {
  return /\.(?:cmd|bat)$/i.test(file);
}

/** True when an argument cannot be passed through `cmd.exe`: a line break ends its command line, and no escape helps. */
export function hasLineBreak(args: readonly string[]): boolean {
  return args.some((argument) => /[\r\n\0]/.test(argument));
}

/**
 * How to start `file` with exactly `args` on Windows. Batch files go through `cmd.exe /d /s /c`; everything else is unchanged.
 * The caller refuses arguments with a line break first ({@link hasLineBreak}).
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
    // Backslashes before a quote are doubled and the quote escaped; those at the end come before our own quote.
    .replace(/(?=(\\+?)?)\1"/g, '$1$1\\"')
    .replace(/(?=(\\+?)?)\1$/, '$1$1');
  const escaped = `"${quoted}"`.replace(META, '^$1');
  return twice ? escaped.replace(META, '^$1') : escaped;
}
