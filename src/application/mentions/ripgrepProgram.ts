/** Finds the ripgrep that comes with VS Code. Its location has changed over the years. Where it is missing, VS Code's own search is used. */
import { access, constants } from 'node:fs/promises';
import path from 'node:path';

const NAME = process.platform === 'win32' ? 'rg.exe' : 'rg';
const PLACES = [
  ['node_modules', '@vscode', 'ripgrep-universal', 'bin', `${process.platform}-${process.arch}`, NAME],
  ['node_modules', '@vscode', 'ripgrep', 'bin', NAME],
  ['node_modules.asar.unpacked', '@vscode', 'ripgrep-universal', 'bin', `${process.platform}-${process.arch}`, NAME],
  ['node_modules.asar.unpacked', '@vscode', 'ripgrep', 'bin', NAME],
];

/** Resolves to undefined when ripgrep is missing. @param appRoot VS Code's own folder */
export async function ripgrepIn(appRoot: string): Promise<string | undefined> {
  for (const place of PLACES) {
    const file = path.join(appRoot, ...place);
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) {
      return file;
    }
  }
  return undefined;
}
