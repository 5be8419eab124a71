import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { ShownTitles } from '../../src/application/chat/shownTitles';
import { entryIdOf } from '../../src/core/model/state';
import { fromSnapshot } from '../../src/core/protocol/snapshot';
import type { EventInput } from '../../src/core/model/event';
import type { ToView } from '../../src/core/protocol/view';
import type { Session } from '../../src/session/session';
import { SessionStore } from '../../src/session/state/store';
import { systemClock } from '../../src/util/clock';
import { CodeBlocks } from '../../src/workbench/code/codeBlocks';
import { AgentPreferencesStore } from '../../src/workbench/preferences/agentPreferences';
import { Mailbox } from '../../src/application/chat/mailbox';
import { webviewOptions } from '../../src/workbench/chat/newPanel';
import { type PanelDependencies, SessionPanel } from '../../src/workbench/chat/panel';
import { UserActivity } from '../../src/workbench/shared/userActivity';
import { eventually } from './filesFixture';

const UPDATES = 1000;
const quiet = { debug() {}, info() {}, warn() {}, error() {} };

describe('a panel behind another editor', () => {
  const activity = new UserActivity();
  const code = new CodeBlocks(activity, quiet);
  const store = new SessionStore(systemClock);
  /** All posted messages, recorded in the API's own function. */
  const posted: ToView[] = [];
  let real: vscode.WebviewPanel;
  let panel: SessionPanel;

  const tool = (index: number): EventInput => ({
    type: 'tool_call_update',
    toolCallId: `t${index}`,
    patch: { title: `Tool ${index}`, kind: 'edit', status: 'completed' },
  });
  const snapshots = () => posted.filter(({ type }) => type === 'snapshot');
  const lastEntry = () => store.state.entries.at(store.state.entries.length - 1)!.entryId;

  before(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const { extensionUri } = vscode.extensions.getExtension('acp-host.acp-host')!;
    real = vscode.window.createWebviewPanel('acpHost.session', 'Session', vscode.ViewColumn.One, webviewOptions(extensionUri));
    const webview = over(real.webview, {
      postMessage: (message: ToView) => {
        posted.push(message);
        return real.webview.postMessage(message);
      },
    });
    const session = { key: 'hidden', store, roots: { cwd: '/w', additionalDirectories: [] } } as unknown as Session;
    const deps = {
      extensionUri,
      clock: systemClock,
      log: quiet,
      activity,
      code,
      titles: new ShownTitles(),
      unread: { has: () => false, onDidChange: () => ({ dispose: () => undefined }) },
      drafts: { get: () => undefined, set() {} },
      presentation: { value: 'both', onDidChange: () => ({ dispose() {} }) },
      preferences: new AgentPreferencesStore({ get: () => undefined, update: () => Promise.resolve() }),
      features: () => new Promise(() => undefined),
      liveContext: () => import('../../src/workbench/mentions/liveContext'),
    } as unknown as PanelDependencies;
    store.append({ type: 'session_opened', agentName: 'Ada', cwd: '/w' }, { type: 'session_ready', sessionId: 's' }, tool(0));
    panel = new SessionPanel(over(real, { webview }), { session, mailbox: new Mailbox(), pageState: {} }, deps);
  });

  after(() => {
    panel.dispose();
    code.dispose();
    activity.dispose();
  });

  it('receives nothing while hidden, and everything in one message when it is shown again', async () => {
    await eventually('the page asks for the conversation', () => snapshots().length > 0);
    const shown = posted.length;
    store.append(tool(1));
    await eventually('a panel in front hears of what happens', () => posted.slice(shown).some(({ type }) => type === 'events'));

    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: 'in front' }), vscode.ViewColumn.One);
    await eventually('the panel is hidden', () => !real.visible);
    const before = posted.length;
    for (let index = 2; index < UPDATES; index++) {
      store.append(tool(index));
      // Lets every pending timer and message run.
      if (index % 100 === 0) {
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    store.append({ type: 'message', role: 'agent', messageId: 'last', content: [{ type: 'text', text: 'The last of a thousand.' }] });
    assert.deepEqual(
      posted.slice(before).map(({ type }) => type),
      [],
    );

    const taken = snapshots().length;
    panel.reveal();
    await eventually('the page asks again', () => snapshots().length > taken);
    await eventually('the page shows the end', async () => store.state.entries.indexOf((await panel.whereIs()) ?? '') > UPDATES - 60);
    const after = posted.slice(before);
    // A delayed message would have arrived before the session.
    assert.deepEqual(
      after.slice(0, 2).map(({ type }) => type),
      ['session', 'snapshot'],
    );
    assert.deepEqual(
      after.filter(({ type }) => type === 'snapshot' || type === 'events').map(({ type }) => type),
      ['snapshot'],
    );
    const state = fromSnapshot((after.find(({ type }) => type === 'snapshot') as Extract<ToView, { type: 'snapshot' }>).snapshot);
    assert.deepEqual(
      state.entries.slice().map(({ entryId }) => entryId),
      [...Array.from({ length: UPDATES }, (_, index) => entryIdOf.toolCall(`t${index}`)), lastEntry()],
    );
  });
});

/** Returns `target` with these members replaced. */
function over<T extends object>(target: T, members: Partial<Record<keyof T, unknown>>): T {
  return new Proxy(target, {
    get: (_, name) => {
      if (name in members) {
        return members[name as keyof T];
      }
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(target) : value;
    },
    set: (_, name, value) => Reflect.set(target, name, value, target),
  });
}
