/** A session as the sharing needs it. The application implements it. */
import type { ContentBlock } from '../core/model/content';
import type { SessionEvent } from '../core/model/event';
import type { SessionState } from '../core/model/state';
import type { Disposable } from '../core/platform/disposable';
import type { ElicitationContent } from '../core/elicitation/answer';

/** The reason why a prompt was neither sent nor queued, in words. */
export interface PromptRefused {
  readonly refused: string;
}

export interface SharedSession {
  /** The id for clients. */
  readonly key: string;
  readonly state: SessionState;
  readonly title: string;
  /** @param listener `whole`: any entry may have changed */
  onEvents(listener: (events: readonly SessionEvent[], whole: boolean) => void): Disposable;
  /** The text of a terminal's output, without escape sequences. */
  outputOf(terminalId: string): string | undefined;
  /** Sends or queues a message like the user's own. @param client the name of the sender, for the conversation */
  prompt(content: readonly ContentBlock[], client: string): { readonly turnId: string } | PromptRefused;
  /** Stops the turn, like the user's Stop. */
  cancel(): void;
  /** Removes a message that still waits. */
  removeQueued(turnId: string): void;
  /** False when the question has ended already. */
  answerPermission(permissionId: string, optionId: string, client: string): boolean;
  /** Resolves to false when the form's values were not valid, so that the question still waits. */
  answerElicitation(
    requestKey: string,
    action: 'accept' | 'decline' | 'cancel',
    content: ElicitationContent,
    client: string,
  ): Promise<boolean>;
  setConfig(configId: string, value: string | boolean): void;
  /** The session is no longer shared. */
  dispose(): void;
}
