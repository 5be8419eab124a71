/** The files that may name MCP servers. Part of the first load: a session whose files do not exist loads nothing else of MCP. */
import path from 'node:path';

export interface Folder {
  readonly name: string;
  readonly path: string;
}

/** The files, without the workspace file, which exists in any case. */
export function sourceFiles(profileFolder: string, folders: readonly string[]): string[] {
  return [
    ...profileFiles(profileFolder),
    ...folders.flatMap((folder) => [path.join(folder, '.vscode', 'mcp.json'), path.join(folder, '.mcp.json')]),
  ];
}

/** A profile without a file of its own may use that of the default profile. */
export function profileFiles(profileFolder: string): string[] {
  const profiles = path.dirname(profileFolder);
  const own = path.join(profileFolder, 'mcp.json');
  return path.basename(profiles) === 'profiles' ? [own, path.join(path.dirname(profiles), 'mcp.json')] : [own];
}
