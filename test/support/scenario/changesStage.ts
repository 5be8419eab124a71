/** The change recorder of a scenario's sessions, over real folders, with files written directly. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { OverwriteWatch } from '../../../src/application/changes/overwrites/overwriteWatch';
import { ChangeReport } from '../../../src/changes/review/changeReport';
import { Review } from '../../../src/changes/review/review';
import { ChangeLog } from '../../../src/changes/store/changeLog';
import { DiskStoreFolder } from '../../../src/changes/store/diskStoreFolder';
import { ObjectStore } from '../../../src/changes/store/objectStore';
import { Attribution } from '../../../src/changes/turns/attribution';
import { ChangeRecorder, type RecordedTurn } from '../../../src/changes/turns/changeRecorder';
import { DEFAULT_CHANGE_LIMITS, DEFAULT_STORE_BYTES, FileStates } from '../../../src/changes/turns/fileStates';
import { StoredBaseline } from '../../../src/changes/turns/storedBaseline';
import { applyEdit, type TextEdit as HunkEdit } from '../../../src/core/fileChanges/hunks';
import type { FileRecord, FileState } from '../../../src/core/fileChanges/records';
import type { Disposable } from '../../../src/core/platform/disposable';
import type { Roots } from '../../../src/core/model/roots';
import type { Buffers, StoredFile, TextEdit } from '../../../src/fs/buffers';
import type { Codec } from '../../../src/fs/encoding';
import { DEFAULT_FILE_LIMITS, type FileGuard, FileService } from '../../../src/fs/fileService';
import { StoredFiles } from '../../../src/fs/files';
import { ChangeTracking, copyingBefore } from '../../../src/session/changeTracker';
import { listenLazily } from '../../../src/session/listenLazily';
import { hasReport, publishReport } from '../../../src/session/reportPublisher';
import { RunningFiles } from '../../../src/session/runningFiles';
import { ReadAccess } from '../../../src/policy/readAccess';
import type { Session } from '../../../src/session/session';
import type { ChangesFollower } from '../../../src/session/sessions';
import { systemClock } from '../../../src/util/clock';
import { remembering } from '../../../src/util/realPath';
import { RootCheck } from '../../../src/util/roots';
import { slowFiles, slowGit } from '../changes/workspace';

const UTF8: Codec = {
  decode: async (bytes) => new TextDecoder('utf-8', { fatal: true }).decode(bytes),
  encode: async (text) => new TextEncoder().encode(text),
};

/** Files on disk, none of them open in an editor. */
export class DiskBuffers implements Buffers {
  private readonly files = new StoredFiles(UTF8);

  find = async (): Promise<undefined> => undefined;
  hasDirtyNotebook = async (): Promise<boolean> => false;
  read = (file: string, maxBytes: number): Promise<StoredFile> => this.files.read(file, maxBytes);
  rewrite = (file: string, stored: StoredFile, edits: readonly TextEdit[]): Promise<boolean> => this.files.rewrite(file, stored, edits);
  create = (file: string, text: string): Promise<boolean> => this.files.create(file, text);
}

export class ChangesStage implements Disposable {
  private readonly attribution = new Attribution();
  private readonly buffers = new DiskBuffers();
  private readonly stores = new Map<string, ObjectStore>();
  private readonly byRoots = new Map<Roots, ChangeRecorder>();
  readonly turns: (RecordedTurn & { readonly sessionKey: string })[] = [];
  /** The review of the newest followed session; only with `reviews`. */
  review: Review | undefined;
  report: ChangeReport | undefined;
  /** Only with `reviews`. */
  overwrites: OverwriteWatch | undefined;
  /** The files of the requests that wait, once their texts are read. */
  readonly followed = new Set<string>();

  /** No copy is taken until this is called: an agent's first actions come before. */
  openGate!: () => void;
  private readonly gate: Promise<void>;

