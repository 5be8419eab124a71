/** **ACP: Add Agent…**: adds an entry to `acpHost.agents`. It is saved in the user's settings only, because it names a program to run. */
import * as vscode from 'vscode';
import { shownEndpoint } from '../../acp/redaction/launchSecrets';
import { PREDEFINED_AGENTS } from '../../agent/predefined';
import type { ProcessLaunch } from '../../core/model/agentLaunch';
import { displayCommand } from '../../util/commandLine';
import { type InertText, joined, own, inertLine } from '../../application/shared/escape';
import { settings } from '../../application/shared/ids';
import { t } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { type Item, separator, window } from '../shared/window';
import {
  type AgentEntry,
  type Read,
  readCommand,
  readName,
  readVariables,
  variablesText,
  withAgent,
} from '../../application/agents/addAgentRules';
import { revealAgentsSetting } from './revealSetting';

export interface AddAgentDependencies {
  readonly activity: Pick<UserActivity, 'during'>;
  /** The user's value of `acpHost.agents`, unchecked. Read again before saving. */
  userAgents(): unknown;
  /** Starts a session with the new agent. */
  newSession(agentId: string): Promise<unknown>;
}

const MAX_COMMAND = 300;
const MAX_NAME = 80;

/** Asks for name, command and environment, shows the result and saves it. */
export async function addAgent(deps: AddAgentDependencies): Promise<void> {
  const added = await deps.activity.during(() => askForAgent(deps));
  if (!added) {
    return;
  }
  const value = withAgent(deps.userAgents(), added.name, added.entry);
  if (!value) {
    const edit = t('Edit Settings');
    const message = t("The agent wasn't added: {setting} in your settings isn't an object.", { setting: settings.agents });
    return (await window.showErrorMessage(message, edit)) === edit ? revealAgentsSetting() : undefined;
  }
  await vscode.workspace.getConfiguration().update(settings.agents, value, vscode.ConfigurationTarget.Global);
  const start = t('New Session');
  const message = t('Added {agent} to your agents.', { agent: inertLine(added.name, MAX_NAME) });
  if ((await window.showInformationMessage(message, start)) === start) {
    await deps.newSession(added.name);
  }
}

interface Added {
  readonly name: string;
  readonly entry: AgentEntry;
}

/** Resolves to undefined when the user cancels. The Back button leads to the previous step and keeps its text. */
async function askForAgent(deps: AddAgentDependencies): Promise<Added | undefined> {
  const template = await chooseTemplate();
  if (!template) {
    return undefined;
  }
  const { launch } = template;
  const { platform } = process;
  const steps: readonly Step[] = [
    {
      prompt: t('Name of the agent, as it appears in lists'),
      placeholder: t('My Agent'),
      read: (text) => readName(text, deps.userAgents(), t),
    },
    {
      prompt: t('Command that starts the agent, with its arguments'),
      placeholder: own('npx --yes some-agent@1.2.3 --acp'),
      read: (text) => readCommand(text, platform, t),
    },
    {
      prompt: t('Environment variables, separated by spaces (optional). They are saved as plain text.'),
      placeholder: own('SOME_KEY=value'),
      read: (text) => readVariables(text, { command: '' }, platform, t),
    },
  ];
  const texts = launch ? [launch.agentName, displayCommand(launch.command, launch.args), variablesText(launch.env)] : ['', '', ''];
  for (let index = 0; index < steps.length; ) {
    const answer = await ask(steps[index]!, index, steps.length, texts[index]!);
    if (!answer) {
      return undefined;
    }
    texts[index] = answer.text;
    index += answer.isBack ? -1 : 1;
    if (index < 0) {
      return askForAgent(deps);
    }
  }
  const name = readName(texts[0]!, deps.userAgents(), t);
  const command = readCommand(texts[1]!, platform, t);
  const whole = 'value' in command ? readVariables(texts[2]!, command.value, platform, t) : command;
  if ('problem' in name || 'problem' in whole) {
    return undefined; // The setting has changed in the meantime.
  }
  const added = { name: name.value, entry: whole.value };
  return (await confirm(added)) ? added : undefined;
}

/** Asks for a known agent as the template, or for none. Resolves to undefined when the user cancels. */
async function chooseTemplate(): Promise<{ readonly launch?: ProcessLaunch } | undefined> {
  const other: TemplateRow = {
    label: t('Other Agent…'),
    detail: t('Any program that speaks the Agent Client Protocol'),
    iconPath: new vscode.ThemeIcon('terminal'),
  };
  const known = PREDEFINED_AGENTS.map((launch): TemplateRow => {
    const detail = inertLine(shownEndpoint(launch), MAX_COMMAND);
    return { label: inertLine(launch.agentName, MAX_NAME), detail, iconPath: new vscode.ThemeIcon('package'), launch };
  });
  const options = {
    title: t('Add Agent'),
    placeHolder: t('Select an agent to start from'),
    matchOnDetail: true,
    ignoreFocusOut: true,
  };
  return window.showQuickPick<TemplateRow>([other, separator(t('Popular')), ...known], options);
}

type TemplateRow = Item & { readonly launch?: ProcessLaunch };

interface Step {
  readonly prompt: InertText;
  readonly placeholder: InertText;
  read(text: string): Read<unknown>;
}

interface Answer {
  readonly text: string;
  readonly isBack: boolean;
}

/** Resolves to undefined when the user cancels. Does not accept a text that has a problem. */
function ask({ prompt, placeholder, read }: Step, index: number, steps: number, text: string): Promise<Answer | undefined> {
  const box = window.createInputBox();
  box.title = t('Add Agent');
  box.step = index + 1;
  box.totalSteps = steps;
  box.prompt = prompt;
  box.placeholder = placeholder;
  box.value = text;
  box.ignoreFocusOut = true;
  box.buttons = [{ iconPath: vscode.QuickInputButtons.Back.iconPath, tooltip: t('Back') }];
  return new Promise((resolve) => {
    const done = (answer: Answer | undefined): void => {
      resolve(answer);
      box.dispose();
    };
    box.onDidChangeValue((value) => {
      // An empty text shows no problem, because the user has not typed yet.
      const answer = value.trim() === '' ? undefined : read(value);
      box.validationMessage = answer && 'problem' in answer ? answer.problem : undefined;
    });
    box.onDidTriggerButton(() => done({ text: box.value, isBack: true }));
    box.onDidAccept(() => {
      const answer = read(box.value);
      if ('problem' in answer) {
        box.validationMessage = answer.problem;
      } else {
        done({ text: box.value, isBack: false });
      }
    });
    box.onDidHide(() => done(undefined));
    box.show();
  });
}

/** Shows what will run and where it is saved. */
async function confirm({ name, entry }: Added): Promise<boolean> {
  const { command, args = [], env = {} } = entry;
  const lines = [
    t('Command: {command}', { command: inertLine(shownEndpoint({ command, args, env }), MAX_COMMAND) }),
    ...(Object.keys(env).length > 0
      ? [t('Environment variables: {names}', { names: inertLine(Object.keys(env).join(', '), MAX_COMMAND) })]
      : []),
    t('The agent is saved in your user settings.'),
  ];
  const add = t('Add Agent');
  const message = t('Add {agent}?', { agent: inertLine(name, MAX_NAME) });
  return (await window.showInformationMessage(message, { modal: true, detail: joined(lines, '\n\n') }, add)) === add;
}
