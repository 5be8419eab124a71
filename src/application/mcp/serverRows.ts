/** The rows of the list of MCP servers: what the agent gets, and why it does not get the others. */
import type { LeftOutReason } from '../../core/mcp/sessionServers';
import { displayCommand } from '../../util/commandLine';
import { type InertText, inertLine, joined } from '../shared/escape';
import type { Translate } from '../shared/translate';
import type { PlannedServer, ServerPlan } from './userServers';

export interface ServerRow {
  /** Undefined for a source that cannot be read. */
  readonly key?: string;
  readonly label: InertText;
  readonly description: InertText;
  readonly detail: InertText;
  readonly file?: string;
  readonly picked: boolean;
}

const MAX_NAME = 100;
const MAX_DETAIL = 400;

/** @param hasUnread true when VS Code's own file is on another machine */
export function serverRows({ servers, broken }: ServerPlan, agent: string, hasUnread: boolean, t: Translate): ServerRow[] {
  return [
    ...servers.map((server): ServerRow => {
      const { key, name, source, reason, detail, server: passed } = server;
      return {
        key,
        label: inertLine(name, MAX_NAME),
        description: inertLine(source.label, MAX_NAME),
        detail: joined(
          [
            reason ? reasonText(reason, detail ?? '', agent, t) : server.signIn ? t('Passed, signed in') : t('Passed'),
            ...(passed || reason ? [whatText(server)] : []),
          ],
          ' · ',
        ),
        ...(source.file !== undefined && { file: source.file }),
        picked: reason !== 'switched_off' && reason !== 'not_agreed',
      };
    }),
    ...broken.map(
      ({ source, problem }): ServerRow => ({
        label: inertLine(source.label, MAX_NAME),
        description: t("can't be read"),
        detail: inertLine(problem, MAX_DETAIL),
        ...(source.file !== undefined && { file: source.file }),
        picked: false,
      }),
    ),
    ...(hasUnread
      ? [
          {
            label: t('mcp.json of your profile'),
            description: t('not available'),
            detail: t('It is on your own machine, and agents run on the remote one.'),
            picked: false,
          },
        ]
      : []),
  ];
}

/** The command line or the address as it is written, before variables are replaced: values of inputs are never shown. */
function whatText({ written: { definition } }: PlannedServer): InertText {
  const text = !definition ? '' : definition.type === 'stdio' ? displayCommand(definition.command, definition.args) : definition.url;
  return inertLine(text, MAX_DETAIL);
}

function reasonText(reason: LeftOutReason, detail: string, agent: string, t: Translate): InertText {
  const shown = inertLine(detail, MAX_NAME);
  switch (reason) {
    case 'unsupported':
      return t("{agent} doesn't take servers of this kind", { agent: inertLine(agent, MAX_NAME) });
    case 'duplicate_name':
      return t('Another server has this name');
    case 'not_agreed':
      return t('Not allowed yet: select it to read and allow it');
    case 'restricted':
      return t('Restricted Mode');
    case 'input_missing':
      return t('Needs a value: {name}', { name: shown });
    case 'sign_in':
      return t('Needs you to sign in');
    case 'variable_unknown':
      return t('No value here: {name}', { name: shown });
    case 'invalid':
      return t("Isn't valid: {name}", { name: shown });
    case 'not_found':
      return t('Not found: {name}', { name: shown });
    case 'unreadable':
      return t("Can't be read: {name}", { name: shown });
    case 'switched_off':
      return t('Off');
    case 'failed':
      return t('Failed: {reason}', { reason: shown });
  }
}
