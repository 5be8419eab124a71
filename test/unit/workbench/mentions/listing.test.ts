/** The first answer to an `@` while the files of the folder are being listed. */
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { enterVscode } from '../../../support/fakeVscode';

describe('the files for an @', () => {
  let asked: string[] = [];
  const vscode = {
    window: { tabGroups: { all: [] } },
    workspace: { workspaceFolders: [], textDocuments: [] },
    commands: { executeCommand: (command: string) => (asked.push(command), Promise.resolve([])) },
    languages: { getDiagnostics: () => [] },
    l10n: { t: (text: string) => text },
    Uri: { parse: (text: string) => ({ fsPath: text }) },
  };
  let leave: () => void;
  before(() => (leave = enterVscode(vscode)));
  after(() => leave());

  const LISTING_MS = 300;
  let isListed: boolean;
  const answers = async (text: string): Promise<string[]> => {
    const { MentionFinder } = await import('../../../../src/workbench/mentions/mentionFinder');
    const finder = new MentionFinder({
      files: {
        isListed: () => isListed,
        fresh: async () => {
          await delay(isListed ? 0 : LISTING_MS);
          isListed = true;
        },
        search: async () => [],
        atPath: async () => [],
        called: () => [],
      },
      editor: () => undefined,
      notebook: () => undefined,
      git: async () => undefined,
      conversations: async () => [],
      outputs: { newest: [] },
      recent: () => [],
      recentEditors: () => [],
    } as unknown as ConstructorParameters<typeof MentionFinder>[0]);
    const sent: string[] = [];
    const query = { sessionKey: 's', roots: { cwd: '/w', additionalDirectories: [] }, text, isOver: () => false };
    await finder.find({
      ...query,
      send: (rows, done, isListing) => sent.push(`${rows.length}${done ? ' done' : ''}${isListing ? ' listing' : ''}`),
    });
    return sent;
  };

  it('are announced as being listed when the first list takes a while', async () => {
    isListed = false;
    assert.deepEqual(await answers('file:a'), ['0 listing', '0 done']);
    assert.deepEqual(await answers('file:a'), ['0 done']);
  });

  it('come without symbols when only files are searched', async () => {
    isListed = true;
    asked = [];
    await answers('file:read');
    assert.deepEqual(asked, []);
    await answers('read');
    assert.deepEqual(asked, ['vscode.executeWorkspaceSymbolProvider']);
  });

  it('are not announced for other kinds of mentions', async () => {
    isListed = false;
    assert.deepEqual(await answers('terminal:'), ['0 done']);
  });
});
