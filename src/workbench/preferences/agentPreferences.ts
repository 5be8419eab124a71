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
import { type AgentKey, agentWithId } from '../../core/agents/agentIds';
import type { Disposable } from '../../core/platform/disposable';
import type { AgentDependencies } from '../../session/lifecycle/sessionDependencies';
import { Listeners } from '../../core/platform/listeners';

const KEY = 'agentPreferences';

export class AgentPreferencesStore {
  private readonly listeners = new Listeners<[]>();

  /**
   * @param globalState `ExtensionContext.globalState`
   * @param agents the agents that the user can start, for preferences that earlier versions stored under names
   */
  constructor(
    private readonly globalState: Pick<vscode.Memento, 'get' | 'update'>,
    private readonly agents: () => readonly AgentKey[] = () => [],
  ) {}

  /** Returns the preferences for an agent. Those that an earlier version stored apply until the first change. */
  of(agentId: string): AgentPreferences {
    const kept = this.kept;
    const key = Object.hasOwn(kept, agentId) ? agentId : agentWithId(this.agents(), agentId)?.earlierId;
    return preferencesIn(key !== undefined && Object.hasOwn(kept, key) ? kept[key] : undefined);
  }

  /** Returns the part of the preferences that a page receives. */
  shown(agentId: string): ShownPreferences {
    const { favorites, recentCommands } = this.of(agentId);
    return { favorites, recentCommands };
  }

  /** Stores an option's value that the user has set. */
  chose(agentId: string, configId: string, value: string | boolean): void {
    this.change(agentId, (preferences) => withValue(preferences, configId, value));
  }

  /** The agent has refused this value. Stores the current value in its place, unless the user has chosen another one since. */
  refused(agentId: string, configId: string, value: string | boolean, current: string | boolean | undefined): void {
    this.change(agentId, (preferences) => withoutValue(preferences, configId, value, current));
  }

  mark(agentId: string, configId: string, value: string, isFavorite: boolean): void {
    this.change(agentId, (preferences) => withFavorite(preferences, configId, value, isFavorite));
  }

  /** Notes the command in a message that the user has sent, if the agent has that command. */
  said(agentId: string, [first]: readonly ContentBlock[], commands: readonly AvailableCommand[]): void {
    const name = first?.type === 'text' ? /^\/(\S+)/.exec(first.text)?.[1] : undefined;
    if (name !== undefined && commands.some((command) => command.name === name || command.name === `/${name}`)) {
      this.change(agentId, (preferences) => withRecentCommand(preferences, name));
    }
  }

  onDidChange(listener: () => void): Disposable {
    return this.listeners.add(listener);
  }

  private get kept(): Readonly<Record<string, unknown>> {
    return this.globalState.get<Record<string, unknown>>(KEY, {});
  }

  private change(agentId: string, change: (preferences: AgentPreferences) => AgentPreferences): void {
    const before = this.of(agentId);
    const after = change(before);
    if (JSON.stringify(after) !== JSON.stringify(before)) {
      void this.globalState.update(KEY, { ...this.kept, [agentId]: after });
      this.listeners.call();
    }
  }
}

/** Adapts the store for sessions. A new session begins with the user's last choices. A value that the agent refuses is not chosen again. */
export function optionDependencies(store: AgentPreferencesStore): Pick<AgentDependencies, 'chosenOptions' | 'optionRefused'> {
  return { chosenOptions: (agentId) => store.of(agentId).values, optionRefused: (...args) => store.refused(...args) };
}
