/** The options, favourites and commands that the user has chosen for each agent. Stored in `globalState`, which all windows share. */
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

  /** Returns the preferences for an agent, by its name in the settings. */
  of(agentName: string): AgentPreferences {
    const kept = this.kept;
    return preferencesIn(Object.hasOwn(kept, agentName) ? kept[agentName] : undefined);
  }

  /** Returns the part of the preferences that a page receives. */
  shown(agentName: string): ShownPreferences {
    const { favorites, recentCommands } = this.of(agentName);
    return { favorites, recentCommands };
  }

  /** Stores an option's value that the user has set. */
  chose(agentName: string, configId: string, value: string | boolean): void {
    this.change(agentName, (preferences) => withValue(preferences, configId, value));
  }

  /** The agent has refused this value. Stores the current value in its place, unless the user has chosen another one since. */
  refused(agentName: string, configId: string, value: string | boolean, current: string | boolean | undefined): void {
    this.change(agentName, (preferences) => withoutValue(preferences, configId, value, current));
  }

  mark(agentName: string, configId: string, value: string, isFavorite: boolean): void {
    this.change(agentName, (preferences) => withFavorite(preferences, configId, value, isFavorite));
  }

  /** Notes the command in a message that the user has sent, if the agent has that command. */
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

/** Adapts the store for sessions. A new session begins with the user's last choices. A value that the agent refuses is not chosen again. */
export function optionPorts(store: AgentPreferencesStore): Pick<AgentDependencies, 'chosenOptions' | 'optionRefused'> {
  return { chosenOptions: (agentName) => store.of(agentName).values, optionRefused: (...args) => store.refused(...args) };
}
