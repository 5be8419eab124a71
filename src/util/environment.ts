/** Environments for child processes. The extension host's own variables must not leak into them. */

/** A process environment, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

const OURS = /^(?:ELECTRON_|VSCODE_)|^NODE_OPTIONS$/;
const OURS_ANY_CASE = new RegExp(OURS.source, 'i');

/**
 * Returns `environment` without `ELECTRON_*`, `VSCODE_*` and `NODE_OPTIONS`. An agent or a command is not a part of the editor, and
 * `ELECTRON_RUN_AS_NODE` alone would make any Electron program that it starts behave as plain Node.
 */
export function cleanEnvironment(environment: Environment, platform: NodeJS.Platform = process.platform): Record<string, string> {
  // Variable names on Windows ignore case.
  const ours = platform === 'win32' ? OURS_ANY_CASE : OURS;
  const clean: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && !ours.test(name)) {
      clean[name] = value;
    }
  }
  return clean;
}

/** Returns `base` with the variables of `overlay`. On Windows a name replaces the same name in any case, so that no process gets two `Path`. */
export function overlayEnvironment(
  base: Readonly<Record<string, string>>,
  overlay: Readonly<Record<string, string>>,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const result: Record<string, string> = { ...base };
  for (const [name, value] of Object.entries(overlay)) {
    if (platform === 'win32') {
      for (const present of Object.keys(result)) {
        if (present !== name && present.toUpperCase() === name.toUpperCase()) {
          delete result[present];
        }
      }
    }
    result[name] = value;
  }
  return result;
}

/** Returns a variable's value. Its name ignores case on Windows. */
export function variable(environment: Environment, name: string, platform: NodeJS.Platform = process.platform): string | undefined {
  if (platform !== 'win32') {
    return environment[name];
  }
  const present = Object.keys(environment).find((each) => each.toUpperCase() === name.toUpperCase());
  return present === undefined ? undefined : environment[present];
}
