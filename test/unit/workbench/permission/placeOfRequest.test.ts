/** A permission request of a session whose page has the focus: asked on its card or in a quick pick. */
import assert from 'node:assert/strict';
import type { Disposable } from '../../../../src/core/platform/disposable';
import { REPORT_MS } from '../../../../src/session/permission/cardSights';
import { QUIET_MS } from '../../../../src/session/permission/idleDetector';
import { NEW_MS, PermissionPromptQueue } from '../../../../src/session/permission/promptQueue';
import { enterVscode } from '../../../support/fakeVscode';
import type { PermissionPresenter } from '../../../../src/workbench/permission/permissionPresenter';
import type { UserActivity } from '../../../../src/workbench/shared/userActivity';
import { askOf, FakeClock } from '../../session/permission/fakes';

/** A quick pick of VS Code, which takes the focus from the page. */
class Pick {
  items: readonly unknown[] = [];
  activeItems: readonly unknown[] = [];
  isShown = false;
  private readonly hidden = new Set<() => void>();
  buttons: readonly { readonly tooltip?: string }[] = [];
  ignoreFocusOut = false;
  private triggered: ((button: unknown) => void) | undefined;
  private activated: ((rows: readonly unknown[]) => void) | undefined;
  readonly onDidChangeActive = (listener: (rows: readonly unknown[]) => void): void => void (this.activated = listener);
  value = '';
  placeholder = '';
  private valued: ((value: string) => void) | undefined;
  readonly onDidChangeValue = (listener: (value: string) => void): void => void (this.valued = listener);
  private accepted: (() => void) | undefined;
  selectedItems: readonly unknown[] = [];
  readonly onDidAccept = (listener: () => void): void => void (this.accepted = listener);
  readonly onDidTriggerButton = (listener: (button: unknown) => void): void => void (this.triggered = listener);
  readonly onDidHide = (listener: () => void): void => void this.hidden.add(listener);

  show(): void {
    this.isShown = true;
  }

  hide(): void {
    if (this.isShown) {
      this.isShown = false;
      this.hidden.forEach((listener) => listener());
    }
  }

  dispose(): void {
    this.hide();
  }

  press(tooltip: string): void {
    this.triggered?.(this.buttons.find((button) => button.tooltip === tooltip));
  }

  type(text: string): void {
    this.value += text;
    this.valued?.(this.value);
  }

  activate(row: unknown): void {
    this.activated?.([row]);
  }

  accept(row: unknown): void {
    this.selectedItems = [row];
    this.accepted?.();
  }
}

