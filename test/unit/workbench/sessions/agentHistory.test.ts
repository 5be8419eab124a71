/** **ACP: Browse Agent History…** of an agent at an address, whose token the user enters while the list waits for the agent. */
import assert from 'node:assert/strict';
import type { Dialect } from '../../../../src/acp/dialect';
import { failureOf } from '../../../../src/core/model/failure';
import type { AgentConnections } from '../../../../src/session/agent/agentConnections';
import type { RemoteSessionsDependencies } from '../../../../src/session/agent/remoteSessions';
import type { Account } from '../../../../src/workbench/signIn/account';
import type { UserActivity } from '../../../../src/workbench/shared/userActivity';
import { enterVscode } from '../../../support/fakeVscode';

/** The quick inputs of VS Code, of which one is shown at a time: each hides the one before. */
class QuickInputs {
  shown: FakePick | FakeBox | undefined;

  show(next: FakePick | FakeBox): void {
    const before = this.shown;
    this.shown = next;
    if (before !== next) {
      before?.hidden();
    }
  }

  leave(input: FakePick | FakeBox): void {
    if (this.shown === input) {
      this.shown = undefined;
      input.hidden();
    }
  }
}

class FakePick {
  items: readonly { readonly label: string }[] = [];
  activeItems = [];
  selectedItems = [];
  value = '';
  busy = false;
  private readonly onHide: (() => void)[] = [];
  readonly onDidAccept = (): void => undefined;
  readonly onDidChangeActive = (): void => undefined;
  readonly onDidTriggerItemButton = (): void => undefined;
  readonly onDidHide = (listener: () => void): void => void this.onHide.push(listener);

  constructor(private readonly inputs: QuickInputs) {}

  show(): void {
    this.inputs.show(this);
  }

  hide(): void {
    this.inputs.leave(this);
  }

  hidden(): void {
    this.onHide.forEach((listener) => listener());
  }

  dispose(): void {
    this.hide();
  }

  get labels(): readonly string[] {
    return this.items.map(({ label }) => label).filter((label) => label !== '');
  }
}

class FakeBox {
  constructor(
    private readonly inputs: QuickInputs,
    readonly answer: (text: string | undefined) => void,
  ) {}

  enter(text: string | undefined): void {
    this.answer(text);
    this.inputs.leave(this);
  }

