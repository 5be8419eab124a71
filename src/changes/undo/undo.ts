/** Undoes changes of one session: collects the facts, plans, writes, and reports only completed writes to the review and to the agent. */
import type { TextEdit } from '../../core/fileChanges/hunks';
import { applyEdit } from '../../core/fileChanges/hunks';
import { type FileRecord, type FileState, sameState } from '../../core/fileChanges/records';
import { inPool } from '../../util/pool';
import type { ChangeReport, FileNote } from '../review/changeReport';
import { belowRemovedLink, clashing, joinedTargets, type PlannedUndo } from './plannedUndo';
import { type PendingNote, UndoNotes } from './undoNotes';
import { Sequence } from './sequence';
import { hasOnlyCopy, heldByUndos, nextUndos, replacedFiles } from './undoOrder';
import { leftReasonOf, type UndoOptions, type UndoWriteDependencies, UndoWrites } from './undoWrites';
import { type UndoFactDependencies, UndoFactReader } from './undoFacts';
import { type LeftReason, planUndo, type UndoAction, type UndoTarget, type UndoWrite } from './undoPlan';
import type { TextCodec, UndoEditor } from './undoDependencies';

export type { PlannedUndo } from './plannedUndo';

export interface UndoDependencies extends UndoFactDependencies, UndoWriteDependencies {
  readonly report: ChangeReport;
  readonly editor: UndoEditor;
  readonly codec: TextCodec;
  /** Returns the session's name of a file. */
  nameOf(path: string): string;
}

export interface LeftFile {
  readonly path: string;
  readonly reason: LeftReason;
}

export interface UndoResult {
  readonly done: readonly string[];
  readonly left: readonly LeftFile[];
}

interface Job {
  readonly plan: PlannedUndo;
  readonly action: UndoAction & { readonly type: 'write' };
  readonly note: PendingNote | undefined;
}

const MAX_PARALLEL = 8;

export class Undo {
  /**
   * Undos run one after the other: the edits of the second refer to the text that the first leaves. Their versions must stay in the store while it is
   * busy.
   */
  readonly order = new Sequence();

  private readonly facts: UndoFactReader;
  private readonly writes: UndoWrites;
  private readonly notes: UndoNotes;
  /** Files whose newer version was replaced, in the state in which the undo left them. */
  private readonly replaced = new Map<string, FileState>();

  constructor(private readonly deps: UndoDependencies) {
    this.facts = new UndoFactReader(deps);
    this.writes = new UndoWrites(deps, this.facts);
    this.notes = new UndoNotes(deps, this.facts);
  }

  /** Plans each file once. Nothing is written. */
  async plan(wanted: readonly UndoTarget[]): Promise<readonly PlannedUndo[]> {
    const targets = joinedTargets(wanted);
    const plans: PlannedUndo[] = [];
    const facts = this.facts.remembering();
    await inPool([...targets.entries()], MAX_PARALLEL, async ([index, target]) => void (plans[index] = await this.planOne(target, facts)));
    const all = plans.map((plan) => belowRemovedLink(plan, plans));
    const clashes = clashing(all.map(({ action }) => action));
    const replaced = await replacedFiles(all, this.deps);
    return all.map((plan) => {
      const reason = clashes.has(plan.action) ? 'old_name_taken' : replaced.has(plan) ? 'replaced' : undefined;
      return reason ? { ...plan, action: { type: 'leave', reason } } : plan;
    });
  }

  /** Performs the plans. A file that has changed since is planned again, and left where the undo would then lose something. */
  perform(plans: readonly PlannedUndo[], options: UndoOptions = {}): Promise<UndoResult> {
    return this.order.run(() => this.performNow(plans, options));
  }

  /** Reverts an undo of a whole file, if nothing has changed the file since. */
  applyAgain(note: FileNote): Promise<LeftReason | undefined> {
    return this.order.run(() => this.applyNow(note));
  }

  /** Restores a version that a forced undo replaced, if nothing has changed the file since. */
  putBack(file: string, to: FileState): Promise<LeftReason | undefined> {
    return this.order.run(async () => {
      const reason = await this.writes.replace(file, this.replaced.get(file) ?? NONE, to);
      this.replaced.delete(file);
      return reason;
    });
  }

