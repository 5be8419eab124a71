/** The settings that each connection to an agent reads when it needs them. Loaded with the first agent. */
import * as vscode from 'vscode';
import { lineLimitOf } from '../../acp/transport/ndjson';
import { settings } from '../../application/shared/ids';
import { maxMessageSize, readUserValue } from './agentSettings';

export const connectorSettings = {
  /** `acpHost.maxMessageSize` of the user, in bytes. */
  maxLineBytes: (): number => lineLimitOf(maxMessageSize().value),
  /** `acpHost.adapterExtensions` of the user. */
  adapterExtensions: (): boolean => readUserValue(settings.adapterExtensions, false).value === true,
  /** `acpHost.traceContext`. It reveals nothing, so a trusted workspace may set it. */
  isTraced: (): boolean => vscode.workspace.getConfiguration().get(settings.traceContext) === true,
  /** VS Code's own setting, or the variables that Node.js programs heed. */
  usesProxy: (): boolean =>
    Boolean(vscode.workspace.getConfiguration().get('http.proxy')) || PROXY_VARIABLES.some((name) => Boolean(process.env[name])),
};

const PROXY_VARIABLES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'];
