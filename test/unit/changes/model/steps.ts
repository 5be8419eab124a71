/** The steps of a sequence as plain data, so that a failing sequence can be printed and played again. */

/** The way in which an agent reports a change. silent: not at all. lie: after it, with `oldText: null`. */
export type Telling = 'announced' | 'before' | 'after' | 'lie' | 'silent';

/** The program that the user works in. */
export type Via = 'terminal' | 'explorer';

/** A change on the disk, by the agent or the user. Paths are relative to the session's folder. */
export interface FileStep {
  readonly by: 'agent' | 'user';
  readonly via?: Via;
  readonly tell?: Telling;
  readonly do:
    | 'write'
    | 'append'
    | 'insert'
    | 'edit'
    | 'cut'
    | 'sed'
    | 'move'
    | 'moveIn'
    | 'moveOut'
    | 'copy'
    | 'delete'
    | 'deleteFolder'
    | 'chmod'
    | 'link'
    | 'linkOut'
    | 'linkFolder'
    | 'hardLink'
    | 'toFolder'
    | 'toFile'
    | 'commit'
    | 'checkout'
    | 'stash'
    | 'unstash'
    | 'pull'
    | 'ignore'
    | 'unignore'
    | 'exclude';
  readonly path: string;
  readonly to?: string;
  /** The line number. */
  readonly at?: number;
  /** The number of the first written line. */
  readonly number: number;
}

/** A step of the user in the editor. */
export interface EditorStep {
  readonly by: 'editor';
  readonly do: 'open' | 'type' | 'retype' | 'save' | 'close' | 'reload';
  readonly path: string;
  readonly at?: number;
  readonly number: number;
}

/**
 * The start and end of a turn, the user's actions on its changes, and a reload of the window. `choose`: files that a question names are chosen too.
 * `late`: documents with unsaved text are open only after the review was read back. `applyAgain`: all changes that were undone. `putBack`: the versions
 * that undos have replaced because the user chose it.
 */
export type SessionStep =
  | { readonly by: 'session'; readonly do: 'turn'; readonly hurry: boolean }
  | { readonly by: 'session'; readonly do: 'end' }
  | { readonly by: 'session'; readonly do: 'keep'; readonly scope: 'all' | 'file' | 'hunk'; readonly nth: number }
  | { readonly by: 'session'; readonly do: 'reload'; readonly late: boolean }
  | { readonly by: 'session'; readonly do: 'undo'; readonly scope: 'all' | 'file' | 'hunk'; readonly nth: number; readonly choose: boolean }
  | { readonly by: 'session'; readonly do: 'restore'; readonly nth: number; readonly choose: boolean }
  | { readonly by: 'session'; readonly do: 'undoRestore'; readonly choose: boolean }
  | { readonly by: 'session'; readonly do: 'applyAgain' }
  | { readonly by: 'session'; readonly do: 'putBack' };

export type Step = FileStep | EditorStep | SessionStep;

export const KINDS = ['plain', 'git', 'submodule', 'nested', 'filter', 'attributes', 'crlf', 'input', 'skip'] as const;
export type Kind = (typeof KINDS)[number];

export interface Sequence {
  readonly kind: Kind;
  readonly seed: number;
  readonly steps: readonly Step[];
}

export interface Failure {
  /** The violated property. */
  readonly rule: 'lost' | 'outside' | 'git' | 'canary' | 'inexact' | 'inexactBack' | 'error';
  readonly message: string;
  readonly sequence: Sequence;
}

/** One line for each step. */
export function script({ kind, seed, steps }: Sequence): string {
  return [`{ kind: '${kind}', seed: ${seed}, steps: [`, ...steps.map((step) => `  ${JSON.stringify(step)},`), '] }'].join('\n');
}
