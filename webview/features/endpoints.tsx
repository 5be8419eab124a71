/** The endpoints of the agent's models. */
import type { FooterProps, PageFeature } from '../base/feature';
import { useLazy } from '../base/lazy';
import { endpointChunk } from '../endpoints/lazyEndpoints';
import { useNewest } from '../state/context';

function LazyEndpoints(props: FooterProps) {
  const page = useNewest('endpoints');
  const chunk = useLazy(endpointChunk, page !== undefined);
  return chunk && page ? <chunk.EndpointsPage key={page.shown} page={page} {...props} /> : null;
}

export default { Footer: LazyEndpoints, order: 15 } satisfies PageFeature;
