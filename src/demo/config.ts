/** The demo agent's modes, config options and slash commands. Each has a visible effect. */
import type { AvailableCommand, SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk';

export const MODES = [
  { id: 'ask', name: 'Ask first', description: 'Asks before it writes a file or runs a command you typed' },
  { id: 'plan', name: 'Plan only', description: 'Reads and proposes; writes nothing, runs nothing' },
  { id: 'auto', name: 'Auto', description: 'Writes and runs without asking' },
] as const;

export type ModeId = (typeof MODES)[number]['id'];

/** The models differ only in their pace, because no real model is behind any of them. */
const MODELS = [
  {
    group: 'everyday',
    name: 'Everyday',
    options: [
      { value: 'guide', name: 'Scripted guide', description: 'Not a language model: it follows a script' },
      { value: 'guide-brisk', name: 'Scripted guide, brisk', description: 'The same text without pauses' },
    ],
  },
  {
    group: 'presentation',
    name: 'Presentation',
    options: [{ value: 'guide-slow', name: 'Scripted guide, slow motion', description: 'The same text, slow enough to present' }],
  },
];

const THINKING = [
  { value: 'short', name: 'Short' },
  { value: 'off', name: 'Off', description: 'No thoughts before the answer' },
];

export interface Settings {
  mode: ModeId;
  model: string;
  thinking: string;
  /** Explains each step before it runs. */
  explain: boolean;
}

export const INITIAL: Settings = { mode: 'ask', model: 'guide', thinking: 'short', explain: true };

/** Returns the ms between two chunks of text. */
export function paceOf({ model }: Settings): number {
  return model === 'guide-slow' ? 90 : model === 'guide-brisk' ? 0 : 30;
}

export function modesOf({ mode }: Settings): SessionModeState {
  return { currentModeId: mode, availableModes: MODES.map((each) => ({ ...each })) };
}

/** Returns the complete list, which every result and update must have. `booleans`: the client supports boolean options. */
export function configOptionsOf(settings: Settings, booleans: boolean): SessionConfigOption[] {
  const options: SessionConfigOption[] = [
    {
      type: 'select',
      id: 'mode',
      name: 'Mode',
      description: 'What the guide can do without asking',
      category: 'mode',
      currentValue: settings.mode,
      options: MODES.map(({ id, name, description }) => ({ value: id, name, description })),
    },
    {
      type: 'select',
      id: 'model',
      name: 'Model',
      description: 'How fast the guide responds',
      category: 'model',
      currentValue: settings.model,
      options: MODELS,
    },
    {
      type: 'select',
      id: 'thinking',
      name: 'Thinking',
      description: 'Whether the guide shows its thinking',
      category: 'thought_level',
      currentValue: settings.thinking,
      options: THINKING,
    },
  ];
  if (booleans) {
    options.push({
      type: 'boolean',
      id: 'explain',
      name: 'Explain steps',
      description: 'Explain each step before it runs',
      category: 'model_config',
      currentValue: settings.explain,
    });
  }
  return options;
}

/** Sets one option. Returns false when the option does not exist or cannot have that value. */
export function setOption(settings: Settings, configId: string, value: unknown): boolean {
  switch (configId) {
    case 'mode': {
      const mode = MODES.find(({ id }) => id === value);
      if (mode) {
        settings.mode = mode.id;
      }
      return mode !== undefined;
    }
    case 'model':
    case 'thinking': {
      const choices = configId === 'model' ? MODELS.flatMap(({ options }) => options) : THINKING;
      const choice = choices.find((each) => each.value === value);
      if (choice) {
        settings[configId] = choice.value;
      }
      return choice !== undefined;
    }
    case 'explain':
      if (typeof value === 'boolean') {
        settings.explain = value;
      }
      return typeof value === 'boolean';
    default:
      return false;
  }
}

export const COMMANDS: AvailableCommand[] = [
  { name: 'tour', description: 'Everything in one turn: read, plan, edit, run', input: { hint: 'file (optional)' } },
  { name: 'read', description: 'Read a file, including unsaved changes', input: { hint: 'file (optional)' } },
  { name: 'edit', description: 'Propose a small edit and ask before writing it', input: { hint: 'file (optional)' } },
  { name: 'run', description: 'Run a command in a terminal', input: { hint: 'command (optional)' } },
  { name: 'plan', description: 'Show a plan and its progress' },
  { name: 'form', description: 'Ask you for input: a form, then a web page' },
  { name: 'help', description: 'What this guide can do' },
];