  hidden(): void {
    this.answer(undefined);
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

describe('the list of the sessions of an agent whose token is asked for', () => {
  const launch = {
    agentId: 'shared',
    agentName: 'Shared Session',
    kind: 'websocket',
    url: 'ws://127.0.0.1:1/',
    headers: { Authorization: 'Bearer ${input:token}' },
  } as const;
  let inputs: QuickInputs;
  let leave: () => void;
  let picks: FakePick[];
  let activity: UserActivity;
  let account: Account;
  /** Resolves the agent's pending list, or rejects its start. */
  let answer: (failure?: 'remote.denied') => void;
  let tokens: string[];
  let isDone: boolean;

  beforeEach(async () => {
    const event = () => ({ dispose: () => undefined });
    inputs = new QuickInputs();
    picks = [];
    tokens = [];
    isDone = false;
    const events = (...names: string[]) => Object.fromEntries(names.map((name) => [name, event]));
    leave = enterVscode({
      env: { language: 'en' },
      l10n: {
        t: (text: string, values: Readonly<Record<string, string>> = {}) =>
          text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ''),
      },
      ThemeIcon: class {},
      TabInputWebview: class {},
      QuickPickItemKind: { Separator: -1 },
      workspace: { workspaceFolders: [{ uri: { scheme: 'file', fsPath: '/w' } }], ...events('onDidChangeTextDocument') },
      window: {
        tabGroups: events('onDidChangeTabs', 'onDidChangeTabGroups'),
        ...events('onDidChangeTextEditorSelection', 'onDidChangeWindowState', 'onDidChangeActiveTextEditor', 'onDidChangeActiveTerminal'),
        ...events('onDidOpenTerminal', 'onDidChangeTerminalState', 'onDidStartTerminalShellExecution', 'onDidEndTerminalShellExecution'),
        createQuickPick: () => {
          const pick = new FakePick(inputs);
          picks.push(pick);
          return pick;
        },
        showInputBox: () => new Promise<string | undefined>((resolve) => inputs.show(new FakeBox(inputs, resolve))),
      },
    });
    const [{ UserActivity }, { Account }] = await Promise.all([
      import('../../../../src/workbench/shared/userActivity'),
      import('../../../../src/workbench/signIn/account'),
    ]);
    activity = new UserActivity();
    const kept = new Map<string, string>();
    account = new Account({
      activity,
      secrets: {
        get: async (key: string) => kept.get(key),
        store: async (key: string, value: string) => void kept.set(key, value),
        delete: async () => undefined,
      },
      globalState: { get: (_: string, otherwise: unknown) => otherwise, update: async () => undefined },
    } as never);
  });

  afterEach(() => {
    activity.dispose();
    leave();
  });

  /** Runs the command, and waits until it asks for the token. */
  const browse = async (): Promise<void> => {
    const { SessionHistoryCommands } = await import('../../../../src/workbench/sessions/sessionHistoryCommands');
    const start = ((_: unknown, started: (outcome: object) => void) => {
      account.withHeaders(launch as never, tokens.length > 0).then(
        (ready) => {
          tokens.push('headers' in ready ? ready.headers['Authorization']! : '');
          const dialect = {
            authMethods: [],
            sessionCapabilities: {},
            listSessions: (_query: object, listed: (outcome: object) => void) => {
              const sessions = [{ sessionId: 's', title: 'Said before', cwd: '/w', additionalDirectories: [] }];
              queueMicrotask(() => listed({ ok: true, value: { sessions } }));
              return { cancel: () => undefined };
            },
          } as unknown as Dialect;
          answer = (code) =>
            code
              ? started({ ok: false, failure: { code, params: { host: '127.0.0.1:1', status: 401, isEntered: 'yes' } } })
              : started({
                  ok: true,
                  value: {
                    join: ({ onReady }: { onReady: (agent: Dialect) => void }) => {
                      onReady(dialect);
                      return { dispose: () => undefined };
                    },
                  },
                });
        },
        (error: unknown) => started({ ok: false, failure: failureOf(error) }),
      );
      return { dispose: () => undefined };
    }) as unknown as AgentConnections['start'];
    const commands = new SessionHistoryCommands({
      activity,
      account,
      catalog: () => ({ entries: [{ agentId: 'shared', agentName: 'Shared Session', launch }] }),
      capabilityCache: { of: () => undefined },
      sessions: {
        all: [],
        remoteSessionsDependencies: () => ({ account, start, byUser: true }) as unknown as RemoteSessionsDependencies,
      },
    } as never);
    void commands.openAgentSession('shared').then(() => (isDone = true));
    await settled();
    assert.ok(inputs.shown instanceof FakeBox, 'the token is asked for');
  };

  const enter = async (text: string | undefined): Promise<void> => {
    (inputs.shown as FakeBox).enter(text);
    await settled();
  };

  it('comes back with its progress when the token is entered, and fills', async () => {
    await browse();
    assert.equal(isDone, false);
    await enter('secret');
    const [list] = picks;
    assert.equal(inputs.shown, list);
    assert.deepEqual([list?.labels, list?.busy], [['Loading sessions from Shared Session…'], true]);
    assert.deepEqual(tokens, ['Bearer secret']);
    answer();
    await settled();
    assert.deepEqual([list?.labels, list?.busy], [['Said before'], false]);
    list?.hide();
    await settled();
    assert.equal(isDone, true);
  });

  it('says that the token was refused, and offers to retry', async () => {
    await browse();
    await enter('wrong');
    answer('remote.denied');
    await settled();
    assert.equal(inputs.shown, picks[0]);
    assert.deepEqual(picks[0]?.labels, [
      '$(warning) 127.0.0.1:1 denied access (HTTP 401). Retry, then enter the token again.',
      '$(refresh) Retry',
    ]);
  });

  it('says that the token is missing when the user cancels its question', async () => {
    await browse();
    await enter(undefined);
    assert.equal(inputs.shown, picks[0]);
    assert.deepEqual(picks[0]?.labels, ['$(warning) The value of token is missing.', '$(refresh) Retry']);
  });

  it('ends when the user leaves it while the agent starts', async () => {
    await browse();
    await enter('secret');
    picks[0]?.hide();
    await settled();
    assert.equal(isDone, true);
    assert.equal(inputs.shown, undefined);
  });
});
