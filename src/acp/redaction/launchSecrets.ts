/** The secrets of one agent's launch, and their redaction: its environment, values typed to sign in, and keys among its arguments. */
import type { Failure } from '../../core/model/failure';
import type { AgentLaunch } from '../../core/model/ports';
import { displayCommand } from '../../util/commandLine';
import { isSecretVariable } from './secretNames';
import { redactText } from './secrets';
import { longestFirst, REDACTED, secretValues, typedValues, withoutCutValue } from './secretValues';

type Launch = Pick<AgentLaunch, 'command' | 'args' | 'env'>;

export class LaunchSecrets {
  /** The values to redact; see `secretValues`. */
  readonly values: readonly string[];
  /** The command line for display. */
  readonly commandLine: string;

  /** @param typed the values that the user typed to sign in, which are also part of the agent's environment */
  constructor(launch: Launch, typed: Readonly<Record<string, string>> = {}) {
    this.values = longestFirst([...secretValues(launch.env), ...secretValues(typed), ...typedValues(typed)]);
    this.commandLine = shownCommand(launch.command, launch.args, this.values);
  }

  /** Redacts a line of stderr or a message of the agent, which may be cut. */
  text(text: string): string {
    return withoutCutValue(redactText(text, this.values), this.values);
  }

  failure(failure: Failure): Failure {
    const { code, params, detail } = failure;
    return {
      code,
      ...(params && {
        params: Object.fromEntries(
          Object.entries(params).map(([name, value]) => [name, typeof value === 'string' ? this.param(name, value) : value]),
        ),
      }),
      ...(detail !== undefined && { detail: this.text(detail) }),
    };
  }

  private param(name: string, value: string): string {
    return name === 'commandLine' ? this.commandLine : this.text(value);
  }
}

/** A launch's command line for display, redacted by its settings alone. */
export function shownLaunch({ command, args, env }: Launch): string {
  return shownCommand(command, args, secretValues(env));
}

/** A command and its arguments as one line, without `values` and without options, headers and addresses whose value looks like a secret. */
export function shownCommand(command: string, args: readonly string[], values: readonly string[]): string {
  return displayCommand(
    redactText(command, values),
    args.map((argument, index) => withoutSecret(argument, args[index - 1], values)),
  );
}

const OPTION = /^--?([A-Za-z][\w.-]{1,63})$/;
const ASSIGNED = /^((?:--?)?([A-Za-z_][\w.-]{0,63})=)./s;
const HEADER = /^(([A-Za-z][\w-]{1,63}):\s*)\S/;

function withoutSecret(argument: string, before: string | undefined, values: readonly string[]): string {
  const option = OPTION.exec(before ?? '')?.[1];
  if (option !== undefined && !argument.startsWith('-') && !option.startsWith('no-') && isSecretVariable(option)) {
    return REDACTED;
  }
  for (const pattern of [ASSIGNED, HEADER]) {
    const [, head = '', name = ''] = pattern.exec(argument) ?? [];
    if (head !== '' && isSecretVariable(name)) {
      return head + REDACTED;
    }
  }
  return redactText(argument, values);
}
