/** Session stores over the test's own folder, each as another window would open it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { SessionEvent, EventInput } from '../../../../src/core/model/event';
import { SessionStorage } from '../../../../src/session/storage/sessionStorage';
import { quiet } from '../fakes';

export class StorageScene {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'acp-host-store-'));
  readonly root = path.join(this.folder, 'global', 'store');
  private readonly windows: SessionStorage[] = [];

  /** Opens the store as another window. @param limits `maxBytes` of a journal, `tidyMs` until it deletes unused sessions */
  open({ maxBytes = Infinity, tidyMs }: { readonly maxBytes?: number; readonly tidyMs?: number } = {}): SessionStorage {
    const storage = new SessionStorage({
      root: this.root,
      earlier: { globalStorage: path.join(this.folder, 'global'), storage: path.join(this.folder, 'workspaceStorage', 'abc', 'acp.host') },
      maxBytes: () => maxBytes,
      ...(tidyMs !== undefined && { tidyMs }),
      log: quiet,
    });
    this.windows.push(storage);
    return storage;
  }

  end(): void {
    this.windows.forEach((storage) => storage.dispose());
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export const headerOf = (key: string, cwd = '/w') => ({ acpHostJournal: 1, key, agentName: 'A', cwd, createdAt: 5 }) as const;
export const lineOf = (event: EventInput | SessionEvent, seq = 0): string =>
  JSON.stringify({ seq, event: { at: 1 + seq, ...event } }) + '\n';
export const said = (text: string, messageId = 'm', role: 'user' | 'agent' = 'user'): EventInput => ({
  type: 'message',
  role,
  messageId,
  content: [{ type: 'text', text }],
});

/** Stores a session with this text, and with a summary of this time. */
export async function keep(storage: SessionStorage, key: string, { text = key, cwd = '/w', at = 5, ...summary } = {}): Promise<void> {
  const header = headerOf(key, cwd);
  const file = storage.file(header);
  await file.append(JSON.stringify(header) + '\n' + lineOf(said(text)));
  await file.describe(JSON.stringify({ key, agentName: 'A', cwd, createdAt: 5, title: text, changedAt: at, ...summary }));
}
