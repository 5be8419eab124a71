/** The targets of review commands, in diffs and elsewhere. */
import assert from 'node:assert/strict';
import { LiveHunks } from '../../../../../src/changes/hunks/liveHunks';
import { withVscode } from '../../../../support/fakeVscode';

class Uri {
  constructor(
    readonly scheme: string,
    readonly path: string,
    readonly query = '',
  ) {}
  toString(): string {
    return `${this.scheme}:${this.path}?${this.query}`;
  }
}
class TabInputTextDiff {
  constructor(
    readonly original: Uri,
    readonly modified: Uri,
  ) {}
}

class TabInputText {}
const tabKinds = Object.fromEntries(
  ['Custom', 'Webview', 'Notebook', 'NotebookDiff', 'Terminal'].map((kind) => [`TabInput${kind}`, class {}]),
);

describe('a command of the review', () => {
  const window = {
    activeTextEditor: undefined as { document: { uri: Uri }; selection: { active: { line: number } } } | undefined,
    tabGroups: { activeTabGroup: { activeTab: undefined as { label: string; input: unknown } | undefined } },
  };
  const {
    ChangeTargets,
    OpenReviews,
    targetOfDocument: placeOfDocument,
    reviewedFile,
  } = withVscode({ Uri, ...tabKinds, TabInputText, TabInputTextDiff, window }, () => ({
    ...(require('../../../../../src/workbench/changes/review/changeTargets') as typeof import('../../../../../src/workbench/changes/review/changeTargets')),
    ...(require('../../../../../src/workbench/changes/review/openReviews') as typeof import('../../../../../src/workbench/changes/review/openReviews')),
    ...(require('../../../../../src/workbench/changes/review/documentTargets') as typeof import('../../../../../src/workbench/changes/review/documentTargets')),
  }));
  const BEFORE = 'one\ntwo\nthree\nfour\nfive\nsix\n';

  /** A file with a change in line 2 by the first turn, and one in line 5 by the second. */
  function file(path: string) {
    const hunks = LiveHunks.of(BEFORE);
    hunks.replace(BEFORE.replace('two\n', ''), { type: 'agent', by: 't1' });
    hunks.replace(BEFORE.replace('two\n', '').replace('five', '5'), { type: 'agent', by: 't2' });
    const state = { kind: 'file', hash: 'a', size: 1, mode: 0o644, kept: true };
    return { path, before: state, after: state, isDeleted: false, turns: ['t1', 't2'], hunks };
  }
  function session(key: string, ...paths: string[]) {
    const entries = { indexOf: (id: string) => ['user:t1', 'user:t2'].indexOf(id) };
    return { key, session: { key, store: { state: { entries } } }, review: { files: paths.map(file) } };
  }
  const [one, two] = [session('one', '/w/a', '/w/b'), session('two', '/w/a')];
  const pending = [one, two].flatMap((changes) => changes.review.files.map((each) => ({ changes, file: each })));
  const pathOf = (uri: Uri): { sessionKey?: string; path: string } => placeOfDocument(uri as never) ?? { path: uri.path };
  const changes = {
    sessions: [one, two],
    pending,
    get: (key: string) => [one, two].find((each) => each.key === key),
    pendingAt: (uri: Uri) => {
      const { sessionKey, path } = pathOf(uri);
      return pending.filter((each) => each.file.path === path && (sessionKey === undefined || each.changes.key === sessionKey));
    },
  };
  const reviews = new OpenReviews();
  const targets = new ChangeTargets(changes as never, reviews);
  const a = new Uri('file', '/w/a');
  const baseline = new Uri('acp-host-baseline', '/w/a', JSON.stringify({ session: 'two', path: '/w/a' }));
  const version = new Uri('acp-host-version', '/w/a', JSON.stringify({ session: 'one', path: '/w/a', of: { path: '/w/a', turnId: 't1' } }));

  const shown = (found: readonly { changes: { key: string }; file: { path: string }; hunkIds?: readonly number[] }[]): string[] =>
    found.map((each) => `${each.changes.key} ${each.file.path}${each.hunkIds ? ` ${each.hunkIds.join()}` : ''}`);
  const cursorAt = (uri: Uri, line: number): void => {
    window.activeTextEditor = { document: { uri }, selection: { active: { line } } };
  };
  const diff = (original: Uri, modified: Uri): void => {
    window.tabGroups.activeTabGroup.activeTab = { label: 'diff', input: new TabInputTextDiff(original, modified) };
  };
  beforeEach(() => {
    window.activeTextEditor = undefined;
    window.tabGroups.activeTabGroup.activeTab = undefined;
  });

  it('on a file acts on all its pending changes', () => {
    assert.deepEqual(shown(targets.ofFiles([a])), ['one /w/a', 'two /w/a']);
  });

  it('on a diff of pending changes acts on its session', () => {
    diff(baseline, a);
    assert.deepEqual(shown(targets.ofFiles([a, { groupId: 0 }])), ['two /w/a']);
    cursorAt(a, 3);
    assert.deepEqual(shown(targets.ofChanges([])), ['two /w/a 2']);
  });

  it('on a diff of a turn acts on the changes of the turn', () => {
    diff(version, a);
    assert.deepEqual(shown(targets.ofFiles([a, { groupId: 0 }])), ['one /w/a 1']);
  });

  it('on the left side of a diff acts on the change of that line', () => {
    diff(baseline, a);
    cursorAt(baseline, 1);
    assert.deepEqual(shown(targets.ofChanges([])), ['two /w/a 1']);
    cursorAt(baseline, 4);
    assert.deepEqual(shown(targets.ofChanges([])), ['two /w/a 2']);
    cursorAt(baseline, 2);
    assert.deepEqual(shown(targets.ofChanges([])), []);
  });

  it('on the left side of a turn’s diff acts only on the file', () => {
    diff(version, a);
    cursorAt(version, 1);
    assert.deepEqual(shown(targets.ofChanges([])), []);
    assert.deepEqual(shown(targets.ofFiles([])), ['one /w/a 1']);
  });

  it('on a line number acts on the change of that line, wherever the cursor is', () => {
    cursorAt(a, 0);
    assert.deepEqual(shown(targets.ofChanges([{ uri: a, lineNumber: 4 }])), ['one /w/a 2', 'two /w/a 2']);
    assert.deepEqual(shown(targets.ofChanges([{ uri: a, lineNumber: 6 }])), []);
  });

  it('in the title of a review acts on the changes that the review shows', () => {
    const title = 'Changes to Review: One' as never;
    const button = [new Uri('multi-diff-editor', 'x'), { groupId: 0 }];
    assert.deepEqual(shown(targets.ofGroups(button)), []);
    window.tabGroups.activeTabGroup.activeTab = { label: `${title} (2 files)`, input: { textDiffs: [] } };
    assert.deepEqual(shown(targets.ofGroups(button)), []);
    reviews.add(title, { groupId: 'one' });
    assert.deepEqual(shown(targets.ofGroups(button)), ['one /w/a', 'one /w/b']);
    assert.deepEqual(shown(targets.ofFiles([a])), ['one /w/a']);
  });

  it('in the title of a review ignores files that were added later', () => {
    const label = reviews.add('Later' as never, { files: new Set([reviewedFile('one', '/w/b'), reviewedFile('two', '/w/a')]) });
    window.tabGroups.activeTabGroup.activeTab = { label, input: { textDiffs: [] } };
    assert.deepEqual(shown(targets.ofGroups([new Uri('multi-diff-editor', 'x')])), ['one /w/b', 'two /w/a']);
  });

  it('in the title of a turn’s review acts on the changes of the turn', () => {
    const label = reviews.add('Turn' as never, { groupId: 'one/t2' });
    window.tabGroups.activeTabGroup.activeTab = { label, input: { textDiffs: [] } };
    assert.deepEqual(shown(targets.ofGroups([new Uri('multi-diff-editor', 'x')])), ['one /w/a 2', 'one /w/b 2']);
  });

  it('acts on the session of the review in front, whatever agents call their sessions', () => {
    const open = (name: string, groupId: string): string => reviews.add(name as never, { groupId });
    const act = (label: string): string[] => {
      window.tabGroups.activeTabGroup.activeTab = { label, input: { textDiffs: [] } };
      return shown(targets.ofGroups([new Uri('multi-diff-editor', 'x')]));
    };
    const [first, second] = [open('Same', 'one'), open('Same', 'two')];
    assert.deepEqual(act(`${first} (2 files)`), ['one /w/a', 'one /w/b']);
    assert.deepEqual(act(`${second} (1 file)`), ['two /w/a']);
    const longer = open('Same (a', 'two');
    open('Same', 'one');
    assert.deepEqual(act(`${longer} (1 file)`), ['two /w/a']);
    open('Same (2 files)', 'two');
    assert.deepEqual(act('Same (2 files)'), []);
  });

  it('without a target acts on all sessions, even while a review of one is in front', () => {
    reviews.add('R' as never, { groupId: 'one' });
    window.tabGroups.activeTabGroup.activeTab = { label: 'R', input: undefined };
    assert.equal(targets.ofGroups([]).length, 3);
    assert.equal(targets.ofGroups([{ id: 'acpHostChanges' }]).length, 3);
  });

  it('on a session that was closed acts on nothing', () => {
    assert.deepEqual(targets.ofGroups(['gone']), []);
    assert.deepEqual(targets.ofGroups([{ id: 'gone/t1' }]), []);
    assert.deepEqual(shown(targets.ofGroups(['two'])), ['two /w/a']);
    assert.deepEqual(shown(targets.ofGroups([{ id: 'one/t2' }])), ['one /w/a 2', 'one /w/b 2']);
  });

  it("does not mistake a file's tab for a review", () => {
    reviews.add('R' as never, {});
    window.tabGroups.activeTabGroup.activeTab = { label: 'R', input: new TabInputText() };
    assert.equal(reviews.inFront, undefined);
  });
});
