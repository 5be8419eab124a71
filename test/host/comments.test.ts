/** A comment on a line leaves the user in the file, also when the chat is another tab of its group. The page is the real one. */
import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { ShownTitles } from '../../src/application/chat/shownTitles';
import { commentsIn } from '../../src/core/model/attachment';
import type { DraftBlock } from '../../src/core/mentions/mention';
import type { Session } from '../../src/session/session';
import { SessionStore } from '../../src/session/state/store';
import { systemClock } from '../../src/util/clock';
import { CodeBlocks } from '../../src/workbench/code/codeBlocks';
import { LineComments } from '../../src/workbench/comments/lineComments';
import { AgentPreferencesStore } from '../../src/workbench/preferences/agentPreferences';
import { SessionPanels } from '../../src/workbench/chat/panels';
import type { PanelDependencies } from '../../src/workbench/chat/panel';
import { UserActivity } from '../../src/workbench/shared/userActivity';
import { eventually } from './filesFixture';
import { WindowStubs } from './windowStubs';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const nothing = { dispose: () => undefined };

describe('a comment on a line', () => {
  const activity = new UserActivity();
  const code = new CodeBlocks(activity, quiet);
  const stubs = new WindowStubs();
  let panels: SessionPanels;
  let stored: string | undefined;
  const opened: LineComments[] = [];

  const store = new SessionStore(systemClock);
  store.append({ type: 'session_opened', agentName: 'a', cwd: '/w' }, { type: 'session_ready', sessionId: 'a' });
  store.append({ type: 'session_info', title: 'Session a' });
  const session = {
    key: 'a',
    store,
    agentName: 'a',
    roots: { cwd: '/w', additionalDirectories: [] },
    onPromptReturned: () => nothing,
  } as unknown as Session;

  /** The comments of a window that has just been opened, and the attachments that they put into the composer. */
  function commenting(): { readonly comments: LineComments; readonly attached: (readonly DraftBlock[])[] } {
    const attached: (readonly DraftBlock[])[] = [];
    const comments = new LineComments({
      clock: systemClock,
      log: quiet,
      files: {
        readComments: () => Promise.resolve(stored),
        writeComments: (_key, text) => Promise.resolve(void (stored = text)),
        isTaken: () => false,
      },
      drafts: { get: () => undefined, onDidChange: () => nothing },
      sessions: { all: [session], onChange: () => nothing } as never,
      panels: {
        active: session,
        isVisible: (key: string) => panels.isVisible(key),
        onDidChangeActive: (listener: () => void) => panels.onDidChangeActive(listener),
        open: (...all: Parameters<SessionPanels['open']>) => panels.open(...all),
        attach: (to: Session, blocks: readonly DraftBlock[]) => {
          attached.push(blocks);
          panels.attach(to, blocks);
        },
      } as never,
      sessionOfPlan: () => undefined,
    });
    opened.push(comments);
    return { comments, attached };
  }

  const idsOf = (blocks: readonly DraftBlock[] | undefined) => blocks?.flatMap((block) => commentsIn(block as never)?.ids ?? []);

  beforeEach(async () => {
    stored = undefined;
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    panels = new SessionPanels({
      extensionUri: vscode.extensions.getExtension('acp-host.acp-host')!.extensionUri,
      clock: systemClock,
      log: quiet,
      activity,
      code,
      presentation: { value: 'both', onDidChange: () => nothing },
      preferences: new AgentPreferencesStore({ get: () => undefined, update: () => Promise.resolve() }),
      features: () => new Promise(() => undefined),
      liveContext: () => import('../../src/workbench/mentions/liveContext'),
      titles: new ShownTitles(),
      unread: { has: () => false, onDidChange: () => nothing },
      drafts: { get: () => undefined, set() {} },
      chatLocation: () => 'editor',
      chatViewShows() {},
    } as unknown as PanelDependencies);
  });
  afterEach(async () => {
    await stubs.restore();
    opened.splice(0).forEach((each) => each.dispose());
    panels.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  after(() => {
    code.dispose();
    activity.dispose();
  });

  it('is attached without the chat, which shares the group of the file, coming to the front', async () => {
    const { comments, attached } = commenting();
    panels.open(session);
    await eventually('the chat in front', () => panels.isVisible('a'));
    const document = await vscode.workspace.openTextDocument({ content: 'one\ntwo\nthree\n' });
    await vscode.window.showTextDocument(document, { viewColumn: vscode.window.tabGroups.activeTabGroup.viewColumn });
    await eventually('the chat behind the file', () => !panels.isVisible('a'));
    const said: string[] = [];
    stubs.stub('showInputBox', (options: vscode.InputBoxOptions) => {
      said.push(options.title ?? '');
      return Promise.resolve(`Comment ${said.length}`);
    });
    stubs.stub('setStatusBarMessage', (text: string) => {
      said.push(text);
      return nothing;
    });
    for (const line of [0, 1]) {
      await comments.write(session, document, document.lineAt(line).range);
    }
    assert.deepEqual(attached.map(idsOf), [[1], [1, 2]], 'both wait in the composer');
    const each = ['Comment for Session a', 'Comment added to the next message for Session a'];
    assert.deepEqual(said, [...each, ...each]);
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal(vscode.window.activeTextEditor?.document, document);
    assert.equal(panels.isVisible('a'), false);
  });

  it('is attached again in a window whose predecessor never showed the chat', async () => {
    const before = commenting();
    const document = await vscode.workspace.openTextDocument({ content: 'one\n' });
    await vscode.window.showTextDocument(document);
    stubs.stub('showInputBox', () => Promise.resolve('Comment'));
    await before.comments.write(session, document, document.lineAt(0).range);
    await before.comments.flush();
    const { attached } = commenting();
    await eventually('the attachment', () => attached.length > 0);
    assert.deepEqual(attached.map(idsOf), [[1]]);
  });
});
