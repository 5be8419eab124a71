/** Command lines: the guide's own command, and the parser for the user's. */
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

export interface CommandLine {
  readonly command: string;
  /** When absent, `command` is a line for the user's shell. */
  readonly args?: readonly string[];
  /** The command for display. */
  readonly shown: string;
}

/** Returns a command that prints something and changes nothing: Node's version where Node is installed, otherwise the folder's content. */
export function harmlessCommand(env: NodeJS.ProcessEnv = process.env, platform: NodeJS.Platform = process.platform): CommandLine {
  if (isOnPath('node', env, platform)) {
    return { command: 'node', args: ['--version'], shown: 'node --version' };
  }
  if (platform === 'win32') {
    return { command: 'cmd', args: ['/c', 'dir'], shown: 'cmd /c dir' };
  }
  return { command: 'ls', args: ['-l'], shown: 'ls -l' };
}

/** Splits plain words into a command with arguments. A line that only a shell understands stays one line. */
export function parseCommand(line: string): CommandLine {
  const shown = line.trim();
  const words = [...shown.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
  const unquoted = shown.replace(/"[^"$`\\]*"|'[^']*'/g, '');
  const [command, ...args] = words;
  const glued = /\w["']|["']\w/.test(shown.replace(/(^|\s)("[^"]*"|'[^']*')(?=\s|$)/g, '$1'));
  if (command === undefined || glued || /[|&;<>()$`\\*?[\]{}~#!"'=\n]/.test(unquoted)) {
    return { command: shown, shown };
  }
  return { command, args, shown };
}

function isOnPath(program: string, env: NodeJS.ProcessEnv, platform: NodeJS.Platform): boolean {
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(path.delimiter).filter(path.isAbsolute);
  return folders.some((folder) => {
    try {
      accessSync(path.join(folder, platform === 'win32' ? `${program}.exe` : program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