  /** Applies edits to a file's text as the user's. Edits refer to the review's text, the last position first. */
  editText(file: string, edits: () => readonly TextEdit[]): Promise<LeftReason | undefined> {
    return this.order.run(() => this.editNow(file, edits));
  }

  private async planOne(target: UndoTarget, reader = this.facts): Promise<PlannedUndo> {
    const facts = await reader.of(target.file);
    return { target, facts, action: planUndo(target, facts) };
  }

  private async performNow(plans: readonly PlannedUndo[], options: UndoOptions): Promise<UndoResult> {
    const done: string[] = [];
    const left: LeftFile[] = [];
    const held = await heldByUndos(plans, (hash) => this.deps.store.get(hash), this.deps.review.awayFiles);
    for (let open = plans; open.length > 0; ) {
      const { next, onlyCopies } = await nextUndos(open, this.deps, held, done);
      left.push(
        ...onlyCopies.map(({ target, facts }): LeftFile => ({ path: target.file.path, reason: facts.isOther ? 'replaced' : 'moved' })),
      );
      await this.performAll(next, options, done, left);
      open = open.filter((plan) => !next.includes(plan) && !onlyCopies.includes(plan));
    }
    return { done, left };
  }

  private async performAll(plans: readonly PlannedUndo[], options: UndoOptions, done: string[], left: LeftFile[]): Promise<void> {
    const jobs: Job[] = [];
    for (const plan of plans) {
      const { path: file } = plan.target.file;
      if (options.signal?.aborted) {
        left.push({ path: file, reason: 'cancelled' });
        continue;
      }
      const { action, facts } = await this.presentPlan(plan);
      switch (action.type) {
        case 'leave':
          left.push({ path: file, reason: action.reason });
          break;
        case 'settle':
          this.settle(plan.target);
          done.push(file);
          break;
        case 'edit': {
          const reason = await this.edit(plan, action, facts.inode);
          if (reason) {
            left.push({ path: file, reason });
          } else {
            done.push(file);
            options.onFile?.(file);
          }
          break;
        }
        case 'write':
          jobs.push({ plan: { ...plan, facts }, action, note: await this.notes.of(plan) });
      }
    }
    // Plans that were made again may need the path of another one.
    const clashes = clashing(jobs.map(({ action }) => action));
    const [free, taken] = [jobs.filter(({ action }) => !clashes.has(action)), jobs.filter(({ action }) => clashes.has(action))];
    left.push(...taken.map(({ plan }): LeftFile => ({ path: plan.target.file.path, reason: 'old_name_taken' })));
    await this.write(free, options, done, left);
  }

  /** Returns the action and facts of the present file. The review, the editor or another undo may have changed since the plan. */
  private async presentPlan(plan: PlannedUndo): Promise<Pick<PlannedUndo, 'action' | 'facts'>> {
    const { target, facts, action, force } = plan;
    const { review, editor } = this.deps;
    const { path: file } = target.file;
    if (action.type === 'leave' && !force) {
      // The question to the user has listed it as left.
      return plan;
    }
    const now = review.file(file);
    if (!now) {
      return { action: { type: 'settle' }, facts };
    }
    const look = action.type === 'write' ? await editor.look(file) : undefined;
    if (look && !force && now === target.file && look.state === facts.editor && (facts.documentText ?? '') === (look.text ?? '')) {
      return plan;
    }
    const fresh = await this.planOne({ ...target, file: now });
    if (fresh.facts.isOther && !facts.isOther && !force) {
      return { ...fresh, action: { type: 'leave', reason: 'replaced' } };
    }
    const isAsShown = sameState(fresh.facts.now, facts.now) && fresh.facts.inode === facts.inode;
    return force && isAsShown && fresh.action.type === 'leave' && fresh.action.canForce
      ? { ...fresh, action: fresh.action.canForce }
      : fresh;
  }

