/** Answers to held writes in the editor: the preview that they belong to, and the delay before they count. */
import assert from 'node:assert/strict';
import Module from 'node:module';
import path from 'node:path';
import { ANSWER_DELAY_MS } from '../../../../src/core/approval/answerDelay';
import type { EditorWritePreviews } from '../../../../src/workbench/changes/writePreviews';

interface TestUri {
  readonly scheme: string;
  readonly path: string;
  readonly query: string;
  with(over: Partial<TestUri>): TestUri;
  toString(): string;
}

function uri(parts: { scheme: string; path: string; query: string }): TestUri {
  return { ...parts, with: (over) => uri({ ...parts, ...over }), toString: () => `${parts.scheme}:${parts.path}?${parts.query}` };
}

class TabInputTextDiff {
  constructor(
    readonly original: TestUri,
    readonly modified: TestUri,
  ) {}
}

class TabInputText {
  constructor(readonly uri: TestUri) {}
}

type Tab = { readonly input: TabInputTextDiff | TabInputText };

describe('an answer to a held write', () => {
  let tabs: Tab[];
  let active: Tab | undefined;
  let time: number;
  let opened: number;
  let changed: (() => void)[];
  let Previews: typeof EditorWritePreviews;
  let previews: EditorWritePreviews;
  let answers: string[];

  const event = (listener: () => void) => {
    changed.push(listener);
    return { dispose: () => undefined };
  };
  const group = {
    get tabs() {
      return tabs;
    },
    get activeTab() {
      return active;
    },
    viewColumn: 1,
    isActive: true,
  };
  const activate = (tab: Tab | undefined): void => {
    active = tab;
    changed.forEach((listener) => listener());
  };
  const vscode = {
    TabInputTextDiff,
    TabInputText,
    TabInputWebview: class {},
    ViewColumn: { One: 1, Active: -1, Beside: -2 },
    Uri: { file: (file: string) => uri({ scheme: 'file', path: file, query: '' }) },
    EventEmitter: class {
      event = () => ({ dispose: () => undefined });
      fire() {}
      dispose() {}
    },
    FileSystemError: class extends Error {},
    FileType: { File: 1 },
    FileChangeType: { Changed: 1 },
    Disposable: class {},
    l10n: { t: (message: string) => message },
    commands: {
      executeCommand: async (command: string, ...args: unknown[]) => {
        if (command === 'vscode.diff') {
          opened++;
          const tab = { input: new TabInputTextDiff(args[0] as TestUri, args[1] as TestUri) };
          tabs = [...tabs.filter(({ input }) => !(input instanceof TabInputTextDiff)), tab];
          activate(tab);
        }
      },
    },
    workspace: {
      registerFileSystemProvider: () => ({ dispose: () => undefined }),
      onDidOpenTextDocument: () => ({ dispose: () => undefined }),
      onDidChangeTextDocument: () => ({ dispose: () => undefined }),
      textDocuments: [],
    },
    window: {
      showInformationMessage: async () => undefined,
      tabGroups: {
        all: [group],
        activeTabGroup: group,
        onDidChangeTabs: event,
        onDidChangeTabGroups: event,
        close: async (closed: readonly Tab[]) => {
          tabs = tabs.filter((tab) => !closed.includes(tab));
          activate(active && closed.includes(active) ? tabs.at(-1) : active);
        },
      },
    },
  };

  const loader = Module as unknown as { _load(request: string, ...rest: unknown[]): unknown };
  const load = loader._load;
  /** The modules that another test has loaded with its own `vscode`. */
  const others = new Map<string, NodeJS.Module>();
  const takeModules = (): Map<string, NodeJS.Module> => {
    const names = Object.keys(require.cache).filter((name) => name.includes(`${path.sep}workbench${path.sep}`));
    const taken = new Map(names.map((name) => [name, require.cache[name]!]));
    names.forEach((name) => delete require.cache[name]);
    return taken;
  };

  before(() => {
    takeModules().forEach((module, name) => others.set(name, module));
    loader._load = (request, ...rest) => (request === 'vscode' ? vscode : load.call(loader, request, ...rest));
    ({ EditorWritePreviews: Previews } =
      require('../../../../src/workbench/changes/writePreviews') as typeof import('../../../../src/workbench/changes/writePreviews'));
  });
  after(() => {
    loader._load = load;
    takeModules();
    others.forEach((module, name) => (require.cache[name] = module));
  });
  beforeEach(() => {
    [tabs, active, time, opened, changed, answers] = [[], undefined, 10_000, 0, [], []];
    previews = new Previews(
      () => undefined,
      () => time,
    );
  });
  afterEach(() => previews.dispose());

  const roots = { cwd: '/w', additionalDirectories: [] };
  const settled = () => new Promise<void>((resolve) => setTimeout(resolve, 5));
  const hold = (name: string) => {
    const write = { requested: `/w/${name}`, path: `/w/${name}`, before: '', after: name, content: name };
    return previews.show(roots, write as never, (accepted) => answers.push(`${name} ${accepted ? 'accepted' : 'rejected'}`));
  };

  it('counts once its preview has been in front for half a second', async () => {
    hold('a');
    await settled();
    previews.decide(true);
    time += ANSWER_DELAY_MS - 1;
    previews.decide(true);
    assert.deepEqual(answers, []);
    time += 1;
    previews.decide(true);
    assert.deepEqual(answers, ['a accepted']);
  });

  it('does not count for the next write, whose preview replaced the first', async () => {
    const first = hold('a');
    hold('b');
    await settled();
    time += ANSWER_DELAY_MS;
    first.end(undefined);
    await settled();
    previews.decide(true);
    assert.deepEqual(answers, []);
    time += ANSWER_DELAY_MS;
    previews.decide(false);
    assert.deepEqual(answers, ['b rejected']);
  });

  it('opens the preview, but does not count, while another tab is in front', async () => {
    hold('a');
    await settled();
    time += ANSWER_DELAY_MS;
    const [preview] = tabs;
    activate({ input: new TabInputText(uri({ scheme: 'file', path: '/w/other', query: '' })) });
    previews.decide(true);
    await settled();
    assert.deepEqual([answers, opened], [[], 2]);
    previews.decide(true);
    assert.deepEqual(answers, [], 'it has just come back');
    assert.ok(preview);
    time += ANSWER_DELAY_MS;
    previews.decide(true);
    assert.deepEqual(answers, ['a accepted']);
  });
});
