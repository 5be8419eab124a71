/** Creates the router of all features. Loaded with the first page. */
import type { Log } from '../core/platform/log';
import * as features from './features';
import type { Feature } from '../application/routing/feature';
import { FeatureRouter } from './routing/featureRouter';

type Features = (typeof features)[keyof typeof features];
type Requires<F> = F extends Feature<infer Services> ? (services: Services) => void : never;
/** The services that any feature names. */
export type FeatureServices = Requires<Features> extends (services: infer All) => void ? All : never;

export function createRouter(services: FeatureServices & { readonly log: Pick<Log, 'error'> }): FeatureRouter {
  const all: readonly Feature<FeatureServices>[] = Object.values(features);
  return new FeatureRouter(
    all.map((feature) => feature(services)),
    services.log,
  );
}
