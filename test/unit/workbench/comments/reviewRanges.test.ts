/** The lines that VS Code offers to comment on. */
import assert from 'node:assert/strict';
import { withVscode } from '../../../support/fakeVscode';

describe('the lines that can be commented on', () => {
  class TabInputTextDiff {
    constructor(
      readonly original: unknown,
      readonly modified: unknown,
    ) {}
  }
  const listeners = new Set<() => void>();
  const event = (listener: () => void) => {
    listeners.add(listener);
    return { dispose: () => void listeners.delete(listener) };
  };
  const uriOf = (name: string, scheme = 'file') => ({ scheme, name, toString: () => `${scheme}:${name}` });
  const window = {
    visibleTextEditors: [] as { document: { uri: ReturnType<typeof uriOf> } }[],
    onDidChangeVisibleTextEditors: event,
    tabGroups: { all: [] as { tabs: { input: unknown }[] }[], onDidChangeTabs: event },
  };
  class Range {
    constructor(
      readonly first: number,
      readonly from: number,
      readonly last: number,
    ) {}
  }
  const { ReviewRanges } = withVscode(
    { window, TabInputTextDiff, Range },
    () => require('../../../../src/workbench/comments/reviewRanges') as typeof import('../../../../src/workbench/comments/reviewRanges'),
  );

  type Provider = { provideCommentingRanges(document: unknown): Range[] } | undefined;
  const controller: { commentingRangeProvider?: Provider } = {};
  let ranges: InstanceType<typeof ReviewRanges>;
  /** The names of documents by which the review knows their files. */
  let known: Set<string>;

  beforeEach(() => {
    delete controller.commentingRangeProvider;
    window.visibleTextEditors = [];
    window.tabGroups.all = [];
    known = new Set(['changed.ts']);
    ranges = new ReviewRanges(controller as never);
    const pending = [{ file: { path: 'changed.ts' } }];
    ranges.follow({ pending, pendingAt: (uri) => (known.has((uri as unknown as { name: string }).name) ? pending : []) });
  });
  afterEach(() => {
    ranges.dispose();
    assert.equal(listeners.size, 0);
  });

  const hasLines = (name: string, scheme?: string): boolean =>
    (controller.commentingRangeProvider?.provideCommentingRanges({ uri: uriOf(name, scheme), lineCount: 3 }).length ?? 0) > 0;

  it('exist in files with changes and in plans, whichever session takes comments', () => {
    assert.equal(hasLines('changed.ts'), false);
    ranges.offer(true);
    assert.deepEqual(
      [hasLines('changed.ts'), hasLines('other.ts'), hasLines('Plan.md', 'acp-host-plan'), hasLines('a', 'git')],
      [true, false, true, false],
    );
  });

  it('exist in a file of an open difference from a change', () => {
    ranges.offer(true);
    const tabs = [{ input: new TabInputTextDiff(uriOf('kept.ts', 'acp-host-baseline'), uriOf('kept.ts')) }];
    window.tabGroups.all = [{ tabs }];
    listeners.forEach((listener) => listener());
    assert.deepEqual([hasLines('kept.ts'), hasLines('other.ts')], [true, false]);
  });

  it('are asked for again when the real path of a visible file becomes known', () => {
    ranges.offer(true);
    window.visibleTextEditors = [{ document: { uri: uriOf('link.ts') } }];
    listeners.forEach((listener) => listener());
    const before = controller.commentingRangeProvider;
    known.add('link.ts');
    ranges.follow({
      pending: [{ file: { path: 'changed.ts' } }],
      pendingAt: (uri) => (known.has((uri as unknown as { name: string }).name) ? [1] : []),
    });
    assert.notEqual(controller.commentingRangeProvider, before);
    assert.equal(hasLines('link.ts'), true);
  });
});
