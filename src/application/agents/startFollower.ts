import type { Failure } from '../../core/model/failure';

/** Is notified of one start of an agent. */
export interface StartFollower {
  ready(): void;
  /** Called when a keeper holds the agent, which may outlive the window. */
  kept?(keeperPid: number): void;
  /**
   * May be called several times.
   * @param failure absent when the window ended the agent
   * @returns the version to go back to, when this one fails since its installation
   */
  ended(failure?: Failure): Promise<string | undefined> | undefined;
}