describe('a permission request of the session in front', () => {
  const event = () => ({ dispose: () => undefined });
  const picks: Pick[] = [];
  const editor = { document: { uri: { scheme: 'file' } } };
  let changeText: (event: object) => void;
  let select: (event: object) => void;
  const vscode = {
    workspace: {
      onDidChangeTextDocument: (listener: typeof changeText) => {
        changeText = listener;
        return event();
      },
      getConfiguration: () => ({ get: () => undefined, inspect: () => undefined }),
    },
    window: {
      state: { focused: true },
      activeTextEditor: editor,
      tabGroups: { onDidChangeTabs: event, onDidChangeTabGroups: event },
      ...Object.fromEntries(
        ['WindowState', 'ActiveTextEditor', 'ActiveTerminal', 'TerminalState'].map((name) => [`onDidChange${name}`, event]),
      ),
      onDidChangeTextEditorSelection: (listener: typeof select) => {
        select = listener;
        return event();
      },
      onDidOpenTerminal: event,
      onDidStartTerminalShellExecution: event,
      onDidEndTerminalShellExecution: event,
      createQuickPick: () => {
        const pick = new Pick();
        picks.push(pick);
        return pick;
      },
    },
    commands: { executeCommand: () => Promise.resolve() },
    l10n: {
      t: (text: string, values: Readonly<Record<string, string>> = {}) =>
        text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ''),
    },
    TextEditorSelectionChangeKind: { Keyboard: 1, Mouse: 2, Command: 3 },
    ThemeIcon: class {},
    TabInputWebview: class {},
  };
  const diffs: unknown[] = [];
  const made: unknown[] = [];
  let clock: FakeClock;
  let activity: UserActivity;
  let service: PermissionPromptQueue;
  let permissions: PermissionPresenter;
  let offered: Disposable;
  let leave: () => void;
  let writingMs: number;

  before(() => (leave = enterVscode(vscode)));
  after(() => leave());

  beforeEach(async () => {
    const { UserActivity, WRITING_MS } = await import('../../../../src/workbench/shared/userActivity');
    writingMs = WRITING_MS;
    const { PermissionPresenter } = await import('../../../../src/workbench/permission/permissionPresenter');
    picks.length = 0;
    clock = new FakeClock();
    activity = new UserActivity(clock);
    const nothing = () => ({ dispose: () => undefined });
    const sessions = { activeKey: 's1', onDidChangeActive: nothing, isVisible: () => true, reveal: () => undefined };
    const presentation = { value: 'auto' as const, onDidChange: nothing, openSetting: () => undefined };
    const presenter = new PermissionPresenter(
      activity,
      sessions,
      presentation,
      async (_, diff) => void diffs.push(diff),
      async (...rule) => void made.push(rule),
    );
    permissions = presenter;
    presenter.whenDrawn = (callback) => callback();
    service = new PermissionPromptQueue(presenter, clock);
    activity.pageFocus('s1', true);
    clock.pass(60_000);
    offered = service.prompt(askOf('a'), () => assert.fail('answered'));
  });

  afterEach(() => {
    offered.dispose();
    service.dispose();
    activity.dispose();
  });

  const shown = (): readonly Pick[] => picks.filter(({ isShown }) => isShown);
  /** The words of a pick are loaded with the first one. */
  const settled = () => new Promise((resolve) => setTimeout(resolve, 50));
  const opened = async (): Promise<Pick> => {
    for (let tries = 0; tries < 5 && shown().length === 0; tries++) {
      await settled();
    }
    return shown()[0]!;
  };

  it('is asked on the card that its page reports a while later, though the user was idle', async () => {
    clock.pass(REPORT_MS - 1);
    activity.cardSight('s1', { permissionId: 'a', sight: 'seen' });
    clock.pass(60_000);
    await settled();
    assert.equal(picks.length, 0);
  });

  it('is asked in a pick as soon as the page reports the card as hidden', async () => {
    clock.pass(QUIET_MS / 2);
    activity.cardSight('s1', { permissionId: 'a', sight: 'hidden' });
    clock.pass(0);
    assert.ok(await opened());
  });

  it('is asked in a pick when the page reports nothing in time', async () => {
    clock.pass(REPORT_MS);
    assert.ok(await opened());
  });

  it('goes back to the card that comes into sight under an untouched pick', async () => {
    clock.pass(REPORT_MS);
    await opened();
    activity.pageFocus('s1', false);
    activity.cardSight('s1', { permissionId: 'a', sight: 'seen' });
    assert.equal(shown().length, 0);
    activity.pageFocus('s1', true);
    clock.pass(60_000);
    await settled();
    assert.equal(shown().length, 0);
    activity.cardSight('s1', { permissionId: 'a', sight: 'hidden' });
    clock.pass(QUIET_MS);
    assert.ok(await opened());
  });

  it('awaits the card of a page that was replaced', async () => {
    activity.cardSight('s1', { permissionId: 'a', sight: 'seen' });
    activity.cardSight('s1');
    activity.pageFocus('s1', false);
    clock.pass(60_000);
    activity.pageFocus('s1', true);
    clock.pass(REPORT_MS - 1);
    await settled();
    assert.equal(picks.length, 0);
    clock.pass(1);
    assert.ok(await opened());
  });

  describe('while the user is in an editor', () => {
    const type = (): void => {
      changeText({ document: editor.document, contentChanges: [{}] });
      select({ textEditor: editor, kind: 1 });
    };
    const click = (): void => select({ textEditor: editor, kind: 2 });
    beforeEach(() => activity.pageFocus('s1', false));

    it('is asked in no pick that would take the keys after a pause of the typing', async () => {
      type();
      clock.pass(writingMs - 1);
      await settled();
      assert.equal(picks.length, 0);
      click();
      clock.pass(0);
      assert.equal(permissions.surfaceOf(askOf('a')), undefined);
      service.reopen('s1');
      assert.ok(await opened(), 'the user asked for it');
    });

    it('is asked in a pick when the user clicks in the editor a while after the typing', async () => {
      type();
      clock.pass(writingMs);
      click();
      clock.pass(QUIET_MS);
      assert.ok(await opened());
    });

    it('is asked in a pick after an edit of an agent, which also moves the cursor', async () => {
      changeText({ document: editor.document, contentChanges: [{}] });
      select({ textEditor: editor, kind: undefined });
      clock.pass(200);
      click();
      clock.pass(QUIET_MS);
      assert.ok(await opened());
    });
  });

  it('shows the text that was typed into its pick, and is not answered by it', async () => {
    clock.pass(REPORT_MS);
    const pick = await opened();
    clock.pass(QUIET_MS);
    'some words'.split('').forEach((key) => pick.type(key));
    assert.equal(pick.placeholder, 'Typed here: some words · Select an answer below');
    assert.deepEqual([pick.value, pick.activeItems, pick.isShown], ['', [], true]);
  });

  it('is answered by an arrow key and Enter once the row of the key is active', async () => {
    const answers: string[] = [];
    const asked = service.prompt(askOf('b'), (optionId) => answers.push(optionId));
    offered.dispose();
    clock.pass(REPORT_MS);
    const pick = await opened();
    const [first, second] = pick.items;
    clock.pass(NEW_MS);
    permissions.moveBy(1);
    pick.activate(first);
    permissions.moveBy(1);
    assert.equal(pick.activeItems[0], second);
    pick.accept(first);
    assert.deepEqual(answers, [], 'Enter came before the window had drawn the second row');
    pick.activate(second);
    pick.accept(second);
    assert.deepEqual(answers, ['no']);
    asked.dispose();
  });

  it('offers rules in its pick, one of which it takes only after the user could read it', async () => {
    const suggestions = [{ id: 'npm', rule: { effect: 'allow', command: 'npm test' }, scope: 'folder' }];
    const entry = { kind: 'permission', entryId: 'permission:b', at: 0, permissionId: 'b', subject: {} as object };
    const listeners = new Set<(seq: number, events: unknown[]) => void>();
    const store = {
      state: { entries: { get: () => entry }, pendingPermissions: [] },
      onEvents: (listener: (seq: number, events: unknown[]) => void) => {
        listeners.add(listener);
        return { dispose: () => void listeners.delete(listener) };
      },
    };
    const asked = service.prompt({ ...askOf('b'), store: store as never }, () => assert.fail('answered'));
    offered.dispose();
    clock.pass(REPORT_MS);
    const pick = await opened();
    clock.pass(NEW_MS);
    const tooltips = () => pick.buttons.map(({ tooltip }) => tooltip);
    assert.deepEqual(tooltips(), ['Show in Session', 'Configure Permission Requests']);
    entry.subject = { advice: { risks: [], suggestions } };
    listeners.forEach((listener) => listener(1, [{ type: 'permission_advised', permissionId: 'b' }]));
    assert.deepEqual(tooltips(), ['Make a Rule…', 'Show in Session', 'Configure Permission Requests']);
    pick.press('Make a Rule…');
    assert.deepEqual([tooltips(), pick.items.length, pick.activeItems.length], [['Back to the Answers'], 1, 0]);
    pick.press('Back to the Answers');
    assert.equal(pick.items.length, 2);
    pick.press('Make a Rule…');
    pick.accept(pick.items[0]);
    assert.deepEqual(made, []);
    clock.pass(NEW_MS);
    pick.accept(pick.items[0]);
    assert.deepEqual(made, [['s1', 'b', 'npm']]);
    assert.deepEqual([pick.isShown, pick.items.length], [true, 2]);
    asked.dispose();
  });

  it('opens the diff of an edit from its pick, without an answer', async () => {
    const change = { operation: 'modify', path: '/work/a.ts', oldText: 'one\n', newText: 'two\n' };
    const edit = service.prompt({ ...askOf('b'), subject: { content: [{ type: 'diff', changes: [change] }] } }, () =>
      assert.fail('answered'),
    );
    offered.dispose();
    clock.pass(REPORT_MS);
    const pick = await opened();
    pick.press('Open Diff');
    assert.deepEqual(diffs, [{ entryId: 'permission:b', content: 0, change: 0, label: 'Open Diff' }]);
    assert.deepEqual([pick.isShown, pick.ignoreFocusOut], [true, true]);
    edit.dispose();
  });
});
