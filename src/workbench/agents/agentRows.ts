/** The rows of the question "which agent?", and what is said about settings that do not count. Pure. */
import { shownLaunch } from '../../acp/redaction/launchSecrets';
import type { CatalogEntry, AgentSource } from '../../agent/catalog';
import type { IgnoredSetting } from '../../agent/userSettings';
import { type InertText, visible } from '../shared/escape';
import type { Translate } from '../shared/translate';

export type AgentRow =
  | { readonly separator: InertText }
  | { readonly label: InertText; readonly description: InertText; readonly entry: CatalogEntry };

const MAX_NAME = 80;
const MAX_COMMAND = 120;

/** The one used last, then the others as the catalog has them, each run of one source under its heading. */
export function agentRows(entries: readonly CatalogEntry[], lastAgent: string | undefined, t: Translate): AgentRow[] {
  const last = entries.find(({ agentName }) => agentName === lastAgent);
  const rows: AgentRow[] = last ? [{ separator: t('Last used') }, agentRow(last, t)] : [];
  let source: AgentSource | undefined;
  for (const entry of entries) {
    if (entry === last) {
      continue;
    }
    if (entry.source !== source) {
      source = entry.source;
      rows.push({ separator: headingOf(source, t) });
    }
    rows.push(agentRow(entry, t));
  }
  return rows;
}

function agentRow(entry: CatalogEntry, t: Translate): AgentRow {
  const description =
    entry.source === 'demo' ? t('Try it without an account (works offline)') : visible(shownLaunch(entry.launch), MAX_COMMAND);
  return { label: visible(entry.agentName, MAX_NAME), description, entry };
}

function headingOf(source: AgentSource, t: Translate): InertText {
  switch (source) {
    case 'user':
      return t('Custom');
    case 'predefined':
      return t('Popular');
    case 'other':
      return t("From another extension's settings");
    case 'demo':
      return t('Built-in');
  }
}

/** One sentence about values that were set by somebody other than the user; undefined when there are none. */
export function ignoredNotice(ignored: readonly IgnoredSetting[], t: Translate): InertText | undefined {
  if (ignored.length === 0) {
    return undefined;
  }
  const places = [...new Set(ignored.map((each) => placeOf(each, t)))].join(', ');
  const names = [...new Set(ignored.map(({ setting }) => setting))].join(', ');
  return t('Ignored {settings} from {places}. Only your user settings apply.', {
    settings: names,
    places,
  });
}

function placeOf({ source, folder }: IgnoredSetting, t: Translate): InertText {
  switch (source) {
    case 'workspace':
      return t('this workspace');
    case 'workspaceFolder':
      return t('the folder {folder}', { folder: visible(folder ?? '', MAX_NAME) });
    case 'machine':
      return t('the remote machine or dev container');
    case 'extensionDefault':
      return t('another extension');
  }
}
