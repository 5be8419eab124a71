/** The user's rules in words, for the card, the views and the record of an automatic answer. Pure. */
import type { RuleBody, RuleScope } from '../../core/advice/advice';
import type { TranslateVerbatim } from './translate';

/** Returns the whole effect of a rule in one line, for example “Allow `npm test *` in /home/ada/shop”. */
export function userRuleText(rule: RuleBody, t: TranslateVerbatim): string {
  const { effect, agent, folder } = rule;
  const subject = subjectText(rule, t);
  const what =
    effect === 'allow'
      ? t('Allow {subject}', { subject })
      : effect === 'ask'
        ? t('Ask about {subject}', { subject })
        : t('Deny {subject}', { subject });
  const by = agent === undefined ? what : t('{rule} by {agent}', { rule: what, agent });
  return folder === undefined ? by : t('{rule} in {folder}', { rule: by, folder });
}

/** Returns the offer to make a rule that allows or denies, for example “Always allow `npm test` in this folder”. */
export function ruleOfferText(rule: RuleBody, scope: RuleScope, t: TranslateVerbatim): string {
  const subject = subjectText(rule, t);
  if (rule.effect === 'deny') {
    switch (scope) {
      case 'session':
        return t('Deny {subject} in this session', { subject });
      case 'folder':
        return t('Always deny {subject} in this folder', { subject });
      case 'always':
        return t('Always deny {subject}, in every folder', { subject });
    }
  }
  switch (scope) {
    case 'session':
      return t('Allow {subject} in this session', { subject });
    case 'folder':
      return t('Always allow {subject} in this folder', { subject });
    case 'always':
      return t('Always allow {subject}, in every folder', { subject });
  }
}

function subjectText(rule: RuleBody, t: TranslateVerbatim): string {
  const { tool, path, command, mcp, host } = rule;
  if (command !== undefined) {
    return command === 'readsOnly' ? t('commands that only read') : `\`${command}\``;
  }
  if (mcp !== undefined) {
    const [server = '', name = '*'] = mcp.split('/');
    return name === '*'
      ? t('all tools of the MCP server {server}', { server })
      : t('the MCP tool {tool} of {server}', { tool: name, server });
  }
  if (host !== undefined) {
    return t('requests to {host}', { host });
  }
  return path === undefined ? toolText(tool, t) : fileText(tool, path, t);
}

function fileText(tool: string | undefined, path: string, t: TranslateVerbatim): string {
  switch (tool) {
    case undefined:
      return t('reads and edits of {path}', { path });
    case 'edit':
      return t('edits of {path}', { path });
    case 'read':
      return t('reads of {path}', { path });
    case 'delete':
      return t('deletion of {path}', { path });
    case 'move':
      return t('moves of {path}', { path });
    default:
      return t('the tool {tool} on {path}', { tool, path });
  }
}

function toolText(tool: string | undefined, t: TranslateVerbatim): string {
  switch (tool) {
    case undefined:
      return t('everything');
    case 'edit':
      return t('all edits');
    case 'read':
      return t('all reads');
    case 'delete':
      return t('all deletions');
    case 'move':
      return t('all moves of files');
    case 'execute':
      return t('all commands');
    case 'fetch':
      return t('all requests to the network');
    case 'search':
      return t('all searches');
    default:
      return t('the tool {tool}', { tool });
  }
}
