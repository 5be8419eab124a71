/** The files in which Claude Code and Codex keep the user's rules. */
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '../../../../core/platform/log';
import type { Environment } from '../../../../util/environment';
import { claudeRules } from './claudeRules';
import { codexRules } from './codexRules';
import type { Imported } from './imported';
import type { ImportSource } from './importRows';

/** The maximum size in bytes of a file with rules. */
const MAX_SIZE = 1024 * 1024;
const MAX_FILES = 50;

export interface RuleFilesDependencies {
  readonly home: string;
  readonly environment: Environment;
  readonly workspaceFolders: readonly string[];
  readonly log: Log;
}

/** Reads the files of the user's home folder. A file that is in a workspace folder is left out, whatever leads to it. */
export async function ruleFiles({ home, environment, workspaceFolders, log }: RuleFilesDependencies): Promise<readonly ImportSource[]> {
  const claude = path.join(environment['CLAUDE_CONFIG_DIR'] || path.join(home, '.claude'), 'settings.json');
  const codex = path.join(environment['CODEX_HOME'] || path.join(home, '.codex'), 'rules');
  const names = (await readdir(codex).catch(() => [])).filter((name) => name.endsWith('.rules'));
  const folders = await Promise.all(workspaceFolders.map((folder) => realpath(folder).catch(() => folder)));
  const read = async (file: string, rulesIn: (text: string) => Imported): Promise<readonly ImportSource[]> => {
    try {
      const real = await realpath(file);
      const isForeign = folders.some((folder) => !path.relative(folder, real).startsWith('..'));
      return isForeign || (await stat(real)).size > MAX_SIZE ? [] : [{ name: file, ...rulesIn(await readFile(real, 'utf8')) }];
    } catch (error) {
      log.debug(`No rules in ${file}: ${String(error)}`);
      return [];
    }
  };
  const sources = [
    read(claude, claudeRules),
    ...names
      .toSorted()
      .slice(0, MAX_FILES)
      .map((name) => read(path.join(codex, name), codexRules)),
  ];
  return (await Promise.all(sources)).flat();
}
