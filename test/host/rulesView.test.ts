/** The list of permission rules, with the settings of the real VS Code. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { RuleStore } from '../../src/application/permission/rules/ruleStore';
import { plainJudge } from '../../src/policy/rules/plainJudge';
import { systemClock } from '../../src/util/clock';
import { verbatim } from '../../src/workbench/shared/l10n';
import { ruleSettings } from '../../src/workbench/permission/rules/ruleSettings';
import { type RulesTree, RulesView } from '../../src/workbench/permission/rules/rulesView';
import { directChanges } from '../support/directChanges';
import { eventually } from './filesFixture';

type Row = NonNullable<Parameters<RulesView['item']>[0]>;

describe('the list of permission rules', () => {
  const values = new Map<string, unknown>();
  const refresh = new vscode.EventEmitter<Row | Row[] | undefined>();
  const visibility = new vscode.EventEmitter<vscode.TreeViewVisibilityChangeEvent>();
  const revealed: string[] = [];
  let store: RuleStore;
  let view: RulesView;

  before(() => {
    const memory = {
      get: <T>(key: string) => values.get(key) as T | undefined,
      update: async (key: string, value: unknown) => void values.set(key, value),
    };
    store = new RuleStore({
      settings: ruleSettings,
      changes: directChanges,
      memory,
      clock: systemClock,
      t: verbatim,
      judge: async () => plainJudge,
    });
    const tree = {
      selection: [] as readonly Row[],
      onDidChangeVisibility: visibility.event,
      reveal: async (row: Row) => void revealed.push(String(view.item(row).label)),
    };
    view = new RulesView({
      host: { tree, refresh } as unknown as RulesTree,
      clock: systemClock,
      store,
      activity: { during: async (act) => act() },
      sessions: () => [],
    });
  });

  after(async () => {
    view.dispose();
    store.dispose();
    await ruleSettings.writeRules([]);
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  const labels = (): readonly unknown[] =>
    view.children().flatMap((group) => [view.item(group).label, ...view.children(group).map((row) => view.item(row).label)]);

  it('shows a rule of the settings, and revokes it', async () => {
    assert.deepEqual(labels(), []);
    let drawn = 0;
    const subscription = refresh.event(() => drawn++);
    await ruleSettings.writeRules([
      { effect: 'allow', command: 'npm test' },
      { effect: 'deny', command: 'git push *', message: 'Ask me to push.' },
    ]);
    await eventually('the rows are drawn', () => drawn > 0);
    assert.deepEqual(labels(), ['Rules', 'Deny `git push *`', 'Allow `npm test`']);
    const [group] = view.children();
    const [deny, allow] = view.children(group);
    assert.equal(view.parent(deny!), group);
    // The host suite runs in a remote window, whose settings the user has to confirm.
    assert.match(String(view.item(deny!).contextValue), /^rule revocable/);
    assert.match(String(view.item(allow!).contextValue), /^rule revocable( unconfirmed)?$/);
    await view.run('revokeRule', [deny]);
    assert.deepEqual(ruleSettings.rules().value, [{ effect: 'allow', command: 'npm test' }]);
    await eventually('the row is gone', () => labels().length === 2);
    assert.deepEqual(labels(), ['Rules', 'Allow `npm test`']);
    subscription.dispose();
  });

  it('selects a rule that a card names', async () => {
    await view.reveal(store.list()[0]!.rule.id);
    assert.deepEqual(revealed, ['Allow `npm test`']);
    await view.reveal('a rule that was revoked');
    assert.equal(revealed.length, 1);
  });

  it('allows what the user has just denied', async () => {
    const allow = { effect: 'allow', command: 'npm run build' } as const;
    store.denied({ sessionId: 's', cwd: vscode.workspace.workspaceFolders![0]!.uri.fsPath, title: 'npm run build', allow });
    const denied = view.children().find(({ id }) => id === 'denied');
    await view.run('allowDenied', [view.children(denied)[0]]);
    await eventually('the rule is listed', () => view.children(view.children()[0]).length === 2);
    assert.match(JSON.stringify(ruleSettings.rules().value), /"command":"npm run build","folder":"/);
    const deny = { effect: 'deny', command: 'npm publish' } as const;
    store.denied({ sessionId: 's', cwd: vscode.workspace.workspaceFolders![0]!.uri.fsPath, title: 'npm publish', deny });
    await view.run('denyDeniedEverywhere', [view.children(view.children().find(({ id }) => id === 'denied'))[0]]);
    assert.match(JSON.stringify(ruleSettings.rules().value), /"effect":"deny","command":"npm publish"/);
  });

  it('is shown by a command of the palette', async () => {
    await vscode.commands.executeCommand('acpHost.showPermissionRules');
  });
});
