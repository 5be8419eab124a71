/** Loads the judge of command lines with its parsers. */
import path from 'node:path';
import type { Log } from '../../core/platform/log';
import type { CommandJudge } from '../rules/commandJudge';
import { commandJudge } from './commandReader';
import { runsPrograms } from './gitPrograms';
import type { SyntaxParser } from './syntaxNode';
import { loadParser } from './treeSitter';

/**
 * Never rejects: without a parser each line is in doubt, so that no rule allows it.
 * @param folder the absolute path of the folder with the WebAssembly files
 */
export async function loadJudge(
  folder: string,
  log: Pick<Log, 'error'>,
  platform: NodeJS.Platform = process.platform,
): Promise<CommandJudge> {
  const load = (grammar: 'bash' | 'powershell'): Promise<SyntaxParser | undefined> =>
    loadParser(grammar, (name) => path.join(folder, name)).catch((error: unknown) => {
      log.error(`The parser of ${grammar} is missing, so no rule allows a command: ${String(error)}`);
      return undefined;
    });
  const [bash, powershell] = [await load('bash'), await load('powershell')];
  return commandJudge({ parsers: { bash, powershell }, runsPrograms, platform });
}
