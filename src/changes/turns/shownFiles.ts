/**
 * Compares the open documents with the disk when a turn begins. VS Code reads a changed file again only after some time, so a document without unsaved
 * changes may show an older text, and its reload in the turn is no change of the agent.
 */
import { inPool } from '../../util/pool';
import { isBelow } from '../disk/git';
import { hashOf } from '../store/objectStore';
import type { FileState } from '../../core/fileChanges/records';
import type { FileStates } from './fileStates';
import type { Since } from './filesSnapshot';
import { isInGitFolder } from './ownFolders';
import type { OpenText } from './turn';

/** The file of a document at the beginning of a turn. */
export interface ShownFile {
  /** True when the document showed the bytes on disk. */
  readonly isShown: boolean;
  /** The state on disk before the turn, where the document showed another one. Absent where the turn may have written it already. */
  readonly disk?: FileState & { readonly kind: 'file' };
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

  private async shown({ path, bytes }: OpenText): Promise<ShownFile> {
    const { state } = await this.states.of(path, false);
    if (state.kind === 'unknown') {
      return NOT_SHOWN;
    }
    if (state.kind === 'file' && state.hash === hashOf(await bytes())) {
      return { isShown: true };
    }
    const copy = await this.states.copyOf(path, this.moment);
    const content = copy.state.kind === 'file' ? await this.states.contentOf(copy.state.hash) : undefined;
    if (copy.state.kind !== 'file' || !content) {
      return NOT_SHOWN;
    }
    this.onStale(path, content);
    return { isShown: false, disk: copy.state };
  }
}
