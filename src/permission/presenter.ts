/** What the permission service needs of the window; `workbench/permission/permissionPresenter.ts` gives it. */
import type { PermissionOption, PermissionSubject } from '../core/model/content';
import type { ToolCallEntry } from '../core/model/state';
import type { Disposable } from '../core/model/ports';

/** One question of an agent. `sessionKey` and `permissionId` together name it. */
export interface PendingPermission {
  readonly sessionKey: string;
  /** The agent's name in settings: the user's own word for it, not the agent's. */
  readonly agentName: string;
  /** Minted by us, unique in the session. */
  readonly permissionId: string;
  readonly title: string;
  readonly description?: string;
  /** The name of the sub-session that asks: the agent chose it. */
  readonly askedBy?: string;
  readonly options: readonly PermissionOption[];
  readonly subject: PermissionSubject;
  /** The tool call that it is about, where the conversation holds that: its card names the request. */
  readonly call?: ToolCallEntry;
  /** The session's folder, absolute. */
  readonly cwd: string;
}

/** What a shown quick pick tells the service. */
export interface PickListener {
  /** The user chose this option. The pick stays until the service disposes it. */
  picked(optionId: string): void;
  /** Text arrived in the pick: somebody is typing, perhaps not for us. */
  typed(): void;
  /** The pick is on the screen: what answers must first be read. */
  drawn(): void;
  /** Another row became active, by a key: what answers must first be read. */
  moved(): void;
  /** It is no longer on the screen, whatever the reason; also after its disposal. */
  hidden(): void;
}

export interface Presenter {
  /** A pick may take the keyboard: the focus is known to be in a session's page or in a text editor, and no quick input of ours is open. */
  readonly ready: boolean;
  /** The session the user is with. */
  readonly activeSession: string | undefined;
  /** The same session, while it is on the screen. */
  readonly visibleSession: string | undefined;
  /** Returns where this request is asked now; undefined while no pick may open for it by itself. */
  placeOf(ask: PendingPermission): 'card' | 'pick' | undefined;
  /** True when the card of this request is in sight, and asks once the pick that is open over its page is closed. */
  isCardBeneath(ask: PendingPermission): boolean;
  /** `ready`, `activeSession` or `placeOf` changed. */
  onDidChange(listener: () => void): Disposable;
  /** The user typed, edited, selected, or used a quick input of ours. `uncertainMs` as in `Quiet.touch`. */
  onActivity(listener: (uncertainMs: number) => void): Disposable;
  /** Calls back, perhaps at once, when the window has drawn what was changed before and in the same task. */
  whenDrawn(callback: () => void): void;
  /** Shows a quick pick with no row active; `queue.waiting` counts all that wait, this one included. Disposing takes it away. */
  show(ask: PendingPermission, queue: { readonly waiting: number }, listener: PickListener): Disposable;
}