  /** @param slowness additional ms for every operation @param storage absent: a new folder */
  constructor(
    private readonly slowness = 0,
    private readonly reviews = false,
    private readonly storage = mkdtempSync(path.join(tmpdir(), 'changes-stage-')),
  ) {
    this.gate = new Promise((resolve) => (this.openGate = resolve));
  }

  /** Like `SessionsDependencies.changes`. */
  follow(session: Session): ChangesFollower {
    if (this.reviews) {
      return this.reviewed(session);
    }
    const { key, roots, store } = session;
    const outlives = (): boolean => session.connection?.kept !== undefined;
    const tracking = (): ChangeTracking =>
      new ChangeTracking(store, systemClock, this.recorderOf(key, roots, outlives), (turn) =>
        this.turns.push({ ...turn, sessionKey: key }),
      );
    const { adoptedTurn } = session;
    if (adoptedTurn) {
      const continued = tracking();
      continued.continues(adoptedTurn.turnId, adoptedTurn.startedAt);
      const subscription = store.onEvents((_, events, whole) => continued.onEvents(events, whole));
      return { dispose: () => [continued, subscription].forEach((each) => each.dispose()), flush: async () => undefined };
    }
    const listener = listenLazily(
      store,
      ({ type }) => type === 'turn_started',
      async () => tracking(),
    );
    return { dispose: () => listener.dispose(), flush: async () => undefined };
  }

  /** Follows the session like `workbench/changes`, for files that no editor has open. */
  private reviewed(session: Session): ChangesFollower {
    const { key, roots, store } = session;
    const recorder = this.recorderOf(key, roots);
    const folder = new DiskStoreFolder(path.join(this.storage, key));
    const text = async (file: string): Promise<string | undefined> => {
      try {
        return readFileSync(file, 'utf8');
      } catch {
        return undefined;
      }
    };
    const decode = async (_: string, bytes: Uint8Array): Promise<string> => Buffer.from(bytes).toString();
    const review = new Review({ store: this.stores.get(key)!, folder, clock: systemClock, text, decode });
    const wasSent = (uri: string): boolean => hasReport(session, uri);
    const nameOf = (file: string): string => file;
    const access = new ReadAccess({ roots, consents: session.consents, setting: () => undefined, nameOf });
    const report = new ChangeReport({ sessionKey: key, folder, clock: systemClock, review, nameOf, access, wasSent });
    let reviewing = review.load().then(() => report.load());
    let publishing: Disposable | undefined;
    void reviewing.then(() => (publishing = publishReport(session, report, systemClock)));
    const running = new RunningFiles(store, systemClock);
    const onRecorded = (turn: RecordedTurn): void => {
      this.turns.push({ ...turn, sessionKey: key });
      report.written(turn.files.map(({ path: file }) => file));
      reviewing = reviewing.then(() => review.recorded(turn.turnId, turn.files)).then(() => running.recorded(turn.turnId));
    };
    const tracking = new ChangeTracking(store, systemClock, recorder, onRecorded, nameOf, running);
    const check = new RootCheck(roots);
    const overwrites = new OverwriteWatch({
      clock: systemClock,
      store,
      agentName: session.agentName,
      resolve: (file) => check.resolve(file).catch(() => undefined),
      nameOf: (file) => path.basename(file),
      read: text,
      follow: (file) => {
        this.followed.add(file);
        return { dispose: () => void this.followed.delete(file) };
      },
      steps: (file) => recorder.running(file)?.steps,
    });
    const listener = store.onEvents((_, events, whole) => {
      overwrites.onEvents(events, whole);
      tracking.onEvents(events, whole);
    });
    [this.review, this.report, this.overwrites] = [review, report, overwrites];
    return {
      dispose: () =>
        [listener, tracking, running, overwrites, { dispose: () => publishing?.dispose() }, report, access, review].forEach((each) =>
          each.dispose(),
        ),
      flush: async () => void (await Promise.all([review.flush(), report.flush()])),
    };
  }

