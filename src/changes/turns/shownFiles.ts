/**
 * Compares the open documents with the disk when a turn begins. VS Code reads a changed file again only after some time. A document without unsaved changes
 * may show an older text until then. Its reload in the turn is no change of the agent.
 */
import { inPool } from '../../util/pool';
import { isBelow } from '../disk/git';
import { hashOf } from '../store/objectStore';
import type { FileState } from '../../core/fileChanges/records';
import { type FileStates, isSameStat, isSince, keptOr } from './fileStates';
import { type Since, sinceNow } from './filesSnapshot';
import { isInGitFolder } from './ownFolders';

export interface OpenText {
  /** Real. */
  readonly path: string;
  /** True for unsaved changes: the text is not on the disk. */
  readonly isDirty: boolean;
  /** Returns the bytes that a save would write. */
  bytes(): Promise<Uint8Array>;
}

/** The file of a document at the beginning of a turn. */
export interface ShownFile {
  /** True when the document showed the bytes on disk. */
  readonly isShown: boolean;
  /** The state on disk before the turn, where the document showed another one. Absent where the turn may have written it already. */
  readonly disk?: FileState;
}

/** The most documents that are compared, and those that are read at the same time. */
const MOST = 200;
const PARALLEL = 4;

const NOT_SHOWN: ShownFile = { isShown: false };

export class ShownFiles {
  private readonly files = new Map<string, Promise<ShownFile>>();
  private readonly comparing = new Set<string>();

  /** @param onStale called with the bytes on disk of a document that shows older ones */
  constructor(
    private readonly states: FileStates,
    private readonly moment: Since,
    private readonly onStale: (path: string, bytes: Uint8Array) => void,
  ) {}

  /** Begins to compare the documents of the session's folders. Nothing waits for it. */
  compare(open: readonly OpenText[], roots: readonly string[]): void {
    const isOwn = ({ path, isDirty }: OpenText): boolean => !isDirty && roots.some((root) => isBelow(path, root)) && !isInGitFolder(path);
    const documents = open.filter(isOwn).slice(0, MOST);
    const done = new Map<string, (file: ShownFile) => void>();
    for (const { path } of documents) {
      this.comparing.add(path);
      this.files.set(path, new Promise((resolve) => done.set(path, resolve)));
    }
    void inPool(documents, PARALLEL, async (document) => {
      const shown = await this.shown(document).catch(() => NOT_SHOWN);
      this.comparing.delete(document.path);
      done.get(document.path)!(shown);
    });
  }

  /** True until the document was compared: a reload in this time has nothing of the turn. */
  isComparing(path: string): boolean {
    return this.comparing.has(path);
  }

  async of(path: string): Promise<ShownFile> {
    return this.files.get(path) ?? NOT_SHOWN;
  }

  private async shown({ path, bytes: shownBytes }: OpenText): Promise<ShownFile> {
    const { states, moment } = this;
    const { state, stat, bytes: read } = await states.of(path, false);
    if (state.kind !== 'file' || !stat) {
      return NOT_SHOWN;
    }
    if (state.hash === hashOf(await shownBytes())) {
      return { isShown: true };
    }
    const bytes = read ?? (await states.files.read(path, states.limits.fileBytes));
    const now = await states.files.stat(path);
    if (!bytes || hashOf(bytes) !== state.hash || isSince(stat, sinceNow(moment)) || !now || !isSameStat(now, stat)) {
      return NOT_SHOWN;
    }
    this.onStale(path, bytes);
    const kept = (await states.keep(bytes)) !== undefined;
    return { isShown: false, disk: keptOr({ ...state, kept }) };
  }
}
