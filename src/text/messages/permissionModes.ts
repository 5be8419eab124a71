/** The permission modes in words, for host and page: what they do, and what they cannot hold back. Pure. */
import type { ModeLimits } from '../../core/approval/modeLimits';
import type { PermissionMode } from '../../core/modes/permissionMode';
import type { TranslateVerbatim } from './translate';

/** Returns what the mode does, and the rules that still hold. @param unasked the name of an agent that acts without a request */
export function modeAbout(mode: PermissionMode, t: TranslateVerbatim, unasked?: string): string {
  switch (mode) {
    case 'ask':
      return t('Each request of the agent waits for you, unless one of your rules answers it.');
    case 'acceptEdits':
      return t('Edits in the folders of this session are accepted. Protected paths, deletions, commands and your ask rules still ask.');
    case 'planOnly':
      return unasked === undefined
        ? t("Edits and commands are refused, and the agent's own plan mode is set if it has one.")
        : t('Only requests are refused. {agent} may act without asking.', { agent: unasked });
    case 'allowEverything':
      return t(
        'All requests are allowed until this session ends. Deny and ask rules, protected paths and calls that repeat still hold. Never stored.',
      );
  }
}

/** Returns what a mode can hold back of this agent's work. */
export function modeLimitsText({ edits, commands, isVersion2 }: ModeLimits, agent: string, t: TranslateVerbatim): string {
  const both = edits === commands ? edits : undefined;
  const version2 = isVersion2 ? [t('Agents of protocol version 2 do neither through ACP Host.')] : [];
  switch (both) {
    case 'through':
      return t('{agent} edits files and runs commands through ACP Host, which can hold each one back.', { agent });
    case 'asks':
      return [
        t('{agent} edits files and runs commands itself, and asks first. Only its own requests are held.', { agent }),
        ...version2,
      ].join(' ');
    case 'itself':
      return [
        t('{agent} edits files and runs commands itself, without asking unless its own settings say so. Only its own requests are held.', {
          agent,
        }),
        ...version2,
      ].join(' ');
    case 'unknown':
      return [
        t(
          'Whether {agent} asks before it edits files or runs commands is not known yet. Only its own requests and its work through ACP Host are held.',
          {
            agent,
          },
        ),
        ...version2,
      ].join(' ');
    default:
      return [editsText(edits, agent, t), commandsText(commands, agent, t), ...version2].join(' ');
  }
}

function editsText(edits: ModeLimits['edits'], agent: string, t: TranslateVerbatim): string {
  switch (edits) {
    case 'through':
      return t('{agent} edits files through ACP Host, which can hold each edit back.', { agent });
    case 'asks':
      return t('{agent} edits files itself, and asks first. Only its own requests are held.', { agent });
    case 'itself':
      return t('{agent} edits files itself, without asking unless its own settings say so. Only its own requests are held.', { agent });
    case 'unknown':
      return t('Whether {agent} asks before it edits files is not known yet.', { agent });
  }
}

function commandsText(commands: ModeLimits['commands'], agent: string, t: TranslateVerbatim): string {
  switch (commands) {
    case 'through':
      return t('{agent} runs commands through ACP Host, which can hold each one back.', { agent });
    case 'asks':
      return t('{agent} runs commands itself, and asks first. Only its own requests are held.', { agent });
    case 'itself':
      return t('{agent} runs commands itself, without asking unless its own settings say so. Only its own requests are held.', { agent });
    case 'unknown':
      return t('Whether {agent} asks before it runs commands is not known yet.', { agent });
  }
}

/** Returns the hint that a sandbox can hold back what a mode cannot. */
export function sandboxHint(t: TranslateVerbatim): string {
  return t('A sandbox around the whole agent can hold back the rest.');
}
