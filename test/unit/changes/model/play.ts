/** Plays a sequence on real folders, and finds the first step after which the property does not hold. */
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { bytesAsText } from './documents';
import { contentOf, doFileStep, statsOf } from './fileSteps';
import { authorOf, linesBy, utf8 } from './lines';
import type { Generator } from './generate';
import { ownContents, placeOf } from './names';
import { capture, type Capture, differenceOf, linesInside, lostBy, lostKept } from './oracle';
import { ModelSession, type Outcome } from './session';
import type { EditorStep, Failure, FileStep, Kind, Sequence, SessionStep, Step } from './steps';
import type { Found, World } from './world';

/** The ms after which the times of a file system show the order of two writes. */
const SETTLE_MS = 15;
/** Names whose earlier version the product does not keep on its own. */
const UNKNOWN = /\.gitignore|big\.txt|\.env|build|excluded/;
/** Separate repositories. Contents of their `.git` are never restored. */
const REPOSITORIES = new Set(['core', 'lib']);
const GIT_STEPS = new Set(['commit', 'checkout', 'pull', 'stash', 'unstash']);
/** Steps that keep the lines of a file somewhere. */
const KEEPING = new Set(['move', 'moveOut', 'copy', 'commit', 'checkout', 'stash', 'unstash', 'pull']);
const NO_OWN_BIRTH = new Set(['stash', 'moveIn', 'moveOut', 'hardLink', 'linkFolder', 'ignore', 'unignore', 'exclude']);

type Broken = Pick<Failure, 'rule' | 'message'>;

export interface Played {
  readonly failure: Failure | undefined;
  /** The number of compared undos and restores. */
  readonly actions: number;
  readonly exact: number;
}

/**
 * Plays until the first failure.
 * @param source the steps, or a generator of them
 * @param begin creates the session; a test of the model itself passes a faulty one
 */
export async function play(
  world: World,
  kind: Kind,
  seed: number,
  source: readonly Step[] | Generator,
  begin: (world: World) => ModelSession = (folder) => new ModelSession(folder),
): Promise<Played> {
  const steps: Step[] = [];
  const player = new Player(world, kind, begin(world));
  const next = (): Step | undefined =>
    'next' in source ? source.next(player.session.turns.length, player.session.hearsOfUser) : source[steps.length];
  const sequence = (): Sequence => ({ kind, seed, steps });
  try {
    for (let step = next(); step; step = next()) {
      steps.push(step);
      const broken = await player.step(step);
      if (broken) {
        return player.played({ ...broken, sequence: sequence() });
      }
    }
    const leaked = player.leaked();
    return player.played(leaked.length > 0 ? { rule: 'canary', message: leaked.join(', '), sequence: sequence() } : undefined);
  } catch (error) {
    return player.played({ rule: 'error', message: String((error as Error).stack ?? error), sequence: sequence() });
  } finally {
    await player.session.dispose();
  }
}

class Player {
  private actions = 0;
  private exact = 0;
  /** False once something happened after which trees need not be restored exactly. */
  private isExact: boolean;
  private readonly trees: (readonly Found[])[] = [];
  /** The restores that can be undone. */
  private readonly restores: { readonly before: Capture; readonly after: Capture; readonly isExact: boolean }[] = [];
  /** Lines that git has too, because of steps of agent and user. */
  private readonly inGit = new Set<string>();
  /** Lines, and files of {@link first}, that undos and restores brought back. A restore to a moment without them removes them again. */
  private readonly brought = new Set<string>();
  /** Lines of the user in the place of the agent's. An undo removes them with the change. */
  private readonly inChanges = new Set<string>();
  /**
   * Files that the agent created or replaced with the user's lines. Each is a change of the agent as a whole, and typing into it is inside the
   * change.
   */
  private readonly copies = new Set<string>();
  /** Lines that the user deleted or overwrote. */
  private readonly givenUp = new Set<string>();
  /** Lines that the user typed over in a document and that are still on the disk, by path. A save gives them up; closing does not. */
  private readonly typedOver = new Map<string, Set<string>>();
  /** Canaries that the agent itself brought into the folder. */
  private readonly brokenIn = new Set<string>();
  private readonly first: ReadonlyMap<string, Found>;
  /** Lines that came from outside the session's folder. */
  private readonly arrivals: ReadonlySet<string>;
  /** Lines of {@link arrivals} in a file that the agent created. On the disk they look like bytes that the agent wrote itself. */
  private readonly rewritten = new Set<string>();
  /** Lines of the agent that the user has kept. No undo may remove them. */
  private readonly kept = new Set<string>();

