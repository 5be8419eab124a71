/** Loads the reader of command lines, with the parsers of the shells. */
import path from 'node:path';
import type { Log } from '../../../core/platform/log';
import type { CommandJudge } from '../../../policy/rules/commandJudge';

/** The folder with the WebAssembly files, in the extension's folder. */
const FILES = ['node_modules', '@vscode', 'tree-sitter-wasm', 'wasm'];

/** Resolves also without the parsers: each line is a doubt then, so that the user is asked. */
export async function loadJudge(extensionPath: string, log: Log): Promise<CommandJudge> {
  const [{ commandJudge }, { loadParser }, { runsPrograms }] = await Promise.all([
    import('../../../policy/commands/commandReader'),
    import('../../../policy/commands/treeSitter'),
    import('../../../policy/commands/gitPrograms'),
  ]);
  const parser = (grammar: 'bash' | 'powershell') =>
    loadParser(grammar, (name) => path.join(extensionPath, ...FILES, name)).catch((error: unknown) => {
      log.error(`The parser of ${grammar} cannot be loaded, so rules allow no commands: ${String(error)}`);
      return undefined;
    });
  // One after the other, because both initialize the same runtime.
  const bash = await parser('bash');
  const powershell = await parser('powershell');
  return commandJudge({ parsers: { bash, powershell }, runsPrograms, platform: process.platform });
}