  /** Replaces text of a file like the user does in an editor that saves it. */
  edit(file: string, edits: readonly HunkEdit[]): void {
    const text = edits.reduce(applyEdit, readFileSync(file, 'utf8'));
    writeFileSync(file, text);
    this.byRoots.forEach((recorder) => recorder.savedByUser(file));
    this.review!.documentChanged(file, edits, { type: 'user' });
    this.overwrites!.userSaved(file, text);
  }

  /** Writes files like the session with these folders. */
  files(roots: Roots, guard: FileGuard): FileService {
    const recorder = (): ChangeRecorder | undefined => this.byRoots.get(roots);
    return new FileService(this.buffers, new RootCheck(roots), DEFAULT_FILE_LIMITS, copyingBefore(guard, recorder));
  }

  /** Resolves when the copies for the running turn are taken. */
  async copied(): Promise<void> {
    while (this.byRoots.size === 0) {
      await delay(10);
    }
    await Promise.all([...this.byRoots.values()].map((recorder) => recorder.copied()));
  }

  private recorderOf(key: string, roots: Roots, outlives = (): boolean => false): ChangeRecorder {
    const known = this.byRoots.get(roots);
    if (known) {
      return known;
    }
    const folder = new DiskStoreFolder(path.join(this.storage, key));
    const store = new ObjectStore(folder, DEFAULT_STORE_BYTES);
    const recorder = new ChangeRecorder({
      sessionKey: key,
      roots: () => [roots.cwd, ...roots.additionalDirectories],
      resolver: () => {
        const check = new RootCheck(roots, remembering());
        return (file) => check.resolve(file).catch(() => undefined);
      },
      states: new FileStates(slowFiles(this.slowness, this.gate), store, DEFAULT_CHANGE_LIMITS, Date.now),
      git: slowGit(this.slowness, this.gate),
      log: new ChangeLog(folder),
      attribution: this.attribution,
      baseline: new StoredBaseline(folder),
      outlives,
      now: Date.now,
    });
    this.stores.set(key, store);
    this.byRoots.set(roots, recorder);
    return recorder;
  }

  /** The review of all turns so far, as lines. */
  async lines(): Promise<string[]> {
    const lines: string[] = [];
    for (const { turnId, sessionKey, files } of this.turns) {
      lines.push(`review of ${turnId.replace(/^turn-.*/, 'the turn')}`);
      for (const file of files) {
        lines.push(`  ${await this.line(file, this.stores.get(sessionKey)!)}`);
      }
    }
    return lines;
  }

  dispose(): void {
    rmSync(this.storage, { recursive: true, force: true });
  }

  private async line(
    { path: file, oldPath, before, after, added, removed, binary, shared }: FileRecord,
    store: ObjectStore,
  ): Promise<string> {
    const from = oldPath === undefined ? '' : ` (was ${oldPath})`;
    const counts = added === undefined ? '' : ` +${added} -${removed}`;
    const now = after.kind === 'file' ? readFileSync(file) : undefined;
    const words = `${counts}${binary ? ' binary' : ''}${shared ? ' shared' : ''}`;
    return `${file}${from}: ${await stateText(before, (hash) => store.get(hash))} > ${await stateText(after, async () => now)}${words}`;
  }
}

async function stateText(state: FileState, contentOf: (hash: string) => Promise<Uint8Array | undefined>): Promise<string> {
  if (state.kind === 'none') {
    return 'nothing';
  }
  if (state.kind === 'link') {
    return `link to ${state.target}`;
  }
  if (state.kind === 'unknown') {
    return `unknown (${state.reason})`;
  }
  const bytes = await contentOf(state.hash);
  return bytes && bytes.length <= 80 && !bytes.includes(0) ? JSON.stringify(Buffer.from(bytes).toString()) : `${state.size} bytes`;
}
