/** The files that may name MCP servers. Part of the first load: a session whose files do not exist loads nothing else of MCP. */
import path from 'node:path';

export interface Folder {
  readonly name: string;
  readonly path: string;
}

/** The files, without the workspace file, which exists in any case. */
export function sourceFiles(profileFolder: string, folders: readonly string[]): string[] {
  return [...profileFiles(profileFolder), ...folders.flatMap((folder) => [`${folder}/.vscode/mcp.json`, `${folder}/.mcp.json`])];
}

/** A profile without a file of its own may use that of the default profile. */
export function profileFiles(profileFolder: string): string[] {
  const parent = path.dirname(profileFolder);
  return [profileFolder, ...(path.basename(parent) === 'profiles' ? [path.dirname(parent)] : [])].map((folder) =>
    path.join(folder, 'mcp.json'),
  );
}
