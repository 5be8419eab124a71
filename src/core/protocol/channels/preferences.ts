/** The agent's options, and the user's favorites among their values. */
import { boolean, union } from '../../schema/schema';
import { message } from '../messages/channel';
import { id, path } from '../messages/fields';

export const preferences = {
  takes: {
    set_config: message({ configId: id, value: union(path, boolean()) }, { keepsPreview: true }),
    /** Marks a value of an option as a favorite, or removes the mark. In long lists favorites come first. */
    mark_favorite: message({ configId: id, value: path, isFavorite: boolean() }),
  },
};
