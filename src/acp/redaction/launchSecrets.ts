/** The secrets of one agent's launch, and their redaction: its environment, values typed to sign in, and keys among its arguments. */
import type { Failure } from '../../core/model/failure';
import type { ProxyLaunch } from '../../core/model/agentLaunch';
import type { McpServer } from '../../core/mcp/mcpServer';
import type { TransportDescription } from '../../core/model/transport';
import { type Endpoint, isProcess } from '../../core/agents/endpoint';
import { displayCommand } from '../../util/commandLine';
import { isSecretVariable } from './secretNames';
import { redactText } from './secrets';
import { longestFirst, REDACTED, secretValues, typedValues, withoutCutValue } from './secretValues';

export class LaunchSecrets {
  private all: readonly string[];
  /** The command line of a process, or the address of another endpoint, for display. A stream has neither. */
  readonly description: TransportDescription;

  /** @param typed the values that the user typed to sign in, which are also part of the agent's environment */
  constructor(endpoint: Endpoint & { readonly proxies?: readonly ProxyLaunch[] }, typed: Readonly<Record<string, string>> = {}) {
    const ofProxies = (endpoint.proxies ?? []).flatMap(({ env, args }) => [...secretValues(env), ...typedValues(argumentSecrets(args))]);
    this.all = longestFirst([...endpointSecrets(endpoint), ...ofProxies, ...secretValues(typed), ...typedValues(typed)]);
    this.description = describe(endpoint, this.all);
  }

  /** The values to redact; see `secretValues`. */
  readonly values = (): readonly string[] => this.all;

  /** Adds values that the agent learns after its start. */
  add(values: readonly string[]): void {
    this.all = longestFirst([...this.all, ...values]);
  }

  /** Redacts a line of stderr or a message of the agent, which may be cut. */
  text(text: string): string {
    return withoutCutValue(redactText(text, this.all), this.all);
  }

  failure(failure: Failure): Failure {
    const { code, params, detail } = failure;
    return {
      code,
      ...(params && {
        params: Object.fromEntries(
          Object.entries(params).map(([name, value]) => [
            name,
            typeof value === 'string' ? this.param('proxy' in params ? '' : name, value) : value,
          ]),
        ),
      }),
      ...(detail !== undefined && { detail: this.text(detail) }),
    };
  }

  private param(name: string, value: string): string {
    return (name === 'commandLine' ? this.description.commandLine : undefined) ?? this.text(value);
  }
}

/** The secret values in an endpoint's own settings, longest first. */
export function endpointSecrets(endpoint: Endpoint): string[] {
  if (isProcess(endpoint) || endpoint.kind === 'ssh') {
    return secretValues(endpoint.env);
  }
  return endpoint.kind === 'stream' ? [] : headerSecrets(endpoint.headers);
}

/** The secret values in the settings of MCP servers, longest first. */
export function serverSecrets(servers: readonly McpServer[]): string[] {
  return longestFirst(servers.flatMap(secretsOfServer));
}

function secretsOfServer(server: McpServer): string[] {
  if (server.type === 'acp') {
    return [];
  }
  const own =
    server.type === 'stdio'
      ? [...secretValues(server.env), ...typedValues(argumentSecrets(server.args))]
      : [...headerSecrets(server.headers), ...typedValues(addressSecrets(server.url))];
  const inserted = (server.inserted ?? []).flatMap(({ name, value, isPassword }) =>
    (isPassword ? typedValues : secretValues)({ [name]: value }),
  );
  return [...own, ...inserted];
}

/** The values of arguments that {@link withoutSecret} would hide, and of assignments and headers among them. */
function argumentSecrets(args: readonly string[]): Record<string, string> {
  const found = args.flatMap((argument, index): [string, string][] => {
    const shown = withoutSecret(argument, args[index - 1], []);
    if (shown === REDACTED) {
      return [[`${index}`, argument]];
    }
    const start = shown.endsWith(REDACTED) ? shown.slice(0, -REDACTED.length) : '';
    return start !== '' && argument.startsWith(start) ? [[`${index}`, argument.slice(start.length)]] : [];
  });
  return Object.fromEntries(found);
}

/** The password and the secret parameters of an address. */
function addressSecrets(url: string): Record<string, string> {
  if (!URL.canParse(url)) {
    return {};
  }
  const { password, searchParams } = new URL(url);
  const parameters = [...searchParams].filter(([name]) => isSecretVariable(name) || /^(?:key|sig|signature|code)$/i.test(name));
  return { ...Object.fromEntries(parameters), ...(password && { 'the password': decodedPassword(password) }) };
}

function decodedPassword(password: string): string {
  try {
    return decodeURIComponent(password);
  } catch {
    return password;
  }
}

/** The values of headers. A text may quote the token of `Authorization: Bearer …` alone. */
export function headerSecrets(headers: Readonly<Record<string, string>>): string[] {
  const tokens = Object.entries(headers).map(([name, value]) => [`${name} token`, value.replace(/^(?:Basic|Bearer|Token)\s+/i, '')]);
  return typedValues({ ...headers, ...Object.fromEntries(tokens) });
}

/** The command line or the address for display, redacted by the settings alone. Empty for a stream. */
export function shownEndpoint(endpoint: Endpoint): string {
  const { commandLine, address = '' } = describe(endpoint, endpointSecrets(endpoint));
  return commandLine ?? address;
}

function describe(endpoint: Endpoint, values: readonly string[]): TransportDescription {
  if (isProcess(endpoint)) {
    return { commandLine: shownCommand(endpoint.command, endpoint.args, values) };
  }
  if (endpoint.kind === 'ssh') {
    // Without the words around the command, which say nothing about the agent.
    return { commandLine: shownCommand('ssh', [endpoint.host, endpoint.command, ...endpoint.args], values) };
  }
  return endpoint.kind === 'stream' ? {} : { address: redactText(endpoint.url, values) };
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
