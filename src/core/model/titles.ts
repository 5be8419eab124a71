/** Paths and the titles of tool calls as they are shown: the same for the view and for what looks through conversations. Pure. */
export { resourceName } from './contentNames';

/** `path` from `folder` on when it is inside, else as it is. */
export function shortPath(path: string, folder: string): string {
  if (folder && path.startsWith(folder)) {
    const rest = path.slice(folder.length);
    if (/^[\\/]/.test(rest)) {
      return rest.slice(1);
    }
  }
  return path;
}

/** UTF-16 units; no path of a file is longer, and no regular expression may be. */
const LONGEST_FOLDER = 4096;

/** A title without the session's folder in the paths it names. Not for commands: those are shown as they will run. */
export function shortTitle(title: string, folder: string, toolKind: string | undefined): string {
  if (!folder || folder.length > LONGEST_FOLDER || toolKind === undefined || toolKind === 'execute') {
    return title;
  }
  const inside = folder.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/(?:\\\\|\/)$/, '');
  return title.replace(new RegExp(`(^|[\\s'"\`(:=])${inside}[\\\\/]`, 'g'), '$1');
}

/** A title for the eye: Markdown's signs for code around a part of it say nothing there. Inside a command backticks mean something. */
export function withoutSigns(title: string, toolKind: string): string {
  if (toolKind === 'execute') {
    return /^(`{1,3})[^`]+\1$/.test(title) ? title.replaceAll('`', '').trim() : title;
  }
  return title.replace(/(?<![`\\])(`{1,3})(?!`)([^`]+)\1(?!`)/g, '$2');
}
