/** Components that are loaded after the first paint. `chunks.ts` decides when. */
export { nearestLimit } from '../composer/limitStrings';
export { UsageDetails } from '../composer/usageDetails';
export { ChangesBar } from '../changes/changesBar';
export { RunningBar } from '../changes/runningBar';
export { DragHint } from '../composer/incoming/dragHint';
export { FloodCard } from '../composer/floodCard';
export { EditBar } from '../composer/editBar';
export { PresetMenu } from '../composer/presetMenu';
export { PromptSuggestions } from '../composer/promptSuggestions';
export { LimitWait } from '../transcript/entries/limitWait';
export { MessageMenu } from '../transcript/entries/messageMenu';
export { SendMenu } from '../composer/sendMenu';
export { Unresponsive } from '../failures/unresponsive';
export { Reconnecting } from '../header/reconnecting';
export { moreItems } from '../header/moreItems';
