import type { Failure } from '../../core/model/failure';

/** Is notified of one start of an agent. */
export interface StartFollower {
  ready(): void;
  /** May be called several times. @param failure absent when the window ended the agent */
  ended(failure?: Failure): void;
}