  /** @param inode of the file that the plan is for */
  private async edit(
    { target }: PlannedUndo,
    action: UndoAction & { readonly type: 'edit' },
    inode?: number,
  ): Promise<LeftReason | undefined> {
    const { deps } = this;
    const { path: real } = target.file;
    if (inode !== undefined && (await deps.states.of(real, false)).stat?.ino !== inode) {
      return 'changing';
    }
    const text = deps.review.file(real)?.hunks?.text;
    const note = target.hunkIds || !action.save ? undefined : await this.notes.of({ target });
    const failure = text !== undefined && action.edits.length > 0 && (await this.writes.edit(real, text, action.edits, action.save));
    if (text === undefined || failure) {
      return failure || 'changing';
    }
    if (action.mode !== undefined) {
      const { state } = await deps.states.of(real, true);
      if (state.kind === 'file') {
        await this.writes.run([{ path: real, before: state, after: { ...state, mode: action.mode } }], {});
      }
    }
    if (action.moveTo !== undefined) {
      if (
        !(await this.facts.isInPlace(real)) ||
        !(await this.facts.isInPlace(action.moveTo)) ||
        !(await deps.editor.rename(real, action.moveTo))
      ) {
        return 'old_name_taken';
      }
      deps.review.drop(real);
    } else if (action.save) {
      deps.review.settle(real, (await deps.states.of(real, true)).state);
    }
    if (note) {
      deps.report.note(await note());
    }
    return undefined;
  }

  private async write(jobs: readonly Job[], options: UndoOptions, done: string[], left: LeftFile[]): Promise<void> {
    const { deps } = this;
    const records = new Map<Job, readonly FileRecord[]>();
    const open: Job[] = [];
    await inPool(jobs, MAX_PARALLEL, async (job) => {
      const wanted = await this.recordsOf(job);
      if (wanted) {
        records.set(job, wanted);
      } else {
        open.push(job);
      }
    });
    const settle = (job: Job, reason: LeftReason | undefined): void => {
      const { path: file } = job.plan.target.file;
      if (reason) {
        left.push({ path: file, reason });
      } else {
        done.push(file);
      }
    };
    // The store has no room for the new text, either.
    for (const job of open) {
      settle(job, await this.editInstead(job));
    }
    const all = jobs.flatMap((job) => records.get(job) ?? []);
    const paths = [...all.map((record) => record.path), ...jobs.flatMap(({ action }) => action.removals.map((write) => write.path))];
    const end = deps.editor.writing(paths);
    try {
      const outcome = await this.writes.run(all, options);
      const created = new Set(outcome.written);
      const isWritten = (job: Job): boolean => records.get(job)?.every((record) => created.has(record.path)) ?? false;
      const removals = jobs.filter(isWritten).flatMap(({ plan: { facts }, action }) => {
        return action.removals.map((write) => ({ ...write, after: NONE, ...(facts.inode && { inode: facts.inode }) }));
      });
      // Without the signal: a cancelled move would leave the file under both names.
      const removed = await this.writes.run(removals, {});
      const reasons = new Map([...outcome.left, ...removed.left].map(({ path: file, reason }) => [file, reason]));
      const written = new Set([...outcome.written, ...removed.written]);
      await deps.editor.reloaded([...written]);
      await inPool([...records], MAX_PARALLEL, async ([job, writes]) => {
        const wanted = [...writes, ...job.action.removals.map((write) => ({ ...write, after: NONE }))];
        const missing = wanted.find((record) => !written.has(record.path));
        const reason = missing ? leftReasonOf(reasons.get(missing.path)) : await this.finish(job, wanted);
        // The store has no room for the present text. The editor can overwrite it, and undo that.
        settle(job, reason === 'not_stored' ? await this.editInstead(job) : reason);
      });
      deps.onWritten([...written]);
    } finally {
      end();
    }
  }

