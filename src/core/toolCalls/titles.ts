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

/** Returns a title without the session's folder in its paths. Commands stay unchanged: they are shown as they will run. */
export function shortTitle(title: string, folder: string, toolKind: string | undefined): string {
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
