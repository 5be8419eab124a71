/** Generates the steps of a sequence one by one, each for the present state of the world. */
import { pick, type Random, weighted } from './random';
import type { EditorStep, FileStep, Kind, KINDS, Step, Telling } from './steps';
import type { World } from './world';

/** The phases of a sequence. The number of steps of each is drawn when it begins. */
type Slot = 'pre' | 'turn' | 'during' | 'end' | 'after' | 'between' | 'action';

/** @param kinds the kinds to draw from */
export function kindOf(random: Random, kinds?: readonly Kind[]): Kind {
  const weights = { plain: 86, git: 5, submodule: 1, nested: 2, filter: 1, attributes: 1, crlf: 2, input: 1, skip: 1 } as const;
  return kinds ? pick(random, kinds) : weighted(random, weights satisfies Record<(typeof KINDS)[number], number>);
}

/** New files that steps create. */
const NEW = ['new.txt', 'src/new.txt', 'made/new.txt', 'a.txt.bak', 'core-new', 'lib2x/z.txt'];
/** The file operations of the Explorer. */
const IN_EXPLORER: ReadonlySet<FileStep['do']> = new Set(['move', 'moveIn', 'copy', 'delete', 'deleteFolder']);
const IGNORABLE = ['.env', '*.txt', 'build/', 'untracked.txt', 'new.txt'];

export class Generator {
  private readonly slots: Slot[] = [];
  private readonly focus: string[] = [];
  /** Only the agent acts, after the copies were taken: the tree must be restored exactly. */
  readonly isAgentAlone: boolean;
  private number = 1;

  constructor(
    private readonly random: Random,
    private readonly kind: Kind,
    private readonly world: World,
  ) {
    this.isAgentAlone = random(4) === 0;
    const repeat = (slot: Slot, times: number): void => void this.slots.push(...Array.from({ length: times }, () => slot));
    repeat('pre', this.isAgentAlone ? 0 : Number(random(4) === 0));
    const turns = random(10) < 3 ? 2 : 1;
    for (let turn = 0; turn < turns; turn++) {
      this.slots.push('turn');
      repeat('during', 1 + random(turn === 0 ? 4 : 2));
      this.slots.push('end');
      repeat('after', this.isAgentAlone ? 0 : random(3));
      if (!this.isAgentAlone && random(2) === 0) {
        this.slots.push('between');
        repeat('after', random(2));
      }
    }
    for (let action = 1 + random(4); action > 0; action--) {
      this.slots.push('action');
      repeat('after', this.isAgentAlone ? 0 : Number(random(4) === 0));
    }
    const names = world.names();
    this.focus.push(pick(random, names), pick(random, names), pick(random, [...names, ...NEW]));
  }

  /**
   * The next step; undefined at the end. @param turns the number of turns so far. @param hearsOfUser true when the user's actions outside editors may
   * happen in a turn
   */
  next(turns: number, hearsOfUser: boolean): Step | undefined {
    const { random } = this;
    const slot = this.slots.shift();
    switch (slot) {
      case undefined:
        return undefined;
      case 'turn':
        return { by: 'session', do: 'turn', hurry: !this.isAgentAlone && random(4) === 0 };
      case 'end':
        return { by: 'session', do: 'end' };
      case 'action':
      case 'between':
        return this.action(turns);
      case 'during':
        return this.isAgentAlone || random(10) < 7 ? this.fileStep('agent') : hearsOfUser ? this.userStep() : this.editorStep();
      default:
        return this.userStep();
    }
  }

