/** Paths and titles of tool calls for display, the same for the view and for searches in conversations. Pure. */
export { resourceName } from '../model/contentNames';

/** Returns `path` relative to `folder` when it is inside; otherwise unchanged. */
export function shortPath(path: string, folder: string): string {
  if (folder && path.startsWith(folder)) {
    const rest = path.slice(folder.length);
    if (/^[\\/]/.test(rest)) {
      return rest.slice(1);
    }
  }
  return path;
}

/** UTF-16 units. No path of a file is longer, and a regular expression must not be. */
const LONGEST_FOLDER = 4096;

/** A tool of the editor as agents name it: `mcp__vscode__references`, `mcp.vscode.references`, `vscode_references`, `references (vscode MCP Server)`. */
const EDITOR_TOOL = /^(?:(?:mcp(?:__|\.))?vscode(?:__|[._/])(\w{1,80})|(\w{1,80}) \(vscode MCP Server\))$/;

/** Returns the words of a tool of the editor that a title names. Undefined for any other title. */
export function editorToolIn(title: string): string | undefined {
  const [, first, second] = EDITOR_TOOL.exec(title) ?? [];
  // "Edit result" would read as an edit of a result.
  const words = (first ?? second)?.replace(/^edit_result$/, 'result of edit').replaceAll('_', ' ');
  return words && words[0]!.toUpperCase() + words.slice(1);
}

/**
 * Returns a title without the session's folder in its paths, and a tool of the editor in words. Commands stay unchanged: they are shown as they will
 * run.
 */
export function shortTitle(title: string, folder: string, toolKind: string | undefined): string {
  const tool = editorToolIn(title);
  if (tool !== undefined) {
    return tool;
  }
  if (!folder || folder.length > LONGEST_FOLDER || toolKind === undefined || toolKind === 'execute') {
    return title;
  }
  const inside = folder.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/(?:\\\\|\/)$/, '');
  return title.replace(new RegExp(`(^|[\\s'"\`(:=])${inside}[\\\\/]`, 'g'), '$1');
}

/** Removes Markdown's code signs, which mean nothing in a title. In a command, backticks have a meaning and stay. */
export function withoutSigns(title: string, toolKind: string): string {
  if (toolKind === 'execute') {
    return /^(`{1,3})[^`]+\1$/.test(title) ? title.replaceAll('`', '').trim() : title;
  }
  return title.replace(/(?<![`\\])(`{1,3})(?!`)([^`]+)\1(?!`)/g, '$2');
}
