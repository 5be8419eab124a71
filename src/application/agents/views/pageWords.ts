/** Words for the page of agents. The page shows them as text. */
import type { AgentOperation, AgentProblem } from '../../../core/agents/agentsPage';
import type { Failure } from '../../../core/model/failure';
import { escapeMisleading, oneLine } from '../../../text/characters/textSafety';
import { shortFailure } from '../../../text/messages/failures';
import { registryReason } from '../../registry/registryText';
import type { TranslateVerbatim } from '../../shared/translate';
import { startAdvice } from './startAdvice';

const MAX_VALUE = 300;
const MAX_DETAIL = 4000;

/** A failure with its advice. @param withoutSecrets applied to external text */
export function problemOf(failure: Failure, t: TranslateVerbatim, withoutSecrets: (text: string) => string = (text) => text): AgentProblem {
  const short = shortFailure(failure, t, (value) => oneLine(withoutSecrets(value), MAX_VALUE));
  const text = [registryReason(failure, t) ?? short, startAdvice(failure, t)].filter(Boolean).join(' ');
  const detail = detailOf(failure, withoutSecrets);
  return { text, ...(detail !== undefined && { detail }) };
}

/** The end of the external text, which has the reason. */
export function detailOf({ detail = '' }: Failure, withoutSecrets: (text: string) => string): string | undefined {
  const text = escapeMisleading(withoutSecrets(detail.trim()).slice(-MAX_DETAIL));
  return text === '' ? undefined : text;
}

/** The name of an operating system and its processor for people. */
export function platformName(platform: string, arch: string): string {
  const names: Readonly<Record<string, string>> = { win32: 'Windows', darwin: 'macOS', linux: 'Linux' };
  return `${Object.hasOwn(names, platform) ? names[platform]! : platform} ${arch}`;
}

/** The sentence about a finished operation. @param version the one that `use_version` has started */
export function doneText(operation: AgentOperation, agent: string, version: string, t: TranslateVerbatim): string {
  switch (operation) {
    case 'install':
      return t('{agent} is installed.', { agent });
    case 'update':
      return t('{agent} is updated.', { agent });
    case 'roll_back':
      return t('{agent} starts with its earlier version.', { agent });
    case 'use_version':
      return t('{agent} starts with version {version}.', { agent, version });
    case 'pin':
      return t('{agent} stays at this version.', { agent });
    case 'unpin':
      return t('Updates of {agent} are offered again.', { agent });
    case 'uninstall':
      return t('{agent} is uninstalled.', { agent });
  }
}
