/** Keep and Undo in the hover of a changed line, for diffs: VS Code shows no code lenses there. Pure. */
import { isUndoable } from '../../../changes/review/reviewFile';
import type { InertText } from '../../../application/shared/escape';
import type { Translate } from '../../../application/shared/translate';
import { changeCommands } from '../../../application/shared/changeCommandIds';
import type { PendingFile } from '../session/pendingFiles';

export interface HunkLink {
  readonly title: InertText;
  readonly command: string;
  readonly args: readonly unknown[];
}

/** The links of one session. */
export interface HunkLinks {
  /** Names the session, where several have a change at the line. */
  readonly title?: InertText;
  readonly links: readonly HunkLink[];
}

/** @param targets the changes at a line @param nameOf the name of a pending file's session */
export function hunkLinks(
  targets: readonly (PendingFile & { readonly hunkIds?: readonly number[] })[],
  nameOf: (pending: PendingFile) => InertText,
  t: Translate,
): readonly HunkLinks[] {
  return targets.map((target) => {
    const { changes, file, hunkIds = [] } = target;
    const links = hunkIds.flatMap((hunkId): HunkLink[] => {
      const args = [{ sessionKey: changes.key, path: file.path, hunkId }];
      const keep = { title: t('Keep'), command: changeCommands.keepChange, args };
      return isUndoable(file) ? [keep, { title: t('Undo'), command: changeCommands.undoChange, args }] : [keep];
    });
    return { ...(targets.length > 1 && { title: nameOf(target) }), links };
  });
}

/** The target of a link in Markdown. Brackets in a path must not end it. */
export function commandUri(command: string, args: readonly unknown[]): string {
  const encoded = encodeURIComponent(JSON.stringify(args)).replace(
    /[!'()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `command:${command}?${encoded}`;
}
