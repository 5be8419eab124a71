/** The components for the host's advice on a request. Loaded with the first request that waits. */
import type { PermissionEntry } from '../../../src/core/model/state';
import { lazy, useLazy } from '../../base/lazy';

const adviceChunk = lazy(() => import('./advice'));

/** Returns the components while the request waits, once they are loaded. */
export function useAdviceChunk(request: PermissionEntry | undefined): typeof import('./advice') | undefined {
  const isWaiting = request !== undefined && request.outcome === undefined;
  const chunk = useLazy(adviceChunk, isWaiting);
  return isWaiting ? chunk : undefined;
}