  constructor(
    private readonly world: World,
    kind: Kind,
    public session: ModelSession,
  ) {
    this.isExact = kind === 'plain' || kind === 'git' || kind === 'submodule' || kind === 'nested';
    this.arrivals = new Set(linesBy('u', contentOf(path.join(world.base, 'arrivals', 'in.txt')) ?? ''));
    this.first = new Map(world.files().flatMap((file) => (file.kind === 'link' || file.text === '' ? [[file.name, file]] : [])));
  }

  played(failure: Failure | undefined): Played {
    return { failure, actions: this.actions, exact: this.exact };
  }

  async step(step: Step): Promise<Broken | undefined> {
    if (step.by === 'session') {
      return this.sessionStep(step);
    }
    if (step.by === 'editor') {
      this.isExact = false;
      this.editorStep(step);
      return undefined;
    }
    this.isExact &&= this.isExactAfter(step);
    const isUsers = step.by === 'user' || this.session.turnId === undefined;
    // A move or a copy removes the lines of the file that it replaces. The user keeps the lines of a file that leaves the folder.
    const written = KEEPING.has(step.do) && step.do !== 'moveOut' ? step.to : step.path;
    // A write through a link changes the file behind it. A step that deletes or replaces the link leaves that file.
    const place = isUsers && written !== undefined ? placeOf(this.world, written) : undefined;
    const had = place === undefined ? undefined : this.linesAt(place);
    const before = GIT_STEPS.has(step.do) ? capture(this.world, []).lines : undefined;
    await (isUsers ? this.userStep(step) : this.agentStep(step));
    if (had && place !== undefined) {
      const left = this.linesAt(place);
      [...had].filter((line) => !left.has(line)).forEach((line) => this.givenUp.add(line));
    }
    this.world.files().forEach(({ text }) => linesBy('c', text).forEach((line) => this.brokenIn.add(line)));
    if (before) {
      // A commit contains the present lines. Lines that arrive with another commit are in that one.
      const now = [...capture(this.world, []).lines.keys()];
      now.filter((line) => step.do === 'commit' || !before.has(line)).forEach((line) => this.inGit.add(line));
    }
    return undefined;
  }

  private editorStep(step: EditorStep): void {
    const file = this.world.at(step.path);
    const before = this.session.documents.get(file)?.text ?? contentOf(file);
    this.session.documents.step(file, step);
    const after = this.session.documents.get(file)?.text;
    if (this.session.documents.get(file)?.isDirty !== true) {
      // Copies of the lines that the agent made are its own.
      const over = step.do === 'save' ? [...(this.typedOver.get(file) ?? [])] : [];
      const saved = this.linesAt(step.path);
      over.filter((line) => !saved.has(line)).forEach((line) => this.givenUp.add(line));
      this.typedOver.delete(file);
    }
    if (after !== undefined && this.copies.has(step.path)) {
      linesBy('u', after).forEach((line) => this.inChanges.add(line));
    }
    if (step.do === 'retype' && before !== undefined && after !== undefined) {
      const now = new Set(after.split('\n'));
      const gone = before.split('\n').filter((line) => !now.has(line));
      this.typedOver.set(file, new Set([...(this.typedOver.get(file) ?? []), ...gone]));
      if (gone.some((line) => authorOf(line) === 'a' || this.inChanges.has(line))) {
        linesBy('u', after)
          .filter((line) => !before.includes(line))
          .forEach((line) => this.inChanges.add(line));
      }
    }
  }

  /** The user's lines in a file, or in the files below a folder. */
  private linesAt(name: string): ReadonlySet<string> {
    const files = this.world.files().filter((file) => file.name === name || file.name.startsWith(`${name}/`));
    return new Set(files.flatMap(({ text }) => linesBy('u', text)));
  }

  /** Canaries in the store that were never in the folder. */
  leaked(): readonly string[] {
    return this.world.leaked().filter((line) => ![...this.brokenIn].some((known) => line.includes(known)));
  }

  private isExactAfter({ by, do: what, path: name, to = '', tell }: FileStep): boolean {
    return (
      by === 'agent' &&
      this.session.turnId !== undefined &&
      tell !== 'lie' &&
      !(GIT_STEPS.has(what) && tell === 'silent') &&
      !NO_OWN_BIRTH.has(what) &&
      !UNKNOWN.test(`${name} ${to}`) &&
      !REPOSITORIES.has(name)
    );
  }

