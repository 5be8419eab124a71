/** The capabilities of an agent in words, and how each is used. Pure. */
import type { PageFact, PageSection } from '../../../core/agents/agentsPage';
import type { McpCapabilities } from '../../../core/mcp/mcpServer';
import type { PromptCapabilities, SessionCapabilities } from '../../../core/model/content';
import type { TranslateVerbatim } from '../../shared/translate';

/** The capabilities that an agent has declared. Absent ones are not known. */
export interface DeclaredCapabilities {
  readonly session: SessionCapabilities;
  readonly prompt?: PromptCapabilities | undefined;
  readonly mcp?: McpCapabilities | undefined;
}

export function featureSections({ session, prompt, mcp }: DeclaredCapabilities, t: TranslateVerbatim): readonly PageSection[] {
  const row = (has: boolean, label: string, use: string): PageFact => ({
    label,
    value: has ? use : t('Not offered'),
    mark: has ? 'yes' : 'no',
  });
  return [
    {
      title: t('Sessions'),
      facts: [
        row(session.load, t('Load sessions'), t('Used to open earlier sessions with their history')),
        row(session.resume, t('Resume sessions'), t('Used to continue after a restart')),
        row(session.list, t('List sessions'), t('Used in Browse Agent History')),
        row(session.delete, t('Delete sessions'), t('Used when you delete a session')),
        row(session.close, t('Close sessions'), t('Used when you end a session')),
        row(
          session.fork === true,
          t('Fork sessions'),
          session.forkAt === true ? t('Used to fork, also at a message') : t('Used to fork a session'),
        ),
        row(session.rewind === true, t('Rewind'), t('Used when you edit a message or restore a checkpoint')),
        row(session.setTitle === true, t('Set titles'), t('Used when you rename a session')),
        row(session.archive === true, t('Archive sessions'), t('Used when you archive a session')),
        row(session.status === true, t('Report the status of sessions'), t('Used before a session is opened a second time')),
        row(session.additionalDirectories, t('Additional folders'), t('Used for the other folders of the workspace')),
      ],
    },
    {
      title: t('Messages and turns'),
      facts: [
        ...(prompt
          ? [
              row(prompt.image, t('Pictures'), t('Used for attached pictures')),
              row(prompt.audio, t('Sound'), t('Used for attached sound')),
              row(prompt.embeddedContext, t('Embedded files'), t('Used for attached files and mentions')),
            ]
          : []),
        row(session.steer === true, t('Messages during a turn'), t('Used for Send Now')),
        row(session.systemPrompt !== undefined, t('Instructions'), t('Used for acpHost.instructions')),
        row(session.options === true, t('Options before a session'), t('Used to show the options of a new session early')),
        row(session.reportsTurns === true, t('Turns of its own'), t('Used to show work between your messages')),
      ],
    },
    {
      title: t('Account'),
      facts: [
        row(session.logout, t('Sign out'), t('Used by Sign Out')),
        row(session.authStatus === true, t('Account status'), t('Used to show who is signed in')),
        row(session.quota === true, t('Limits'), t('Used for the meters of usage')),
        row(session.providers === true, t('Model endpoints'), t('Used by Configure Endpoints')),
      ],
    },
    ...(mcp
      ? [
          {
            title: t('MCP servers'),
            facts: [
              row(mcp.stdio, t('Programs (stdio)'), t('Used for your MCP servers')),
              row(mcp.http, t('HTTP'), t('Used for your MCP servers and the editor tools')),
              row(mcp.sse, t('Server-sent events'), t('Used for your MCP servers')),
              row(mcp.acp, t("The agent's own connection"), t('Used for the editor tools')),
            ],
          },
        ]
      : []),
  ];
}
