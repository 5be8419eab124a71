/** The components of the composer that the first paint does not need. */

import { LazySlot } from '../base/lazy';

type ComposerChunk = Pick<typeof import('./incoming/dragHint'), 'DragHint'> &
  Pick<typeof import('./editBar'), 'EditBar'> &
  Pick<typeof import('./limitStrings'), 'nearestLimit'> &
  Pick<typeof import('./presetMenu'), 'PresetMenu'> &
  Pick<typeof import('./promptSuggestions'), 'PromptSuggestions'> &
  Pick<typeof import('./sendMenu'), 'SendMenu'> &
  Pick<typeof import('./usageDetails'), 'UsageDetails'>;

export const composerChunk = new LazySlot<ComposerChunk>();
