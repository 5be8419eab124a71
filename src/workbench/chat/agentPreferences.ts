/** What the user has chosen and marked at each agent, in the state that all of their windows share. */
import type * as vscode from 'vscode';
import {
  type AgentPreferences,
  preferencesIn,
  type ShownPreferences,
  withFavorite,
  withRecentCommand,
  withoutValue,
  withValue,
} from '../../core/preferences/agentPreferences';
import type { AvailableCommand, ContentBlock } from '../../core/model/content';
import type { Disposable } from '../../core/model/ports';
import type { AgentDependencies } from '../../session/sessionDependencies';
import { Listeners } from '../../util/listeners';

const KEY = 'agentPreferences';

export class AgentPreferencesStore {
  private readonly listeners = new Listeners<[]>();

  /** @param globalState `ExtensionContext.globalState` */
  constructor(private readonly globalState: Pick<vscode.Memento, 'get' | 'update'>) {}

  /** By the agent's name in settings. */
  of(agentName: string): AgentPreferences {
    const kept = this.kept;
    return preferencesIn(Object.hasOwn(kept, agentName) ? kept[agentName] : undefined);
  }

  /** What of it a page is told. */
  shown(agentName: string): ShownPreferences {
    const { favorites, recentCommands } = this.of(agentName);
    return { favorites, recentCommands };
  }

  /** The user has set an option. */
  chose(agentName: string, configId: string, value: string | boolean): void {
    this.change(agentName, (preferences) => withValue(preferences, configId, value));
  }

  /** The agent has refused this value: what stays set takes its place, unless the user has chosen something else since. */
  refused(agentName: string, configId: string, value: string | boolean, current: string | boolean | undefined): void {
    this.change(agentName, (preferences) => withoutValue(preferences, configId, value, current));
  }

  mark(agentName: string, configId: string, value: string, isFavorite: boolean): void {
    this.change(agentName, (preferences) => withFavorite(preferences, configId, value, isFavorite));
  }

  /** The user has said this: a command is noted, where the agent has it. */
  said(agentName: string, [first]: readonly ContentBlock[], commands: readonly AvailableCommand[]): void {
    const name = first?.type === 'text' ? /^\/(\S+)/.exec(first.text)?.[1] : undefined;
    if (name !== undefined && commands.some((command) => command.name === name || command.name === `/${name}`)) {
      this.change(agentName, (preferences) => withRecentCommand(preferences, name));
    }
  }

  onDidChange(listener: () => void): Disposable {
    return this.listeners.add(listener);
  }

  private get kept(): Readonly<Record<string, unknown>> {
    return this.globalState.get<Record<string, unknown>>(KEY, {});
  }

  private change(agentName: string, change: (preferences: AgentPreferences) => AgentPreferences): void {
    const before = this.of(agentName);
    const after = change(before);
    if (JSON.stringify(after) !== JSON.stringify(before)) {
      void this.globalState.update(KEY, { ...this.kept, [agentName]: after });
      this.listeners.call();
    }
  }
}

/** The store as sessions use it: a new one begins with what the user chose last, and what the agent refuses is not chosen again. */
export function optionPorts(store: AgentPreferencesStore): Pick<AgentDependencies, 'chosenOptions' | 'optionRefused'> {
  return { chosenOptions: (agentName) => store.of(agentName).values, optionRefused: (...args) => store.refused(...args) };
}