  private async userStep(step: FileStep): Promise<void> {
    const from = Date.now();
    const did = await doFileStep(this.world, step);
    if (!did || this.session.turnId === undefined) {
      return;
    }
    const { observer } = this.session;
    if (step.via === 'terminal' || GIT_STEPS.has(step.do)) {
      observer.userCommand?.(from, Date.now() + 1, this.world.root);
      return;
    }
    const [file, to] = [this.world.at(step.path), this.world.at(step.to ?? step.path)];
    if (step.do === 'move') {
      observer.userChanged?.(to, 'renamed', file);
    } else {
      observer.userChanged?.(to, step.do.startsWith('delete') || step.do === 'moveOut' ? 'deleted' : 'created');
    }
  }

  private async agentStep(step: FileStep): Promise<void> {
    const { recorder } = this.session;
    const names = [step.path, ...(step.to === undefined ? [] : [step.to])].map((name) => this.world.at(name));
    const old = contentOf(names[0]!);
    // The agent itself reports the text that it read through a link.
    linesBy('c', old ?? '').forEach((line) => this.brokenIn.add(line));
    if (step.tell === 'announced') {
      await Promise.all(names.map((file) => recorder.announce({ path: file })));
    } else if (step.tell === 'before') {
      names.forEach((file) => recorder.reportChange({ path: file }));
    }
    // `sed` writes the text that it reads through a link into a separate file.
    const isByLink = step.do === 'sed' && statsOf(names[0]!)?.isSymbolicLink() === true;
    if (step.do === 'ignore' || step.do === 'exclude') {
      // A pattern does not start with its author's letter.
      this.inChanges.add(step.path);
    }
    // The change of a name is one change, also where the agent had first moved the earlier file away.
    const wasThere = this.trees.at(-1)?.some(({ name }) => name === step.to) === true;
    const isMovedOver = step.do === 'move' && (wasThere || statsOf(names[1]!)?.isFile() === true);
    if (step.do === 'copy' || step.do === 'hardLink' || step.do === 'moveIn' || isByLink || isMovedOver) {
      this.copies.add(step.to ?? step.path);
    }
    if (step.do === 'sed' || step.do === 'copy') {
      linesBy('u', old ?? '')
        .filter((line) => this.arrivals.has(line))
        .forEach((line) => this.rewritten.add(line));
    }
    const had = GIT_STEPS.has(step.do) ? new Map(this.world.files().map(({ name, text }) => [name, text])) : undefined;
    const runs = GIT_STEPS.has(step.do) && step.tell !== 'silent';
    if (runs) {
      this.session.observer.agentRuns?.(`call-${step.number}`, true);
    }
    await doFileStep(this.world, step);
    if (runs) {
      this.session.observer.agentRuns?.(`call-${step.number}`, false);
    }
    const changed = had ? this.world.files().filter(({ name, text }) => had.get(name) !== text) : [];
    changed.forEach(({ name }) => this.copies.add(name));
    if (step.tell === 'after' || step.tell === 'lie') {
      const now = contentOf(names[0]!);
      const reported = now === undefined ? undefined : [{ oldText: step.tell === 'lie' ? null : utf8(old), newText: utf8(now)! }];
      names.forEach((file, index) => recorder.reportChange({ path: file, ...(reported && index === 0 && { reported }) }));
    }
  }

  private async sessionStep(step: SessionStep): Promise<Broken | undefined> {
    const { session, world } = this;
    switch (step.do) {
      case 'turn':
        if (session.turnId === undefined) {
          await delay(SETTLE_MS);
          this.trees.push(world.files());
          session.turnStarted();
          this.isExact &&= !step.hurry;
          if (!step.hurry) {
            await session.recorder.copied();
            await delay(SETTLE_MS);
          }
        }
        return undefined;
      case 'end':
        await session.turnEnded();
        return undefined;
      case 'keep':
        if (session.turnId === undefined) {
          this.isExact = false;
          await session.settle();
          for (const file of ownContents(session.keep(step.scope, step.nth), session.review.files)) {
            linesBy('a', session.documents.get(file)?.text ?? contentOf(file) ?? '').forEach((line) => this.kept.add(line));
          }
        }
        return undefined;
      case 'reload':
        if (session.turnId === undefined) {
          this.session = await session.reloaded(step.late);
        }
        return undefined;
      default:
        return session.turnId === undefined ? this.action(step) : undefined;
    }
  }

