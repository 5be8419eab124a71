/** Runs an agent's own program in a terminal, where the user signs in. Loaded with the first such sign-in. */
import type * as vscode from 'vscode';
import { shownCommand } from '../../acp/redaction/launchSecrets';
import { secretValues } from '../../acp/redaction/secretValues';
import { prepareProgram, type PlacedLaunch } from '../../agent/prepare';
import type { AuthMethod } from '../../core/model/content';
import { fault } from '../../core/model/failure';
import type { ProcessLaunch } from '../../core/model/ports';
import { displayCommand } from '../../util/commandLine';
import { overlayEnvironment } from '../../util/environment';
import { namesProgram } from '../agents/programs';
import { type InertText, joined, visible } from '../shared/escape';
import { t } from '../shared/l10n';
import { window } from '../shared/window';
import { type AccountDependencies, signInTitle } from './account';
import { runVisibly } from './signInTerminal';
import { refuseSteering } from './signInVariables';

const MAX_NAME = 60;

type Dependencies = Pick<AccountDependencies, 'activity' | 'environment' | 'places' | 'loadPty' | 'runsAsNode'>;

/** Resolves when the program has succeeded. @param launch with the values that the user typed @throws Fault */
export async function runSignInProgram(
  ports: Dependencies,
  launch: ProcessLaunch,
  cwd: string,
  method: AuthMethod,
  signal: AbortSignal,
  onOpen: (terminal: vscode.Terminal) => void,
): Promise<void> {
  const { command, args = [], env = {} } = method;
  refuseSteering(Object.keys(env));
  const own: PlacedLaunch = {
    ...launch,
    args: [...launch.args, ...args],
    ...ports.places(launch, cwd),
    runAsNode: ports.runsAsNode(launch),
  };
  const placed =
    command === undefined ? own : { ...own, args, ...((await namesProgram(own, command, ports.environment)) ? {} : { command }) };
  // Prepared before the method's environment is added, because that must not decide which program runs.
  const program = await prepareProgram(placed, ports.environment);
  const commandLine = visible(shownCommand(placed.command, placed.args, secretValues(placed.env)));
  // The user agrees to the whole command line, so it is not shortened.
  if (command !== undefined && !(await agreed(ports, launch, visible(displayCommand(placed.command, placed.args)), env))) {
    throw fault('auth.not_finished');
  }
  const environment = overlayEnvironment(program.environment, env);
  await runVisibly({ ...program, environment, title: signInTitle(launch), commandLine }, ports.loadPty, signal, onOpen);
}

/** Asks the user to confirm a command that differs from the configured one, because an agent must not choose what runs. */
async function agreed(
  { activity }: Dependencies,
  { agentName }: ProcessLaunch,
  commandLine: InertText,
  env: Readonly<Record<string, string>>,
): Promise<boolean> {
  const variables = Object.entries(env).map(([name, value]) => joined([visible(name), visible(value)], '='));
  const run = t('Run in Terminal');
  const message = t("{agent} wants to run this to sign you in. It isn't the command in your settings.", {
    agent: visible(agentName, MAX_NAME),
  });
  const options = { modal: true, detail: joined([commandLine, ...variables], '\n') };
  return (await activity.during(() => window.showWarningMessage(message, options, run))) === run;
}
