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
  readHost,
  readHostFolder,
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

/**
 * Asks for name, command and environment, shows the result and saves it.
 *
 * @param isOnHost the command runs on another host, which is asked for first
 */
export async function addAgent(deps: AddAgentDependencies, isOnHost = false): Promise<void> {
  const added = await deps.activity.during(() => askForAgent(deps, isOnHost));
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
async function askForAgent(deps: AddAgentDependencies, isOnHost: boolean): Promise<Added | undefined> {
  const template = await chooseTemplate(isOnHost);
  if (!template) {
    return undefined;
  }
  if (template.isOnHost) {
    return askForAgent(deps, true);
  }
  const { launch } = template;
  const { platform } = process;
  const title = titleOf(isOnHost);
  const onHost: readonly Step[] = [
    {
      prompt: t('Host on which the agent runs, as you would pass it to ssh'),
      placeholder: own('user@build'),
      read: (text) => readHost(text, t),
    },
    {
      prompt: t("Folder of the project on the host (optional). Default: the session's folder"),
      placeholder: own('/srv/shop'),
      read: (text) => readHostFolder(text, t),
    },
  ];
  const steps: readonly Step[] = [
    ...(isOnHost ? onHost : []),
    {
      prompt: t('Name of the agent, as it appears in lists'),
      placeholder: t('My Agent'),
      read: (text) => readName(text, deps.userAgents(), t),
    },
    {
      prompt: t('Command that starts the agent, with its arguments'),
      placeholder: own('npx --yes some-agent@1.2.3 --acp'),
      read: (text) => readCommand(text, platform, t, isOnHost),
    },
    {
      prompt: t('Environment variables, separated by spaces (optional). They are saved as plain text.'),
      placeholder: own('SOME_KEY=value'),
      read: (text) => readVariables(text, { command: '' }, platform, t),
    },
  ];
  const typed = launch ? [launch.agentName, displayCommand(launch.command, launch.args), variablesText(launch.env)] : ['', '', ''];
  const texts = [...(isOnHost ? ['', ''] : []), ...typed];
  for (let index = 0; index < steps.length; ) {
    const answer = await ask(title, steps[index]!, index, steps.length, texts[index]!);
    if (!answer) {
      return undefined;
    }
    texts[index] = answer.text;
    index += answer.isBack ? -1 : 1;
    if (index < 0) {
      return askForAgent(deps, isOnHost);
    }
  }
  const [nameText = '', commandText = '', variables = ''] = texts.slice(-3);
  const name = readName(nameText, deps.userAgents(), t);
  const command = readCommand(commandText, platform, t, isOnHost);
  const whole = 'value' in command ? readVariables(variables, command.value, platform, t) : command;
  if ('problem' in name || 'problem' in whole) {
    return undefined; // The setting has changed in the meantime.
  }
  const [host = '', folder = ''] = isOnHost ? texts.map((text) => text.trim()) : [];
  const ssh = host === '' ? {} : { ssh: { host, ...(folder !== '' && { cwd: folder }) } };
  const added = { name: name.value, entry: { ...ssh, ...whole.value } };
  return (await confirm(title, added)) ? added : undefined;
}

/** Asks for a known agent as the template, or for none. Resolves to undefined when the user cancels. */
async function chooseTemplate(isOnHost: boolean): Promise<Template | undefined> {
  const other: TemplateRow = {
    label: t('Other Agent…'),
    detail: t('Any program that speaks the Agent Client Protocol'),
    iconPath: new vscode.ThemeIcon('terminal'),
  };
  const elsewhere: TemplateRow = {
    label: t('On Another Host…'),
    detail: t('A program on a machine that you reach with ssh'),
    iconPath: new vscode.ThemeIcon('remote'),
    isOnHost: true,
  };
  const known = PREDEFINED_AGENTS.map((launch): TemplateRow => {
    const detail = inertLine(shownEndpoint(launch), MAX_COMMAND);
    return { label: inertLine(launch.agentName, MAX_NAME), detail, iconPath: new vscode.ThemeIcon('package'), launch };
  });
  const options = {
    title: titleOf(isOnHost),
    placeHolder: t('Select an agent to start from'),
    matchOnDetail: true,
    ignoreFocusOut: true,
  };
  return window.showQuickPick<TemplateRow>([other, ...(isOnHost ? [] : [elsewhere]), separator(t('Popular')), ...known], options);
}

interface Template {
  readonly launch?: ProcessLaunch;
  /** The host is asked for, and then the template again. */
  readonly isOnHost?: true;
}

type TemplateRow = Item & Template;

function titleOf(isOnHost: boolean): InertText {
  return isOnHost ? t('Run Agent on a Host') : t('Add Agent');
}

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
function ask(
  title: InertText,
  { prompt, placeholder, read }: Step,
  index: number,
  steps: number,
  text: string,
): Promise<Answer | undefined> {
  const box = window.createInputBox();
  box.title = title;
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
async function confirm(title: InertText, { name, entry }: Added): Promise<boolean> {
  const { command, args = [], env = {}, ssh } = entry;
  const program = { command, args, env };
  const lines = [
    t('Command: {command}', { command: inertLine(shownEndpoint(ssh ? { kind: 'ssh', ...ssh, ...program } : program), MAX_COMMAND) }),
    ...(Object.keys(env).length > 0
      ? [t('Environment variables: {names}', { names: inertLine(Object.keys(env).join(', '), MAX_COMMAND) })]
      : []),
    ...(ssh
      ? [t('It works on the files of the host, and its changes are shown as it reports them, unless the settings map its folders.')]
      : []),
    t('The agent is saved in your user settings.'),
  ];
  const add = title;
  const message = t('Add {agent}?', { agent: inertLine(name, MAX_NAME) });
  return (await window.showInformationMessage(message, { modal: true, detail: joined(lines, '\n\n') }, add)) === add;
}