  private async action(
    step: Extract<SessionStep, { do: 'undo' | 'restore' | 'undoRestore' | 'applyAgain' | 'putBack' }>,
  ): Promise<Broken | undefined> {
    const { session, world } = this;
    await session.settle();
    const before = capture(world, session.documents.all);
    const unsaved = session.documents.all.filter(({ isDirty }) => isDirty);
    const inside = new Set(step.do === 'undo' ? this.texts(before).flatMap((text) => [...linesInside(text, this.inChanges)]) : []);
    const outcome = await this.perform(step);
    if (!outcome) {
      return undefined;
    }
    this.actions++;
    const after = capture(world, session.documents.all);
    const named = new Set(outcome.chosen.map((file) => path.relative(world.root, file)));
    // Another name of a file that a question named is the same file.
    const inodes = new Set([...named].flatMap((name) => before.files.get(name)?.inode ?? []));
    const permitted = new Set([...named, ...[...before.files.values()].filter(({ inode }) => inodes.has(inode)).map(({ name }) => name)]);
    const undone = step.do === 'undoRestore' ? this.restores.pop() : undefined;
    if (step.do === 'restore' && outcome.canUndo) {
      this.restores.push({ before, after, isExact: this.isExact });
    }
    const goesBack = step.do !== 'undo';
    // A question named the file, and the agent has made the other one as its copy.
    const isCopyOfNamed = (line: string, holder: string): boolean =>
      this.copies.has(holder) && (before.lines.get(line) ?? []).some((name) => permitted.has(name));
    const isExcused = (line: string, holder: string): boolean =>
      isCopyOfNamed(line, holder) ||
      inside.has(line) ||
      this.inGit.has(line) ||
      this.givenUp.has(line) ||
      this.rewritten.has(line) ||
      (outcome.pending?.has(line) ?? false) ||
      (step.do === 'undo' && this.inChanges.has(line)) ||
      (goesBack && this.brought.has(line));
    const first = new Map([...this.first].filter(([, file]) => !goesBack || !this.brought.has(keyOf(file))));
    const broken =
      lostBy(before, after, permitted, first, isExcused) ?? (goesBack ? undefined : lostKept(before, after, permitted, this.kept));
    void (goesBack && this.kept.clear());
    // The restore saved the user's text first, as its question says. A later undo of the restore returns exactly that text.
    for (const { path: file } of unsaved.filter(({ isDirty }) => !isDirty)) {
      this.typedOver.get(file)?.forEach((line) => this.givenUp.add(line));
      this.typedOver.delete(file);
    }
    [...after.lines.keys()].filter((line) => !before.lines.has(line)).forEach((line) => this.brought.add(line));
    // The user removed these lines from a file that the question or the row named. Copies of them that the agent made are the agent's.
    for (const [line, holders] of before.lines) {
      const left = after.lines.get(line) ?? [];
      if (holders.some((name) => permitted.has(name) && !left.includes(name)) && left.every((name) => this.copies.has(name))) {
        this.givenUp.add(line);
      }
    }
    const was = new Set([...before.files.values()].map(keyOf));
    [...after.files.values()]
      .map(keyOf)
      .filter((key) => !was.has(key))
      .forEach((key) => this.brought.add(key));
    return broken ?? this.exactness(step, undone, after);
  }

  /** All texts that an undo may edit. */
  private texts({ files }: Capture): readonly string[] {
    return [...[...files.values()].map(({ text }) => text), ...this.session.documents.all.map(bytesAsText)];
  }

  private async perform(step: SessionStep): Promise<Outcome | undefined> {
    switch (step.do) {
      case 'restore':
        return this.session.restoreTo(step.nth, step.choose);
      case 'undoRestore':
        return this.session.undoRestore(step.choose);
      case 'applyAgain':
        return this.session.applyAgain();
      case 'putBack':
        return this.session.putBack();
      case 'undo':
        return this.session.undoChanges(step.scope, step.nth, step.choose);
      default:
        return undefined;
    }
  }

  private exactness(
    step: SessionStep,
    undone: { readonly before: Capture; readonly isExact: boolean } | undefined,
    after: Capture,
  ): Broken | undefined {
    const isBack = step.do === 'undoRestore';
    const wanted = isBack
      ? undone?.isExact && [...undone.before.files.values()]
      : step.do === 'restore' && this.isExact && this.trees[step.nth];
    if (!wanted || !this.isExact) {
      return undefined;
    }
    this.exact++;
    const message = differenceOf(wanted, [...after.files.values()]);
    return message === undefined ? undefined : { rule: isBack ? 'inexactBack' : 'inexact', message };
  }
}

function keyOf({ name, kind, text }: Found): string {
  return `${kind} ${name} ${text}`;
}
