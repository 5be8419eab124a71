/** The fields that the messages of several channels have, with their limits. */
import { type DraftBlock, isMention, mentionSchema } from '../../mentions/mention';
import type { ContentBlock } from '../../model/content';
import { array, integer, fallback, object, refine, type Schema, string, union, variant } from '../../schema/schema';

/** UTF-16 units of one prompt, attachments included. */
const MAX_PROMPT = 64 * 1024 * 1024;
export const MAX_BLOCKS = 256;
const MAX_ID = 1024;
export const MAX_IDS = 2000;
const MAX_PATH = 8192;

export const id = string({ max: MAX_ID });
export const ids = array(id, { max: MAX_IDS });
export const path = string({ max: MAX_PATH });
export const place = string({ min: 1, max: MAX_PATH });
export const data = string({ max: MAX_PROMPT });
/** An index in a list. */
export const index = integer();

const mimeType = fallback(data);

/** A block that a prompt may carry; never `unknown`. */
const promptBlock: Schema<ContentBlock> = variant('type', {
  text: object({ text: data }),
  image: object({ data, mimeType: data }),
  audio: object({ data, mimeType: data }),
  resource_link: object({ uri: place, name: place, mimeType, size: fallback(integer()) }),
  resource: union(object({ uri: place, mimeType, text: data }), object({ uri: place, mimeType, blob: data })),
});

export const mention = mentionSchema(promptBlock);
const draftBlock: Schema<DraftBlock> = union(promptBlock, mention);

/** The content of a message that the user writes, with at least `min` blocks. */
export const content = (min: number): Schema<readonly DraftBlock[]> =>
  refine(array(draftBlock, { min, max: MAX_BLOCKS }), (blocks) => blocks.reduce((sum, block) => sum + sizeOf(block), 0) <= MAX_PROMPT);

function sizeOf(block: DraftBlock): number {
  return textIn(block) + (isMention(block) ? textIn(block.ref) + (block.ref.kind === 'content' ? textIn(block.ref.block) : 0) : 0);
}

/** UTF-16 units of the texts that an object holds. */
export function textIn(fields: object): number {
  return Object.values(fields).reduce<number>((sum, field) => sum + (typeof field === 'string' ? field.length : 0), 0);
}
