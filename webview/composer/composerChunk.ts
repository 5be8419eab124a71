/** Components of the composer that are loaded after the first paint. `chunks.ts` decides when. */
export { UsageDetails } from './usageDetails';
export { ChangesBar } from '../changes/changesBar';
export { DragHint } from './incoming/dragHint';
export { EditBar } from './editBar';
export { MessageMenu } from '../transcript/entries/messageMenu';
export { SendMenu } from './sendMenu';
export { Unresponsive } from '../failures/unresponsive';
export { moreItems } from '../header/moreItems';