  /** Returns the records of a job, with its texts encoded and stored; undefined where the store has no room, or the text cannot be encoded. */
  private async recordsOf({ plan, action }: Job): Promise<readonly FileRecord[] | undefined> {
    const records: FileRecord[] = [];
    for (const { path: file, before, after } of action.writes) {
      const state = after.kind === 'text' ? await this.encoded(plan, after) : after;
      if (!state) {
        return undefined;
      }
      const isOwn = file === plan.target.file.path;
      const { inode } = plan.facts;
      const isRelinked = isOwn && plan.target.file.relinked;
      records.push({ path: file, before, after: state, ...(isRelinked && { relinked: true }), ...(isOwn && inode && { inode }) });
    }
    return records;
  }

  private async encoded(
    { target, facts }: PlannedUndo,
    { text, mode }: UndoWrite['after'] & { readonly kind: 'text' },
  ): Promise<FileState | undefined> {
    const { codec, store } = this.deps;
    const real = target.file.path;
    const present = facts.now.kind === 'file' ? await this.facts.bytesOf(real, facts.now) : undefined;
    const bytes = present && (await codec.encode(real, text, present));
    const hash = bytes && (await store.put(bytes));
    return hash === undefined ? undefined : { kind: 'file', hash, size: bytes!.length, mode, kept: true };
  }

  private async editInstead({ plan, action, note }: Job): Promise<LeftReason | undefined> {
    const { path: real, hunks, relinked } = plan.target.file;
    const text = hunks?.text;
    // The editor can empty a file that an undo would delete, which is not the same.
    if (action.effect !== 'change' || text === undefined || !action.edits || relinked || plan.facts.editor !== 'closed') {
      return 'failed';
    }
    const failure = await this.writes.edit(real, text, action.edits, true);
    if (note && !failure) {
      this.deps.report.note(await note());
    }
    return failure;
  }

  /** Reads the files again, because a report of a failed undo would mislead the agent. Returns the reason of a failure. */
  private async finish({ plan: { target, force }, action, note }: Job, records: readonly FileRecord[]): Promise<LeftReason | undefined> {
    const states = await this.writes.statesOnDisk(records);
    if (!states) {
      return 'changed_since';
    }
    const { review, report } = this.deps;
    const { path: real, hunks } = target.file;
    if (force) {
      this.replaced.set(real, states.get(real)!);
    }
    if (hunks && action.edits && action.effect === 'change') {
      review.documentIs(real, action.edits.reduce(applyEdit, hunks.text), action.edits, { type: 'user' });
      review.settle(real, states.get(real)!);
    } else {
      review.drop(real, records.find((record) => record.path === real)!.before);
    }
    if (note) {
      report.note(await note(states));
    }
    return undefined;
  }

  private settle({ file, hunkIds }: UndoTarget): void {
    if (!hunkIds && !file.hunks && !this.deps.review.file(file.path)?.isGone) {
      this.deps.review.drop(file.path);
    }
  }

  private async applyNow(note: FileNote): Promise<LeftReason | undefined> {
    if (note.moved) {
      return 'changed_since';
    }
    const { report, states } = this.deps;
    const others = report.paths.flatMap((file) => report.noteOf(file) ?? []);
    if (await hasOnlyCopy(note, others, states)) {
      return 'moved';
    }
    const reason = await this.writes.replace(note.path, note.actual, note.believed);
    if (!reason) {
      report.note({ ...note, actual: note.believed });
    }
    return reason;
  }

  private async editNow(real: string, edits: () => readonly TextEdit[]): Promise<LeftReason | undefined> {
    const { deps } = this;
    const file = deps.review.file(real);
    if (!file?.hunks) {
      return 'changed_since';
    }
    const facts = await this.facts.of(file);
    if (!facts.inPlace) {
      return 'elsewhere';
    }
    if (facts.isOther) {
      return 'replaced';
    }
    const { text } = file.hunks;
    if (file.relinked) {
      return 'failed';
    }
    if (facts.editor === 'unsavedOther' || (facts.editor === 'unsaved' && facts.documentText !== text)) {
      return 'unsaved';
    }
    if (facts.editor === 'closed' && facts.diskText !== text) {
      return facts.isRunning ? 'running' : 'changing';
    }
    return this.writes.edit(real, text, edits(), facts.editor !== 'unsaved');
  }
}

const NONE: FileState = { kind: 'none' };
