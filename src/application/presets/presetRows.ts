/** Presets as rows of a quick pick, and their names. Pure. */
import type { AgentIdentity } from '../../core/agents/agentIds';
import { agentNamed } from '../../core/agents/agentIds';
import type { ConfigOption } from '../../core/model/content';
import { modeLabel } from '../../text/messages/permissionModeNames';
import { type InertText, inertLine, joined } from '../shared/escape';
import type { Translate, TranslateVerbatim } from '../shared/translate';
import { MAX_PRESET_NAME, type Preset } from './preset';

export interface PresetRow<Entry extends AgentIdentity = AgentIdentity> {
  readonly label: InertText;
  readonly description: InertText;
  readonly detail: InertText;
  readonly preset: Preset;
  /** The preset's agent. Absent when it is not configured. */
  readonly entry?: Entry;
}

const MAX_DETAIL = 200;

/** Returns a row for each preset. @param configOf the options of an agent, where a session has them: their values have names */
export function presetRows<Entry extends AgentIdentity>(
  presets: readonly Preset[],
  entries: readonly Entry[],
  t: Translate,
  verbatim: TranslateVerbatim,
  configOf: (agentId: string) => readonly ConfigOption[] = () => [],
): readonly PresetRow<Entry>[] {
  return presets.map((preset) => {
    const entry = agentNamed(entries, preset.agent);
    const agent = inertLine(entry?.agentName ?? preset.agent, MAX_PRESET_NAME);
    return {
      label: inertLine(preset.name, MAX_PRESET_NAME),
      description: entry ? agent : t("{agent} isn't configured", { agent }),
      detail: detailOf(preset, entry ? configOf(entry.agentId) : [], t, verbatim),
      preset,
      ...(entry && { entry }),
    };
  });
}

function detailOf(
  { options, mcpServers, permissionMode }: Preset,
  config: readonly ConfigOption[],
  t: Translate,
  verbatim: TranslateVerbatim,
): InertText {
  const values = Object.entries(options).flatMap(([id, value]) => {
    const option = config.find(({ configId }) => configId === id);
    if (typeof value !== 'string') {
      return value ? [option?.name ?? id] : []; // A switch that is on is shown by its own name.
    }
    const choices = option?.type === 'select' ? option.groups.flatMap((group) => group.choices) : [];
    return [choices.find((choice) => choice.value === value)?.name ?? value];
  });
  const servers =
    mcpServers?.length === 0
      ? t('No MCP servers')
      : mcpServers && t('MCP servers: {names}', { names: inertLine(mcpServers.join(', '), 80) });
  return joined(
    [
      ...(values.length > 0 ? [inertLine(values.join(' · '), MAX_DETAIL)] : []),
      ...(servers ? [servers] : []),
      ...(permissionMode && permissionMode !== 'ask' ? [inertLine(modeLabel(permissionMode, verbatim))] : []),
    ],
    ' · ',
  );
}

/** Returns a name for the preset of a session: the agent and the names of the values that the options show, at most two. */
export function suggestedName(agentName: string, values: readonly string[]): string {
  return [agentName, ...values.slice(0, 2)].join(' · ').slice(0, MAX_PRESET_NAME);
}