  private action(turns: number): Step {
    const { random } = this;
    const choose = random(4) === 0;
    if (this.isAgentAlone) {
      return random(3) === 0
        ? { by: 'session', do: 'undoRestore', choose: false }
        : { by: 'session', do: 'restore', nth: random(turns), choose: false };
    }
    const what = weighted(random, {
      all: 25,
      file: 15,
      hunk: 20,
      restore: 30,
      undoRestore: 10,
      keep: 15,
      reload: 15,
      applyAgain: 10,
      putBack: 5,
    });
    switch (what) {
      case 'keep':
        return { by: 'session', do: 'keep', scope: pick(random, ['all', 'file', 'hunk'] as const), nth: random(6) };
      case 'applyAgain':
      case 'putBack':
        return { by: 'session', do: what };
      case 'reload':
        return { by: 'session', do: 'reload', late: random(2) === 0 };
      case 'restore':
        return { by: 'session', do: 'restore', nth: random(turns), choose };
      case 'undoRestore':
        return { by: 'session', do: 'undoRestore', choose };
      default:
        return { by: 'session', do: 'undo', scope: what, nth: random(6), choose };
    }
  }

  private userStep(): Step {
    return this.random(10) < 6 ? this.editorStep() : this.fileStep('user');
  }

  private editorStep(): EditorStep {
    const { random } = this;
    const what = weighted(random, { open: 2, type: 10, retype: 4, save: 6, close: 1, reload: 3 });
    return { by: 'editor', do: what, path: this.existing(), at: random(6), number: this.numbers() };
  }

  private fileStep(by: 'agent' | 'user'): FileStep {
    const { random, kind } = this;
    const isRepository = kind !== 'plain';
    const what = weighted(random, {
      write: 16,
      append: 10,
      insert: 10,
      edit: 14,
      cut: 4,
      sed: 8,
      move: 12,
      moveIn: this.isAgentAlone ? 0 : 3,
      moveOut: this.isAgentAlone ? 0 : 2,
      copy: 3,
      delete: 10,
      deleteFolder: 2,
      chmod: 3,
      link: 3,
      linkOut: 4,
      linkFolder: this.isAgentAlone ? 0 : 4,
      hardLink: this.isAgentAlone ? 0 : 2,
      toFolder: 2,
      toFile: 2,
      commit: isRepository ? 4 : 0,
      checkout: isRepository ? 3 : 0,
      stash: isRepository ? 3 : 0,
      unstash: isRepository ? 1 : 0,
      pull: isRepository ? 3 : 0,
      ignore: isRepository && !this.isAgentAlone ? 2 : 0,
      unignore: isRepository && !this.isAgentAlone ? 4 : 0,
      exclude: isRepository && !this.isAgentAlone ? 1 : 0,
    });
    const step = { by, ...this.how(by, what), do: what, at: random(5), number: this.numbers() };
    switch (what) {
      case 'write':
        return { ...step, path: random(3) === 0 ? pick(random, NEW) : this.existing() };
      case 'moveIn':
        return { ...step, path: random(3) === 0 ? this.existing() : pick(random, NEW) };
      case 'move': {
        const folders = this.world.folders();
        const isFolder = folders.length > 0 && random(5) === 0;
        return {
          ...step,
          path: isFolder ? pick(random, folders) : this.existing(),
          to: random(4) === 0 ? this.existing() : pick(random, NEW),
        };
      }
      case 'copy':
      case 'hardLink':
        return { ...step, path: this.existing(), to: pick(random, NEW) };
      case 'link':
        return { ...step, path: this.existing(), to: this.existing() };
      case 'deleteFolder':
      case 'linkFolder':
      case 'toFile':
        return { ...step, path: pick(random, this.world.folders()) ?? 'src' };
      case 'ignore':
      case 'exclude':
        return { ...step, path: pick(random, IGNORABLE) };
      default:
        return { ...step, path: this.existing() };
    }
  }

  private how(by: 'agent' | 'user', what: FileStep['do']): Pick<FileStep, 'tell' | 'via'> {
    const { random } = this;
    if (by === 'user') {
      return { via: IN_EXPLORER.has(what) && random(2) === 0 ? 'explorer' : 'terminal' };
    }
    const weights: Record<Telling, number> = { announced: 4, before: 4, after: 4, lie: this.isAgentAlone ? 0 : 2, silent: 8 };
    return { tell: weighted(random, weights) };
  }

  private existing(): string {
    const { random } = this;
    return random(4) < 3 ? pick(random, this.focus) : (pick(random, this.world.names()) ?? 'a.txt');
  }

  private numbers(): number {
    this.number += 10;
    return this.number;
  }
}
