/** Creates the router of all features. Loaded with the first page. */
import features from 'folder:./features';
import type { Log } from '../core/platform/log';
import type { FeatureServices } from './routing/feature';
import { FeatureRouter } from './routing/featureRouter';

export function createRouter(services: FeatureServices & { readonly log: Pick<Log, 'error'> }): FeatureRouter {
  return new FeatureRouter(
    Object.values(features).map((feature) => feature(services)),
    services.log,
  );
}
