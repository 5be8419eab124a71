/** Runs an agent's own program in a terminal, where the user signs in. Loaded with the first such sign-in. */
import type * as vscode from 'vscode';
import { shownCommand } from '../../acp/redaction/launchSecrets';
import { isSecretVariable } from '../../acp/redaction/secretNames';
import { secretValues } from '../../acp/redaction/secretValues';
import { prepareProgram, type ResolvedLaunch } from '../../agent/prepare';
import type { StartServices } from '../../agent/startServices';
import type { AuthMethod } from '../../core/model/content';
import { fault } from '../../core/model/failure';
import type { SshEndpoint } from '../../core/agents/endpoint';
import type { AgentLaunch } from '../../core/model/agentLaunch';
import type { ProcessLaunch } from '../../core/model/agentLaunch';
import type { LoadPty } from '../../terminal/pty';
import { displayCommand } from '../../util/commandLine';
import { type Environment, overlayEnvironment } from '../../util/environment';
import type { LaunchFolders } from '../agents/launchFolders';
import { namesProgram } from '../../application/agents/programs';
import { type InertText, joined, inertLine } from '../../application/shared/escape';
import { t } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { window } from '../shared/window';
import { SignInOutput } from '../../application/signIn/signInOutput';
import { helpSignIn } from './signInHelp';
import { runVisibly } from './signInTerminal';
import { rejectUnsafeVariables } from './signInVariables';

const MAX_NAME = 60;

export interface SignInProgramDependencies {
  readonly activity: UserActivity;
  /** The environment of the extension host. */
  readonly environment: Environment;
  readonly places: LaunchFolders;
  /** The agents' own Node.js and the environment of projects. */
  readonly services?: () => Promise<StartServices>;
  readonly loadPty: LoadPty;
  /** True for the one agent that runs on VS Code's own Node. */
  runsAsNode(launch: AgentLaunch): boolean;
}

/** A sign-in in a terminal. */
export interface SignInProgram {
  /** The agent, with the values that the user typed in its environment. */
  readonly launch: ProcessLaunch;
  /** The session's folder. */
  readonly cwd: string;
  readonly method: AuthMethod;
  /** The title of the terminal. */
  readonly title: InertText;
}

/** The program that runs the agent's sign-in on its host, and the method without the parts that it already has. Secrets are left out. */
export async function signInOnHost(
  launch: AgentLaunch & SshEndpoint,
  cwd: string,
  { args = [], env = {}, ...method }: AuthMethod,
): Promise<Pick<SignInProgram, 'launch' | 'method'>> {
  rejectUnsafeVariables(Object.keys(env));
  const { sshTerminal } = await import('../../application/agents/sshTransport');
  const { agentId, agentName } = launch;
  const open = Object.fromEntries(Object.entries(launch.env).filter(([name]) => !isSecretVariable(name)));
  return { launch: { agentId, agentName, ...sshTerminal(launch, cwd, args, { ...open, ...env }) }, method };
}

/** Resolves when the program has succeeded. @throws Fault */
export async function runSignInProgram(
  deps: SignInProgramDependencies,
  { launch, cwd, method, title }: SignInProgram,
  signal: AbortSignal,
  onOpen: (terminal: vscode.Terminal) => void,
): Promise<void> {
  const { command, args = [], env = {} } = method;
  rejectUnsafeVariables(Object.keys(env));
  const own: ResolvedLaunch = {
    ...launch,
    args: [...launch.args, ...args],
    ...deps.places(launch, cwd),
    runAsNode: deps.runsAsNode(launch),
  };
  const placed =
    command === undefined ? own : { ...own, args, ...((await namesProgram(own, command, deps.environment)) ? {} : { command }) };
  // Prepared before the method's environment is added, because that must not decide which program runs.
  const program = await prepareProgram(placed, deps.environment, await deps.services?.());
  const commandLine = inertLine(shownCommand(placed.command, placed.args, secretValues(placed.env)));
  // The user agrees to the whole command line, so it is not shortened.
  if (command !== undefined && !(await agreed(deps, launch, inertLine(displayCommand(placed.command, placed.args)), env))) {
    throw fault('auth.not_finished');
  }
  const environment = overlayEnvironment(program.environment, env);
  const output = new SignInOutput();
  const onOutput = (text: string): void => helpSignIn(title, output.push(text));
  await runVisibly({ ...program, environment, title, commandLine, onOutput }, deps.loadPty, signal, onOpen);
}

/** Asks the user to confirm a command that differs from the configured one, because an agent must not choose what runs. */
async function agreed(
  { activity }: SignInProgramDependencies,
  { agentName }: ProcessLaunch,
  commandLine: InertText,
  env: Readonly<Record<string, string>>,
): Promise<boolean> {
  const variables = Object.entries(env).map(([name, value]) => joined([inertLine(name), inertLine(value)], '='));
  const run = t('Run in Terminal');
  const message = t("{agent} wants to run this to sign you in. It isn't the command in your settings.", {
    agent: inertLine(agentName, MAX_NAME),
  });
  const options = { modal: true, detail: joined([commandLine, ...variables], '\n') };
  return (await activity.during(() => window.showWarningMessage(message, options, run))) === run;
}
