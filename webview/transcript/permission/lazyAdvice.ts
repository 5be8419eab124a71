/** The advice of the host about a waiting request. Its code is loaded with the first request. */
import { useEffect } from 'preact/hooks';
import type { PermissionAdvice } from '../../../src/core/approval/advice';
import type { PermissionEntry } from '../../../src/core/model/state';
import { lazy, useLazy } from '../../base/lazy';
import { useNewest, useView } from '../../state/context';

const adviceChunk = lazy(() => import('./advice'));

export type AdviceChunk = typeof import('./advice');

/** Returns the components once they are loaded, and the host's advice once it has come. An answered request has none. */
export function useAdvice(request: PermissionEntry | undefined): { readonly chunk?: AdviceChunk; readonly advice?: PermissionAdvice } {
  const isWaiting = request !== undefined && request.outcome === undefined;
  const chunk = useLazy(adviceChunk, isWaiting);
  const advices = useNewest('permission_advice')?.advices;
  const advice = isWaiting ? advices?.find(({ permissionId }) => permissionId === request.permissionId) : undefined;
  return { ...(chunk && isWaiting && { chunk }), ...(advice && { advice }) };
}

/** Requests the advice about a request when it is shown. */
export function useWantAdvice({ permissionId }: PermissionEntry): void {
  const { post } = useView();
  useEffect(() => post({ type: 'want_advice', permissionId }), [permissionId]);
}
