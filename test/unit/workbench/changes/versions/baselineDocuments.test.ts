/** The earlier text of a file that several sessions changed, in a review of all changes. */
import assert from 'node:assert/strict';
import { LiveHunks } from '../../../../../src/changes/hunks/liveHunks';
import { withVscode } from '../../../../support/fakeVscode';

interface Address {
  readonly path: string;
  readonly query: string;
  toString(): string;
}

describe('the earlier text of a file in a review', () => {
  const BEFORE = 'one\ntwo\nthree\n';
  const AFTER = '1\ntwo\n3\n';
  let provide: (uri: Address) => Promise<string>;
  const vscode = {
    EventEmitter: class {
      readonly event = () => ({ dispose: () => undefined });
      fire(): void {}
      dispose(): void {}
    },
    workspace: {
      registerTextDocumentContentProvider: (_scheme: string, provider: { provideTextDocumentContent: typeof provide }) => {
        provide = (uri) => provider.provideTextDocumentContent(uri);
        return { dispose: () => undefined };
      },
      onDidOpenTextDocument: () => ({ dispose: () => undefined }),
      onDidChangeTextDocument: () => ({ dispose: () => undefined }),
      onDidCloseTextDocument: () => ({ dispose: () => undefined }),
      textDocuments: [],
    },
    l10n: { t: String },
  };
  const { BaselineDocuments } = withVscode(
    vscode,
    () =>
      require('../../../../../src/workbench/changes/versions/baselineDocuments') as typeof import('../../../../../src/workbench/changes/versions/baselineDocuments'),
  );
  const address = (query: string): Address & { with(change: { query: string }): Address } => ({
    path: '/w/a.txt',
    query,
    toString: () => query,
    with: (change) => address(change.query),
  });
  function session(key: string, before: string, after: string) {
    const hunks = LiveHunks.of(before);
    hunks.replace(after, { type: 'agent', by: key });
    hunks.replace(AFTER, { type: 'external' });
    const file = { path: '/w/a.txt', hunks };
    const changes = { key, review: { file: () => file }, uriOf: () => address(''), presentText: async () => AFTER };
    return { changes, file };
  }
  const documentsOf = (...pending: ReturnType<typeof session>[]) => {
    const get = (key: string) => pending.find(({ changes }) => changes.key === key)?.changes;
    return new BaselineDocuments({ get } as never);
  };

  it('leaves out the changes of both sessions', async () => {
    const both = [session('a', BEFORE, '1\ntwo\nthree\n'), session('b', '1\ntwo\nthree\n', AFTER)];
    const uri = documentsOf(...both).mergedUriOf(both as never) as unknown as Address;
    assert.equal(await provide(uri), BEFORE);
  });

  it('keeps what the user has kept', async () => {
    const both = [session('a', BEFORE, '1\ntwo\nthree\n'), session('b', '1\ntwo\nthree\n', AFTER)];
    const uri = documentsOf(...both).mergedUriOf(both as never) as unknown as Address;
    const { hunks } = both[0]!.file;
    hunks.keep(hunks.hunks.map(({ hunkId }) => hunkId));
    assert.equal(await provide(uri), '1\ntwo\nthree\n');
  });

  it('differs by session where their changes overlap', () => {
    const both = [session('a', BEFORE, AFTER), session('b', BEFORE, AFTER)];
    assert.equal(documentsOf(...both).mergedUriOf(both as never), undefined);
  });
});
