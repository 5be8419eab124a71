/** The permission service's interface to the window, implemented by `workbench/permission/permissionPresenter.ts`. */
import type { AlikeAnswer } from '../../core/approval/alikeAnswers';
import type { PermissionOption, PermissionSubject } from '../../core/model/content';
import type { ToolCallEntry } from '../../core/model/state';
import type { Disposable } from '../../core/platform/disposable';
import type { SessionStore } from '../state/store';

/** One question of an agent, identified by `sessionKey` and `permissionId`. */
export interface PendingPermission {
  readonly sessionKey: string;
  /** The agent's name in the settings, which the user has chosen, not the agent. */
  readonly agentName: string;
  /** Created by the host, unique in the session. */
  readonly permissionId: string;
  readonly title: string;
  readonly description?: string;
  /** The name of the sub-session that asks. The agent chose it. */
  readonly askedBy?: string;
  readonly options: readonly PermissionOption[];
  readonly subject: PermissionSubject;
  /** The tool call of the request, if the conversation has it: its card names the request. */
  readonly call?: ToolCallEntry;
  /** The session's folder, absolute. */
  readonly cwd: string;
  /** The conversation, whose entry of the request shows whether files have changed since. */
  readonly store?: Pick<SessionStore, 'state' | 'onEvents'>;
}

/** Receives the events of a quick pick. */
export interface PickListener {
  /** The user chose this option. The pick stays until the service disposes it. */
  picked(optionId: string): void;
  /** The user chose something that answers the request in another way. `act` runs if an answer counts now. */
  chose(act: () => void): void;
  /** The user chose to answer many questions of the session alike. */
  pickedAlike(answers: readonly AlikeAnswer[]): void;
  /** Text was typed into the pick, perhaps by a user who was typing elsewhere. */
  typed(): void;
  /** The pick is on the screen. The user must read it before an answer counts. */
  drawn(): void;
  /** Another row became active by a key. It must be read before an answer counts. */
  moved(): void;
  /** The pick was hidden, for any reason; also called after its disposal. */
  hidden(): void;
}

export interface Presenter {
  /** True when a pick may take the keyboard of a user who expects it: the window has the focus, and no quick input of the extension is open. */
  readonly isFree: boolean;
  /** True when, in addition, the focus is known: it is in a session's page or a text editor. */
  readonly ready: boolean;
  /** The session that the user is working with. */
  readonly activeSession: string | undefined;
  /** The same session, while it is on the screen. */
  readonly visibleSession: string | undefined;
  /** Returns where this request is asked now; undefined while no pick may open for it by itself. */
  surfaceOf(ask: PendingPermission): 'card' | 'pick' | undefined;
  /** True when the card of this request is in sight, and asks once the pick that is open over its page is closed. */
  isCardBeneath(ask: PendingPermission): boolean;
  /** Called when `isFree`, `ready`, `activeSession` or `surfaceOf` has changed. */
  onDidChange(listener: () => void): Disposable;
  /** Called when the user typed, edited, selected, or used a quick input of the extension. `uncertainMs`: see `IdleDetector.touch`. */
  onActivity(listener: (uncertainMs: number) => void): Disposable;
  /** Calls back, perhaps synchronously, when the window has drawn all earlier changes, including those of the same task. */
  whenDrawn(callback: () => void): void;
  /** Shows a quick pick without an active row. `queue.waiting` counts all waiting requests, including this one. Disposing closes the pick. */
  show(ask: PendingPermission, queue: { readonly waiting: number }, listener: PickListener): Disposable;
}
