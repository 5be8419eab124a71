/** Failures in the contract: with a category, and the actions that help. A turn's failure comes with the answer to its prompt, others as updates. */
import type { EventInput } from '../../../core/model/event';
import type { Failure } from '../../../core/model/failure';
import { type Fields, isRecord, labelOf, textOf } from '../../json/fields';
import { airOf } from './contract';

function failureIn(meta: unknown): Fields | undefined {
  const failure = airOf(meta)?.sessionFailure;
  return isRecord(failure) && labelOf(failure.title) !== undefined ? failure : undefined;
}

function actionsOf({ actions }: Fields): readonly string[] {
  return Array.isArray(actions) ? actions.filter((action) => typeof action === 'string') : [];
}

/** Returns the failure of a turn in the `_meta` of its answer. A warning is no failure. */
export function turnFailure(meta: unknown): Failure | undefined {
  const failure = failureIn(meta);
  if (!failure || failure.severity === 'warning') {
    return undefined;
  }
  const actions = actionsOf(failure);
  const category = labelOf(failure.category);
  return {
    code: actions.includes('login') ? 'auth.required' : 'turn.failed',
    params: { actions: actions.join(' '), ...(category !== undefined && { category }) },
    detail: [textOf(failure.title), labelOf(failure.details)].filter((text) => text !== undefined).join('\n'),
  };
}

/**
 * Returns the notice about a failure of the session. A later revision of the failure replaces its notice. claude-agent-acp sends each attempt after a
 * rate limit as a failure of its own. Their ids differ only in the number at the end, and they share a notice.
 */
export function failureNotice(meta: unknown, mint: () => string): EventInput | undefined {
  const failure = failureIn(meta);
  if (!failure) {
    return undefined;
  }
  const id = labelOf(failure.id);
  const title = textOf(failure.title)!;
  const isAttempt = failure.severity === 'warning' && /\d+ of \d+/.test(title);
  const description = labelOf(failure.details);
  const actions = actionsOf(failure);
  return {
    type: 'notice',
    noticeId: id === undefined ? mint() : `failure-${isAttempt ? id.replace(/:\d+$/, '') : id}`,
    severity: failure.severity === 'error' ? 'error' : 'warning',
    title,
    ...(description !== undefined && { description }),
    ...(actions.length > 0 && { actions }),
  };
}
