/** The check whether agents may start in a folder. The workbench implements it. */
import type { Failure } from '../../core/model/failure';

/** A start of an agent, as its trust is checked. */
export interface TrustRequest {
  /** Absolute: the working folder first, then the additional folders of the session. */
  readonly folders: readonly string[];
  /** True when the user asked for this start, so that a question may be shown. An automatic start shows none. */
  readonly byUser: boolean;
}

/** The workbench's answer to each start. */
export interface FolderTrust {
  /** True in Restricted Mode: saved sessions can only be read then, and no session is made. Read each time, because the user may grant trust. */
  isRestricted(): boolean;
  /**
   * Calls `settled` exactly once, immediately or later: with the reason why no agent may start in these folders, or with undefined when one may. Each
   * start is checked again, so that trust that was taken back counts at once.
   */
  check(request: TrustRequest, settled: (refusal: Failure | undefined) => void): void;
}
