/**
 * The places that show sessions: panels, the preview among them, and the chat view. The page is the real one; the sessions belong to the
 * test.
 */
import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { ShownTitles } from '../../src/application/chat/shownTitles';
import type { ChatLocation, ToView } from '../../src/core/protocol/view';
import type { Session } from '../../src/session/session';
import { SessionStore } from '../../src/session/state/store';
import { systemClock } from '../../src/util/clock';
import { CodeBlocks } from '../../src/workbench/code/codeBlocks';
import { AgentPreferencesStore } from '../../src/workbench/preferences/agentPreferences';
import { SessionPanels } from '../../src/workbench/chat/panels';
import type { PanelDependencies } from '../../src/workbench/chat/panel';
import { UserActivity } from '../../src/workbench/shared/userActivity';
import { eventually } from './filesFixture';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

describe('session panels and the chat view', () => {
  const activity = new UserActivity();
  const code = new CodeBlocks(activity, quiet);
  let location: ChatLocation = 'editor';
  let panels: SessionPanels;

  const session = (key: string): Session => {
    const store = new SessionStore(systemClock);
    store.append({ type: 'session_opened', agentName: key, cwd: '/w' }, { type: 'session_ready', sessionId: key });
    store.append({ type: 'session_info', title: `Session ${key}` });
    return {
      key,
      store,
      agentName: key,
      roots: { cwd: '/w', additionalDirectories: [] },
      onPromptReturned: () => ({ dispose: () => undefined }),
    } as unknown as Session;
  };
  const [a, b, c] = ['a', 'b', 'c'].map(session) as [Session, Session, Session];
  const titles = (): string[] =>
    vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith('acpHost.session'))
      .map(({ label }) => label);
  const shows = (...wanted: string[]) =>
    eventually(`tabs ${wanted.join(', ')}`, () => JSON.stringify(titles()) === JSON.stringify(wanted.map((each) => `Session ${each}`)));

  beforeEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    location = 'editor';
    const { extensionUri } = vscode.extensions.getExtension('acp-host.acp-host')!;
    panels = new SessionPanels({
      extensionUri,
      clock: systemClock,
      log: quiet,
      activity,
      code,
      presentation: { value: 'both', onDidChange: () => ({ dispose: () => undefined }) },
      preferences: new AgentPreferencesStore({ get: () => undefined, update: () => Promise.resolve() }),
      features: () => new Promise(() => undefined),
      liveContext: () => import('../../src/workbench/mentions/liveContext'),
      titles: new ShownTitles(),
      unread: { has: () => false, onDidChange: () => ({ dispose: () => undefined }) },
      drafts: { get: () => undefined, set() {} },
      chatLocation: () => location,
      chatViewShows() {},
    } as unknown as PanelDependencies);
  });

  afterEach(async () => {
    panels.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  after(() => {
    code.dispose();
    activity.dispose();
  });

  it('reuses one panel for previews, and leaves kept ones alone', async () => {
    panels.open(a, 'composer', { preview: true });
    await shows('a');
    panels.open(b, 'composer', { preview: true });
    await shows('b');
    assert.equal(panels.activeKey, 'b');
    assert.equal(panels.isVisible('a'), false);
    // A double click keeps the session open.
    panels.open(b);
    panels.open(c, 'composer', { preview: true });
    await shows('b', 'c');
    panels.keep('c');
    panels.open(a, 'composer', { preview: true });
    await shows('b', 'c', 'a');
    // A session that is already open is focused instead of opened twice.
    panels.open(b, 'composer', { preview: true });
    await eventually('b is in front', () => panels.activeKey === 'b');
    assert.equal(titles().length, 3);
  });

  it('closes the tab that an earlier extension host has left, when a preview shows its session', async () => {
    const left = ['b', 'c'].map((key) =>
      vscode.window.createWebviewPanel('acpHost.session', `Session ${key} (done)`, {
        viewColumn: vscode.ViewColumn.One,
        preserveFocus: true,
      }),
    );
    await eventually('the left tabs', () => titles().length === 2);
    b.store.append({ type: 'disconnected', failure: { code: 'session.interrupted' } });
    c.store.append({ type: 'session_ended' });
    panels.open(a, 'composer', { preview: true });
    await eventually('a new tab', () => titles().includes('Session a'));
    panels.open(b, 'composer', { preview: true });
    await eventually('one tab of it', () => JSON.stringify(titles().toSorted()) === JSON.stringify(['Session b', 'Session c (done)']));
    panels.open(c, 'composer', { preview: true });
    await shows('c');
    left.forEach((panel) => panel.dispose());
  });

  it('closes the left tab of its agent beside another agent’s session with the same title', async () => {
    const [first, second] = ['First', 'Second'].map(session) as [Session, Session];
    [first, second].forEach(({ store }) =>
      store.append({ type: 'session_info', title: 'Same' }, { type: 'disconnected', failure: { code: 'session.interrupted' } }),
    );
    const left = ['First', 'Second'].map((agent) =>
      vscode.window.createWebviewPanel('acpHost.session', `Same — ${agent}`, { viewColumn: vscode.ViewColumn.One, preserveFocus: true }),
    );
    await eventually('the left tabs', () => titles().length === 2);
    panels.open(first);
    await eventually('one tab of each', () => JSON.stringify(titles()) === JSON.stringify(['Same — Second', 'Same']));
    panels.open(second);
    const both = ['First', 'Second'].map((agent) => `Same — ${agent}`);
    await eventually('no left tab', () => JSON.stringify(titles()) === JSON.stringify(both));
    left.forEach((panel) => panel.dispose());
  });

  it('names the agents of tabs with the same title', async () => {
    const [first, second] = ['First', 'Second'].map(session) as [Session, Session];
    const rename = (title: string) => first.store.append({ type: 'session_info', title });
    panels.open(first);
    await shows('First');
    panels.open(second);
    await shows('First', 'Second');
    rename('Session Second');
    const both = ['First', 'Second'].map((agent) => `Session Second — ${agent}`);
    await eventually('both agents', () => JSON.stringify(titles()) === JSON.stringify(both));
    panels.forget('First');
    await shows('Second');
  });

  it('keeps a preview whose tab is pinned', async () => {
    panels.open(a, 'composer', { preview: true });
    await shows('a');
    await eventually('it is in front', () => panels.activeKey === 'a' && panels.isVisible('a'));
    await vscode.commands.executeCommand('workbench.action.pinEditor');
    await eventually('it is pinned', () => vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ isPinned }) => isPinned)));
    panels.open(b, 'composer', { preview: true });
    await shows('a', 'b');
    // Closing all editors leaves pinned ones open.
    panels.forget('a');
    await shows('b');
  });

  it('moves a session to the side permanently', async () => {
    panels.open(a);
    await shows('a');
    panels.open(b);
    await shows('a', 'b');
    await eventually('b is in front', () => panels.activeKey === 'b');
    panels.open(a, 'composer', { beside: true });
    // A preview would be closed by the next file that is previewed.
    const moved = (): vscode.Tab | undefined =>
      vscode.window.tabGroups.all.filter(({ viewColumn }) => viewColumn > 1).flatMap(({ tabs }) => tabs)[0];
    await eventually('a is beside, and no preview', () => moved()?.label === 'Session a' && !moved()!.isPreview);
    await vscode.commands.executeCommand('workbench.action.joinAllGroups');
  });

  it('closes the tab of a dead extension host, and no other, when its session is reopened', async () => {
    const [d, other] = [session('d'), session('other')];
    d.store.append({ type: 'disconnected', failure: { code: 'session.interrupted' } });
    panels.open(other);
    await shows('other');
    // VS Code leaves such a tab, which no extension host answers.
    const left = vscode.window.createWebviewPanel('acpHost.session', 'Session d (needs approval)', vscode.ViewColumn.One);
    await eventually('it is there', () => titles().length === 2);
    panels.open(d);
    await shows('other', 'd');
    left.dispose();
  });

  it('shows the sessions that open in the chat view one after another', async () => {
    const { view, posted } = fakeView();
    location = 'sideBar';
    panels.open(a);
    await panels.resolveView(view, () => Promise.reject(new Error('not asked: something was opened')));
    await eventually('a is shown', () => panels.isVisible('a'));
    panels.open(b, 'composer', { preview: true });
    await eventually('b is shown', () => panels.isVisible('b') && !panels.isVisible('a'));
    assert.equal(panels.activeKey, 'b');
    assert.deepEqual(titles(), []);
    panels.open(b, 'composer', { where: 'editor' });
    await shows('b');
    // The user moved it back into the view; the setting only applies to sessions that are not open.
    panels.open(b, 'composer', { where: 'sideBar' });
    await eventually('b is back', () => titles().length === 0 && panels.activeKey === 'b');
    panels.forget('b');
    assert.equal(panels.active, undefined);
    assert.ok(posted);
  });

  it('moves the session that is elsewhere, whichever was active last', async () => {
    const { view } = fakeView();
    panels.open(a);
    await shows('a');
    panels.open(b, 'composer', { where: 'sideBar' });
    await panels.resolveView(view, () => Promise.resolve(undefined));
    await eventually('b is in front', () => panels.activeKey === 'b');
    assert.equal(panels.movable('sideBar')?.key, 'a');
    assert.equal(panels.movable('editor')?.key, 'b');
    assert.equal(panels.movable('window')?.key, 'b');
  });

  it('restores the previous window’s session into the view, unless a panel shows it', async () => {
    const { view } = fakeView();
    await panels.resolveView(view, () => Promise.resolve(a));
    assert.equal(panels.activeKey, 'a');
    assert.ok(panels.isVisible('a'));
    panels.dispose();
  });
});

/** A view like the one that VS Code passes: a test cannot make VS Code create another one. */
function fakeView(): { view: vscode.WebviewView; posted: ToView[] } {
  const posted: ToView[] = [];
  const never = () => ({ dispose: () => undefined });
  const webview = {
    html: '',
    options: {},
    cspSource: 'https://host',
    asWebviewUri: (uri: vscode.Uri) => uri.with({ scheme: 'https', authority: 'host' }),
    postMessage: (message: ToView) => Promise.resolve(posted.push(message) > 0),
    onDidReceiveMessage: never,
  };
  const view = { visible: true, webview, show: () => undefined, onDidChangeVisibility: never, onDidDispose: never };
  return { view: view as unknown as vscode.WebviewView, posted };
}
