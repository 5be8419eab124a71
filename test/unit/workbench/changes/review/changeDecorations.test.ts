/** The tint of changed lines in editors. */
import assert from 'node:assert/strict';
import { LiveHunks } from '../../../../../src/changes/hunks/liveHunks';
import { withVscode } from '../../../../support/fakeVscode';

class Range {
  constructor(
    readonly first: number,
    readonly from: number,
    readonly last: number,
    readonly to: number,
  ) {}
}

interface FakeEditor {
  readonly document: { readonly uri: string; readonly lineCount: number; isDirty: boolean; getText(): string };
  readonly viewColumn: number | undefined;
  readonly drawn: string[];
  calls: number;
  setDecorations(type: { readonly name: string }, ranges: readonly Range[]): void;
}

describe('the tint of changed lines', () => {
  const BEFORE = 'one\ntwo\nthree\nfour\n';
  const types: { readonly name: string; disposed: boolean }[] = [];
  const configuration = { value: undefined as boolean | undefined };
  const changedConfiguration: ((event: { affectsConfiguration(name: string): boolean }) => void)[] = [];
  const editorsChanged: (() => void)[] = [];
  const window = {
    visibleTextEditors: [] as FakeEditor[],
    onDidChangeVisibleTextEditors: (listener: () => void) => subscribe(editorsChanged, listener),
    createTextEditorDecorationType: (options: { readonly backgroundColor?: unknown }) => {
      const type = {
        name: options.backgroundColor ? 'written' : types.length % 3 === 1 ? 'removed' : 'removedAtEnd',
        disposed: false,
        dispose: () => void (type.disposed = true),
      };
      types.push(type);
      return type;
    },
  };
  const vscode = {
    Range,
    ThemeColor: class {},
    DecorationRangeBehavior: { ClosedClosed: 1 },
    OverviewRulerLane: { Left: 1 },
    window,
    workspace: {
      workspaceFolders: [],
      getConfiguration: () => ({ inspect: () => ({ globalValue: configuration.value }) }),
      onDidChangeConfiguration: (listener: (event: { affectsConfiguration(name: string): boolean }) => void) =>
        subscribe(changedConfiguration, listener),
    },
  };
  function subscribe<T>(listeners: T[], listener: T): { dispose(): void } {
    listeners.push(listener);
    return { dispose: () => void listeners.splice(listeners.indexOf(listener), 1) };
  }
  const { ChangeDecorations } = withVscode(
    vscode,
    () =>
      require('../../../../../src/workbench/changes/review/changeDecorations') as typeof import('../../../../../src/workbench/changes/review/changeDecorations'),
  );

  const editor = (uri: string, viewColumn: number | undefined = 1): FakeEditor => {
    const made: FakeEditor = {
      document: { uri, lineCount: 4, isDirty: false, getText: () => BEFORE },
      viewColumn,
      drawn: [],
      calls: 0,
      setDecorations: ({ name }, ranges) => {
        made.calls++;
        made.drawn.splice(0, made.drawn.length, ...made.drawn.filter((each) => !each.startsWith(`${name} `)));
        made.drawn.push(...ranges.map(({ first, last }) => `${name} ${first}-${last}`));
      },
    };
    return made;
  };
  const hunksOf = (text: string): LiveHunks => {
    const hunks = LiveHunks.of(BEFORE);
    hunks.replace(text, { type: 'agent', by: 'turn' });
    return hunks;
  };
  const pending = new Map<string, LiveHunks>();
  const running = new Map<string, LiveHunks>();
  const filesIn = (all: ReadonlyMap<string, LiveHunks>, uri: unknown) => {
    const hunks = all.get(uri as string);
    return hunks ? [{ file: { hunks } }] : [];
  };
  const changes = {
    get pending() {
      return [...pending.values()];
    },
    get isRunning() {
      return running.size > 0;
    },
    pendingAt: (uri: unknown) => filesIn(pending, uri),
    runningAt: (uri: unknown) => filesIn(running, uri),
  };
  let decorations: InstanceType<typeof ChangeDecorations>;

  beforeEach(() => {
    pending.clear();
    running.clear();
    types.length = 0;
    configuration.value = undefined;
    decorations = new ChangeDecorations(changes as never);
  });
  afterEach(() => decorations.dispose());

  it('makes nothing while nothing waits', () => {
    const one = editor('a');
    window.visibleTextEditors = [one];
    decorations.draw();
    editorsChanged.forEach((listener) => listener());
    assert.equal(types.length, 0);
    assert.equal(one.calls, 0);
  });

  it('is on the changed lines of every visible editor of the file, and on no other file', () => {
    const [one, two, other] = [editor('a'), editor('a', 2), editor('b')];
    window.visibleTextEditors = [one, two, other];
    pending.set('a', hunksOf('one\n2\nthree\n'));
    decorations.draw();
    assert.deepEqual(one.drawn, ['written 1-1', 'removed 3-3']);
    assert.deepEqual(two.drawn, one.drawn);
    assert.equal(other.calls, 0);
  });

  it('is not on an unsaved text without the changes, and is there once it has them', () => {
    const one = editor('a');
    window.visibleTextEditors = [one];
    const hunks = hunksOf('one\n2\nthree\nfour\n');
    pending.set('a', hunks);
    one.document.isDirty = true;
    one.document.getText = () => `mine\n${BEFORE}`;
    decorations.draw();
    assert.deepEqual(one.drawn, []);
    one.document.getText = () => hunks.text;
    decorations.draw();
    assert.deepEqual(one.drawn, ['written 1-1']);
  });

  it('is on the lines that the agent has changed in a running turn', () => {
    const one = editor('a');
    window.visibleTextEditors = [one];
    running.set('a', hunksOf('one\n2\nthree\nfour\n'));
    decorations.draw();
    assert.deepEqual(one.drawn, ['written 1-1']);
  });

  it('marks lines that were removed at the end below the last line', () => {
    const one = { ...editor('a'), document: { ...editor('a').document, lineCount: 3 } };
    window.visibleTextEditors = [one];
    const hunks = hunksOf('one\ntwo\nthree\n');
    pending.set('a', hunks);
    decorations.draw();
    assert.deepEqual(one.drawn, ['removedAtEnd 2-2']);
  });

  it('is left to the diff in its editors', () => {
    const one = editor('a', undefined);
    window.visibleTextEditors = [{ ...one, viewColumn: undefined }];
    pending.set('a', hunksOf('one\n2\nthree\nfour\n'));
    decorations.draw();
    assert.deepEqual(one.drawn, []);
  });

  it('comes with an editor that opens later', () => {
    window.visibleTextEditors = [];
    pending.set('a', hunksOf('one\n2\nthree\nfour\n'));
    decorations.draw();
    const one = editor('a');
    window.visibleTextEditors = [one];
    editorsChanged.forEach((listener) => listener());
    assert.deepEqual(one.drawn, ['written 1-1']);
  });

  it('goes when the change was kept', () => {
    const one = editor('a');
    window.visibleTextEditors = [one];
    pending.set('a', hunksOf('one\n2\nthree\nfour\n'));
    decorations.draw();
    pending.clear();
    decorations.draw();
    assert.deepEqual(one.drawn, []);
    const { calls } = one;
    decorations.draw();
    assert.equal(one.calls, calls);
  });

  it('can be turned off, and on again', () => {
    const one = editor('a');
    window.visibleTextEditors = [one];
    pending.set('a', hunksOf('one\n2\nthree\nfour\n'));
    decorations.draw();
    const set = (value: boolean): void => {
      configuration.value = value;
      changedConfiguration.forEach((listener) => listener({ affectsConfiguration: (name) => name === 'acpHost.changes.highlight' }));
    };
    set(false);
    assert.deepEqual(one.drawn, []);
    set(true);
    assert.deepEqual(one.drawn, ['written 1-1']);
  });

  it('goes with the feature', () => {
    window.visibleTextEditors = [editor('a')];
    pending.set('a', hunksOf('one\n2\nthree\nfour\n'));
    decorations.draw();
    decorations.dispose();
    assert.ok(types.length > 0 && types.every(({ disposed }) => disposed));
    assert.deepEqual([editorsChanged.length, changedConfiguration.length], [0, 0]);
  });
});
