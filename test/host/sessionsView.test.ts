import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { SessionStore } from '../../src/session/state/store';
import { systemClock } from '../../src/util/clock';
import { Listeners } from '../../src/core/platform/listeners';
import { AgentLists } from '../../src/application/sessionsView/agentLists';
import { ChangeCommands } from '../../src/workbench/changes/changeCommands';
import { SessionViewCommands } from '../../src/workbench/sessionsView/sessionViewCommands';
import { type Row, SessionsView, type SessionsViewDependencies } from '../../src/workbench/sessionsView/sessionsView';
import { eventually } from './filesFixture';

describe('the sessions view', () => {
  const { extensionUri: _, packageJSON } = vscode.extensions.getExtension('acp-host.acp-host')!;
  const manifest = packageJSON as {
    contributes: { views: Record<string, { id: string; when?: string }[]>; viewsWelcome: { view: string; contents: string }[] };
  };
  const store = new SessionStore(systemClock);
  const nothing = { dispose() {} };
  const refresh = new vscode.EventEmitter<Row | Row[] | undefined>();
  const listeners = new Set<() => void>();
  const fired: (Row | Row[] | undefined)[] = [];
  const revealed: unknown[] = [];
  const visibility = new vscode.EventEmitter<vscode.TreeViewVisibilityChangeEvent>();
  const session = { key: 'live', agentId: 'Ada', agentName: 'Ada $(trash)', roots: { cwd: '/w/[a](command:b)' }, store };
  const agents = new AgentLists({ agents: () => [], list: () => Promise.resolve({ sessions: [], done: true }) });
  const tree = {
    visible: true,
    selection: [] as readonly Row[],
    onDidChangeVisibility: visibility.event,
    onDidChangeSelection: () => nothing,
    reveal: (row: Row, options: unknown) => {
      revealed.push([row.id, view.parent(row)?.id, options]);
      tree.selection = [row];
      return Promise.resolve();
    },
  };
  const active = new Listeners<[]>();
  const panels = {
    activeKey: undefined as string | undefined,
    isShown: () => true,
    onDidChangeActive: active.add.bind(active),
    hidden: new Listeners<[string]>(),
  };
  let view: SessionsView;

  before(() => {
    store.append(
      { type: 'session_opened', agentName: session.agentName, cwd: session.roots.cwd },
      { type: 'session_ready', sessionId: 's' },
    );
    store.append({ type: 'session_info', title: 'Fix $(bug) [now](command:x)' }, { type: 'turn_started', turnId: 't' });
    store.onEvents(() => listeners.forEach((listener) => listener()));
    const deps = {
      host: { trees: [tree], refresh },
      panels,
      clock: systemClock,
      sessions: { all: [session], createdAt: () => undefined, onChange: (listener: () => void) => (listeners.add(listener), nothing) },
      kept: {
        list: () => Promise.resolve({ summaries: [], total: 0 }),
        onDidChange: () => nothing,
        isLiveElsewhere: () => Promise.resolve(false),
      },
      marks: { of: () => ({}), onDidChange: () => nothing },
      agents,
      knownAgents: () => [],
      isWatched: () => false,
    };
    view = new SessionsView(deps as unknown as SessionsViewDependencies);
    refresh.event((rows) => fired.push(rows));
  });

  after(() => {
    view.dispose();
    refresh.dispose();
  });

  it('is contributed without a condition, and its welcome content runs existing commands', async () => {
    const all = Object.entries(manifest.contributes.views).flatMap(([container, views]) => views.map((each) => ({ container, ...each })));
    const own = all.find(({ id }) => id === 'acpHost.sessions');
    assert.deepEqual([own?.container, own?.when], ['acpHost', undefined]);
    const welcome = manifest.contributes.viewsWelcome.find((each) => each.view === 'acpHost.sessions')!.contents;
    const named = [...welcome.matchAll(/\(command:([\w.]+)\)/g)].map(([, command]) => command!);
    assert.ok(named.length >= 3);
    const there = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(
      named.filter((command) => !there.has(command)),
      [],
    );
  });

  it('is shown by its command', async () => {
    await vscode.commands.executeCommand('acpHost.sessions.focus');
    await vscode.commands.executeCommand('workbench.view.explorer');
  });

  it('gives VS Code rows whose texts are plain text, and the same object for the same row', async () => {
    const [group] = await view.children();
    assert.equal(view.item(group!).label, 'In Progress');
    assert.equal(view.item(group!).collapsibleState, vscode.TreeItemCollapsibleState.Expanded);
    const [row] = await view.children(group);
    const item = view.item(row!);
    assert.ok(item instanceof vscode.TreeItem);
    assert.equal(item.label, 'Fix $\u2060(bug) [now]\u2060(command:x)');
    for (const text of [item.label, item.description, item.tooltip, item.accessibilityInformation?.label]) {
      assert.ok(typeof text === 'string' && !/\$\(|\]\(/.test(text), String(text));
    }
    assert.match(item.contextValue!, /\bsession\b.*\bkept\b.*\blive\b.*\bbusy\b/);
    assert.deepEqual(item.command?.arguments, [row]);
    assert.equal((await view.children(group))[0], row);
  });

  it('asks VS Code to refresh only the changed rows', async () => {
    const [group] = await view.children();
    const [row] = await view.children(group);
    for (let index = 0; index < 200; index++) {
      store.append({ type: 'message_chunk', role: 'agent', messageId: 'm', content: { type: 'text', text: 'word ' } });
    }
    await new Promise((resolve) => setTimeout(resolve, 600));
    assert.deepEqual(fired, []);
    store.append({ type: 'session_renamed', name: 'Mine' });
    await eventually('a row is drawn again', () => fired.length > 0);
    assert.deepEqual(fired, [[row]]);
    assert.equal(view.item(row!).label, 'Mine');
    store.append({ type: 'turn_ended', turnId: 't', stopReason: 'end_turn' });
    await eventually('it moves to another group', () => fired.length > 1);
    assert.equal(fired[1], undefined);
    assert.equal(view.item((await view.children())[0]!).label, 'Recent');
  });

  describe('the row of the open session', () => {
    /** Fetches all rows, as VS Code does after a refresh and when the view appears. */
    const fetchRows = async () => {
      for (const row of await view.children()) {
        await view.children(row);
      }
    };
    const settle = () => new Promise((resolve) => setTimeout(resolve, 400));

    before(() => {
      panels.activeKey = 'live';
      tree.selection = [];
    });
    beforeEach(async () => {
      await fetchRows();
      await settle();
      revealed.length = 0;
    });

    it('is selected when its tab becomes active, without taking the focus', async () => {
      tree.selection = [];
      visibility.fire({ visible: true });
      await eventually('it is revealed', () => revealed.length > 0);
      assert.deepEqual(revealed, [['live', 'group recent', { select: true, focus: false }]]);
    });

    it('leaves the user’s selection of another row while only its text changes', async () => {
      tree.selection = [{ id: 'more here' }];
      store.append({ type: 'session_renamed', name: 'Another name' });
      await settle();
      await fetchRows();
      await settle();
      assert.deepEqual(revealed, []);
    });

    it('is selected again after it has moved to another group', async () => {
      tree.selection = [];
      const before = fired.length;
      store.append({ type: 'turn_started', turnId: 'next' });
      await eventually('the rows are fetched again', () => fired.length > before);
      await fetchRows();
      await eventually('it is revealed', () => revealed.length > 0);
      assert.deepEqual(revealed, [['live', 'group active', { select: true, focus: false }]]);
      store.append({ type: 'turn_ended', turnId: 'next', stopReason: 'end_turn' });
    });

    it('is left alone while the view is hidden: revealing it would show the view', async () => {
      tree.visible = false;
      tree.selection = [];
      visibility.fire({ visible: false });
      active.call();
      await settle();
      assert.deepEqual(revealed, []);
      tree.visible = true;
    });
  });

  describe('a click on a row', () => {
    const opened: unknown[] = [];
    const commands = new SessionViewCommands({
      clock: systemClock,
      activity: { focus: undefined, onDidChange: () => nothing },
      view: { nodeOf: ({ id }: Row) => ({ kind: 'session', id, facts: { key: id } }) },
      actions: () => Promise.resolve({ openKept: (...args: unknown[]) => Promise.resolve(void opened.push(args)) }),
    } as unknown as ConstructorParameters<typeof SessionViewCommands>[0]);

    it('opens the session with the focus, as a preview; a second click keeps it open', async () => {
      await commands.run('openSessionRow', [{ id: 'a' }]);
      await commands.run('openSessionRow', [{ id: 'a' }]);
      assert.deepEqual(opened, [
        ['a', { preview: true }],
        ['a', {}],
      ]);
    });
  });

  describe('a command whose row VS Code has just forgotten', () => {
    const lost = [undefined, undefined];
    const marked: unknown[] = [];
    const deleted: string[] = [];
    const other = { key: 'other', agentName: 'Ada', roots: { cwd: '/w' }, store };
    let asked = 0;
    let menuRow: Row | undefined;
    let chosen: unknown;
    let commands: SessionViewCommands;

    before(() => {
      commands = new SessionViewCommands({
        sessions: { get: () => undefined, find: () => undefined },
        panels: { active: other },
        view: {
          menuRow: () => Promise.resolve(menuRow),
          model: { reload: () => Promise.resolve() },
          nodeOf: ({ id }: Row) => (id === 'row' ? { kind: 'session', id, facts: { key: 'meant' } } : undefined),
        },
        attention: { marks: { mark: (...args: unknown[]) => Promise.resolve(void marked.push(args)) } },
        actions: () => Promise.resolve({ choose: () => (asked++, Promise.resolve(chosen)) }),
        earlier: () =>
          Promise.resolve({
            deleteSession: () => assert.fail('the one in front'),
            deleteKept: ({ key }: { key: string }) => Promise.resolve(void deleted.push(key)),
            archive: () => Promise.resolve(),
          }),
      } as unknown as ConstructorParameters<typeof SessionViewCommands>[0]);
    });
    beforeEach(() => {
      menuRow = { id: 'row' };
      chosen = undefined;
      asked = 0;
      marked.length = deleted.length = 0;
    });

    it('applies to the row that the menu has focused', async () => {
      await commands.run('unpinSession', lost);
      assert.deepEqual(marked, [['meant', { pinned: undefined }]]);
      assert.equal(await commands.keyIn('reviewSessionChanges', lost), 'meant');
      await commands.delete(lost);
      assert.deepEqual(deleted, ['meant']);
      assert.equal(asked, 0);
    });

    it('asks for the row when none is focused, or a button was pressed', async () => {
      await commands.run('archiveSessionButton', lost);
      await commands.run('stopSessionButton', lost);
      await commands.run('pinSessionButton', lost);
      assert.deepEqual(marked, []);
      assert.equal(asked, 3);
      menuRow = undefined;
      await commands.run('archiveSession', lost);
      await commands.end(lost);
      assert.equal(asked, 5);
      chosen = { ...other, key: 'chosen' };
      await commands.run('archiveSession', lost);
      assert.deepEqual(marked, [['chosen', { archived: true }]]);
    });

    it('reviews the changes of the row, and of the active session without one', async () => {
      const reviewed: unknown[] = [];
      const changes = new ChangeCommands(
        {} as ConstructorParameters<typeof ChangeCommands>[0],
        {
          reviewSession: (key: unknown) => Promise.resolve(void reviewed.push(key)),
          sessionKeyIn: (...of: Parameters<SessionViewCommands['keyIn']>) => commands.keyIn(...of),
        } as unknown as ConstructorParameters<typeof ChangeCommands>[1],
      );
      for (const args of [[{ id: 'row' }, undefined], lost, ['a key'], [undefined], []]) {
        await changes.run('reviewSessionChanges', args);
      }
      // The user closes the quick pick without an answer.
      menuRow = chosen = undefined;
      await changes.run('reviewSessionChanges', lost);
      assert.deepEqual(reviewed, ['meant', 'meant', 'a key', undefined, undefined]);
    });

    it('applies to the active session only from the palette', async () => {
      await commands.run('archiveSession', []);
      assert.deepEqual(marked, [['other', { archived: true }]]);
      await commands.run('archiveSession', [{ id: 'row' }, undefined]);
      assert.deepEqual(marked[1], ['meant', { archived: true }]);
    });
  });
});
