/** package.json, package.nls.json and src/application/shared/ids.ts agree. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv from 'ajv';
import { DEFAULT_MAX_LINE_MEGABYTES, lineLimitOf } from '../../src/acp/transport/ndjson';
import { PREDEFINED_AGENTS } from '../../src/agent/predefined';
import { DEFAULT_PROTECTED_PATHS } from '../../src/policy/protection/protectedRules';
import { askBeforeCommandsOf } from '../../src/policy/askBeforeCommands';
import { chatViews, commands, contextKeys, settings, settingsSection, treeViews, viewTypes } from '../../src/application/shared/ids';
import { changeCommands } from '../../src/application/shared/changeCommandIds';
import { ruleCommands } from '../../src/application/shared/ruleCommandIds';
import { sessionCommands } from '../../src/application/shared/sessionCommandIds';

const root = path.resolve(__dirname, '../..');
const readJson = (file: string) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
const manifest = readJson('package.json');
const words: Record<string, string> = readJson('package.nls.json');
const categories: readonly Category[] = manifest.contributes.configuration;
// oxlint-disable-next-line typescript-eslint/no-explicit-any -- schemas of JSON
const properties: Record<string, any> = Object.assign({}, ...categories.map((category) => category.properties));

interface Category {
  readonly id: string;
  readonly title: string;
  readonly order: number;
  readonly properties: Readonly<Record<string, { readonly order: number }>>;
}

/** Properties of the manifest whose text the user reads. */
const shown =
  /^(displayName|description|title|category|label|shortTitle|markdownDescription|deprecationMessage|markdownDeprecationMessage)$/;
const shownLists = /^(enumDescriptions|markdownEnumDescriptions|enumItemLabels)$/;

function* shownTexts(value: unknown, place: string): Generator<[place: string, text: unknown]> {
  if (typeof value !== 'object' || value === null) {
    return;
  }
  for (const [key, child] of Object.entries(value)) {
    if (shown.test(key) && typeof child !== 'object') {
      yield [`${place}.${key}`, child];
    } else if (shownLists.test(key)) {
      for (const text of child) {
        yield [`${place}.${key}`, text];
      }
    } else {
      yield* shownTexts(child, `${place}.${key}`);
    }
  }
}

/** Every `acpHost.…` in the `when` and `enablement` clauses. */
function idsInClauses(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  return Object.entries(value).flatMap(([key, child]) =>
    /^(when|enablement)$/.test(key) ? (String(child).match(/acpHost\.\w+/g) ?? []) : idsInClauses(child),
  );
}

const sorted = (values: Iterable<string>) => [...new Set(values)].sort();

