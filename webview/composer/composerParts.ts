/** What of the composer is loaded after the first paint; `parts.ts` says when. */
export { UsageDetails } from './usageDetails';
export { SendMenu } from './sendMenu';