describe('manifest', () => {
  it('has a key in place of every text that the user reads', () => {
    const { displayName, description, capabilities, contributes } = manifest;
    const literal = [...shownTexts({ displayName, description, capabilities, contributes }, 'package.json')].filter(
      ([, text]) => typeof text !== 'string' || !/^%[\w.]+%$/.test(text),
    );
    assert.deepEqual(literal, []);
  });

  it('has a text for every key, and no other texts', () => {
    const used = Array.from(JSON.stringify(manifest).matchAll(/"%([\w.]+)%"/g), ([, key]) => key ?? '');
    assert.deepEqual(sorted(used), sorted(Object.keys(words)));
    for (const [key, text] of Object.entries(words)) {
      assert.ok(text.trim(), `${key} is empty`);
    }
  });

  it('contributes the commands, settings and views of ids.ts', () => {
    const contributed = manifest.contributes.commands.map(({ command }: { command: string }) => command);
    assert.deepEqual(sorted(contributed), sorted(Object.values({ ...commands, ...sessionCommands, ...changeCommands, ...ruleCommands })));
    assert.equal(new Set(contributed).size, contributed.length);
    assert.deepEqual(sorted(Object.keys(properties)), sorted(Object.values(settings)));
    const contributedViews = Object.values<{ id: string }[]>(manifest.contributes.views).flatMap((views) => views.map(({ id }) => id));
    assert.deepEqual(sorted(contributedViews), sorted(Object.values({ ...treeViews, ...chatViews })));
    const restored = manifest.activationEvents.filter((event: string) => event.startsWith('onWebviewPanel:'));
    assert.deepEqual(
      restored,
      Object.values(viewTypes).map((viewType) => `onWebviewPanel:${viewType}`),
    );
  });

  it('deletes nothing by a command whose title contains the whole title of another one', () => {
    const titles = manifest.contributes.commands.map(({ title }: { title: string }) => words[title.slice(1, -1)]!.replace(/…$/, ''));
    const deleting = titles.filter((title: string) => /^(?:Clear|Delete|Forget|Remove) /.test(title));
    assert.notEqual(deleting.length, 0);
    for (const title of deleting) {
      assert.deepEqual(
        titles.filter((other: string) => other !== title && title.includes(other)),
        [],
        title,
      );
    }
  });

  it('is activated in each window, so that a reloaded one shows pending changes', () => {
    assert.ok(manifest.activationEvents.includes('onStartupFinished'));
  });

  it("gives every setting but the rules the resource scope, so that a folder's value can be detected and refused", () => {
    // VS Code does not show a value of a narrower scope than its setting's even to `inspect()`.
    for (const [setting, { scope }] of Object.entries<{ scope: string }>(properties)) {
      // A folder's rules are not even offered: VS Code marks them in the folder's settings as having no effect there.
      assert.equal(scope, setting === settings.permissionsRules ? 'machine' : 'resource', setting);
    }
  });

  it('names no setting below another one, because VS Code would drop or mix their values', () => {
    const names = Object.keys(properties);
    assert.deepEqual(
      names.filter((name) => names.some((other) => name.startsWith(`${other}.`))),
      [],
    );
  });

  it('lists the settings in categories, each setting once and in a given order', () => {
    assert.deepEqual(
      categories.map(({ order }) => order),
      categories.map((_, index) => index + 1),
    );
    for (const { id, title, properties: own } of categories) {
      // The settings editor omits from a setting's label the words of its category's id.
      assert.match(id, /^acpHost\.\w+$/);
      assert.ok(words[title.slice(1, -1)], id);
      assert.deepEqual(
        Object.values(own).map(({ order }) => order),
        Object.keys(own).map((_, index) => index + 1),
        id,
      );
    }
    assert.equal(categories.flatMap((category) => Object.keys(category.properties)).length, Object.keys(properties).length);
  });

  it("ignores a workspace's settings in Restricted Mode, unless they only affect the appearance", () => {
    const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    assert.equal(supported, 'limited');
    const looks: string[] = [
      settings.chatLocation,
      settings.composerSendWith,
      settings.fontSize,
      settings.fontFamily,
      settings.groupSessionsBy,
      settings.notifications,
      settings.notificationSound,
    ];
    assert.deepEqual(sorted(restrictedConfigurations), sorted(Object.values(settings).filter((setting) => !looks.includes(setting))));
  });

  it('ends the first step of the walkthrough only when an agent is ready', () => {
    const [{ steps, title }] = manifest.contributes.walkthroughs;
    assert.deepEqual([steps[0].id, steps[0].completionEvents], ['newSession', [`onContext:${contextKeys.sessionStarted}`]]);
    // The welcome page cuts off longer titles.
    assert.ok(words[title.slice(1, -1)]!.length <= 12);
  });

  it('welcomes the user with one button, and names agents', () => {
    const text = words['view.sessions.welcome']!;
    // A link alone on its line is a button.
    assert.deepEqual(text.match(/^\[[^\]]*\]\([^)]*\)$/gm), ['[New Session](command:acpHost.newSession)']);
    for (const name of ['Claude Code', 'Codex', 'Gemini CLI']) {
      assert.ok(text.includes(name), name);
    }
  });

  it('uses the context keys of ids.ts in its clauses, and no others', () => {
    const views: string[] = [...Object.values(viewTypes), ...Object.values(treeViews), ...Object.values(chatViews)];
    const events = JSON.stringify(manifest.contributes.walkthroughs).match(/(?<=onContext:)acpHost\.\w+/g) ?? [];
    const read = [...idsInClauses(manifest.contributes).filter((id) => !views.includes(id)), ...events];
    assert.deepEqual(sorted(read), sorted(Object.values(contextKeys)));
  });

  it('prefixes every id', () => {
    for (const id of [
      commands,
      sessionCommands,
      changeCommands,
      ruleCommands,
      treeViews,
      chatViews,
      settings,
      contextKeys,
      viewTypes,
    ].flatMap((ids) => Object.values(ids) as string[])) {
      assert.ok(id.startsWith(`${settingsSection}.`), id);
    }
  });

  it('has menus only for its own commands, and keys without a modifier only in its own panel', () => {
    const submenus: string[] = manifest.contributes.submenus.map(({ id }: { id: string }) => id);
    const own: string[] = [...Object.values({ ...commands, ...sessionCommands, ...changeCommands, ...ruleCommands }), ...submenus];
    const menus = Object.values(manifest.contributes.menus ?? {}) as { command?: string; submenu?: string; alt?: string }[][];
    for (const { command, submenu, alt } of menus.flat()) {
      assert.ok(own.includes(command ?? submenu!), command ?? submenu);
      assert.ok(alt === undefined || own.includes(alt), alt);
    }
    for (const { key, when } of manifest.contributes.keybindings ?? []) {
      assert.ok(/ctrl|cmd|alt|meta/.test(key) || /acpHost\.session/.test(when ?? ''), `bare key ${key}`);
    }
  });

  it('shows in menus the keys of commands that run together with others', () => {
    // A menu knows the keys of its own command alone. The clause is wider, because VS Code would otherwise drop this binding for the next one, which
    // runs the command.
    const all: { command: string; key: string; mac?: string; when: string; args?: { commands: unknown[] } }[] =
      manifest.contributes.keybindings;
    for (const { key, mac, args, when } of all.filter(({ command }) => command === 'runCommands')) {
      const command = (args!.commands.at(-1) as { command: string }).command;
      const inMenus = JSON.stringify(manifest.contributes.menus).includes(`{"command":"${command}","when":"view == acpHost.sessions`);
      const plain = all.find((each) => each.command === command && each.key === key && each.mac === mac);
      assert.equal(plain !== undefined, inMenus, command);
      assert.ok(!plain || (all.indexOf(plain) < all.findIndex((each) => each.when === when && each.key === key) && plain.when !== when));
    }
  });

  it('renames with F2 in the sessions view, and in the chat that a click on a row gives the focus', () => {
    const all: { command: string; key: string; when: string; args?: unknown }[] = manifest.contributes.keybindings;
    const inChat = all.filter(({ key, args }) => key === 'f2' && !args);
    assert.deepEqual(
      inChat.map(({ command }) => command),
      [sessionCommands.renameSession],
    );
    // VS Code knows at once that a panel has the focus. The extension's own key follows when the page has reported the focus.
    const clauses = inChat[0]!.when.split(' || ');
    const elsewhere = ['input', 'terminal', 'sideBar', 'panel', 'auxiliaryBar'].map((part) => `!${part}Focus`).join(' && ');
    assert.deepEqual(clauses, [
      `activeWebviewPanelId == '${viewTypes.session}' && ${elsewhere}`,
      `${contextKeys.sessionFocused} && !inputFocus`,
    ]);
    const inView = all.filter(({ key, when }) => key === 'f2' && when.includes(`focusedView == '${treeViews.sessions}'`));
    assert.equal(inView.length, 2);
  });

  it('offers Keep and Undo in the titles of diffs and reviews, in the menus of their lines, and by keys', () => {
    const clause = (menu: string, command: string): string =>
      manifest.contributes.menus[menu].find((item: { command?: string }) => item.command === command)?.when ?? '';
    const { keepFileChanges, undoFileChanges, keepAllChanges, undoAllChanges, keepChange, undoChange, nextChange, previousChange } =
      changeCommands;
    for (const command of [keepFileChanges, undoFileChanges]) {
      assert.equal(clause('editor/title', command), `${contextKeys.editorHasChanges} && activeEditor != multiDiffEditor`);
    }
    for (const command of [keepAllChanges, undoAllChanges]) {
      assert.equal(clause('editor/title', command), `${contextKeys.reviewInFront} && activeEditor == multiDiffEditor`);
    }
    for (const command of [keepChange, undoChange]) {
      assert.equal(clause('editor/context', command), `${contextKeys.editorHasChanges} && isInDiffEditor`);
      assert.match(clause('editor/lineNumber/context', command), new RegExp(contextKeys.editorHasChanges));
    }
    const keys: string[] = manifest.contributes.keybindings.map(({ command }: { command: string }) => command);
    for (const command of [keepChange, undoChange, keepFileChanges, undoFileChanges, nextChange, previousChange]) {
      assert.ok(keys.includes(command), command);
    }
  });

  it('offers a comment for the agent in the menu of every editor with text of the user or a plan', () => {
    const menus: Record<string, { command?: string; when: string }[]> = manifest.contributes.menus;
    const [item, ...others] = menus['editor/context']!.filter(({ command }) => command === changeCommands.commentForAgent);
    assert.deepEqual(others, []);
    const schemes = new RegExp(/^resourceScheme =~ \/(.*)\/$/.exec(item!.when)![1]!);
    for (const scheme of ['file', 'untitled', 'vscode-remote', 'acp-host-plan']) {
      assert.ok(schemes.test(scheme), scheme);
    }
    assert.equal(schemes.test('output'), false);
    assert.equal(menus['commandPalette']!.find(({ command }) => command === changeCommands.commentForAgent)!.when, 'editorIsOpen');
  });

  it('asks for a permission in one place at a time, unless the user has another wish', () => {
    assert.equal(properties[settings.permissionsPresent].default, 'auto');
    assert.deepEqual(sorted(properties[settings.permissionsPresent].enum), ['auto', 'both', 'card', 'quickPick']);
  });

  it('describes the limits of a message as the reader applies them', () => {
    const { default: own, minimum, maximum } = properties[settings.maxMessageSize];
    assert.equal(own, DEFAULT_MAX_LINE_MEGABYTES);
    assert.deepEqual([lineLimitOf(-Infinity), lineLimitOf(Infinity)], [minimum * 1024 * 1024, maximum * 1024 * 1024]);
  });

  it('has the default protected paths and command settings of the code', () => {
    const { default: own, additionalProperties } = properties[settings.protectedPaths];
    assert.deepEqual(own, DEFAULT_PROTECTED_PATHS);
    assert.deepEqual(sorted(additionalProperties.enum), sorted(Object.values(DEFAULT_PROTECTED_PATHS)));
    const asking = properties[settings.askBeforeCommands];
    assert.deepEqual(asking.default, { '*': askBeforeCommandsOf(undefined, 'any') });
    for (const value of asking.additionalProperties.enum) {
      assert.equal(askBeforeCommandsOf({ any: value }, 'any'), value);
    }
  });

  it('proposes the known agents for the default, and accepts any other', () => {
    const schema = properties[settings.defaultAgent];
    assert.deepEqual(schema.anyOf[0].enum, ['', 'Demo Agent', ...PREDEFINED_AGENTS.map(({ agentName }) => agentName)]);
    assert.ok(new Ajv({ strict: false }).compile(schema)('Mine'));
    assert.match(words['configuration.defaultAgent']!, new RegExp(`\\(command:${commands.selectDefaultAgent}\\)`));
  });

  it('accepts the agents that people have in other clients, and refuses entries that cannot start', () => {
    const schema = properties[settings.agents];
    const valid = new Ajv({ strict: false }).compile(schema);
    const good = { command: 'npx', args: ['-y', 'agent@1.2.3'], env: { KEY: 'value' }, cwd: '/here', timeoutMs: 1000 };
    assert.ok(valid({ Full: good, Short: { command: 'agent' }, Hidden: null }));
    for (const bad of [
      {},
      { ...good, command: '' },
      { ...good, args: 'x' },
      { ...good, env: { KEY: 1 } },
      { ...good, timeoutMs: 10 },
      'npx',
    ]) {
      assert.ok(!valid({ Bad: bad }), JSON.stringify(bad));
    }
  });
});
